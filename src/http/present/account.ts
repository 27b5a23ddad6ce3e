/** An account and its session as shown to their owner: without hashes or positions. */
import { confirmationExpiry } from '../../domain/account/confirmation.ts';
import { tierAt } from '../../domain/billing/subscription.ts';
import { proofDemand } from '../../domain/policy/emailProof.ts';
import type { AccountDocument } from '../../projections/accounts.ts';
import { type BillingDocument, emptyBill } from '../../projections/billing.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import type { Profile, SessionTokens, User } from '../contract/auth.ts';
import type { SessionView } from '../contract/security.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { proofRuleOf } from '../deps/proofRule.ts';

export function presentUser(account: AccountDocument): User {
  return { id: account.id, email: account.email };
}

type Surroundings = Pick<HttpDeps, 'now'> & {
  readonly config: Pick<
    HttpDeps['config'],
    'mail' | 'mailIsKept' | 'unlimited' | 'proofsSince' | 'demoAdmin' | 'adminMfa'
  >;
};

/** A null bill means that nothing was ever used. */
export function presentProfile(
  account: AccountDocument,
  bill: BillingDocument | null,
  { now, config }: Surroundings,
): Profile {
  const { credits, funds } = bill ?? emptyBill(account.id);
  const plan = bill ? tierAt(bill.subscriptions, now()) : 'free';
  const { pendingEmail: pending } = account;
  const demand = proofDemand(
    proofRuleOf(config),
    { ...account, isAdmin: account.is_admin, registeredAt: account.createdAt },
    now(),
  );
  return {
    id: account.id,
    is_admin: account.is_admin,
    plan,
    credits,
    funds: funds.amount,
    name: account.name,
    email_state: emailStateOf(account, config.mail),
    ...(demand.kind === 'none' ? {} : { email_required_from: demand.from }),
    pending_email: pending && now() < confirmationExpiry(pending.askedAt) ? pending.email : null,
    has_password: account.has_password ?? true,
    mfa: account.mfa_enabled ? 'on' : account.is_admin && config.adminMfa ? 'required' : 'off',
  };
}

/** Where no email is sent, users are not asked to confirm an address, as they could not. */
export function emailStateOf({ emailProof, contended }: AccountDocument, mail: boolean): Profile['email_state'] {
  if (emailProof !== 'unconfirmed') return emailProof;
  if (!mail) return 'confirmed';
  return contended ? 'contended' : 'unconfirmed';
}

export type StartedSession = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessExpiresAt: string;
};

/** `now`: UTC ISO. */
export function presentSession(session: StartedSession, user: User, now: string): SessionTokens {
  const expires = Date.parse(session.accessExpiresAt);
  return {
    access_token: session.accessToken,
    refresh_token: session.refreshToken,
    expires_at: Math.floor(expires / 1000),
    expires_in: Math.max(0, Math.floor((expires - Date.parse(now)) / 1000)),
    token_type: 'bearer',
    user,
  };
}

export function presentSessionView(
  { sessionId, startedAt, lastUsedAt, client, openedBy }: SessionDocument,
  currentId: string,
): SessionView {
  return {
    id: sessionId,
    created_at: startedAt,
    last_used_at: lastUsedAt,
    agent: client?.agent ?? null,
    network: client?.network ?? null,
    logged_in_by: openedBy?.kind ?? null,
    provider: openedBy?.provider ?? null,
    current: sessionId === currentId,
  };
}
