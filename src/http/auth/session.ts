/** Who is calling: the session or the API key behind a bearer token. */
import { hash, timingSafeEqual } from 'node:crypto';
import { apiKeyFacts, isApiKey } from '../../commands/apiKeys/apiKeyTokens.ts';
import type { ApiKeyScope } from '../../model/programs.ts';

import { getApiKey } from '../../projections/apiKeys.ts';
import { getSession } from '../../projections/sessions.ts';
import type { ReadModels } from '../../readModels/readModels.ts';

export type Caller = {
  readonly userId: string;
  /** Of the session, or of the key that stands in for one. */
  readonly sessionId: string;
  readonly accessExpiresAt: string;
  /** Set when it is no session but a program of the user's. */
  readonly apiKey?: { readonly keyId: string; readonly scope: ApiKeyScope; readonly lastUsedAt: string | null };
};

/** Later than any session: of a key without an expiry. */
const NEVER = '9999-12-31T23:59:59.999Z';

const TOKEN = /^([A-Za-z0-9-]{1,64})\.([A-Za-z0-9_-]{20,200})$/;

/** The token of `Authorization: Bearer …`; null for anything else. */
export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([^\s]{1,500})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** The session (or key) that the access token opens now; null when there is none, it has ended, or the token is not its present one. */
export async function authenticate(readModels: ReadModels, now: string, token: string | null): Promise<Caller | null> {
  if (token && isApiKey(token)) return callerOfKey(readModels, now, token);
  const sessionId = TOKEN.exec(token ?? '')?.[1];
  if (!token || !sessionId) return null;
  const session = await getSession(readModels, sessionId);
  if (!session || !sameHash(session.data.accessTokenHash, token) || session.data.accessExpiresAt <= now) return null;
  return { userId: session.data.userId, sessionId, accessExpiresAt: session.data.accessExpiresAt };
}

async function callerOfKey(readModels: ReadModels, now: string, token: string): Promise<Caller | null> {
  const key = await getApiKey(readModels, apiKeyFacts(token).keyId);
  if (!key || !sameHash(key.data.keyHash, token)) return null;
  const { keyId, userId, scope, lastUsedAt, expiresAt } = key.data;
  if (expiresAt !== null && expiresAt <= now) return null;
  return { userId, sessionId: keyId, accessExpiresAt: expiresAt ?? NEVER, apiKey: { keyId, scope, lastUsedAt } };
}

function sameHash(stored: string, token: string): boolean {
  const given = hash('sha256', token, 'buffer');
  const kept = Buffer.from(stored, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
}
