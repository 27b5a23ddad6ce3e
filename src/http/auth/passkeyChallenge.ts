/**
 * What an authenticator has to sign: a random challenge that only this browser may answer, for one purpose and within
 * five minutes. It is not stored: the browser's cookie has it, with a signature over everything it is bound to. That it
 * counts once is for the account's own events to say (`UsePasskey`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import type { Cookie } from '../request/reply.ts';

export const CHALLENGE_MS = 5 * 60 * 1_000;

/** `subject`: who must answer; empty for a log-in, where nobody is known yet. */
export type PasskeyPurpose = { readonly for: 'log_in' | 'add' | 'second_factor'; readonly subject: string };

/** When it was made, ms; the challenge; the signature. */
const VALUE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

type Deps = Pick<HttpDeps, 'sharing' | 'now' | 'newToken'>;

const cookieOf = (purpose: PasskeyPurpose): string => `passkey_${purpose.for}`;

export function newPasskeyChallenge(
  deps: Deps,
  purpose: PasskeyPurpose,
): { readonly challenge: string; readonly cookies: readonly Cookie[] } {
  const at = String(Date.parse(deps.now()));
  const challenge = deps.newToken();
  const value = `${at}.${challenge}.${signatureOf(deps, purpose, at, challenge).toString('base64url')}`;
  return { challenge, cookies: [{ name: cookieOf(purpose), value, maxAgeSeconds: CHALLENGE_MS / 1_000 }] };
}

/** The challenge that this browser may answer now; null if there is none. */
export function askedPasskey(
  deps: Deps,
  cookies: ReadonlyMap<string, string>,
  purpose: PasskeyPurpose,
): { readonly challenge: string; readonly challengedAt: string } | null {
  const [, at = '', challenge = '', signature = ''] = VALUE.exec(cookies.get(cookieOf(purpose)) ?? '') ?? [];
  const given = Buffer.from(signature, 'base64url');
  const own = signatureOf(deps, purpose, at, challenge);
  const isOurs = given.length === own.length && timingSafeEqual(given, own);
  if (!isOurs || Number(at) + CHALLENGE_MS <= Date.parse(deps.now())) return null;
  return { challenge, challengedAt: new Date(Number(at)).toISOString() };
}

/** For the answer to one that was used. */
export const passkeyAsked = (purpose: PasskeyPurpose): Cookie => ({
  name: cookieOf(purpose),
  value: '',
  maxAgeSeconds: 0,
});

const signatureOf = ({ sharing }: Deps, purpose: PasskeyPurpose, at: string, challenge: string): Buffer =>
  createHmac('sha256', sharing.secret).update(`passkey:${purpose.for}:${purpose.subject}:${at}:${challenge}`).digest();

export type PasskeySite = { readonly rpId: string; readonly origins: readonly string[] };

/**
 * The name that passkeys are bound to, and the origins that may use them; null at an IP address, which cannot have any.
 * In development the program is also open at `localhost`, on the same port.
 */
export function passkeySite({
  appUrl,
  production,
}: Pick<HttpDeps['config'], 'appUrl' | 'production'>): PasskeySite | null {
  const { hostname, origin, port } = new URL(appUrl);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0;
  if (!isAddress) return { rpId: hostname, origins: [origin] };
  if (production) return null;
  return { rpId: 'localhost', origins: [`http://localhost${port === '' ? '' : `:${port}`}`] };
}

/** @throws HttpError PASSKEYS_UNAVAILABLE */
export function requirePasskeySite({ config }: Pick<HttpDeps, 'config'>): PasskeySite {
  const site = passkeySite(config);
  if (site) return site;
  throw new HttpError(
    'PASSKEYS_UNAVAILABLE',
    'Passkeys need a host name such as localhost or your domain; this page is open at an IP address.',
  );
}
