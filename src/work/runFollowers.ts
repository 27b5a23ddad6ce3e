/**
 * Runs the followers: one ordered subscription each, independent of the others. Each one's position is kept as a mark,
 * behind its actual progress: after a crash some events are followed again, but none is skipped.
 */
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  StoreClosed,
  type SubscriptionMessage,
  UnreadableEvent,
} from '../eventStore/eventStore.ts';
import type { Marks } from '../readModels/claims.ts';
import { type Follower, NotYet } from './follower.ts';
import { type FollowerLag, measureFollowerLag } from './followerLag.ts';
import { isStoreUnavailable } from './storeUnavailable.ts';

export type FollowersOptions = {
  readonly followers: readonly Follower[];
  readonly store: EventStore;
  readonly marks: Marks;
  /** Turns an event that could not be followed into a work item; idempotent per event and follower. */
  readonly setAside: (follower: Follower, event: RecordedEvent, error: unknown) => Promise<void>;
  readonly signal: AbortSignal;
  /** UTC ISO. */
  readonly now: () => string;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;
};

export type RunningFollowers = {
  lag(): Promise<readonly FollowerLag[]>;
  /** Resolves when the signal has aborted, or the store was closed, and all have ended. Never rejects. */
  readonly done: Promise<void>;
};

/** Name of the mark with a follower's position. */
export const followerMark = (name: string): string => `follower/${name}`;

const DAY_MS = 24 * 60 * 60 * 1_000;
const PAGE = 500;
/** Delays before the second and third attempt; after the third the event is set aside. */
const PAUSES_MS: readonly number[] = [1_000, 5_000];
/** For unmet preconditions, and for an unavailable store. */
const WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Minimum interval of marks that only pass hidden events. */
const HIDDEN_PROGRESS_MS = 10_000;
/** Minimum interval of all other marks: how much a crash may repeat. */
const PROGRESS_MS = 1_000;

export function runFollowers(options: FollowersOptions): RunningFollowers {
  const { followers, store, marks, now } = options;
  const runs = followers.map((follower) => createRun(options, follower));
  const positions = new Map(runs.map((run) => [run.follower.name, run]));
  return {
    lag: () =>
      measureFollowerLag(
        {
          store,
          followers,
          positionOf: async ({ name }) => positions.get(name)?.position ?? (await marks.read(followerMark(name))),
        },
        Date.parse(now()),
      ),
    done: Promise.all(runs.map((run) => keepFollowing(run))).then(() => undefined),
  };
}

type Run = ReturnType<typeof createRun>;

function createRun(options: FollowersOptions, follower: Follower) {
  return {
    ...options,
    follower,
    /** Everything up to here is done; null before it began. */
    position: null as Position | null,
    /** The stored mark. */
    written: null as Position | null,
    writtenAt: 0,
    /** A write of the mark is scheduled. */
    isWriting: false,
    hasEnded: false,
  };
}

/** A temporarily unavailable store must not leave a dead follower behind. */
async function keepFollowing(run: Run): Promise<void> {
  const { signal, sleep, log, follower } = run;
  for (let failures = 0; !signal.aborted; ) {
    const before = run.position;
    try {
      await follow(run);
    } catch (error) {
      if (error instanceof StoreClosed) break;
      if (signal.aborted) break;
      failures = run.position === before ? failures + 1 : 1;
      log.warn(
        { err: error, follower: follower.name },
        'a follower lost its store; it continues once the store is back',
      );
    }
    if (!signal.aborted) await sleep(waitMs(failures), signal);
  }
  run.hasEnded = true;
  await writeMark(run).catch((error: unknown) =>
    log.warn({ err: error, follower: follower.name }, 'the position of a follower could not be stored'),
  );
}

const waitMs = (failures: number): number => Math.min(WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS);

async function follow(run: Run): Promise<void> {
  const { store, follower, signal } = run;
  run.position ??= await begin(run);
  const filter = { types: follower.types };
  for await (const message of store.subscribe({ after: run.position, filter, signal })) {
    await takeIn(run, message);
    if (signal.aborted) return;
  }
  // It ends without the signal only if the store was closed, which the next call to it confirms.
  if (!signal.aborted) await store.head();
}

