/** The queue of each kind of work in one process: what waits, what runs, and how it is notified of pending work. */
import { START } from '../eventStore/eventStore.ts';
import { createNotifier, firstOf, systemTimer, type Timer, type Trigger } from '../eventStore/notifier.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { itemsSince, laneHeads, WORK_ITEMS } from './items.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createWaitingLanes, stateOf } from './waiting.ts';

export type KindQueue = ReturnType<typeof createKindQueue>;

export function createKindQueue(kind: WorkKind, now: string) {
  const notifier = createNotifier();
  const queue = {
    kind,
    waiting: createWaitingLanes(),
    hadToday: createHadToday(),
    /** Items in progress here by network. */
    byNetwork: new Map<string, number>(),
    /** Ids of items taken here that the list has not dropped since. */
    listed: new Set<string>(),
    running: 0,
    /** Items in progress by lane, in all processes, as last read. */
    byLane: new Map<string, number>(),
    tries: 0,
    failed: 0,
    givenUp: 0,
    /** Since when a slot open to any lane has been free (UTC ISO). */
    freeSince: now as string | null,
    /** The same for a slot reserved for lanes that have had none today. */
    idleFreeSince: now as string | null,
    /** An item was settled whose claim is still kept. */
    hasSettled: false,
    /** Something changed since the last check. */
    hasNews: true,
    changed: notifier.listen,
    /** Call after every change of `running`. `isClosed`: there is no slot, whatever runs. */
    notePlaces(at: string, isClosed: boolean): void {
      const isFree = (places: number): boolean => !isClosed && queue.running < places;
      queue.freeSince = isFree(openPlaces(kind)) ? (queue.freeSince ?? at) : null;
      queue.idleFreeSince = isFree(kind.parallel) ? (queue.idleFreeSince ?? at) : null;
    },
    notify(): void {
      queue.hasNews = true;
      notifier.notify();
    },
  };
  return queue;
}

/** Lanes known to have begun an item since 00:00 UTC, the last time they were asked for. */
function createHadToday(): (now: string) => Set<string> {
  let day = '';
  let lanes = new Set<string>();
  return (now) => {
    if (!now.startsWith(day) || day === '') lanes = new Set();
    day = now.slice(0, 10);
    return lanes;
  };
}

/** Slots open to any lane. */
const openPlaces = ({ parallel, keptForIdle = 0 }: WorkKind): number => parallel - keptForIdle;

/** How long to wait for read models at a time, ms. */
const TIMEOUT_MS = 5_000;

export type KindQueues = ReadonlyMap<string, KindQueue>;

/**
 * How long the list must be unchanged before what is new in it is read once more, and how much longer before each
 * further time, ms: a projector that takes over needs up to 13 s.
 */
const QUIET_MS = [1_000, 2_000, 4_000, 8_000] as const;

/**
 * Delivers what is pending now, and changes from then on; ends when the signal aborts or the watch breaks. While no
 * changes come, reads what is new in the list: a projector that was killed, or is in the middle of a long commit, may
 * have written documents whose changes come only later.
 */
export async function followItems(
  readModels: ReadModels,
  queues: KindQueues,
  signal: AbortSignal,
  timer: Timer = systemTimer,
): Promise<void> {
  const after = await firstPosition(readModels, signal);
  if (after === null) return;
  const failures: unknown[] = [];
  const watching = new AbortController();
  const stop = (): void => watching.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const changes = readModels.watch({ models: [WORK_ITEMS], signal: watching.signal, after });
    const readLanes = async (kind: string, queue: KindQueue): Promise<void> => {
      for await (const item of laneHeads(readModels, kind, queue.listed)) queue.waiting.offer(item.lane, stateOf(item));
      queue.notify();
    };
    // Together: one after the other, the last kind would wait for the round trips of all others.
    await Promise.all([...queues].map(([kind, queue]) => readLanes(kind, queue)));
    let readUpTo = after;
    const readNew = async (): Promise<void> => {
      // Before the items: what is written meanwhile is read the next time.
      const upTo = await readModels.servedPosition(WORK_ITEMS);
      for await (const item of itemsSince(readModels, readUpTo)) {
        const queue = queues.get(item.kind);
        if (queue?.listed.has(item.itemId)) continue;
        queue?.waiting.offer(item.lane, stateOf(item));
        queue?.notify();
      }
      readUpTo = upTo ?? readUpTo;
    };
    const changed = whileQuiet(timer, watching.signal, () =>
      readNew().catch((error: unknown) => {
        failures.push(error);
        stop();
      }),
    );
    changed();
    for await (const { data, id } of changes) {
      changed();
      const queue = queues.get(id.slice(0, id.indexOf('/')));
      const item = data as WorkItem | null;
      if (item) queue?.waiting.offer(item.lane, stateOf(item));
      else queue?.listed.delete(id.slice(id.indexOf('/') + 1));
      queue?.notify();
    }
    if (failures.length > 0) throw failures[0];
  } finally {
    // Left open, an unread watch would keep accumulating changes.
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Calls `then` after each of these times in which the returned function was not called. */
function whileQuiet(timer: Timer, signal: AbortSignal, then: () => Promise<unknown>): () => void {
  let cancel = (): void => undefined;
  function wait(nth: number): void {
    const ms = QUIET_MS[nth];
    if (ms === undefined) return;
    cancel = timer(ms, () => {
      if (signal.aborted) return;
      void then();
      wait(nth + 1);
    });
  }
  return () => {
    cancel();
    wait(0);
  };
}

/**
 * Before the first list is complete nothing can be taken, and all of it would then arrive as single changes. Null: the
 * signal aborted before.
 */
async function firstPosition(readModels: ReadModels, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    const position = await readModels.servedPosition(WORK_ITEMS);
    if (position !== null) return position;
    const isServed = readModels.reached([WORK_ITEMS], START, TIMEOUT_MS);
    // A failure resurfaces when the list is read again.
    const served: Trigger = (notify) => {
      isServed.then(notify, notify);
      return () => undefined;
    };
    await firstOf([served], signal);
  }
  return null;
}

/** A claim of a settled item is useless once the list of items has passed its outcome. */
export async function forgetSettled(
  { readModels, claims }: { readonly readModels: ReadModels; readonly claims: Claims },
  queues: KindQueues,
): Promise<void> {
  const settled = [...queues.values()].filter((queue) => queue.hasSettled);
  const upTo = settled.length === 0 ? null : await readModels.servedPosition(WORK_ITEMS);
  if (upTo === null) return;
  for (const queue of settled) {
    // Items the list has not passed yet are removed with the next settled one, or by `sweeps/orphanedClaims.ts`.
    queue.hasSettled = (await claims.forgetSettled(queue.kind.rule.kind, upTo)) > 0 || queue.running > 0;
  }
}
