import { readableHost, readableText } from '../../../../src/model/readableAddress.ts';
import { cutMiddle } from '../../../ui/text/wording.ts';

/**
 * A readable address. Pages of `origin` show only their path; the home page keeps its host, as there would be nothing
 * left.
 */
export function addressText(url: string, length: number, origin: string | null = null): string {
  if (!URL.canParse(url)) return cutMiddle(url, length);
  const { protocol, host, pathname, search, hash, origin: own } = new URL(url);
  const path = readableText(pathname + search) + hash;
  if (own === origin && path !== '/') return cutMiddle(path, length);
  return cutMiddle(own === 'null' ? url : `${protocol}//${readableHost(host)}${path}`, length);
}

/** The most common origin of the addresses; null if there is none. */
export function commonOrigin(urls: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const origin = URL.canParse(url) ? new URL(url).origin : 'null';
    if (origin !== 'null') counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return [...counts].reduce<[string | null, number]>((most, each) => (each[1] > most[1] ? each : most), [null, 0])[0];
}
