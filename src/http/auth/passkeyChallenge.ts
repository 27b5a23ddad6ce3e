/**
 * What an authenticator has to sign: a random challenge that only this browser may answer, for one purpose and within
 * five minutes. It is not stored: the browser's cookie has it, with a signature over everything it is bound to. That it
 * counts once is for the account's own events to say (`UsePasskey`).
 */
import { isIP } from 'node:net';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import type { Cookie } from '../request/reply.ts';
import { newSignedValue, readSignedValue, type SigningDeps } from './signedCookie.ts';

export const CHALLENGE_MS = 5 * 60 * 1_000;

/** `subject`: who must answer; empty for a log-in, where nobody is known yet. */
export type PasskeyPurpose = { readonly for: 'log_in' | 'add' | 'second_factor'; readonly subject: string };

type Deps = SigningDeps & Pick<HttpDeps, 'now'>;

const cookieOf = (purpose: PasskeyPurpose): string => `passkey_${purpose.for}`;
const bindingOf = (purpose: PasskeyPurpose) => ({ kind: cookieOf(purpose), boundTo: purpose.subject });

export function newPasskeyChallenge(
  deps: Deps,
  purpose: PasskeyPurpose,
): { readonly challenge: string; readonly cookies: readonly Cookie[] } {
  const { value, id: challenge } = newSignedValue(deps, bindingOf(purpose), Date.parse(deps.now()));
  return { challenge, cookies: [{ name: cookieOf(purpose), value, maxAgeSeconds: CHALLENGE_MS / 1_000 }] };
}

/** The challenge that this browser may answer now; null if there is none. */
export function askedPasskey(
  deps: Deps,
  cookies: ReadonlyMap<string, string>,
  purpose: PasskeyPurpose,
): { readonly challenge: string; readonly challengedAt: string } | null {
  const asked = readSignedValue(deps, bindingOf(purpose), cookies.get(cookieOf(purpose)));
  if (!asked || asked.time + CHALLENGE_MS <= Date.parse(deps.now())) return null;
  return { challenge: asked.id, challengedAt: new Date(asked.time).toISOString() };
}

/** For the answer to one that was used. */
export const passkeyAsked = (purpose: PasskeyPurpose): Cookie => ({
  name: cookieOf(purpose),
  value: '',
  maxAgeSeconds: 0,
});

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
