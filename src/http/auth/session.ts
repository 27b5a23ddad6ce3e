/** Authenticates the caller: the session or the API key behind a bearer token. */

import { hash, timingSafeEqual } from 'node:crypto';
import { apiKeyFacts, isApiKey } from '../../commands/apiKeys/apiKeyTokens.ts';
import { loadState } from '../../commands/handle.ts';
import { sessionStream } from '../../domain/account/events.ts';
import { sessionDecider } from '../../domain/account/session.ts';
import { scopeOf } from '../../domain/apiKeys/apiKeys.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { getApiKey } from '../../projections/apiKeys.ts';
import { getSession } from '../../projections/sessions.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Caller } from '../request/caller.ts';

/** After any session: for keys without an expiry. */
const NEVER = '9999-12-31T23:59:59.999Z';

const TOKEN = /^([A-Za-z0-9-]{1,64})\.([A-Za-z0-9_-]{20,200})$/;

/** The token of `Authorization: Bearer …`; null for anything else. */
export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([^\s]{1,500})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

type Sources = { readonly readModels: ReadModels; readonly store: EventStore; readonly now: () => string };

/**
 * The session (or key) that this access token opens now; null if there is none, it has ended, or the token is not its
 * current one.
 */
export async function authenticate({ readModels, store, now }: Sources, token: string | null): Promise<Caller | null> {
  if (token && isApiKey(token)) return callerOfKey(readModels, now(), token);
  const sessionId = TOKEN.exec(token ?? '')?.[1];
  if (!token || !sessionId) return null;
  const listed = (await getSession(readModels, sessionId))?.data;
  const session =
    listed && sameHash(listed.accessTokenHash, token) ? listed : await sessionInLog(store, sessionId, token);
  if (!session || !sameHash(session.accessTokenHash, token) || session.accessExpiresAt <= now()) return null;
  return { userId: session.userId, sessionId, startedAt: session.startedAt, accessExpiresAt: session.accessExpiresAt };
}

/**
 * For a token that the read models do not have (yet): a user who just logged in gets in even when they lag. The
 * stream's last event has the current token's hash, so that a forged one costs reading this event, however long the
 * stream is; after a new proof, it costs the events that are not kept in memory.
 */
async function sessionInLog(store: EventStore, sessionId: string, token: string) {
  const stream = sessionStream(sessionId);
  const read = await store.read(stream, { direction: 'backward', limit: 1 });
  const last = read.status === 'found' ? read.events[0] : undefined;
  if (!last || isOf(last, 'SessionEnded')) return null;
  if (isOf(last, 'SessionStarted', 'SessionRefreshed') && !sameHash(last.data.accessTokenHash, token)) return null;
  const { state } = await loadState(store, sessionDecider, stream);
  return state.status === 'active' ? state : null;
}

async function callerOfKey(readModels: ReadModels, now: string, token: string): Promise<Caller | null> {
  const key = await getApiKey(readModels, apiKeyFacts(token).keyId);
  if (!key || !sameHash(key.data.keyHash, token)) return null;
  const { id: keyId, userId, created_at: startedAt, last_used_at: lastUsedAt, expires_at: expiresAt } = key.data;
  if (expiresAt !== null && expiresAt <= now) return null;
  return {
    userId,
    sessionId: keyId,
    startedAt,
    accessExpiresAt: expiresAt ?? NEVER,
    apiKey: { keyId, scope: scopeOf(key.data), lastUsedAt },
  };
}

function sameHash(stored: string, token: string): boolean {
  const given = hash('sha256', token, 'buffer');
  const kept = Buffer.from(stored, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
}
