/** Selects which of many addresses to fetch: those of each kind with the highest weight that robots.txt allows. */
import { ascending } from '../../../model/order.ts';
import type { Pausable } from '../../timeSlices.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { robotsPermission } from '../robots/robotsFile.ts';
import type { Discovery } from '../site.ts';

export type Weighed<Kind extends string> = {
  readonly url: string;
  readonly kind: Kind;
  /** On the crawled site, to which its robots.txt applies. */
  readonly own: boolean;
  weight: number;
};

/**
 * Limits robots.txt lookups per kind to this multiple of its share: pages may name any number of disallowed addresses.
 */
const TRIES = 5;

/**
 * Highest weight first, ties by address. `shares` is the number per kind. `left`: the kinds of which more is there than
 * was chosen or refused.
 */
export function* firstAllowed<Kind extends string>(
  all: readonly Weighed<Kind>[],
  shares: ReadonlyMap<Kind, number>,
  { robots }: Pick<Discovery, 'robots'>,
  { userAgent }: Pick<CrawlEnv, 'userAgent'>,
): Pausable<{ readonly chosen: Weighed<Kind>[]; readonly left: ReadonlySet<Kind> }> {
  const mayFetch = robotsPermission(robots, userAgent);
  const left = new Map([...shares].map(([kind, share]) => [kind, { room: share, tries: share * TRIES }]));
  const chosen: Weighed<Kind>[] = [];
  const leftOut = new Set<Kind>();
  for (const each of [...all].sort((a, b) => b.weight - a.weight || ascending(a.url, b.url))) {
    const place = left.get(each.kind);
    if (!place || place.room <= 0 || place.tries <= 0) {
      leftOut.add(each.kind);
      continue;
    }
    place.tries -= 1;
    yield;
    if (each.own && !mayFetch(each.url)) continue;
    place.room -= 1;
    chosen.push(each);
  }
  return { chosen, left: leftOut };
}
