/**
 * An address belongs to one account, recorded in the stream named after the address's hash. An account holds it from
 * sign-up, but until that account has proven that it receives the address's email, another account may contend for it:
 * the first to prove it keeps it.
 */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { EmailEvent } from './events.ts';
import type { ProofKind } from './proof.ts';

export type EmailState = {
  /** The account that holds the address and can log in with it; null if the address is free. */
  readonly userId: string | null;
  /** Whether that account has proven that it receives the address's email. */
  readonly proven: boolean;
  /** How; absent in claims of earlier versions. */
  readonly by?: ProofKind;
  /** Every account that ever held or contended for it, with the time of its first claim, oldest first. */
  readonly wanted: readonly { readonly userId: string; readonly at: string }[];
  /** Links to the address that accounts requested within a day before the last request. */
  readonly requested: readonly { readonly userId: string; readonly at: string }[];
  /** Accounts that may never get it because their sign-up was abandoned. */
  readonly refused: readonly string[];
};

export type EmailCommand =
  /** A sign-up. `proven`: no proof is required. */
  | { readonly type: 'ClaimEmail'; readonly userId: string; readonly proven: boolean; readonly at: string }
  /** The account has proven that it receives the address's email. */
  | { readonly type: 'ProveEmail'; readonly userId: string; readonly by?: ProofKind; readonly at: string }
  /** Before an email with a link is requested, other than the one at sign-up. */
  | { readonly type: 'RequestConfirmation'; readonly userId: string; readonly requestId: string; readonly at: string }
  | { readonly type: 'ReleaseEmail'; readonly userId: string; readonly at: string }
  /** Abandons an account's sign-up, unless the account was already recorded here. */
  | { readonly type: 'RefuseEmail'; readonly userId: string; readonly at: string };

/**
 * Maximum number of accounts that may start contending for one address within a day, since each sends an email there.
 */
const MOST_A_DAY = 5;
/**
 * Maximum number of links sent to one address within a day on request: as many for the account that holds it, so that
 * no other can use them up.
 */
const MOST_LINKS_A_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A second sign-up within this time is probably the same person, who is better sent to the log-in. */
const HELD_ALONE_MS = 2 * DAY_MS;

export const emailDecider: Decider<EmailState, EmailCommand, EmailEvent> = {
  initialState: () => ({ userId: null, proven: false, wanted: [], requested: [], refused: [] }),
  evolve(state, event) {
    switch (event.type) {
      case 'EmailClaimed': {
        const { userId, proven, claimedAt, by } = event.data;
        const { by: _, ...others } = state;
        return { ...others, userId, proven, ...(by ? { by } : {}), wanted: withOne(state.wanted, userId, claimedAt) };
      }
      case 'EmailContended':
        return { ...state, wanted: withOne(state.wanted, event.data.userId, event.data.contendedAt) };
      case 'EmailConfirmationRequested': {
        const { userId, requestedAt } = event.data;
        return {
          ...state,
          requested: [
            ...state.requested.filter((one) => !isOlder(one, requestedAt, DAY_MS)),
            { userId, at: requestedAt },
          ],
        };
      }
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
      case 'RequestConfirmation':
        return requestConfirmation(command, state);
      case 'ReleaseEmail':
        return state.userId === command.userId
          ? [{ type: 'EmailReleased', data: { userId: command.userId, releasedAt: command.at } }]
          : [];
      case 'RefuseEmail':
        if (hasWanted(state, command.userId) || state.refused.includes(command.userId)) return [];
        return [{ type: 'EmailRefused', data: { userId: command.userId, refusedAt: command.at } }];
      default:
        return unreachable(command);
    }
  },
};

/** Whether the account's sign-up reached the address's stream, no matter who holds the address now. */
export const hasWanted = ({ wanted }: EmailState, userId: string): boolean =>
  wanted.some((one) => one.userId === userId);

/**
 * Whether a sign-up with the address would be accepted: it is free, or an account has held it unproven for longer than
 * `HELD_ALONE_MS`.
 */
export function mayWant(
  state: EmailState,
  { userId, proven, at }: { readonly userId: string; readonly proven: boolean; readonly at: string },
): boolean {
  if (state.userId === null || hasWanted(state, userId)) return true;
  const holder = state.wanted.find((one) => one.userId === state.userId);
  if (state.proven || proven || !holder || !isOlder(holder, at, HELD_ALONE_MS)) return false;
  return state.wanted.filter((one) => !isOlder(one, at, DAY_MS)).length < MOST_A_DAY;
}

const isOlder = (one: { readonly at: string }, at: string, ms: number): boolean =>
  Date.parse(one.at) <= Date.parse(at) - ms;

function claim(
  command: Extract<EmailCommand, { readonly type: 'ClaimEmail' }>,
  state: EmailState,
): readonly EmailEvent[] {
  const { userId, proven, at } = command;
  if (state.userId === userId) return [];
  if (!mayWant(state, command)) throw emailTaken();
  if (state.refused.includes(userId))
    throw new DomainError('SIGN_UP_EXPIRED', 'This sign-up took too long. Please sign up again.');
  if (state.userId === null) return [{ type: 'EmailClaimed', data: { userId, proven, claimedAt: at } }];
  return hasWanted(state, userId) ? [] : [{ type: 'EmailContended', data: { userId, contendedAt: at } }];
}

function prove(
  { userId, by, at }: Extract<EmailCommand, { readonly type: 'ProveEmail' }>,
  state: EmailState,
): readonly EmailEvent[] {
  if (state.userId === userId && state.proven) return [];
  if (state.userId !== null && state.userId !== userId && state.proven) throw emailTaken();
  return [{ type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at, ...(by ? { by } : {}) } }];
}

/** The refusal says nothing about other accounts. */
function requestConfirmation(
  command: Extract<EmailCommand, { readonly type: 'RequestConfirmation' }>,
  state: EmailState,
): readonly EmailEvent[] {
  const { userId, requestId, at } = command;
  const isHolder = (id: string): boolean => id === state.userId;
  const counted = state.requested.filter(
    (one) => !isOlder(one, at, DAY_MS) && isHolder(one.userId) === isHolder(userId),
  );
  if (counted.length >= MOST_LINKS_A_DAY) {
    throw new DomainError(
      'TOO_MANY_CONFIRMATIONS',
      'We can’t send more links to this address today. Please try again tomorrow.',
    );
  }
  return [{ type: 'EmailConfirmationRequested', data: { userId, requestId, requestedAt: at } }];
}

function withOne(wanted: EmailState['wanted'], userId: string, at: string): EmailState['wanted'] {
  return wanted.some((one) => one.userId === userId) ? wanted : [...wanted, { userId, at }];
}

export function emailTaken(): DomainError {
  return new DomainError('EMAIL_TAKEN', 'An account with this email already exists.');
}
