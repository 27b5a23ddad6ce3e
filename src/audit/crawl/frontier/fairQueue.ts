/** A fair queue: patterns are served round-robin, so that a large pattern does not starve a small one. Pure. */
import { createHeap, type Heap } from './heap.ts';

type Queued = { readonly pattern: string; readonly order: number; taken: boolean };

export type FairQueue<T extends Queued> = {
  /** Adds an item, or moves a waiting one: fewer clicks first, then higher weight. */
  readonly put: (item: T, clicks: number, weight: number) => void;
  /** Takes the next item; null if none is waiting. Skips items taken another way. */
  readonly take: () => T | null;
};

/** An item may have several places; the latest one counts. */
type Place<T> = { readonly item: T; readonly clicks: number; readonly weight: number };
type Pattern<T> = { taken: number; readonly places: Heap<Place<T>>; head: Place<T> | null };
type Entry<T> = { readonly pattern: Pattern<T>; readonly taken: number; readonly head: Place<T> };

export function createFairQueue<T extends Queued>(): FairQueue<T> {
  const patterns = new Map<string, Pattern<T>>();
  const entries = createHeap<Entry<T>>(isEarlier);
  const places = new Map<T, Place<T>>();
  const isCurrent = (place: Place<T>): boolean => !place.item.taken && places.get(place.item) === place;

  const advance = (pattern: Pattern<T>): void => {
    do pattern.head = pattern.places.pop() ?? null;
    while (pattern.head && !isCurrent(pattern.head));
    if (pattern.head) entries.push({ pattern, taken: pattern.taken, head: pattern.head });
  };
  return {
    put: (item, clicks, weight) => {
      const pattern = patterns.get(item.pattern) ?? { taken: 0, places: createHeap<Place<T>>(isNearer), head: null };
      patterns.set(item.pattern, pattern);
      const place = { item, clicks, weight };
      places.set(item, place);
      if (pattern.head && !isNearer(place, pattern.head)) {
        pattern.places.push(place);
        return;
      }
      if (pattern.head) pattern.places.push(pattern.head);
      pattern.head = place;
      entries.push({ pattern, taken: pattern.taken, head: place });
    },
    take: () => {
      for (let entry = entries.pop(); entry; entry = entries.pop()) {
        const { pattern, head } = entry;
        if (pattern.head !== head || pattern.taken !== entry.taken) continue;
        const isNext = isCurrent(head);
        if (isNext) pattern.taken++;
        advance(pattern);
        if (!isNext) continue;
        head.item.taken = true;
        places.delete(head.item);
        return head.item;
      }
      return null;
    },
  };
}

/** Rounds within a pattern double in size: one, one more, two more, four more … */
function roundOf(taken: number): number {
  return 32 - Math.clz32(taken);
}

function isNearer(a: Place<Queued>, b: Place<Queued>): boolean {
  if (a.clicks !== b.clicks) return a.clicks < b.clicks;
  return a.weight !== b.weight ? a.weight > b.weight : a.item.order < b.item.order;
}

/** Weight orders addresses within a pattern, not patterns: early finds would always have more. */
function isEarlier<T extends Queued>(a: Entry<T>, b: Entry<T>): boolean {
  const [roundA, roundB] = [roundOf(a.taken), roundOf(b.taken)];
  if (roundA !== roundB) return roundA < roundB;
  if (a.head.clicks !== b.head.clicks) return a.head.clicks < b.head.clicks;
  return a.taken !== b.taken ? a.taken < b.taken : a.head.item.order < b.head.item.order;
}
