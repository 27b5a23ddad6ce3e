/**
 * One attempt to log in at a provider, or to add an identity there, bound to the browser that began it: its cookie holds
 * a random id with a signature, from which everything that the provider's answer must match is derived.
 */
import type { SsoAttempt } from '../../integrations/sso/sso.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Cookie } from '../request/reply.ts';
import { newSignedValue, readSignedValue, type SigningDeps, signature } from './signedCookie.ts';

const COOKIE = 'sso_attempt';
const SECONDS = 10 * 60;

/** `userId`: who adds an identity; null for a log-in. */
export type SsoPurpose = { readonly provider: string; readonly userId: string | null };

type Deps = SigningDeps & Pick<HttpDeps, 'now'>;

const bindingOf = ({ provider, userId }: SsoPurpose, use = '') => ({
  kind: `sso${use}`,
  boundTo: JSON.stringify([provider, userId]),
});

export function beginSso(deps: Deps, purpose: SsoPurpose): { readonly attempt: SsoAttempt; readonly cookie: Cookie } {
  const time = Date.parse(deps.now()) + SECONDS * 1_000;
  const { value, id } = newSignedValue(deps, bindingOf(purpose), time);
  return { attempt: attemptOf(deps, purpose, { time, id }), cookie: { name: COOKIE, value, maxAgeSeconds: SECONDS } };
}

/** Null unless this browser began an attempt for this purpose within the last ten minutes. */
export function continuedSso(deps: Deps, cookies: ReadonlyMap<string, string>, purpose: SsoPurpose): SsoAttempt | null {
  const signed = readSignedValue(deps, bindingOf(purpose), cookies.get(COOKIE));
  return signed && signed.time > Date.parse(deps.now()) ? attemptOf(deps, purpose, signed) : null;
}

/** An attempt counts once, however it ends. */
export const SSO_ENDED: Cookie = { name: COOKIE, value: '', maxAgeSeconds: 0 };

function attemptOf(
  deps: Deps,
  purpose: SsoPurpose,
  signed: { readonly time: number; readonly id: string },
): SsoAttempt {
  const derived = (use: string): string => signature(deps, bindingOf(purpose, ` ${use}`), signed);
  return {
    state: `${purpose.userId === null ? 'log-in' : 'add'}.${derived('state')}`,
    nonce: derived('nonce'),
    verifier: derived('verifier'),
  };
}
