import type { SignupRequest } from '../../../src/http/contract/auth.ts';

type Campaign = Pick<SignupRequest, 'source' | 'utm_campaign' | 'utm_content'>;

const FIELDS = [
  ['source', 100],
  ['utm_campaign', 100],
  ['utm_content', 200],
] as const;

/** Campaign parameters from the sign-up page's address, cut to the lengths that the server accepts. */
export function campaignOf(search: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const [name, length] of FIELDS) {
    const value = search.get(name)?.trim();
    if (value) campaign[name] = value.slice(0, length);
  }
  return campaign;
}

/** Token of a shared link. */
const SHARE_TOKEN = /^[A-Za-z0-9_-]{20,200}$/;

/**
 * Where the visitor wanted to go before having to sign up or log in: the `next` path in this app, or the shared audit
 * whose preview led here. Null if none.
 */
export function nextOf(search: URLSearchParams): string | null {
  const next = search.get('next') ?? '';
  if (isOwnPath(next)) return next;
  const shared = search.get('utm_content') ?? '';
  return search.get('source') === 'preview' && SHARE_TOKEN.test(shared) ? `/shared/${shared}` : null;
}

/** Accepts only paths of this app: neither a URL nor a history state can be trusted. */
export function isOwnPath(path: unknown): path is string {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  try {
    return new URL(path, location.origin).origin === location.origin;
  } catch {
    return false;
  }
}
