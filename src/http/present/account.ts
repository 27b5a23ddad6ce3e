/** An account and its session as their owner sees them: no hash, no position. */
import type { AccountDocument } from '../../projections/accounts.ts';
import { type BillingDocument, emptyBill } from '../../projections/billing.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import type { Profile, SessionTokens, User } from '../contract/auth.ts';
import type { SessionView } from '../contract/security.ts';
import { tierNow } from './billing.ts';

export function presentUser(account: AccountDocument): User {
  return { id: account.userId, email: account.email };
}

/** Null bill: nothing was ever used. `now`: UTC ISO. */
export function presentProfile(account: AccountDocument, bill: BillingDocument | null, now: string): Profile {
  const { credits, funds } = bill ?? emptyBill(account.userId);
  const plan = bill ? tierNow(bill, now) : 'free';
  return { id: account.userId, is_admin: account.isAdmin, plan, credits, funds: funds.amount, name: account.name };
}

export type StartedSession = { readonly accessToken: string; readonly refreshToken: string; readonly accessExpiresAt: string };

/** `now`: UTC ISO. */
export function presentSession(session: StartedSession, now: string): SessionTokens {
  const expires = Date.parse(session.accessExpiresAt);
  return {
    access_token: session.accessToken,
    refresh_token: session.refreshToken,
    expires_at: Math.floor(expires / 1000),
    expires_in: Math.max(0, Math.floor((expires - Date.parse(now)) / 1000)),
    token_type: 'bearer',
  };
}

export function presentSessionView({ sessionId, startedAt, lastUsedAt, client }: SessionDocument, currentId: string): SessionView {
  return {
    id: sessionId,
    created_at: startedAt,
    last_used_at: lastUsedAt,
    agent: client?.agent ?? null,
    network: client?.network ?? null,
    current: sessionId === currentId,
  };
}
