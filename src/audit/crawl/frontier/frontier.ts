/**
 * Addresses that wait to be fetched. The home page comes first; one of each pattern before the second of any, and no pattern may get far ahead of
 * the others; then what is fewer clicks away, the sitemap's own addresses last; then what more pages link to. Pure.
 */

import { dedupeKey, parse } from '../url.ts';
import { createFairQueue } from './fairQueue.ts';
import { createPatterns } from './urlPatterns.ts';

export type FrontierItem = {
  readonly url: string;
  readonly pattern: string;
  from: 'start' | 'link' | 'sitemap';
  /** Clicks from the start as known so far; infinite when only the sitemap names it. */
  depth: number;
  /** How often it was linked to, as known so far. */
  links: number;
  /** How many addresses of the same pattern led here one from another. */
  readonly chain: number;
  /** Order of arrival. */
  readonly order: number;
  taken: boolean;
  /** Times that the server asked to come back later. */
  postponed: number;
  readonly isHome: boolean;
};

export type FrontierEntry = { readonly url: string; readonly from: FrontierItem['from']; readonly depth: number; readonly parent?: FrontierItem };

export type Frontier = {
  /** The item of the address, new or known already; null when there is no room for it. */
  readonly add: (entry: FrontierEntry) => FrontierItem | null;
  /** One more page links to it. */
  readonly linked: (item: FrontierItem) => void;
  /** The next address; null when none waits. */
  readonly take: () => FrontierItem | null;
  /** Claims an address reached otherwise: its item, or null when it was taken before. */
  readonly claim: (entry: FrontierEntry) => FrontierItem | null;
  /** Puts a taken address back. */
  readonly postpone: (item: FrontierItem) => void;
  readonly waiting: () => number;
  /** New addresses that found no room any more. */
  readonly dropped: () => number;
  readonly patternOf: (url: string) => string;
};

/** How many addresses of the same pattern led to this one from one another. */
export function chainOf(pattern: string, parent: FrontierItem): number {
  return parent.pattern === pattern ? parent.chain + 1 : 0;
}

const MAX_KNOWN = 100_000;

export function createFrontier(): Frontier {
  const known = new Map<string, FrontierItem>();
  const queue = createFairQueue<FrontierItem>();
  const patternOf = createPatterns();
  let waiting = 0;
  let dropped = 0;

  const enter = (item: FrontierItem): void => queue.put(item, clicksTo(item), doublings(item.links));
  const insert = ({ url, from, depth, parent }: FrontierEntry, key: string): FrontierItem => {
    const pattern = patternOf(url);
    const chain = parent ? chainOf(pattern, parent) : 0;
    const item = { url, pattern, from, depth, links: 1, chain, order: known.size, taken: false, postponed: 0, isHome: isHomePage(url) };
    known.set(key, item);
    return item;
  };
  const linked = (item: FrontierItem): void => {
    item.links++;
    // Twice as many make a difference, one more does not.
    if (!item.taken && doublings(item.links) > doublings(item.links - 1)) enter(item);
  };
  const again = (item: FrontierItem, entry: FrontierEntry): FrontierItem => {
    if (!item.taken && entry.depth < item.depth) {
      item.depth = entry.depth;
      item.from = entry.from;
      enter(item);
    }
    linked(item);
    return item;
  };

  return {
    add: (entry) => {
      const key = dedupeKey(entry.url);
      const present = known.get(key);
      if (present) return again(present, entry);
      if (known.size >= MAX_KNOWN) {
        dropped++;
        return null;
      }
      const item = insert(entry, key);
      enter(item);
      waiting++;
      return item;
    },
    linked,
    take: () => {
      const item = queue.take();
      if (item) waiting--;
      return item;
    },
    claim: (entry) => {
      const key = dedupeKey(entry.url);
      const present = known.get(key);
      if (present?.taken) return null;
      if (present) waiting--;
      const item = present ?? insert(entry, key);
      item.taken = true;
      return item;
    },
    postpone: (item) => {
      item.taken = false;
      item.postponed++;
      waiting++;
      enter(item);
    },
    waiting: () => waiting,
    dropped: () => dropped,
    patternOf,
  };
}

/** The home page of a site is what most of it hangs on, however it was found. */
function clicksTo(item: FrontierItem): number {
  return item.isHome ? -1 : item.depth;
}

function isHomePage(href: string): boolean {
  const url = parse(href);
  return url?.pathname === '/' && url.search === '';
}

function doublings(links: number): number {
  return 31 - Math.clz32(links);
}
