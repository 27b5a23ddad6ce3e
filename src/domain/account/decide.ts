/** Commands of an account and the rules they are subject to. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { type AccountState, type ActiveAccount, evolve, initialState } from './account.ts';
import {
  confirmationExpiry,
  confirmationInvalid,
  mayAskToConfirm,
  openConfirmation,
  pendingEmail,
} from './confirmation.ts';
import type { AccountEvent, Campaign, MailChoice } from './events.ts';
import { effectOfProof, type ProofKind } from './proof.ts';
import { linkExpiry, mayAsk, openReset } from './recovery.ts';

/** Who granted it: the installation itself, or a person. */
export type AdminReason = 'first_account' | 'configured' | 'demo' | 'provider' | PersonsReason;
export type PersonsReason = 'admin' | 'operator';

/** `at` is the time of the command, UTC ISO. `email` is normalised. */
export type AccountCommand =
  | {
      readonly type: 'RegisterAccount';
      readonly userId: string;
      readonly email: string;
      readonly name: string;
      /** Null: none was set. */
      readonly passwordHash: string | null;
      readonly at: string;
      readonly campaign?: Campaign;
      /** Id of the confirmation email. Absent: the address counts as proven. */
      readonly confirmationId?: string;
    }
  /**
   * Ends every session except `keptSessionId`. `formerHash`: of the password that was confirmed; absent where none is.
   */
  | {
      readonly type: 'ChangePassword';
      readonly passwordHash: string;
      readonly formerHash?: string;
      readonly keptSessionId: string | null;
      readonly at: string;
    }
  | { readonly type: 'RequestPasswordReset'; readonly requestId: string; readonly at: string }
  | {
      readonly type: 'IssuePasswordReset';
      readonly requestId: string;
      readonly accessTokenHash: string;
      readonly refreshTokenHash: string;
      readonly at: string;
    }
  /** Sets a new password using an emailed reset link. */
  | {
      readonly type: 'ResetPassword';
      readonly accessTokenHash: string;
      readonly passwordHash: string;
      readonly at: string;
    }
  /** A code or a link from an email to this address was used, and that the address is proven is recorded. */
  | { readonly type: 'ProveByMail'; readonly email: string; readonly at: string }
  | { readonly type: 'EndSessions'; readonly keptSessionId: string | null; readonly at: string }
  /** `email`: the address to move to. Null: resend to the last destination. */
  | {
      readonly type: 'RequestEmailConfirmation';
      readonly requestId: string;
      readonly email: string | null;
      readonly at: string;
    }
  | {
      readonly type: 'IssueEmailConfirmation';
      readonly requestId: string;
      readonly tokenHash: string;
      readonly at: string;
    }
  /** Issued once the proof is recorded in the address's own stream, which decides which of two accounts comes first. */
  | { readonly type: 'ConfirmEmail'; readonly email: string; readonly by?: ProofKind; readonly at: string }
  /** Issued once that stream says that another account has proven the address. */
  | { readonly type: 'LoseEmail'; readonly email: string; readonly at: string }
  /** `tokenHash`: of the link that proves the address, and how it does (`by`). Absent where no proof is required. */
  | {
      readonly type: 'RequestEmailChange';
      readonly email: string;
      readonly tokenHash?: string;
      readonly by?: ProofKind;
      readonly at: string;
    }
  /** Issued once the account owns the address. */
  | { readonly type: 'ChangeEmail'; readonly email: string; readonly at: string }
  | { readonly type: 'RefuseEmailChange'; readonly email: string; readonly at: string }
  | { readonly type: 'SetMailChoice'; readonly mail: MailChoice; readonly wanted: boolean; readonly at: string }
  | { readonly type: 'GrantAdmin'; readonly reason: AdminReason; readonly provider?: string }
  /** The next log-in grants the right. `email`: the configured address, which the account has proven. */
  | {
      readonly type: 'RevokeAdmin';
      readonly reason: PersonsReason | 'provider';
      readonly provider?: string;
      readonly at: string;
    }
  /** Also ends every session. */
  | { readonly type: 'DisableAccount'; readonly at: string }
  | { readonly type: 'EnableAccount'; readonly at: string }
  | { readonly type: 'DeleteAccount'; readonly at: string };

