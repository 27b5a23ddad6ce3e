import type { SignupRequest } from '../../../src/http/contract/auth.ts';

type Campaign = Pick<SignupRequest, 'source' | 'utm_campaign' | 'utm_content'>;

const FIELDS = [
  ['source', 100],
  ['utm_campaign', 100],
  ['utm_content', 200],
] as const;

/** Where the visitor came from, as the address of the sign-up page says; cut to what the server takes. */
export function campaignOf(search: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const [name, length] of FIELDS) {
    const value = search.get(name)?.trim();
    if (value) campaign[name] = value.slice(0, length);
  }
  return campaign;
}

/** What a shared link is opened by. */
const SHARE_TOKEN = /^[A-Za-z0-9_-]{20,200}$/;

/**
 * Where a visitor wanted to go before they had to sign up or log in: what `next` names in this app, or the shared analysis whose preview
 * brought them here. Null when there is no such place.
 */
export function nextOf(search: URLSearchParams): string | null {
  const next = search.get('next') ?? '';
  if (isOwnPath(next)) return next;
  const shared = search.get('utm_content') ?? '';
  return search.get('source') === 'preview' && SHARE_TOKEN.test(shared) ? `/shared/${shared}` : null;
}

/** Only addresses of this app: neither an address nor the state of a history entry is a place to trust. */
export function isOwnPath(path: unknown): path is string {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  try {
    return new URL(path, location.origin).origin === location.origin;
  } catch {
    return false;
  }
}
