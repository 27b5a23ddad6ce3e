/** What the redirects on the way to a page say. */
import type { FetchHop } from '../../../model/fetching.ts';
import { parseUrl } from '../../../model/parseUrl.ts';

const TEMPORARY: ReadonlySet<number> = new Set([302, 303, 307]);

export const isTemporary = ({ status, location }: FetchHop): boolean => TEMPORARY.has(status) && location !== null;

/** A change of protocol, host or trailing slash, which is meant to be permanent. */
export function isMove({ url, location }: FetchHop): boolean {
  const [from, to] = [parseUrl(url), parseUrl(location ?? '', url)];
  if (from === null || to === null) return false;
  const bare = (path: string): string => path.replace(/(?<!\/)\/+$/, '');
  return bare(from.pathname) === bare(to.pathname) && from.search === to.search && from.href !== to.href;
}

/** Nothing on the way may end elsewhere another time. */
export const arePermanent = (hops: readonly FetchHop[]): boolean =>
  hops.every((hop) => !isTemporary(hop) || isMove(hop));
