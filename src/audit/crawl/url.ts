/** Addresses as people type them and as crawlers compare them. Pure. */
import { getDomain } from 'tldts';
import { ascending } from '../../model/order.ts';
import { parseUrl } from '../../model/parseUrl.ts';

export type Submission =
  | { readonly ok: true; readonly url: string; readonly host: string; readonly schemeGuessed?: true }
  | { readonly ok: false; readonly reason: string };

const MAX_URL = 2048;
/** Of a host name and of each of its labels, by the DNS. */
const MAX_NAME = 253;
const MAX_LABEL = 63;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `mailto:x` and the like; `example.com:8080` is a host with a port. */
const OPAQUE_SCHEME = /^(?:https?|javascript|data|mailto|file|ftp|about|blob|tel|sms|view-source):/i;

/**
 * Turns a submitted address into an absolute URL: `example.com` becomes `https://example.com/`. `host` includes a
 * non-default port; `schemeGuessed` means that https was not given. Does not check whether the host is public.
 */
export function normaliseSubmission(input: string): Submission {
  const text = input.trim();
  if (text === '') return invalid('The address is empty.');
  if (text.length > MAX_URL) return invalid('The address is too long.');
  if (/[\s\\]/.test(text)) return invalid('The address contains spaces or backslashes.');
  const hasScheme = SCHEME.test(text);
  if (!hasScheme && OPAQUE_SCHEME.test(text)) return invalid('The address must begin with http:// or https://.');
  const whole = hasScheme ? text : `https://${text.replace(/^\/\//, '')}`;
  if (/^[a-z+.-]+:\/\/[/?#]/i.test(whole)) return invalid('The address has no host.');
  const url = parseUrl(whole);
  if (!url) return invalid('The address is not valid.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return invalid('Only http and https addresses can be audited.');
  if (url.username || url.password) return invalid('The address must not contain a user name or password.');
  return finish(url, hasScheme);
}

function finish(url: URL, hasScheme: boolean): Submission {
  dropRootDots(url);
  url.hash = '';
  const name = url.hostname;
  if (name === '' || name.includes('..') || name.startsWith('.')) return invalid('The address has no valid host.');
  if (name.length > MAX_NAME || name.split('.').some((label) => label.length > MAX_LABEL))
    return invalid('The address has no valid host.');
  // A bare word is more likely a typo than an address; with a scheme, it is intended.
  if (!hasScheme && !name.includes('.') && !name.startsWith('[') && name !== 'localhost')
    return invalid('The address has no domain, such as example.com.');
  return { ok: true, url: withoutFragment(url.href), host: url.host, ...(hasScheme ? {} : { schemeGuessed: true }) };
}

function invalid(reason: string): Submission {
  return { ok: false, reason };
}

/** `example.com.` with the trailing root dot is `example.com`. */
function dropRootDots(url: URL): void {
  const { hostname } = url;
  let end = hostname.length;
  while (end > 0 && hostname[end - 1] === '.') end--;
  if (end < hostname.length) url.hostname = hostname.slice(0, end);
}

function withoutFragment(href: string): string {
  const at = href.indexOf('#');
  return at < 0 ? href : href.slice(0, at);
}

/** The absolute URL to crawl, without fragment or trailing dot of the host; null if it is not a plain web address. */
export function crawlUrl(href: string, base?: string): string | null {
  const url = parseUrl(href, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) return null;
  if (url.hostname.endsWith('.')) dropRootDots(url);
  return sameText(withoutFragment(url.href), href);
}

/** The text that is kept already, if both are equal: an address is held by many lists at once. */
function sameText(made: string, kept: string): string {
  return made === kept ? kept : made;
}

const TRACKING =
  /^(?:utm_.+|gclid|gbraid|wbraid|fbclid|msclkid|yclid|dclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/i;
const SESSION = /^(?:phpsessid|jsessionid|sessionid|session_id|aspsessionid.*|cfid|cftoken|oscsid|zenid)$/i;

/** `sid` is a session parameter only if its value looks like a session id. */
function isSessionParameter(name: string, value: string): boolean {
  return SESSION.test(name) || (/^s(?:ess)?id$/i.test(name) && /^[a-z0-9]{16,}$/i.test(value));
}

/** Beyond it, the order of parameters is compared as written: no real address has so many, and each costs the same. */
const MOST_PARAMETERS = 100;

/**
 * Equal for addresses that certainly show the same page: ignores tracking and session parameters, parameter order and
 * escaping.
 */
export function dedupeKey(href: string): string {
  const url = parseUrl(href);
  if (!url) return href;
  if (url.hostname.endsWith('.')) dropRootDots(url);
  const path = sameEscapes(url.pathname.replace(/;jsessionid=[^/]*/gi, ''));
  const origin = url.origin;
  if (url.search.length <= 1) return sameText(origin + path, href);
  if (hasManyParameters(url.search)) return sameText(origin + path + url.search, href);
  const kept = [...url.searchParams].filter(
    ([name, value]) => !TRACKING.test(name) && !isSessionParameter(name, value),
  );
  kept.sort(([a], [b]) => ascending(a, b));
  return sameText(kept.length === 0 ? origin + path : `${origin}${path}?${new URLSearchParams(kept)}`, href);
}

function hasManyParameters(search: string): boolean {
  let count = 0;
  for (let at = search.indexOf('&'); at >= 0; at = search.indexOf('&', at + 1))
    if (++count >= MOST_PARAMETERS) return true;
  return false;
}

/** The names of its tracking and session parameters, as written. */
export function trackingParameters(href: string): readonly string[] {
  return [...(parseUrl(href)?.searchParams ?? [])]
    .filter(([name, value]) => TRACKING.test(name) || isSessionParameter(name, value))
    .map(([name]) => name);
}

/** The address without tracking and session parameters; everything else is as it was. */
export function withoutTracking(href: string): string {
  const start = href.indexOf('?');
  const names = new Set(trackingParameters(href));
  if (start < 0 || names.size === 0) return href;
  const end = href.indexOf('#', start) < 0 ? href.length : href.indexOf('#', start);
  const kept = href
    .slice(start + 1, end)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.has(name)));
  return href.slice(0, start) + (kept.length === 0 ? '' : `?${kept.join('&')}`) + href.slice(end);
}

/** Upper-cases escapes, and decodes those of unreserved characters. */
function sameEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : octet.toUpperCase();
  });
}

