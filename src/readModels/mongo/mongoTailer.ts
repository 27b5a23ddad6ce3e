/**
 * Reads the outbox batch by batch for this process and passes each on once, in order. While a change stream announces
 * the batches, it asks only for those that others wrote, and otherwise once in a while in case the stream has gone
 * silent; without a stream it polls.
 */
import pLimit from 'p-limit';
import type { Batch } from './mongoBatch.ts';
import type { Outbox } from './mongoOutbox.ts';
import { createPause } from './mongoPause.ts';

export type Tailer = {
  /** Finds the end of the outbox and follows it from there. Resolves once the end is known. */
  start(): Promise<void>;
  readonly isRunning: boolean;
  /** Batches that this process is writing: passed on immediately as far as they are next. Never rejects. */
  offer(appending: Promise<readonly Batch[]>): Promise<void>;
  /** Resolves when the batch with that number has been passed on, or the tailer is closed. */
  upTo(number: number): Promise<void>;
  /** Resolves when everything present at the time of the call has been passed on, or the tailer is closed. */
  toEnd(): Promise<void>;
  /** There may be something to read, now or soon. Nothing to do while a change stream would announce it. */
  wake(): void;
  /** A change stream reports this batch. */
  announce(number: number): void;
  /** A change stream begins or stops to announce batches. */
  setAnnounced(isAnnounced: boolean): void;
  close(): Promise<void>;
};

export type TailerOptions = {
  readonly outbox: Outbox;
  /** `isOwn`: this process wrote it. */
  readonly take: (batch: Batch, isOwn: boolean) => Promise<void>;
  /** Called before the end of the outbox is looked up. */
  readonly onStart: () => Promise<void>;
  /** Unread batches are gone: what they published has to be determined in another way. */
  readonly onLost: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Polling interval while busy; up to `idleMs` while idle. */
  readonly pollMs: number;
  readonly idleMs: number;
  /** The same while a change stream announces the batches. */
  readonly announcedMs: number;
};

/** How often to check that it has not fallen behind the kept batches. */
const CHECK_MS = 1_000;
const FAILURE_MS = 250;
const SLOWER = 1.25;

export function createTailer(options: TailerOptions): Tailer {
  const { outbox } = options;
  const pause = createPause();
  let last = 0;
  /** When the last batch was written; null: not known yet. */
  let lastAt: number | null = null;
  let starting: Promise<void> | null = null;
  let running = false;
  let closed = false;
  let isAnnounced = false;
  /** The newest batch that was announced. */
  let announced = 0;
  /** Beyond the announced ones. */
  let mayBeMore = true;
  /** What this process is writing. */
  let own: Promise<unknown> = Promise.resolve();
  let loop: Promise<void> = Promise.resolve();
  /** Passes batches on one after another. */
  const handOn = pLimit(1);
  const waits = createWaits();

  async function begin(): Promise<void> {
    await options.onStart();
    last = await outbox.newest();
    lastAt = await outbox.writtenAt(last);
    running = true;
    loop = follow();
  }

  /** False if it is not the next one. */
  function accept(batch: Batch, isOwn: boolean): Promise<boolean> {
    return handOn(async () => {
      if (closed || Number(batch._id) !== last + 1) return false;
      await options.take(batch, isOwn);
      moveTo(last + 1, batch.at.getTime());
      return true;
    });
  }

  function moveTo(number: number, at: number | null): void {
    [last, lastAt] = [number, at];
    waits.end(last);
  }

  async function follow(): Promise<void> {
    let delay = options.pollMs;
    let checkedAt = performance.now();
    while (!closed) {
      let hasFailed = false;
      const mayFollow = mayBeMore;
      mayBeMore = false;
      try {
        const batch = await outbox.read(last + 1);
        if (batch) {
          await accept(batch, false);
          delay = options.pollMs;
          mayBeMore ||= mayFollow;
          if (mayBeMore || !isAnnounced || last < announced) continue;
        }
        if (performance.now() - checkedAt > CHECK_MS) {
          await detectLoss();
          checkedAt = performance.now();
        }
      } catch (error) {
        if (closed) return;
        options.onFailure(error);
        hasFailed = true;
        mayBeMore = true;
        delay = FAILURE_MS;
      }
      const wasWoken = await pause.wait(isAnnounced && !hasFailed ? options.announcedMs : delay);
      delay = wasWoken ? options.pollMs : Math.min(options.idleMs, delay * SLOWER);
    }
  }

  /**
   * The batch read last is kept as long as the one after it; if it is gone, or its number was reused, the following
   * ones may be gone too.
   */
  async function detectLoss(): Promise<void> {
    const seen = last;
    const at = seen > 0 ? await outbox.writtenAt(seen) : null;
    if (last !== seen || (at !== null && at === (lastAt ?? at))) return;
    const newest = await outbox.newest();
    if (seen === 0 && (newest === 0 || (await outbox.has(1)))) return;
    const newestAt = await outbox.writtenAt(newest);
    await handOn(async () => {
      if (last !== seen) return;
      await options.onLost();
      moveTo(newest, newestAt);
    });
  }

  function start(): Promise<void> {
    starting ??= begin().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  }

  /** Looks, whether or not there is a change stream. */
  function look(): void {
    mayBeMore = true;
    pause.end();
  }

  function upTo(number: number): Promise<void> {
    if (!running || closed || number <= last) return Promise.resolve();
    look();
    return waits.add(number);
  }

  async function toEnd(): Promise<void> {
    for (let next = last + 1; running && !closed && (await outbox.has(next)); next = last + 1) await upTo(next);
  }

  return {
    start,
    get isRunning() {
      return running;
    },
    offer: (appending) => {
      const offered = appending.then(
        async (batches) => {
          for (const batch of batches) if (running) await accept(batch, true);
        },
        // Perhaps some of them were written; the writer reports the error.
        () => undefined,
      );
      const settled = offered.catch(options.onFailure);
      own = Promise.all([own, settled]);
      return settled;
    },
    upTo,
    toEnd,
    wake: () => {
      if (!isAnnounced) look();
    },
    announce: (number) => {
      // Those of this process need not be read.
      void own.then(() => {
        if (number <= last) return;
        announced = Math.max(announced, number);
        pause.end();
      });
    },
    setAnnounced: (now) => {
      isAnnounced = now;
      // What was written before the stream began, or after it ended.
      look();
    },
    close: async () => {
      closed = true;
      waits.end(Number.POSITIVE_INFINITY);
      pause.end();
      await loop;
      await handOn(async () => undefined);
    },
  };
}

/** Waiters for a batch with a given number. */
function createWaits() {
  const waiting = new Set<{ readonly number: number; readonly done: () => void }>();
  return {
    add: (number: number): Promise<void> => new Promise((resolve) => waiting.add({ number, done: resolve })),
    end(upTo: number): void {
      for (const wait of waiting) {
        if (wait.number > upTo) continue;
        waiting.delete(wait);
        wait.done();
      }
    },
  };
}
