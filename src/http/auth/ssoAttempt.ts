/**
 * One attempt to log in at a provider, or to add an identity there, bound to the browser that began it: its cookie holds
 * a random id with a signature, from which everything that the provider's answer must match is derived.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SsoAttempt } from '../../integrations/sso/sso.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Cookie } from '../request/reply.ts';

const COOKIE = 'sso_attempt';
const SECONDS = 10 * 60;

/** When it ends, ms; a random id; the signature. */
const VALUE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** `userId`: who adds an identity; null for a log-in. */
export type SsoPurpose = { readonly provider: string; readonly userId: string | null };

type Deps = Pick<HttpDeps, 'sharing' | 'now' | 'newToken'>;

export function beginSso(deps: Deps, purpose: SsoPurpose): { readonly attempt: SsoAttempt; readonly cookie: Cookie } {
  const ends = String(Date.parse(deps.now()) + SECONDS * 1_000);
  const id = deps.newToken();
  const value = `${ends}.${id}.${signed(deps, 'cookie', ends, id, purpose)}`;
  return { attempt: attemptOf(deps, ends, id, purpose), cookie: { name: COOKIE, value, maxAgeSeconds: SECONDS } };
}

/** Null unless this browser began an attempt for this purpose within the last ten minutes. */
export function continuedSso(deps: Deps, cookies: ReadonlyMap<string, string>, purpose: SsoPurpose): SsoAttempt | null {
  const [, ends = '', id = '', signature = ''] = VALUE.exec(cookies.get(COOKIE) ?? '') ?? [];
  const isOurs = isSame(signature, signed(deps, 'cookie', ends, id, purpose));
  return isOurs && Number(ends) > Date.parse(deps.now()) ? attemptOf(deps, ends, id, purpose) : null;
}

/** An attempt counts once, however it ends. */
export const SSO_ENDED: Cookie = { name: COOKIE, value: '', maxAgeSeconds: 0 };

export function isSame(given: string, own: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(own)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function attemptOf(deps: Deps, ends: string, id: string, purpose: SsoPurpose): SsoAttempt {
  const [state, nonce, verifier] = ['state', 'nonce', 'verifier'].map((use) => signed(deps, use, ends, id, purpose));
  return {
    state: `${purpose.userId === null ? 'log-in' : 'add'}.${state}`,
    nonce: `${nonce}`,
    verifier: `${verifier}`,
  };
}

const signed = ({ sharing }: Deps, use: string, ends: string, id: string, { provider, userId }: SsoPurpose): string =>
  createHmac('sha256', sharing.secret)
    .update(JSON.stringify(['sso', use, ends, id, provider, userId]))
    .digest('base64url');
