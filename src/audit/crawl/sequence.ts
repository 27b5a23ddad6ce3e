/**
 * Pages under way, in the order in which they were chosen. Their answers are processed in that order, whichever comes
 * first, so that what is chosen next does not depend on the speed of the server.
 */
import type { FrontierItem } from './frontier/frontier.ts';

/**
 * Pages under way at most: few at first, so that they are chosen by what the site links to; later more, so that a slow
 * one holds up less.
 */
const FIRST_AHEAD = 8;
const MOST_AHEAD = 24;
/** So many processed pages allow one more. */
const STEP = 8;

/** What programs pass as `holdMs`. */
export const SLOW_PAGE_MS = 3000;

export type Slot<Answer> = {
  readonly item: FrontierItem;
  /** When its request was sent; infinite before, and minus infinity once the others no longer wait for it. */
  askedAt: number;
  answer: Promise<Answer> | null;
  isReady: boolean;
};

export type Sequence<Answer> = {
  readonly size: () => number;
  readonly hasRoom: () => boolean;
  readonly add: (item: FrontierItem) => void;
  /** The next one to request; null if all have been. */
  readonly next: () => Slot<Answer> | null;
  /** Removes and returns the one to process now; null if it has no answer yet. */
  readonly takeReady: (now: number) => Slot<Answer> | null;
  /**
   * Milliseconds until slow pages no longer hold up an answer; null if they hold up none, or for as long as they take.
   */
  readonly heldFor: (now: number) => number | null;
  /** Those that hold up an answer no longer do. */
  readonly letPass: () => void;
  /** Drops those not yet requested: their number. */
  readonly drop: () => number;
};

/** `holdMs`: how long a page may hold up those after it; a slower one is processed when it answers. */
export function createSequence<Answer>(holdMs: number): Sequence<Answer> {
  let open: Slot<Answer>[] = [];
  let planned: Slot<Answer>[] = [];
  let processed = 0;
  const holding = (): Slot<Answer>[] =>
    open.slice(
      0,
      Math.max(
        0,
        open.findIndex((slot) => slot.isReady),
      ),
    );
  return {
    size: () => open.length,
    hasRoom: () => open.length < Math.min(MOST_AHEAD, FIRST_AHEAD + processed / STEP),
    add: (item) => {
      const slot: Slot<Answer> = { item, askedAt: Number.POSITIVE_INFINITY, answer: null, isReady: false };
      open.push(slot);
      planned.push(slot);
    },
    next: () => planned.shift() ?? null,
    takeReady: (now) => {
      const at = open.findIndex((slot) => slot.isReady || now - slot.askedAt < holdMs);
      const found = open[at];
      if (!found?.isReady) return null;
      open.splice(at, 1);
      processed++;
      return found;
    },
    heldFor: (now) => {
      const until = Math.max(...holding().map(({ askedAt }) => askedAt + holdMs));
      return Number.isFinite(until) ? Math.max(0, until - now) : null;
    },
    letPass: () => {
      for (const slot of holding()) slot.askedAt = Number.NEGATIVE_INFINITY;
    },
    drop: () => {
      const dropped = new Set(planned);
      planned = [];
      open = open.filter((slot) => !dropped.has(slot));
      return dropped.size;
    },
  };
}
