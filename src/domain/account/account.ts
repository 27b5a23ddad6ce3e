/** State of one account, as its events tell it. */
import type { AccountEvent } from './events.ts';

export type ActiveAccount = {
  readonly status: 'active';
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
  readonly registeredAt: string;
};
export type AccountState = { readonly status: 'none' } | ActiveAccount | { readonly status: 'deleted'; readonly userId: string };

export const accountStream = (userId: string): string => `account-${userId}`;

export const initialState = (): AccountState => ({ status: 'none' });

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountRegistered':
      return { ...event.data, status: 'active', isAdmin: false };
    case 'AccountPasswordChanged':
      return state.status === 'active' ? { ...state, passwordHash: event.data.passwordHash } : state;
    case 'AccountAdminGranted':
      return state.status === 'active' ? { ...state, isAdmin: true } : state;
    case 'AccountDeleted':
      return { status: 'deleted', userId: event.data.userId };
    default:
      event satisfies never;
      return state;
  }
}

/** The form of an address under which it is claimed once: different spellings of one mailbox's name are one address. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
