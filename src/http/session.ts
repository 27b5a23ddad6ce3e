/** Who is calling: the session behind a bearer token. */
import { hash, timingSafeEqual } from 'node:crypto';
import { getSession } from '../projections/sessions.ts';
import type { ReadModels } from '../readModels/readModels.ts';

export type Caller = { readonly userId: string; readonly sessionId: string; readonly accessExpiresAt: string };

const TOKEN = /^([A-Za-z0-9-]{1,64})\.([A-Za-z0-9_-]{20,200})$/;

/** The token of `Authorization: Bearer …`; null for anything else. */
export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([^\s]{1,500})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** The session that the access token opens now; null when there is none, it has ended, or the token is not its present one. */
export async function authenticate(readModels: ReadModels, now: string, token: string | null): Promise<Caller | null> {
  const sessionId = TOKEN.exec(token ?? '')?.[1];
  if (!token || !sessionId) return null;
  const session = await getSession(readModels, sessionId);
  if (!session || !sameHash(session.data.accessTokenHash, token) || session.data.accessExpiresAt <= now) return null;
  return { userId: session.data.userId, sessionId, accessExpiresAt: session.data.accessExpiresAt };
}

function sameHash(stored: string, token: string): boolean {
  const given = hash('sha256', token, 'buffer');
  const kept = Buffer.from(stored, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
}
