/** State of one account, folded from its events. */
import {
  type ConfirmationRequest,
  confirmationAsked,
  confirmationEnded,
  confirmationIssued,
  movesVoided,
} from './confirmation.ts';
import type { AccountEvent, MailChoice } from './events.ts';
import type { ProofKind } from './proof.ts';
import { asked, issued, type ResetRequest, voided } from './recovery.ts';

/** `unconfirmed`: no account has proven ownership of the address yet. `lost`: another account has. */
export type EmailProof = 'confirmed' | 'unconfirmed' | 'lost';

export type ActiveAccount = {
  readonly status: 'active';
  readonly userId: string;
  readonly email: string;
  readonly emailProof: EmailProof;
  /** When the account moved to it; null: it has had no other. */
  readonly emailSince: string | null;
  /** How the address was proven; null if it never was, or if the reset that proves it is still under way. */
  readonly provenBy: ProofKind | null;
  readonly name: string;
  /** Null: it has none. */
  readonly passwordHash: string | null;
  /** Whether the password was set before the address was proven. */
  readonly passwordPrecedesProof: boolean;
  readonly isAdmin: boolean;
  /** The provider whose group gave that right; null if something else did. */
  readonly adminByProvider: string | null;
  /** A person withdrew the right once: only a person can grant them again. */
  readonly adminWithdrawn: boolean;
  /** Nobody can log in until an admin enables the account. */
  readonly isDisabled: boolean;
  readonly registeredAt: string;
  /** The most recent password reset requests, oldest first. */
  readonly resets: readonly ResetRequest[];
  /** The most recent confirmation emails, oldest first. */
  readonly confirmations: readonly ConfirmationRequest[];
  /** The address the account is moving to: proven but not claimed yet. */
  readonly nextEmail: string | null;
  /** How that address was proven. */
  readonly nextProvenBy: ProofKind | null;
  readonly unwantedMails: readonly MailChoice[];
};
export type AccountState =
  | { readonly status: 'none' }
  | ActiveAccount
  | { readonly status: 'deleted'; readonly userId: string };

export const initialState = (): AccountState => ({ status: 'none' });

const NEW_ACCOUNT = {
  provenBy: 'unasked',
  emailSince: null,
  passwordPrecedesProof: true,
  isAdmin: false,
  adminByProvider: null,
  adminWithdrawn: false,
  isDisabled: false,
  resets: [],
  confirmations: [],
  nextEmail: null,
  nextProvenBy: null,
  unwantedMails: [],
} as const;

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountRegistered': {
      const { campaign: _, passwordHash = null, ...account } = event.data;
      // Before email confirmation existed, and where no email is sent, signing up is enough. Only an
      // `AccountEmailConfirmationAsked` event changes that.
      return { ...account, passwordHash, status: 'active', emailProof: 'confirmed', ...NEW_ACCOUNT };
    }
    case 'AccountDeleted':
      return { status: 'deleted', userId: event.data.userId };
    default:
      return state.status === 'active' ? evolveActive(state, event) : state;
  }
}

function evolveActive(
  account: ActiveAccount,
  event: Exclude<AccountEvent, { readonly type: 'AccountRegistered' | 'AccountDeleted' }>,
): ActiveAccount {
  switch (event.type) {
    case 'AccountPasswordChanged':
      // Links that set a new password stay: the reader of the address's email must get in, whoever changes the password
      // meanwhile.
      return {
        ...staying(account),
        passwordHash: event.data.passwordHash,
        // Also one that is set between the two events of the owner's proof.
        passwordPrecedesProof: account.emailProof !== 'confirmed' || account.provenBy === null,
      };
    case 'AccountPasswordRemoved':
      return { ...staying(account), passwordHash: null };
    case 'AccountProvenByMail':
      return { ...account, provenBy: 'mail' };
    case 'AccountAdminGranted':
      return { ...account, isAdmin: true, adminByProvider: event.data.provider ?? null };
    case 'AccountAdminRevoked':
      return {
        ...account,
        isAdmin: false,
        adminByProvider: null,
        adminWithdrawn: account.adminWithdrawn || event.data.reason !== 'provider',
      };
    case 'AccountDisabled':
      return { ...account, isDisabled: true };
    case 'AccountEnabled':
      return { ...account, isDisabled: false };
    case 'PasswordResetAsked':
      return { ...account, resets: asked(account.resets, event.data) };
    case 'PasswordResetIssued':
      return { ...account, resets: issued(account.resets, event.data) };
    case 'PasswordResetUsed':
      return {
        ...account,
        provenBy: account.emailProof === 'confirmed' ? 'reset' : account.provenBy,
        resets: voided(account.resets),
      };
    case 'AccountEmailChangeAsked': {
      const { email, by } = event.data;
      // In events of earlier versions, which do not say so: a link was opened if one was requested.
      const wasLinked = account.confirmations.some((request) => request.email === email);
      return { ...account, nextEmail: email, nextProvenBy: by ?? (wasLinked ? 'link' : 'unasked') };
    }
    case 'AccountEmailChanged':
      return {
        ...account,
        email: event.data.email,
        emailProof: 'confirmed',
        emailSince: event.data.changedAt,
        provenBy: account.nextProvenBy,
        passwordPrecedesProof: true,
        nextEmail: null,
        nextProvenBy: null,
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
      const provenBy = emailProof === 'confirmed' ? account.provenBy : null;
      return {
        ...account,
        emailProof,
        provenBy,
        confirmations: confirmationAsked(account.confirmations, event.data, account.email),
      };
    }
    case 'AccountEmailConfirmationIssued':
      return { ...account, confirmations: confirmationIssued(account.confirmations, event.data) };
    case 'AccountEmailConfirmed': {
      const { email, by = 'link' } = event.data;
      // A reset is complete with the new password, a proof by mail with what ends by it.
      const provenBy = by === 'reset' || by === 'mail' ? null : by;
      return {
        ...account,
        emailProof: 'confirmed',
        provenBy,
        confirmations: confirmationEnded(account.confirmations, email),
      };
    }
    case 'AccountEmailLost':
      return {
        ...account,
        emailProof: 'lost',
        provenBy: null,
        resets: voided(account.resets),
        confirmations: confirmationEnded(account.confirmations, event.data.email),
      };
    case 'AccountMailChoiceSet': {
      const others = account.unwantedMails.filter((mail) => mail !== event.data.mail);
      return { ...account, unwantedMails: event.data.wanted ? others : [...others, event.data.mail] };
    }
    case 'AccountSessionsEnded':
      return staying(account);
    default:
      event satisfies never;
      return account;
  }
}

/**
 * Without any move to another address that has begun: a stranger with the former password, or a session, may have
 * requested it.
 */
function staying(account: ActiveAccount): ActiveAccount {
  return {
    ...account,
    nextEmail: null,
    nextProvenBy: null,
    confirmations: movesVoided(account.confirmations, account.email),
  };
}
