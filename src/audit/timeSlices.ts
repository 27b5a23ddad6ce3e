/**
 * Runs long work on site data in time slices: in between, the event loop serves other work, and cancellation takes
 * effect.
 */

/** Roughly how long other work waits. */
const SLICE_MS = 6;
/**
 * Event-loop rounds between two slices of any work. Serving a request takes about this many, so it waits for only one
 * slice; idle rounds take microseconds.
 */
const ROUNDS = 4;

export type SliceClock = {
  /** Milliseconds. */
  readonly now: () => number;
  /** Yields for at least one event-loop round; by default, all other waiting work goes first. */
  readonly yieldToEventLoop?: () => Promise<void>;
};

/** Picks only the clock from a larger object, such as a crawl environment with a signal. */
export function clockOf({ now, yieldToEventLoop }: SliceClock): SliceClock {
  return yieldToEventLoop ? { now, yieldToEventLoop } : { now };
}

/** Work that can be paused wherever it yields. */
export type Pausable<T> = Generator<void, T, void>;

export type TimeSlices = {
  /** True when the event loop has waited long enough. Cheap: call it after each small step. */
  readonly isDue: () => boolean;
  /** Yields to the event loop and starts the next slice. */
  readonly pause: () => Promise<void>;
};

/** Resumed one at a time: if four audits each ran a slice at once, a request would wait four times as long. */
const paused: (() => void)[] = [];
let roundsToGo = 0;

function yieldInOrder(): Promise<void> {
  return new Promise((resume) => {
    paused.push(resume);
    if (paused.length === 1) setImmediate(goRound);
  });
}

function goRound(): void {
  roundsToGo -= 1;
  if (roundsToGo <= 0) {
    roundsToGo = ROUNDS;
    paused.shift()?.();
  }
  if (paused.length > 0) setImmediate(goRound);
}

export function createTimeSlices({ now, yieldToEventLoop = yieldInOrder }: SliceClock): TimeSlices {
  let since = now();
  return {
    isDue: () => now() - since >= SLICE_MS,
    pause: async () => {
      await yieldToEventLoop();
      since = now();
    },
  };
}

/** Runs the work in slices. Null if `mustStop`, called after each pause, returned true before the end. */
export async function inSlices<T>(
  work: Pausable<T>,
  clock: SliceClock,
  mustStop: () => boolean = () => false,
): Promise<T | null> {
  const slices = createTimeSlices(clock);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!slices.isDue()) continue;
    await slices.pause();
    if (mustStop()) return null;
  }
}

/** Runs the work without pausing, for small inputs. */
export function atOnce<T>(work: Pausable<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
