/**
 * Recognizes the browsers that logged in to an account, so that strangers who try its password from many networks do
 * not keep its owner out. What a copy of the cookie gives is this and no more: wrong passwords with it have limits of
 * their own.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Cookie } from '../request/reply.ts';

const COOKIE = 'known_browser';
const SECONDS = 180 * 24 * 60 * 60;

/** When it ends, ms; a random id; a signature over both and the address, which it does not contain. */
const VALUE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

type Deps = Pick<HttpDeps, 'sharing' | 'now' | 'newToken'>;

/**
 * For an answer to somebody who has logged in, or shown that they read the account's email. None while the address is
 * not proven: a stranger may have signed up with it, and would be taken for a browser of the one who proves it.
 */
export function knownBrowserCookies(
  deps: Deps,
  { email, emailProof }: Pick<ActiveAccount, 'email' | 'emailProof'>,
): readonly Cookie[] {
  if (emailProof !== 'confirmed') return [];
  const ends = String(Date.parse(deps.now()) + SECONDS * 1_000);
  const id = deps.newToken();
  const value = `${ends}.${id}.${signatureOf(deps, email, ends, id).toString('base64url')}`;
  return [{ name: COOKIE, value, maxAgeSeconds: SECONDS }];
}

/** The id of a browser that logged in to the account with this address; null for others. */
export function knownBrowser(deps: Deps, cookies: ReadonlyMap<string, string>, email: string): string | null {
  const [, ends = '', id = '', signature = ''] = VALUE.exec(cookies.get(COOKIE) ?? '') ?? [];
  const given = Buffer.from(signature, 'base64url');
  const own = signatureOf(deps, email, ends, id);
  const isOurs = given.length === own.length && timingSafeEqual(given, own);
  return isOurs && Number(ends) > Date.parse(deps.now()) ? id : null;
}

const signatureOf = ({ sharing }: Deps, email: string, ends: string, id: string): Buffer =>
  createHmac('sha256', sharing.secret)
    .update(`browser:${ends}:${id}:${normaliseEmail(email)}`)
    .digest();
