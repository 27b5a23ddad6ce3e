/** What became of each address that a crawl discovered: exactly one of a few ends. Pure, but stateful. */
import { isTurnedAway } from './outcome.ts';
import type { CrawledPage, DiscoveredAddresses } from './site.ts';

type Fate =
  | 'audited'
  | `refused.${keyof DiscoveredAddresses['refused']}`
  | `noPages.${keyof DiscoveredAddresses['noPages']}`;

export type Fates = {
  readonly add: (fate: Fate) => void;
  readonly of: (fate: Fate) => number;
};

export function createFates(): Fates {
  const counts = new Map<Fate, number>();
  const of = (fate: Fate): number => counts.get(fate) ?? 0;
  return { add: (fate) => void counts.set(fate, of(fate) + 1), of };
}

/** Of an address with an entry of its own. */
export function fateOf({ facts, robotsBlocked, outcome, from }: CrawledPage): Fate {
  const { status, failure, hops } = outcome;
  if (robotsBlocked) return 'refused.robots';
  if (facts !== null) return 'audited';
  if (failure === 'blocked') return 'refused.guard';
  if (status === null) return 'noPages.failing';
  if (hops.length > 0 && from !== 'start') return 'noPages.redirects';
  if (isTurnedAway(outcome)) return 'refused.server';
  if (status >= 500) return 'noPages.failing';
  return status >= 400 ? 'noPages.missing' : 'noPages.others';
}
