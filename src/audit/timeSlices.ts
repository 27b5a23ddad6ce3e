/** Long work on what a site sent, in slices by the clock: between them the event loop serves others, and whoever stops the work is heard. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others wait about this long for their turn. */
const SLICE_MS = 12;

export type SliceClock = {
  /** Milliseconds. */
  readonly now: () => number;
  /** Lets the event loop go round once; default `setImmediate`. */
  readonly yieldToEventLoop?: () => Promise<void>;
};

/** The clock alone of what may hold more, such as the signal of a crawl. */
export function clockOf({ now, yieldToEventLoop }: SliceClock): SliceClock {
  return yieldToEventLoop ? { now, yieldToEventLoop } : { now };
}

/** Work that may be paused wherever it yields. */
export type Pausable<T> = Generator<void, T, void>;

export type TimeSlices = {
  /** True when the event loop has waited long enough. Cheap: to be asked after each small step. */
  readonly isDue: () => boolean;
  /** Gives the event loop its turn and begins the next slice. */
  readonly pause: () => Promise<void>;
};

export function createTimeSlices({ now, yieldToEventLoop = nextTurn }: SliceClock): TimeSlices {
  let since = now();
  return {
    isDue: () => now() - since >= SLICE_MS,
    pause: async () => {
      await yieldToEventLoop();
      since = now();
    },
  };
}

/** Does the work slice by slice. Null when `mustStop` said so before its end; it is asked after each pause. */
export async function inSlices<T>(work: Pausable<T>, clock: SliceClock, mustStop: () => boolean = () => false): Promise<T | null> {
  const slices = createTimeSlices(clock);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slices.isDue()) continue;
    await slices.pause();
    if (mustStop()) return null;
  }
}

/** Does the work at once, for small amounts of it. */
export function atOnce<T>(work: Pausable<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
