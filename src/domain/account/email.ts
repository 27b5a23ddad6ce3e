/** One address belongs to one account: the stream named after the address's hash says to which. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { EmailEvent } from './events.ts';

export type EmailState = {
  /** Who has the address; null when it is free. */
  readonly userId: string | null;
  /** Accounts that may never get it: their sign-up was given up. */
  readonly refused: readonly string[];
};

export type EmailCommand =
  | { readonly type: 'ClaimEmail'; readonly userId: string; readonly at: string }
  | { readonly type: 'ReleaseEmail'; readonly userId: string; readonly at: string }
  /** Gives an account's sign-up up, unless it has the address already. */
  | { readonly type: 'RefuseEmail'; readonly userId: string; readonly at: string };

/** `hash` is the SHA-256 (hex) of the normalised address, so that the log's names hold no address. */
export const emailStream = (hash: string): string => `email-${hash}`;

export const emailDecider: Decider<EmailState, EmailCommand, EmailEvent> = {
  initialState: () => ({ userId: null, refused: [] }),
  evolve(state, event) {
    switch (event.type) {
      case 'EmailClaimed':
        return { ...state, userId: event.data.userId };
      case 'EmailReleased':
        return { ...state, userId: null };
      case 'EmailRefused':
        return { ...state, refused: [...state.refused, event.data.userId] };
      default:
        event satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'ClaimEmail':
        return claim(command.userId, command.at, state);
      case 'ReleaseEmail':
        return state.userId === command.userId ? [{ type: 'EmailReleased', data: { userId: command.userId, releasedAt: command.at } }] : [];
      case 'RefuseEmail':
        if (state.userId === command.userId || state.refused.includes(command.userId)) return [];
        return [{ type: 'EmailRefused', data: { userId: command.userId, refusedAt: command.at } }];
      default:
        return unreachable(command);
    }
  },
};

function claim(userId: string, at: string, state: EmailState): readonly EmailEvent[] {
  if (state.userId === userId) return [];
  if (state.userId !== null) throw new DomainError('EMAIL_TAKEN', 'An account with this email already exists.');
  if (state.refused.includes(userId)) throw new DomainError('SIGN_UP_EXPIRED', 'This sign-up took too long. Please sign up again.');
  return [{ type: 'EmailClaimed', data: { userId, claimedAt: at } }];
}
