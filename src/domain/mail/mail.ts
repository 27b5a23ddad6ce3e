/** One mail: prepared, then sent or dropped, once. */
import { type Decider, unreachable } from '../decider.ts';
import type { MailDropReason, MailEvent, MailKind } from './events.ts';

export type MailState = {
  readonly status: 'none' | 'prepared' | 'settled';
  readonly userId: string | null;
  readonly kind: MailKind | null;
  /** Tries that were begun. */
  readonly attempt: number;
  /** Of the link in it that turns such mails off: one for each time that it may have left. */
  readonly unsubscribeHashes: readonly string[];
  /** How it ended; null: it has not. */
  readonly outcome: 'sent' | MailDropReason | null;
};

type Facts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind; readonly at: string };
export type MailCommand =
  | ({ readonly type: 'PrepareMail'; readonly unsubscribeHash: string | null } & Facts)
  /** `attempt`: the try that sent it. Of one that another has replaced, nothing is kept. */
  | ({ readonly type: 'MarkMailSent'; readonly attempt: number } & Facts)
  | ({ readonly type: 'DropMail'; readonly reason: MailDropReason; readonly attempt?: number } & Facts);

export const mailStream = (mailId: string): string => `mail-${mailId}`;

export const mailDecider: Decider<MailState, MailCommand, MailEvent> = {
  initialState: () => ({ status: 'none', userId: null, kind: null, attempt: 0, unsubscribeHashes: [], outcome: null }),
  evolve(state, event) {
    const { userId, kind } = event.data;
    switch (event.type) {
      case 'MailPrepared': {
        const { unsubscribeHash } = event.data;
        return {
          status: 'prepared',
          userId,
          kind,
          attempt: event.data.attempt ?? state.attempt + 1,
          outcome: null,
          unsubscribeHashes: unsubscribeHash === null ? state.unsubscribeHashes : [...state.unsubscribeHashes, unsubscribeHash],
        };
      }
      case 'MailSent':
        return { ...state, status: 'settled', userId, kind, outcome: 'sent' };
      case 'MailDropped':
        return { ...state, status: 'settled', userId, kind, outcome: event.data.reason };
      default:
        event satisfies never;
        return state;
    }
  },
  decide({ at, ...command }, state) {
    if (state.status === 'settled') return [];
    const { mailId, userId, kind } = command;
    switch (command.type) {
      case 'PrepareMail':
        return [{ type: 'MailPrepared', data: { mailId, userId, kind, attempt: state.attempt + 1, unsubscribeHash: command.unsubscribeHash, preparedAt: at } }];
      case 'MarkMailSent':
        if (command.attempt !== state.attempt) return [];
        return [{ type: 'MailSent', data: { mailId, userId, kind, attempt: command.attempt, sentAt: at } }];
      case 'DropMail':
        if (command.attempt !== undefined && command.attempt !== state.attempt) return [];
        return [{ type: 'MailDropped', data: { mailId, userId, kind, reason: command.reason, droppedAt: at } }];
      default:
        return unreachable(command);
    }
  },
};