/** Where it continues. The starting position is saved immediately, so that it does not shift while nothing happens. */
async function begin(run: Run): Promise<Position> {
  const { store, marks, follower, log } = run;
  const mark = await marks.read(followerMark(follower.name));
  if (mark !== null && mark <= (await store.head())) {
    run.written = mark;
    run.writtenAt = Date.parse(run.now());
    return mark;
  }
  if (mark !== null)
    log.warn(
      { follower: follower.name, mark },
      'a follower was ahead of the log, which was replaced by an older one; it starts from the beginning',
    );
  const first = follower.begins === 'at_the_start' ? START : await aDayBack(run);
  run.position = first;
  await writeMark(run);
  return first;
}

/** The newest event that it would handle and that is older than a day. */
async function aDayBack({ store, follower, now }: Run): Promise<Position> {
  const since = new Date(Date.parse(now()) - DAY_MS).toISOString();
  const filter = { types: follower.types };
  for (let after: Position | undefined; ; ) {
    const page = await store.readAll({
      direction: 'backward',
      limit: PAGE,
      filter,
      ...(after === undefined ? {} : { after }),
    });
    const older = page.events.find(({ metadata }) => metadata.at < since);
    if (older) return older.position;
    if (page.end) return START;
    after = page.next;
  }
}

async function takeIn(run: Run, message: SubscriptionMessage): Promise<void> {
  if (message.kind !== 'events') {
    run.position = message.position;
    if (sinceWritten(run) >= HIDDEN_PROGRESS_MS) await writeMark(run);
    return;
  }
  for (const event of message.events) {
    if (!(await done(run, event))) return;
    run.position = event.position;
    if (sinceWritten(run) >= PROGRESS_MS) await writeMark(run);
  }
  if (sinceWritten(run) >= PROGRESS_MS) await writeMark(run);
  else writeMarkLater(run);
}

/** Events come one by one on a busy log: a write for each would be most of what the store has to do. */
function writeMarkLater(run: Run): void {
  const { follower, position, signal, sleep, log } = run;
  if (run.isWriting || run.hasEnded || position === run.written) return;
  run.isWriting = true;
  sleep(PROGRESS_MS, signal)
    .then(() => (run.hasEnded ? undefined : writeMark(run)))
    .catch((error: unknown) =>
      log.warn({ err: error, follower: follower.name }, 'the position of a follower could not be stored; retrying'),
    )
    .finally(() => {
      run.isWriting = false;
      writeMarkLater(run);
    });
}

const sinceWritten = ({ now, writtenAt }: Run): number => Math.abs(Date.parse(now()) - writtenAt);

async function writeMark(run: Run): Promise<void> {
  const { marks, follower, position, now } = run;
  if (position === null || position === run.written) return;
  await marks.write(followerMark(follower.name), position);
  run.written = position;
  run.writtenAt = Date.parse(now());
}

/**
 * False if it was stopped before it had done anything about the event.
 * @throws errors of an unavailable store, which say nothing about the event
 */
async function done(run: Run, event: RecordedEvent): Promise<boolean> {
  const { follower, signal, sleep, log } = run;
  const logFields = { follower: follower.name, type: event.type, position: event.position };
  // It will not become readable by retrying.
  if (event.unreadable !== undefined) return setAside(run, event, new UnreadableEvent(event));
  for (let failures = 0, waits = 0; !signal.aborted; ) {
    try {
      await follower.follow(event, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (isStoreUnavailable(error)) throw error;
      if (error instanceof NotYet) {
        waits += 1;
        await sleep(waitMs(waits), signal);
        continue;
      }
      const pause = PAUSES_MS[failures];
      failures += 1;
      log.warn({ err: error, ...logFields, failures }, 'a follower could not handle an event');
      if (pause === undefined) return setAside(run, event, error);
      await sleep(pause, signal);
    }
  }
  return false;
}

/** An event is passed only once a work item stands for it. */
async function setAside(run: Run, event: RecordedEvent, cause: unknown): Promise<boolean> {
  const { follower, signal, sleep, log } = run;
  const logFields = { follower: follower.name, type: event.type, position: event.position };
  for (let failures = 0; !signal.aborted; ) {
    try {
      await run.setAside(follower, event, cause);
      log.error({ err: cause, ...logFields }, 'an event was set aside and will be retried as a work item');
      return true;
    } catch (error) {
      failures += 1;
      log.error({ err: error, ...logFields }, 'an event could not be set aside; retrying');
      await sleep(waitMs(failures), signal);
    }
  }
  return false;
}
