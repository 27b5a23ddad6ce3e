/**
 * Pages under way, in the order in which they were chosen. Their answers are processed in that order, whichever comes
 * first, so that nothing that is learned from them depends on the speed of the server.
 */
import type { FrontierItem } from './frontier/frontier.ts';

/**
 * Addresses with a query that are under way at most, as each page can show that others are copies: few at first; later
 * more, so that a slow one holds up less.
 */
const FIRST_QUERIES = 8;
const MOST_QUERIES = 24;
/** So many processed pages allow one more. */
const STEP = 8;

export type Slot<Answer> = {
  readonly item: FrontierItem;
  answer: Promise<Answer> | null;
  isReady: boolean;
};

export type Sequence<Answer> = {
  readonly size: () => number;
  readonly hasRoom: () => boolean;
  /** Adds one to request, or one that was asked ahead. */
  readonly add: (slot: Slot<Answer>, isAsked?: boolean) => void;
  /** The next one to request; null if all have been. */
  readonly next: () => Slot<Answer> | null;
  /** How many are before it; negative if it was not chosen yet. */
  readonly placeOf: (slot: Slot<Answer>) => number;
  /** The next one to request holds up all others. */
  readonly isNextFirst: () => boolean;
  /** Removes and returns the first one; null if it has no answer yet. */
  readonly takeReady: () => Slot<Answer> | null;
  /** Puts one back in its place, to be requested again. */
  readonly again: (slot: Slot<Answer>) => void;
  /** Removes and returns those not yet requested, or all. */
  readonly drop: (which: 'unasked' | 'all') => readonly Slot<Answer>[];
};

export function slotOf<Answer>(item: FrontierItem): Slot<Answer> {
  return { item, answer: null, isReady: false };
}

export function createSequence<Answer>(): Sequence<Answer> {
  let open: Slot<Answer>[] = [];
  let unasked: Slot<Answer>[] = [];
  let queries = 0;
  let processed = 0;
  const hasQuery = ({ item }: Slot<Answer>): boolean => item.url.includes('?');
  return {
    size: () => open.length,
    hasRoom: () => queries < Math.min(MOST_QUERIES, FIRST_QUERIES + processed / STEP),
    add: (slot, isAsked = false) => {
      open.push(slot);
      if (!isAsked) unasked.push(slot);
      if (hasQuery(slot)) queries++;
    },
    next: () => unasked.shift() ?? null,
    placeOf: (slot) => open.indexOf(slot),
    isNextFirst: () => unasked[0] !== undefined && unasked[0] === open[0],
    takeReady: () => {
      if (!open[0]?.isReady) return null;
      const slot = open.shift() ?? null;
      if (slot && hasQuery(slot)) queries--;
      processed++;
      return slot;
    },
    again: (slot) => {
      slot.answer = null;
      slot.isReady = false;
      open.unshift(slot);
      unasked.unshift(slot);
      if (hasQuery(slot)) queries++;
    },
    drop: (which) => {
      const dropped = new Set(which === 'all' ? open : unasked);
      unasked = [];
      open = open.filter((slot) => !dropped.has(slot));
      queries = open.filter(hasQuery).length;
      return [...dropped];
    },
  };
}