type Command<Type extends AccountCommand['type']> = Extract<AccountCommand, { readonly type: Type }>;

function decide(command: AccountCommand, state: AccountState): readonly AccountEvent[] {
  switch (command.type) {
    case 'RegisterAccount':
      return register(command, state);
    case 'ChangePassword':
      return changePassword(command, active(state));
    case 'RequestPasswordReset':
      return requestReset(command, active(state));
    case 'IssuePasswordReset':
      return issueReset(command, active(state));
    case 'ResetPassword':
      return resetPassword(command, active(state));
    case 'ProveByMail':
      return proveByMail(command, active(state));
    case 'EndSessions':
      return [sessionsEnded(active(state), 'revoked', command.keptSessionId, command.at)];
    case 'RequestEmailConfirmation':
      return requestConfirmation(command, active(state));
    case 'IssueEmailConfirmation':
      return issueConfirmation(command, active(state));
    case 'ConfirmEmail':
      return confirmEmail(command, active(state));
    case 'LoseEmail':
      return loseEmail(command, active(state));
    case 'RequestEmailChange':
      return requestEmailChange(command, active(state));
    case 'ChangeEmail':
      return changeEmail(command, active(state));
    case 'RefuseEmailChange':
      return refuseEmailChange(command, active(state));
    case 'SetMailChoice':
      return setMailChoice(command, active(state));
    case 'GrantAdmin':
      return grantAdmin(command, active(state));
    case 'RevokeAdmin':
      return revokeAdmin(command, active(state));
    case 'DisableAccount':
      return disable(command, active(state));
    case 'EnableAccount':
      return enable(command, active(state));
    case 'DeleteAccount':
      return remove(command, state);
    default:
      return unreachable(command);
  }
}

/**
 * Kept in memory because its owner can add any number of events, and anyone can present a token that names the account.
 */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent> = {
  initialState,
  evolve,
  decide,
  keptFrom: 100,
};

/** Name of an account whose owner gave none. */
export const DEFAULT_NAME = 'User';

function register(command: Command<'RegisterAccount'>, state: AccountState): readonly AccountEvent[] {
  const { userId, email, name, passwordHash, at, campaign, confirmationId } = command;
  if (state.status === 'deleted') throw notFound();
  if (state.status === 'active') return [];
  const from = campaign && Object.keys(campaign).length > 0 ? { campaign } : {};
  const registered: AccountEvent = {
    type: 'AccountRegistered',
    data: {
      userId,
      email,
      name: name.trim() || DEFAULT_NAME,
      ...(passwordHash === null ? {} : { passwordHash }),
      registeredAt: at,
      ...from,
    },
  };
  return confirmationId === undefined
    ? [registered]
    : [registered, confirmationAsked(userId, confirmationId, email, at)];
}

/** @throws DomainError WRONG_PASSWORD: a reset came between the confirmation and now */
function changePassword(
  { passwordHash, formerHash, keptSessionId, at }: Command<'ChangePassword'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  if (formerHash !== undefined && formerHash !== account.passwordHash) throw wrongPassword();
  if (account.passwordHash === passwordHash) return [];
  return [
    { type: 'AccountPasswordChanged', data: { userId: account.userId, passwordHash, changedAt: at } },
    sessionsEnded(account, 'password_changed', keptSessionId, at),
  ];
}

/** Beyond the limit, does nothing and reports no error: the response must not reveal an account's history. */
function requestReset(
  { requestId, at }: Command<'RequestPasswordReset'>,
  { userId, resets, emailProof }: ActiveAccount,
): readonly AccountEvent[] {
  if (!mayAsk(resets, at)) return [];
  const unproven = emailProof === 'confirmed' ? {} : { unproven: true as const };
  return [{ type: 'PasswordResetAsked', data: { userId, requestId, ...unproven, askedAt: at } }];
}

function issueReset(
  { requestId, accessTokenHash, refreshTokenHash, at }: Command<'IssuePasswordReset'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  const { userId, resets } = account;
  if (!resets.some((reset) => reset.requestId === requestId)) return [];
  return [
    {
      type: 'PasswordResetIssued',
      data: { userId, requestId, accessTokenHash, refreshTokenHash, issuedAt: at, expiresAt: linkExpiry(at) },
    },
  ];
}

