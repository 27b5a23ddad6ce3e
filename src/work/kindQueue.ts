/** The queue of each kind of work in one process: lanes, what runs, and how it is notified of what is pending. */
import { START } from '../eventStore/eventStore.ts';
import { createNotifier, firstOf, type Trigger } from '../eventStore/notifier.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { laneHeads, WORK_ITEMS } from './items.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createLanes } from './lanes.ts';

export type KindQueue = ReturnType<typeof createKindQueue>;

export function createKindQueue(kind: WorkKind, now: string) {
  const notifier = createNotifier();
  const queue = {
    kind,
    lanes: createLanes(),
    running: 0,
    tries: 0,
    failed: 0,
    givenUp: 0,
    /** A place that any lane may take has been free since then (UTC ISO). */
    freeSince: now as string | null,
    /** The same of a place that only a lane with nothing in hand may take. */
    idleFreeSince: now as string | null,
    /** Something was settled whose claim is still kept. */
    hasSettled: false,
    /** Something happened since the last look. */
    hasNews: true,
    changed: notifier.listen,
    /** After every change of `running`. While somebody has to be alone in this process there is no place for others: `isClosed`. */
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

/** Places for whoever's turn it is. */
export const openPlaces = ({ parallel, keptForIdle = 0 }: WorkKind): number => parallel - keptForIdle;

/** Read models are waited for so long at a time, ms. */
const TIMEOUT_MS = 5_000;

export type KindQueues = ReadonlyMap<string, KindQueue>;

/** What is pending now, and from then on what changes; ends when the signal aborts or the watch breaks off. */
export async function followItems(readModels: ReadModels, queues: KindQueues, signal: AbortSignal): Promise<void> {
  const after = await firstPosition(readModels, signal);
  if (after === null) return;
  const watching = new AbortController();
  const stop = (): void => watching.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const changes = readModels.watch({ models: [WORK_ITEMS], signal: watching.signal, after });
    for (const [kind, queue] of queues) {
      for await (const { lane, dueAt, rank } of laneHeads(readModels, kind)) queue.lanes.offer(lane, { dueAt, rank });
      queue.notify();
    }
    for await (const { data, id } of changes) {
      const queue = queues.get(id.slice(0, id.indexOf('/')));
      const item = data as WorkItem | null;
      if (item) queue?.lanes.offer(item.lane, { dueAt: item.dueAt, rank: item.rank });
      queue?.notify();
    }
  } finally {
    // One that nobody listens to would go on collecting.
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Until a first list is complete nothing can be taken, and then the whole of it would come as changes, one by one. Null: the signal aborted before. */
async function firstPosition(readModels: ReadModels, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    const position = await itemsPosition(readModels);
    if (position !== null) return position;
    const isServed = readModels.reached([WORK_ITEMS], START, TIMEOUT_MS);
    // A failure shows when the list is asked for again.
    const served: Trigger = (notify) => {
      isServed.then(notify, notify);
      return () => undefined;
    };
    await firstOf([served], signal);
  }
  return null;
}

/** A claim of something settled is of no use once the list of items has passed its outcome. */
export async function forgetSettled({ readModels, claims }: { readonly readModels: ReadModels; readonly claims: Claims }, queues: KindQueues): Promise<void> {
  const settled = [...queues.values()].filter((queue) => queue.hasSettled);
  const upTo = settled.length === 0 ? null : await itemsPosition(readModels);
  if (upTo === null) return;
  for (const queue of settled) {
    // What the list has not passed yet goes with what is settled next, or with `sweeps/orphanedClaims.ts`.
    queue.hasSettled = (await claims.forgetSettled(queue.kind.rule.kind, upTo)) > 0 || queue.running > 0;
  }
}

/** How far the serving list of items has come; null: nothing serves. */
export async function itemsPosition(readModels: ReadModels): Promise<string | null> {
  const build = await readModels.serving(WORK_ITEMS);
  return build === null ? null : readModels.checkpoint(WORK_ITEMS, build);
}
