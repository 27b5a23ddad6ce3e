/** State of one account, as its events tell it. */
import type { AccountEvent, MailChoice } from './events.ts';
import { asked, issued, type ResetRequest, voided } from './recovery.ts';

export type ActiveAccount = {
  readonly status: 'active';
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
  readonly registeredAt: string;
  /** The last few requests for a new password, oldest first. */
  readonly resets: readonly ResetRequest[];
  /** The address that the account is about to get. */
  readonly nextEmail: string | null;
  readonly unwantedMails: readonly MailChoice[];
};
export type AccountState = { readonly status: 'none' } | ActiveAccount | { readonly status: 'deleted'; readonly userId: string };

export const accountStream = (userId: string): string => `account-${userId}`;

export const initialState = (): AccountState => ({ status: 'none' });

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountRegistered': {
      const { campaign: _, ...account } = event.data;
      return { ...account, status: 'active', isAdmin: false, resets: [], nextEmail: null, unwantedMails: [] };
    }
    case 'AccountDeleted':
      return { status: 'deleted', userId: event.data.userId };
    default:
      return state.status === 'active' ? evolveActive(state, event) : state;
  }
}

function evolveActive(account: ActiveAccount, event: Exclude<AccountEvent, { readonly type: 'AccountRegistered' | 'AccountDeleted' }>): ActiveAccount {
  switch (event.type) {
    case 'AccountPasswordChanged':
      return { ...account, passwordHash: event.data.passwordHash, resets: voided(account.resets) };
    case 'AccountAdminGranted':
      return { ...account, isAdmin: true };
    case 'PasswordResetAsked':
      return { ...account, resets: asked(account.resets, event.data) };
    case 'PasswordResetIssued':
      return { ...account, resets: issued(account.resets, event.data) };
    case 'PasswordResetUsed':
      return { ...account, resets: voided(account.resets) };
    case 'AccountEmailChangeAsked':
      return { ...account, nextEmail: event.data.email };
    case 'AccountEmailChanged':
      return { ...account, email: event.data.email, nextEmail: null, resets: voided(account.resets) };
    case 'AccountEmailChangeRefused':
      return { ...account, nextEmail: account.nextEmail === event.data.email ? null : account.nextEmail };
    case 'AccountMailChoiceSet': {
      const others = account.unwantedMails.filter((mail) => mail !== event.data.mail);
      return { ...account, unwantedMails: event.data.wanted ? others : [...others, event.data.mail] };
    }
    case 'AccountSessionsEnded':
      return account;
    default:
      event satisfies never;
      return account;
  }
}

/** The form of an address under which it is claimed once: different spellings of one mailbox's name are one address. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
