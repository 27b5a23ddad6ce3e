/** Addresses that wait to be fetched. One of each pattern comes before the second of any; then what is fewer clicks away. Pure. */
import { createHeap, type Heap } from './heap.ts';
import { dedupeKey, urlPattern } from './url.ts';

export type FrontierItem = {
  readonly url: string;
  readonly pattern: string;
  from: 'start' | 'link' | 'sitemap';
  /** Clicks from the start as known so far; infinite when only the sitemap names it. */
  depth: number;
  /** How many addresses of the same pattern led here one from another. */
  readonly chain: number;
  /** Order of arrival. */
  readonly order: number;
  taken: boolean;
  /** Times that the server asked to come back later. */
  postponed: number;
};

export type FrontierEntry = { readonly url: string; readonly from: FrontierItem['from']; readonly depth: number; readonly parent?: FrontierItem };

export type Frontier = {
  /** False when an equal address is known already. */
  readonly add: (entry: FrontierEntry) => boolean;
  /** The next address; null when none waits. */
  readonly take: () => FrontierItem | null;
  /** Claims an address reached otherwise: its item, or null when it was taken before. */
  readonly claim: (entry: FrontierEntry) => FrontierItem | null;
  /** Puts a taken address back. */
  readonly postpone: (item: FrontierItem) => void;
  readonly waiting: () => number;
};

/** How many addresses of the same pattern led to this one from one another. */
export function chainOf(url: string, parent: FrontierItem, pattern: string = urlPattern(url)): number {
  return parent.pattern === pattern ? parent.chain + 1 : 0;
}

const MAX_KNOWN = 100_000;

type Place = { readonly item: FrontierItem; readonly depth: number };
type Pattern = { taken: number; readonly places: Heap<Place>; head: Place | null };
type Turn = { readonly pattern: Pattern; readonly taken: number; readonly head: Place };

export function createFrontier(): Frontier {
  const known = new Map<string, FrontierItem>();
  const patterns = new Map<string, Pattern>();
  const turns = createHeap<Turn>(isEarlier);
  let waiting = 0;

  const enter = (item: FrontierItem): void => {
    const pattern = patterns.get(item.pattern) ?? { taken: 0, places: createHeap<Place>(isNearer), head: null };
    patterns.set(item.pattern, pattern);
    const place = { item, depth: item.depth };
    if (pattern.head && !isNearer(place, pattern.head)) {
      pattern.places.push(place);
      return;
    }
    if (pattern.head) pattern.places.push(pattern.head);
    pattern.head = place;
    turns.push({ pattern, taken: pattern.taken, head: place });
  };
  const advance = (pattern: Pattern): void => {
    do pattern.head = pattern.places.pop() ?? null;
    while (pattern.head && (pattern.head.item.taken || pattern.head.depth !== pattern.head.item.depth));
    if (pattern.head) turns.push({ pattern, taken: pattern.taken, head: pattern.head });
  };
  const insert = (entry: FrontierEntry, key: string): FrontierItem => {
    const pattern = urlPattern(entry.url);
    const chain = entry.parent ? chainOf(entry.url, entry.parent, pattern) : 0;
    const item: FrontierItem = { url: entry.url, pattern, from: entry.from, depth: entry.depth, chain, order: known.size, taken: false, postponed: 0 };
    known.set(key, item);
    return item;
  };
  const nearer = (item: FrontierItem, entry: FrontierEntry): void => {
    if (item.taken || entry.depth >= item.depth) return;
    item.depth = entry.depth;
    item.from = entry.from;
    enter(item);
  };

  return {
    add: (entry) => {
      const key = dedupeKey(entry.url);
      const present = known.get(key);
      if (present) nearer(present, entry);
      if (present || known.size >= MAX_KNOWN) return false;
      enter(insert(entry, key));
      waiting++;
      return true;
    },
    take: () => {
      for (let turn = turns.pop(); turn; turn = turns.pop()) {
        const { pattern, head } = turn;
        if (pattern.head !== head || pattern.taken !== turn.taken) continue;
        const isCurrent = !head.item.taken && head.depth === head.item.depth;
        if (isCurrent) pattern.taken++;
        advance(pattern);
        if (!isCurrent) continue;
        head.item.taken = true;
        waiting--;
        return head.item;
      }
      return null;
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
  };
}

function isNearer(a: Place, b: Place): boolean {
  return a.depth !== b.depth ? a.depth < b.depth : a.item.order < b.item.order;
}

function isEarlier(a: Turn, b: Turn): boolean {
  if ((a.taken === 0) !== (b.taken === 0)) return a.taken === 0;
  if (a.head.depth !== b.head.depth) return a.head.depth < b.head.depth;
  return a.taken !== b.taken ? a.taken < b.taken : a.head.item.order < b.head.item.order;
}
