/** Long work on what a site sent, in slices by the clock: between them the event loop serves others, and whoever stops the work is heard. */

/** Others wait about this long for their turn. */
const SLICE_MS = 6;
/** Of the event loop, from one slice to the next, whoever's it is. An answer to a request takes about that many, so it waits for one slice; empty ones take microseconds. */
const ROUNDS = 4;

export type SliceClock = {
  /** Milliseconds. */
  readonly now: () => number;
  /** Lets the event loop go round at least once; by default, whoever else waits in it goes first. */
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

/** Resumed one by one: four audits that each took their slice at once would hold up a request four times as long. */
const paused: (() => void)[] = [];
let roundsToGo = 0;

function nextTurn(): Promise<void> {
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
