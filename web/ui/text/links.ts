/** Decides which addresses in untrusted text may become links. */

const SAFE_SCHEMES = new Set(['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp']);

/** The address itself when it is relative or has a safe scheme; otherwise undefined. */
export function safeLink(href: string | null | undefined): string | undefined {
  if (!href) return undefined;
  // Browsers strip these characters before parsing the scheme, so they must not hide one.
  const seen = Array.from(href)
    .filter((character) => character > ' ' && character !== '\u007f')
    .join('');
  const colon = seen.indexOf(':');
  const path = seen.search(/[/?#]/);
  if (colon < 0 || (path >= 0 && path < colon)) return href;
  return SAFE_SCHEMES.has(seen.slice(0, colon).toLowerCase()) ? href : undefined;
}

/** For evidence: an absolute web address, or undefined. */
export function webLink(href: string): string | undefined {
  return /^https?:\/\//i.test(href) ? safeLink(href) : undefined;
}

/** Attributes of external links. */
export const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;