/** Hosts that differ only by a leading www. or a trailing dot are one site. */
export function siteHost(href: string): string {
  const url = parseUrl(href);
  if (!url) return '';
  if (url.hostname.endsWith('.')) dropRootDots(url);
  return url.host.replace(/^www\./, '');
}

/** Whether the address is on the crawled site: its host, with or without www., over http or https. */
export function isInternal(href: string, origin: string): boolean {
  const host = siteHost(href);
  return host !== '' && host === siteHost(origin);
}

/**
 * Whether both share a registrable domain: `blog.example.co.uk` and `example.co.uk` do, two users of github.io do not.
 */
export function isSameSite(a: string, b: string): boolean {
  const first = registrable(a);
  return first !== '' && first === registrable(b);
}

function registrable(href: string): string {
  const url = parseUrl(href);
  if (!url) return '';
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
}

/** The same address with www. added to or removed from its host; null for hosts without such a twin. */
export function wwwTwin(href: string): string | null {
  const url = parseUrl(href);
  if (!url) return null;
  const domain = getDomain(url.hostname, { allowPrivateDomains: true });
  if (!domain) return null;
  if (url.hostname === domain) url.hostname = `www.${domain}`;
  else if (url.hostname === `www.${domain}`) url.hostname = domain;
  else return null;
  return url.href;
}

const NO_PAGE =
  /\.(?:7z|aac|apk|avi|avif|bin|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|flac|gif|gz|heic|ico|iso|jar|jpe?g|js|json|m4[av]|mjs|mkv|mov|mp[34]|mpe?g|msi|odt|og[gv]|otf|pdf|png|pptx?|rar|rss|svg|swf|tar|tgz|tiff?|ttf|txt|wasm|wav|web[mp]|wmv|woff2?|xlsx?|xml|zip)$/i;

/** False if the file extension is not one of an HTML page. */
export function looksLikePage(href: string): boolean {
  const url = parseUrl(href);
  return url !== null && !NO_PAGE.test(url.pathname);
}

/**
 * What pages from one template have in common: `/blog/*`, `/item?id=`. Top-level pages are assumed to be unlike each
 * other.
 */
export function urlPattern(href: string): string {
  const url = parseUrl(href);
  if (!url) return href;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const last = segments.length - 1;
  const parts = segments.map((segment, index) => {
    if (/^\d+$/.test(segment)) return '{n}';
    if (index === last && (index > 0 || isSlug(segment))) return '*';
    return isSlug(segment) ? '*' : segment;
  });
  const names = [...new Set(url.searchParams.keys())].sort().map((name) => `${name}=`);
  const slash = segments.length > 0 && url.pathname.endsWith('/') ? '/' : '';
  return `${siteHost(href)}/${parts.join('/')}${slash}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

/** A title turned into a path segment, or an identifier. */
function isSlug(segment: string): boolean {
  return (
    segment.split(/[-_]/).length > 3 ||
    (segment.length >= 8 && /\d{4,}/.test(segment)) ||
    /^[0-9a-f-]{24,}$/i.test(segment)
  );
}
