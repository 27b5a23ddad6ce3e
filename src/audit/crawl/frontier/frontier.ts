/**
 * Queue of addresses to fetch, by their distance from the start: the home page, then what fewer clicks lead to, then
 * what only sitemaps name. Pure.
 */

import { parseUrl } from '../../../model/parseUrl.ts';
import { dedupeKey } from '../url.ts';
import { createDistances } from './distances.ts';
import { createPatterns } from './urlPatterns.ts';

export type FrontierItem = {
  readonly url: string;
  readonly pattern: string;
  from: 'start' | 'link' | 'sitemap';
  /** Known clicks from the start; infinite if it is only in a sitemap. */
  depth: number;
  /** Length of the chain of same-pattern addresses that led here. */
  readonly chain: number;
  /** The former run looked at it. */
  readonly wasRead: boolean;
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
  /** Opens the nearest distance at which something waits; false if nothing does. */
  readonly open: () => boolean;
  /** The next address of the open distance; null if none is left there. */
  readonly take: () => FrontierItem | null;
  /** The first `most` addresses that would come next if nothing else was found. Takes none. */
  readonly ahead: (most: number) => readonly FrontierItem[];
  /** Claims an address reached another way, such as by a redirect: its item, or null if it was already taken. */
  readonly claim: (entry: FrontierEntry) => FrontierItem | null;
  readonly waiting: () => number;
  readonly has: (url: string) => boolean;
  /** Addresses that are or were in the queue. */
  readonly size: () => number;
  /** New addresses dropped because the queue was full. */
  readonly dropped: () => number;
  readonly patternOf: (url: string) => string;
};

export type FrontierLimits = {
  /** Pages of the crawl; default: none. */
  readonly maxPages?: number;
  /** What all addresses may take in memory; default: anything. */
  readonly mostBytes?: number;
  /** Addresses that the former run of the site looked at. */
  readonly former?: readonly string[];
};

/** Length of the chain of same-pattern addresses that led to this one. */
export function chainOf(pattern: string, parent: FrontierItem): number {
  return parent.pattern === pattern ? parent.chain + 1 : 0;
}

const MAX_KNOWN = 100_000;
/** What an address takes besides its text. */
const ITEM_BYTES = 200;
/** Of the pages of a crawl, one template takes this part at most while others wait. */
const TEMPLATES = 12;

export function createFrontier({
  maxPages = Number.POSITIVE_INFINITY,
  mostBytes = Number.POSITIVE_INFINITY,
  former = [],
}: FrontierLimits = {}): Frontier {
  const known = new Map<string, FrontierItem>();
  const queue = createDistances<FrontierItem>(Math.ceil(maxPages / TEMPLATES));
  const patternOf = createPatterns();
  const read = new Set(former.map(dedupeKey));
  let waiting = 0;
  let dropped = 0;
  let bytes = 0;

  const insert = ({ url, from, depth, parent }: FrontierEntry, key: string): FrontierItem => {
    const pattern = patternOf(url);
    const chain = parent ? chainOf(pattern, parent) : 0;
    const item = {
      url,
      pattern,
      from,
      depth,
      chain,
      wasRead: read.has(key),
      taken: false,
      postponed: 0,
      isHome: isHomePage(url),
    };
    known.set(key, item);
    bytes += ITEM_BYTES + url.length + (key === url ? 0 : key.length);
    return item;
  };
  const again = (item: FrontierItem, { depth, from }: FrontierEntry): FrontierItem => {
    if (item.taken || depth >= item.depth) return item;
    item.depth = depth;
    item.from = from;
    queue.put(item, clicksTo(item));
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
      queue.put(item, clicksTo(item));
      waiting++;
      return item;
    },
    open: queue.open,
    take: () => {
      const item = queue.take();
      if (item) waiting--;
      return item;
    },
    ahead: queue.ahead,
    claim: (entry) => {
      const key = dedupeKey(entry.url);
      const present = known.get(key);
      if (present?.taken) return null;
      if (present) waiting--;
      const item = present ?? insert(entry, key);
      item.taken = true;
      return item;
    },
    waiting: () => waiting,
    has: (url) => known.has(dedupeKey(url)),
    size: () => known.size,
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