function resetPassword(
  { accessTokenHash, passwordHash, at }: Command<'ResetPassword'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  const { userId, resets } = account;
  const { requestId } = openReset(resets, { accessTokenHash }, at);
  const { endsSetUpBefore } = effectOfProof(account.provenBy, 'reset');
  return [
    {
      type: 'PasswordResetUsed',
      data: { userId, requestId, usedAt: at, ...(endsSetUpBefore === null ? {} : { endsSetUpBefore }) },
    },
    { type: 'AccountPasswordChanged', data: { userId, passwordHash, changedAt: at } },
    sessionsEnded(account, 'password_changed', null, at),
  ];
}

/** Nothing, unless it is the first proof that the owner alone can give. */
function proveByMail({ email, at }: Command<'ProveByMail'>, account: ActiveAccount): readonly AccountEvent[] {
  const { userId, passwordHash, passwordPrecedesProof } = account;
  if (email !== account.email) return [];
  const { endsSetUpBefore } = effectOfProof(account.provenBy, 'mail');
  if (endsSetUpBefore === null) return [];
  const isFormer = passwordHash !== null && passwordPrecedesProof;
  return [
    { type: 'AccountProvenByMail', data: { userId, endsSetUpBefore, provenAt: at } },
    ...(isFormer ? [{ type: 'AccountPasswordRemoved', data: { userId, removedAt: at } } as const] : []),
    sessionsEnded(account, 'revoked', null, at),
  ];
}

function sessionsEnded(
  { userId }: ActiveAccount,
  reason: 'password_changed' | 'revoked',
  keptSessionId: string | null,
  endedAt: string,
): AccountEvent {
  return { type: 'AccountSessionsEnded', data: { userId, reason, keptSessionId, endedAt } };
}

function requestConfirmation(
  { requestId, email, at }: Command<'RequestEmailConfirmation'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  const { userId, confirmations } = account;
  const to = email ?? pendingEmail(confirmations, account.email, at) ?? account.email;
  // An address that now belongs to another account gets no email unless `email` was checked to be available.
  const isDue = account.emailProof === 'unconfirmed' || (account.emailProof === 'lost' && email !== null);
  if (to === account.email && !isDue) return [];
  if (!mayAskToConfirm(confirmations, at)) {
    throw new DomainError(
      'TOO_MANY_CONFIRMATIONS',
      'We’ve already sent several links. Please check your spam folder, or try again in an hour.',
    );
  }
  return [confirmationAsked(userId, requestId, to, at)];
}

function confirmationAsked(userId: string, requestId: string, email: string, askedAt: string): AccountEvent {
  return { type: 'AccountEmailConfirmationAsked', data: { userId, requestId, email, askedAt } };
}

function issueConfirmation(
  { requestId, tokenHash, at }: Command<'IssueEmailConfirmation'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  const { userId, confirmations } = account;
  if (!confirmations.some((request) => request.requestId === requestId && request.isOpen)) return [];
  return [
    {
      type: 'AccountEmailConfirmationIssued',
      data: { userId, requestId, tokenHash, issuedAt: at, expiresAt: confirmationExpiry(at) },
    },
  ];
}

function confirmEmail({ email, by, at }: Command<'ConfirmEmail'>, account: ActiveAccount): readonly AccountEvent[] {
  if (email !== account.email || account.emailProof === 'confirmed') return [];
  return [
    { type: 'AccountEmailConfirmed', data: { userId: account.userId, email, confirmedAt: at, ...(by ? { by } : {}) } },
  ];
}

function loseEmail({ email, at }: Command<'LoseEmail'>, account: ActiveAccount): readonly AccountEvent[] {
  if (email !== account.email || account.emailProof !== 'unconfirmed') return [];
  return [{ type: 'AccountEmailLost', data: { userId: account.userId, email, lostAt: at } }];
}

/** The link is checked here, too: it may have become invalid since it was opened. */
function requestEmailChange(
  { email, tokenHash, by, at }: Command<'RequestEmailChange'>,
  account: ActiveAccount,
): readonly AccountEvent[] {
  const { userId, confirmations } = account;
  if (email === account.email || email === account.nextEmail) return [];
  if (tokenHash !== undefined && openConfirmation(confirmations, tokenHash, at).email !== email)
    throw confirmationInvalid();
  return [{ type: 'AccountEmailChangeAsked', data: { userId, email, askedAt: at, ...(by ? { by } : {}) } }];
}

