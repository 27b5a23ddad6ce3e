/**
 * Queue of addresses to fetch. Order: home page; then fairly across patterns, one of each before the second of any;
 * then fewer clicks (addresses only in sitemaps last); then more links. Pure.
 */

import { parseUrl } from '../../../model/parseUrl.ts';
import { dedupeKey } from '../url.ts';
import { createFairQueue } from './fairQueue.ts';
import { createPatterns } from './urlPatterns.ts';

export type FrontierItem = {
  readonly url: string;
  readonly pattern: string;
  from: 'start' | 'link' | 'sitemap';
  /** Known clicks from the start; infinite if it is only in a sitemap. */
  depth: number;
  /** Number of links to it found so far. */
  links: number;
  /** Length of the chain of same-pattern addresses that led here. */
  readonly chain: number;
  /** Order of arrival. */
  readonly order: number;
  taken: boolean;
  /** How often the server asked to retry it later. */
  postponed: number;
  readonly isHome: boolean;
};

export type FrontierEntry = {
  readonly url: string;
  readonly from: FrontierItem['from'];
  readonly depth: number;
  readonly parent?: FrontierItem;
};

export type Frontier = {
  /** The address's item, new or existing; null if the queue is full. */
  readonly add: (entry: FrontierEntry) => FrontierItem | null;
  /** Counts another page that links to it. */
  readonly linked: (item: FrontierItem) => void;
  /** The next address; null if the queue is empty. */
  readonly take: () => FrontierItem | null;
  /** Claims an address reached another way, such as by a redirect: its item, or null if it was already taken. */
  readonly claim: (entry: FrontierEntry) => FrontierItem | null;
  /** Returns a taken address to the queue. */
  readonly postpone: (item: FrontierItem) => void;
  readonly waiting: () => number;
  /** New addresses dropped because the queue was full. */
  readonly dropped: () => number;
  readonly patternOf: (url: string) => string;
};

/** Length of the chain of same-pattern addresses that led to this one. */
export function chainOf(pattern: string, parent: FrontierItem): number {
  return parent.pattern === pattern ? parent.chain + 1 : 0;
}

const MAX_KNOWN = 100_000;
/** What an address takes besides its text. */
const ITEM_BYTES = 200;

/** `mostBytes`: what all addresses may take in memory. */
export function createFrontier(mostBytes = Number.POSITIVE_INFINITY): Frontier {
  const known = new Map<string, FrontierItem>();
  const queue = createFairQueue<FrontierItem>();
  const patternOf = createPatterns();
  let waiting = 0;
  let dropped = 0;
  let bytes = 0;

  const enter = (item: FrontierItem): void => queue.put(item, clicksTo(item), doublings(item.links));
  const insert = ({ url, from, depth, parent }: FrontierEntry, key: string): FrontierItem => {
    const pattern = patternOf(url);
    const chain = parent ? chainOf(pattern, parent) : 0;
    const item = {
      url,
      pattern,
      from,
      depth,
      links: 1,
      chain,
      order: known.size,
      taken: false,
      postponed: 0,
      isHome: isHomePage(url),
    };
    known.set(key, item);
    bytes += ITEM_BYTES + url.length + (key === url ? 0 : key.length);
    return item;
  };
  const linked = (item: FrontierItem): void => {
    item.links++;
    // Reorder only when the link count doubles.
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
      if (known.size >= MAX_KNOWN || bytes >= mostBytes) {
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

/** The home page comes first, however it was found, because most of a site depends on it. */
function clicksTo(item: FrontierItem): number {
  return item.isHome ? -1 : item.depth;
}

function isHomePage(href: string): boolean {
  const url = parseUrl(href);
  return url?.pathname === '/' && url.search === '';
}

function doublings(links: number): number {
  return 31 - Math.clz32(links);
}
