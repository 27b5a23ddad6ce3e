/**
 * Recognizes the browsers that logged in to an account, so that strangers who try its password from many networks do
 * not keep its owner out. What a copy of the cookie gives is this and no more: wrong passwords with it have limits of
 * their own.
 */
import type { ActiveAccount } from '../../domain/account/account.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Cookie } from '../request/reply.ts';
import { newSignedValue, readSignedValue, type SigningDeps } from './signedCookie.ts';

const COOKIE = 'known_browser';
const SECONDS = 180 * 24 * 60 * 60;

type Deps = SigningDeps & Pick<HttpDeps, 'now'>;

const bindingOf = (email: string) => ({ kind: 'browser', boundTo: normaliseEmail(email) });

/**
 * For an answer to somebody who has logged in, or shown that they read the account's email. None while the address is
 * not proven: a stranger may have signed up with it, and would be taken for a browser of the one who proves it.
 */
export function knownBrowserCookies(
  deps: Deps,
  { email, emailProof }: Pick<ActiveAccount, 'email' | 'emailProof'>,
): readonly Cookie[] {
  if (emailProof !== 'confirmed') return [];
  const { value } = newSignedValue(deps, bindingOf(email), Date.parse(deps.now()) + SECONDS * 1_000);
  return [{ name: COOKIE, value, maxAgeSeconds: SECONDS }];
}

/** The id of a browser that logged in to the account with this address; null for others. */
export function knownBrowser(deps: Deps, cookies: ReadonlyMap<string, string>, email: string): string | null {
  const signed = readSignedValue(deps, bindingOf(email), cookies.get(COOKIE));
  return signed && signed.time > Date.parse(deps.now()) ? signed.id : null;
}