function changeEmail(
  { email, at }: Command<'ChangeEmail'>,
  { userId, email: formerEmail, nextEmail }: ActiveAccount,
): readonly AccountEvent[] {
  if (email === formerEmail) return [];
  if (email !== nextEmail)
    throw new DomainError(
      'EMAIL_CHANGE_SUPERSEDED',
      'Another change of the address came in between. Please try again.',
    );
  return [{ type: 'AccountEmailChanged', data: { userId, formerEmail, email, changedAt: at } }];
}

function refuseEmailChange(
  { email, at }: Command<'RefuseEmailChange'>,
  { userId, nextEmail }: ActiveAccount,
): readonly AccountEvent[] {
  return email === nextEmail ? [{ type: 'AccountEmailChangeRefused', data: { userId, email, refusedAt: at } }] : [];
}

function setMailChoice(
  { mail, wanted, at }: Command<'SetMailChoice'>,
  { userId, unwantedMails }: ActiveAccount,
): readonly AccountEvent[] {
  if (wanted === !unwantedMails.includes(mail)) return [];
  return [{ type: 'AccountMailChoiceSet', data: { userId, mail, wanted, setAt: at } }];
}

/**
 * The installation's own rules never restore rights that a person withdrew. A person can grant rights only to an
 * account with a proven address.
 */
function grantAdmin(
  { reason, provider }: Command<'GrantAdmin'>,
  { userId, isAdmin, adminWithdrawn, emailProof }: ActiveAccount,
): readonly AccountEvent[] {
  const byPerson = reason === 'admin' || reason === 'operator';
  if (isAdmin || (adminWithdrawn && !byPerson)) return [];
  // Whoever set the account up may not be who reads its address's email.
  if (reason === 'provider' && emailProof !== 'confirmed') return [];
  if (byPerson && emailProof !== 'confirmed') {
    throw new DomainError(
      'EMAIL_UNCONFIRMED',
      'This account has not confirmed its email address yet. It can become an admin once it has.',
    );
  }
  return [{ type: 'AccountAdminGranted', data: { userId, reason, ...(provider ? { provider } : {}) } }];
}

function revokeAdmin(
  { reason, provider, at }: Command<'RevokeAdmin'>,
  { userId, isAdmin, adminByProvider }: ActiveAccount,
): readonly AccountEvent[] {
  // A provider takes no more than it gave.
  if (!isAdmin || (reason === 'provider' && adminByProvider !== provider)) return [];
  const of = provider ? { provider } : {};
  return [{ type: 'AccountAdminRevoked', data: { userId, reason, ...of, revokedAt: at } }];
}

function disable({ at }: Command<'DisableAccount'>, account: ActiveAccount): readonly AccountEvent[] {
  if (account.isDisabled) return [];
  return [
    { type: 'AccountDisabled', data: { userId: account.userId, disabledAt: at } },
    sessionsEnded(account, 'revoked', null, at),
  ];
}

function enable({ at }: Command<'EnableAccount'>, { userId, isDisabled }: ActiveAccount): readonly AccountEvent[] {
  return isDisabled ? [{ type: 'AccountEnabled', data: { userId, enabledAt: at } }] : [];
}

function remove({ at }: Command<'DeleteAccount'>, state: AccountState): readonly AccountEvent[] {
  if (state.status === 'deleted') return [];
  return [{ type: 'AccountDeleted', data: { userId: active(state).userId, deletedAt: at } }];
}

function active(state: AccountState): ActiveAccount {
  if (state.status !== 'active') throw notFound();
  return state;
}

/** Reported only to someone who has authenticated as the owner. */
export function accountDisabled(): DomainError {
  return new DomainError('ACCOUNT_DISABLED', 'This account has been disabled. Please contact support.');
}

export function wrongPassword(): DomainError {
  return new DomainError('WRONG_PASSWORD', 'That is not your current password.');
}

function notFound(): DomainError {
  return new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
}
