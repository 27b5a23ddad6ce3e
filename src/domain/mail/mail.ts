/** One email: prepared, then sent or dropped, once; a failed one may be queued again. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { MailCause, MailDropReason, MailEvent, MailKind } from './events.ts';
import { whyNotResent } from './resend.ts';

export type MailState = {
  readonly status: 'none' | 'prepared' | 'settled';
  readonly userId: string | null;
  readonly kind: MailKind | null;
  /** Number of attempts started. */
  readonly attempt: number;
  /** Hashes of the unsubscribe tokens in its links: one per possible send. */
  readonly unsubscribeHashes: readonly string[];
  /** How it ended; null if it has not. */
  readonly outcome: 'sent' | MailDropReason | null;
  /** What led to it; null if unknown or not recorded yet. */
  readonly cause: MailCause | null;
};

type Facts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind; readonly at: string };
export type MailCommand =
  | ({ readonly type: 'PrepareMail'; readonly unsubscribeHash: string | null } & Facts)
  /** `attempt`: the one that sent it. The result of a superseded attempt is ignored. */
  | ({ readonly type: 'MarkMailSent'; readonly attempt: number } & Facts)
  /** Without a kind: known from the original email. */
  | (Omit<Facts, 'kind'> & {
      readonly type: 'DropMail';
      readonly kind?: MailKind;
      readonly reason: MailDropReason;
      readonly attempt?: number;
      readonly cause?: MailCause;
    })
  | { readonly type: 'RequeueMail'; readonly mailId: string; readonly at: string };

type Command<Type extends MailCommand['type']> = Extract<MailCommand, { readonly type: Type }>;

function evolve(state: MailState, event: MailEvent): MailState {
  const { userId, kind } = event.data;
  switch (event.type) {
    case 'MailPrepared': {
      const { unsubscribeHash } = event.data;
      return {
        ...state,
        status: 'prepared',
        userId,
        kind,
        attempt: event.data.attempt ?? state.attempt + 1,
        outcome: null,
        unsubscribeHashes:
          unsubscribeHash === null ? state.unsubscribeHashes : [...state.unsubscribeHashes, unsubscribeHash],
      };
    }
    case 'MailSent':
      return { ...state, status: 'settled', userId, kind, outcome: 'sent' };
    case 'MailDropped':
      return {
        ...state,
        status: 'settled',
        userId,
        kind,
        outcome: event.data.reason,
        cause: event.data.cause ?? state.cause,
      };
    case 'MailRequeued':
      return { ...state, status: 'none', userId, kind, outcome: null, cause: event.data.cause };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: MailCommand, state: MailState): readonly MailEvent[] {
  if (command.type === 'RequeueMail') return requeue(command, state);
  if (state.status === 'settled') return [];
  const { mailId, userId, at } = command;
  switch (command.type) {
    case 'PrepareMail': {
      const { kind, unsubscribeHash } = command;
      return [
        {
          type: 'MailPrepared',
          data: { mailId, userId, kind, attempt: state.attempt + 1, unsubscribeHash, preparedAt: at },
        },
      ];
    }
    case 'MarkMailSent':
      if (command.attempt !== state.attempt) return [];
      return [{ type: 'MailSent', data: { mailId, userId, kind: command.kind, attempt: command.attempt, sentAt: at } }];
    case 'DropMail':
      return drop(command, state);
    default:
      return unreachable(command);
  }
}

export const mailDecider: Decider<MailState, MailCommand, MailEvent> = {
  initialState: () => ({
    status: 'none',
    userId: null,
    kind: null,
    attempt: 0,
    unsubscribeHashes: [],
    outcome: null,
    cause: null,
  }),
  evolve,
  decide,
};

function drop(
  { mailId, userId, at, reason, attempt, ...given }: Command<'DropMail'>,
  state: MailState,
): readonly MailEvent[] {
  if (attempt !== undefined && attempt !== state.attempt) return [];
  const kind = given.kind ?? state.kind;
  if (kind === null) return [];
  // The cause of a requeued email was its cause from the start.
  const cause = state.cause ?? given.cause;
  return [{ type: 'MailDropped', data: { mailId, userId, kind, reason, ...(cause ? { cause } : {}), droppedAt: at } }];
}

function requeue(
  { mailId, at }: Command<'RequeueMail'>,
  { status, userId, kind, outcome, cause }: MailState,
): readonly MailEvent[] {
  if (userId === null || kind === null) throw new DomainError('MAIL_NOT_RESENDABLE', 'There is no such email.');
  if (status !== 'settled') return [];
  const reason = whyNotResent({ kind, outcome, cause });
  if (reason !== null || cause === null)
    throw new DomainError('MAIL_NOT_RESENDABLE', reason ?? 'What led to this email is not known.');
  return [{ type: 'MailRequeued', data: { mailId, userId, kind, cause, requeuedAt: at } }];
}
