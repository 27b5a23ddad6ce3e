/**
 * One address belongs to one account: the stream named after the address's hash says to which. An account has it from its sign-up on, but as long as
 * that has not shown that it reads the address's mail, another one may: whoever proves it first keeps it.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { EmailEvent } from './events.ts';

export type EmailState = {
  /** Who has the address, and can log in with it; null when it is free. */
  readonly userId: string | null;
  /** Whether that account has proven that it reads its mail. */
  readonly proven: boolean;
  /** Every account that ever had it or contended for it, and when that began, oldest first. */
  readonly wanted: readonly { readonly userId: string; readonly at: string }[];
  /** Accounts that may never get it: their sign-up was given up. */
  readonly refused: readonly string[];
};

export type EmailCommand =
  /** A sign-up. `proven`: nobody is asked for a proof. */
  | { readonly type: 'ClaimEmail'; readonly userId: string; readonly proven: boolean; readonly at: string }
  /** The account reads the address's mail. */
  | { readonly type: 'ProveEmail'; readonly userId: string; readonly at: string }
  | { readonly type: 'ReleaseEmail'; readonly userId: string; readonly at: string }
  /** Gives an account's sign-up up, unless it was written down here already. */
  | { readonly type: 'RefuseEmail'; readonly userId: string; readonly at: string };

/** Accounts that may begin to want one address within a day: each sends a mail there. */
const MOST_A_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Whoever signs up twice meanwhile is rather the same person, who is better sent to the log-in. */
const HELD_ALONE_MS = 2 * DAY_MS;

/** `hash` is the SHA-256 (hex) of the normalised address, so that the log's names hold no address. */
export const emailStream = (hash: string): string => `email-${hash}`;

export const emailDecider: Decider<EmailState, EmailCommand, EmailEvent> = {
  initialState: () => ({ userId: null, proven: false, wanted: [], refused: [] }),
  evolve(state, event) {
    switch (event.type) {
      case 'EmailClaimed': {
        const { userId, proven, claimedAt } = event.data;
        return { ...state, userId, proven, wanted: withOne(state.wanted, userId, claimedAt) };
      }
      case 'EmailContended':
        return { ...state, wanted: withOne(state.wanted, event.data.userId, event.data.contendedAt) };
      case 'EmailReleased':
        return { ...state, userId: null, proven: false };
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
        return claim(command, state);
      case 'ProveEmail':
        return prove(command, state);
      case 'ReleaseEmail':
        return state.userId === command.userId ? [{ type: 'EmailReleased', data: { userId: command.userId, releasedAt: command.at } }] : [];
      case 'RefuseEmail':
        if (hasWanted(state, command.userId) || state.refused.includes(command.userId)) return [];
        return [{ type: 'EmailRefused', data: { userId: command.userId, refusedAt: command.at } }];
      default:
        return unreachable(command);
    }
  },
};

/** Whether the account's sign-up came as far as the address's stream, whoever has the address now. */
export const hasWanted = ({ wanted }: EmailState, userId: string): boolean => wanted.some((one) => one.userId === userId);

/** Whether a sign-up with the address would be accepted: it is free, or held for days by an account that has not proven it. */
export function mayWant(state: EmailState, { userId, proven, at }: { readonly userId: string; readonly proven: boolean; readonly at: string }): boolean {
  if (state.userId === null || hasWanted(state, userId)) return true;
  const isOlder = (one: { readonly at: string }, ms: number): boolean => Date.parse(one.at) <= Date.parse(at) - ms;
  const holder = state.wanted.find((one) => one.userId === state.userId);
  if (state.proven || proven || !holder || !isOlder(holder, HELD_ALONE_MS)) return false;
  return state.wanted.filter((one) => !isOlder(one, DAY_MS)).length < MOST_A_DAY;
}

function claim(command: Extract<EmailCommand, { readonly type: 'ClaimEmail' }>, state: EmailState): readonly EmailEvent[] {
  const { userId, proven, at } = command;
  if (state.userId === userId) return [];
  if (!mayWant(state, command)) throw emailTaken();
  if (state.refused.includes(userId)) throw new DomainError('SIGN_UP_EXPIRED', 'This sign-up took too long. Please sign up again.');
  if (state.userId === null) return [{ type: 'EmailClaimed', data: { userId, proven, claimedAt: at } }];
  return hasWanted(state, userId) ? [] : [{ type: 'EmailContended', data: { userId, contendedAt: at } }];
}

function prove({ userId, at }: Extract<EmailCommand, { readonly type: 'ProveEmail' }>, state: EmailState): readonly EmailEvent[] {
  if (state.userId === userId && state.proven) return [];
  if (state.userId !== null && state.userId !== userId && state.proven) throw emailTaken();
  return [{ type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } }];
}

function withOne(wanted: EmailState['wanted'], userId: string, at: string): EmailState['wanted'] {
  return wanted.some((one) => one.userId === userId) ? wanted : [...wanted, { userId, at }];
}

export function emailTaken(): DomainError {
  return new DomainError('EMAIL_TAKEN', 'An account with this email already exists.');
}
