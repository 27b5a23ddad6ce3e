/** State of one account, as its events tell it. */
import { type ConfirmationRequest, confirmationAsked, confirmationEnded, confirmationIssued } from './confirmation.ts';
import type { AccountEvent, MailChoice } from './events.ts';
import { asked, issued, type ResetRequest, voided } from './recovery.ts';

/** `unconfirmed`: nobody has shown yet that the address is the account's. `lost`: another account has shown that it is its own. */
export type EmailProof = 'confirmed' | 'unconfirmed' | 'lost';

export type ActiveAccount = {
  readonly status: 'active';
  readonly userId: string;
  readonly email: string;
  readonly emailProof: EmailProof;
  readonly name: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
  /** The right to administer was withdrawn once: only a person gives it back. */
  readonly adminWithdrawn: boolean;
  /** Nobody gets in until an admin enables it. */
  readonly isDisabled: boolean;
  readonly registeredAt: string;
  /** The last few requests for a new password, oldest first. */
  readonly resets: readonly ResetRequest[];
  /** The last few mails with a link that shows whose an address is, oldest first. */
  readonly confirmations: readonly ConfirmationRequest[];
  /** The address that the account is about to get: proven, but not claimed yet. */
  readonly nextEmail: string | null;
  readonly unwantedMails: readonly MailChoice[];
};
export type AccountState = { readonly status: 'none' } | ActiveAccount | { readonly status: 'deleted'; readonly userId: string };

export const accountStream = (userId: string): string => `account-${userId}`;

export const initialState = (): AccountState => ({ status: 'none' });

const NEW_ACCOUNT = { isAdmin: false, adminWithdrawn: false, isDisabled: false, resets: [], confirmations: [], nextEmail: null, unwantedMails: [] } as const;

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountRegistered': {
      const { campaign: _, ...account } = event.data;
      // Before addresses were confirmed, and where no mail is sent, having signed up is enough: only a mail that asks for more says otherwise.
      return { ...account, status: 'active', emailProof: 'confirmed', ...NEW_ACCOUNT };
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
    case 'AccountAdminRevoked':
      return { ...account, isAdmin: false, adminWithdrawn: true };
    case 'AccountDisabled':
      return { ...account, isDisabled: true };
    case 'AccountEnabled':
      return { ...account, isDisabled: false };
    case 'PasswordResetAsked':
      return { ...account, resets: asked(account.resets, event.data) };
    case 'PasswordResetIssued':
      return { ...account, resets: issued(account.resets, event.data) };
    case 'PasswordResetUsed':
      return { ...account, resets: voided(account.resets) };
    case 'AccountEmailChangeAsked':
      return { ...account, nextEmail: event.data.email };
    case 'AccountEmailChanged':
      return {
        ...account,
        email: event.data.email,
        emailProof: 'confirmed',
        nextEmail: null,
        resets: voided(account.resets),
        confirmations: [event.data.formerEmail, event.data.email].reduce(confirmationEnded, account.confirmations),
      };
    case 'AccountEmailChangeRefused':
      return {
        ...account,
        nextEmail: account.nextEmail === event.data.email ? null : account.nextEmail,
        confirmations: confirmationEnded(account.confirmations, event.data.email),
      };
    case 'AccountEmailConfirmationAsked': {
      const isOwn = event.data.email === account.email;
      const emailProof = isOwn && account.emailProof === 'confirmed' ? 'unconfirmed' : account.emailProof;
      return { ...account, emailProof, confirmations: confirmationAsked(account.confirmations, event.data, account.email) };
    }
    case 'AccountEmailConfirmationIssued':
      return { ...account, confirmations: confirmationIssued(account.confirmations, event.data) };
    case 'AccountEmailConfirmed':
      return { ...account, emailProof: 'confirmed', confirmations: confirmationEnded(account.confirmations, event.data.email) };
    case 'AccountEmailLost':
      return { ...account, emailProof: 'lost', resets: voided(account.resets), confirmations: confirmationEnded(account.confirmations, event.data.email) };
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
