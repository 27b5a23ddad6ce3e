/**
 * Decides which addresses may be fetched at all. Pure: names are judged here as written; the addresses they resolve to
 * are checked at connection time by the same `whyNotPublic`.
 */
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../model/parseUrl.ts';

/** Exceptions set by the operator: `host` allows all its ports, `host:port` only that port. */
export type AllowList = { readonly has: (hostname: string, port: string) => boolean };

export type UrlVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly failure: 'bad_url' | 'blocked'; readonly message: string };

const PORTS = new Set(['80', '443', '8080', '8443']);

/** Names that only have a meaning inside a network. */
const INNER_SUFFIXES = [
  'local',
  'localhost',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
];

/** In a public range, but internal to a cloud: the Azure WireServer. */
const INNER_ADDRESSES = new Set(['168.63.129.16']);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const BLANK_OR_CONTROL = /[\s\u0000-\u0020\u007f]/;

/** `http(s)://` followed by anything but another slash. */
const WEB_ADDRESS = /^https?:\/\/[^/\\?#]/i;

export function createAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const hostsWithPort = new Set<string>();
  for (const entry of entries) {
    const match = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry.trim().toLowerCase());
    if (!match?.[1]) continue;
    const host = listedHost(match[1]);
    if (match[2]) hostsWithPort.add(`${host}:${match[2]}`);
    else hosts.add(host);
  }
  return {
    has: (hostname, port) => {
      const host = listedHost(hostname.toLowerCase());
      return hosts.has(host) || hostsWithPort.has(`${host}:${port}`);
    },
  };
}

/** IPv6 addresses in one spelling: with brackets in URLs, without them in connections. */
function listedHost(hostname: string): string {
  const host = bareHost(hostname);
  const address = host.replace(/^\[|\]$/g, '');
  return address.includes(':') && ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address).toString() : host;
}

/** Strips the trailing root dot. */
export function bareHost(hostname: string): string {
  let end = hostname.length;
  while (end > 0 && hostname[end - 1] === '.') end--;
  return hostname.slice(0, end);
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** Judges an address as written: form, scheme, port and host. Does not resolve names. */
export function vetUrl(raw: string, allow: AllowList): UrlVerdict {
  const beforeQuery = raw.split(/[?#]/, 1)[0] ?? '';
  if (BLANK_OR_CONTROL.test(raw)) return refuse('bad_url', 'The address contains spaces or control characters.');
  const url = parseUrl(raw);
  if (url === null) return refuse('bad_url', 'The address is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('blocked', 'Only http and https addresses are fetched.');
  if (!WEB_ADDRESS.test(raw) || beforeQuery.includes('\\'))
    return refuse('bad_url', 'The address is not written as http(s)://host/path.');
  if (url.username || url.password) return refuse('blocked', 'The address contains a user name or password.');
  if (allow.has(url.hostname, portOf(url))) return { ok: true, url };
  if (!PORTS.has(portOf(url)))
    return refuse('blocked', `Port ${portOf(url)} isn’t allowed. Use 80, 443, 8080 or 8443.`);
  const reason = whyHostIsRefused(url.hostname);
  return reason === null ? { ok: true, url } : refuse('blocked', reason);
}

function refuse(failure: 'bad_url' | 'blocked', message: string): UrlVerdict {
  return { ok: false, failure, message };
}

function whyHostIsRefused(hostname: string): string | null {
  const host = bareHost(hostname);
  if (isAddress(host)) return whyNotPublic(host);
  if (!host.includes('.')) return 'The host name has a single label: it is not a name of the public internet.';
  const inner = INNER_SUFFIXES.find((suffix) => host.endsWith(`.${suffix}`));
  return inner ? `Names under .${inner} are not on the public internet.` : null;
}

/** A literal IP address, IPv6 with or without brackets. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.isValid(host);
}

/** Why an IP address (IPv6 with or without brackets) is not on the public internet; null if it is. */
export function whyNotPublic(address: string): string | null {
  const bare = address.replace(/^\[|\]$/g, '');
  if (bare.includes('%') || !ipaddr.isValid(bare)) return 'The host is not a usable address.';
  // `process` turns IPv4-mapped IPv6 into the IPv4 address that would be dialed.
  const parsed = ipaddr.process(bare);
  const range = parsed.range();
  const refused = 'The host is not on the public internet';
  if (range !== 'unicast') return `${refused} (${range} address).`;
  if (parsed instanceof ipaddr.IPv6) return isGlobalUnicast(parsed) ? null : `${refused} (no global unicast address).`;
  return INNER_ADDRESSES.has(parsed.toString()) ? `${refused} (cloud platform address).` : null;
}

/** 2000::/3. Everything else is reserved or embeds an IPv4 address, such as ::127.0.0.1. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}
