/** What a process keeps of each kind of work: whose turn it is, and what runs; and how it learns of what is owed. */
import { createBell, firstOf, type WakeUp } from '../eventStore/bell.ts';
import { START } from '../eventStore/eventStore.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { laneHeads, WORK_ITEMS } from './items.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createLanes } from './lanes.ts';

export type Desk = ReturnType<typeof createDesk>;

export function createDesk(kind: WorkKind, now: string) {
  const bell = createBell();
  const desk = {
    kind,
    lanes: createLanes(),
    running: 0,
    tries: 0,
    failed: 0,
    givenUp: 0,
    /** A place that any lane may take has been free since then (UTC ISO). */
    freeSince: now as string | null,
    /** Something was settled whose claim is still kept. */
    hasSettled: false,
    /** Something happened since the last look. */
    hasNews: true,
    heard: bell.listen,
    ring(): void {
      desk.hasNews = true;
      bell.ring();
    },
  };
  return desk;
}

/** Read models are waited for so long at a time, ms. */
const PATIENCE_MS = 5_000;

export type Desks = ReadonlyMap<string, Desk>;

/** What is owed now, and from then on what changes; ends when the signal aborts or the watch breaks off. */
export async function followItems(readModels: ReadModels, desks: Desks, signal: AbortSignal): Promise<void> {
  const after = await firstPosition(readModels, signal);
  if (after === null) return;
  const watching = new AbortController();
  const stop = (): void => watching.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const changes = readModels.watch({ models: [WORK_ITEMS], signal: watching.signal, after });
    for (const [kind, desk] of desks) {
      for await (const { lane, dueAt, rank } of laneHeads(readModels, kind)) desk.lanes.offer(lane, { dueAt, rank });
      desk.ring();
    }
    for await (const { data, id } of changes) {
      const desk = desks.get(id.slice(0, id.indexOf('/')));
      const item = data as WorkItem | null;
      if (item) desk?.lanes.offer(item.lane, { dueAt: item.dueAt, rank: item.rank });
      desk?.ring();
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
    const isServed = readModels.reached([WORK_ITEMS], START, PATIENCE_MS);
    // A failure shows when the list is asked for again.
    const served: WakeUp = (ring) => {
      isServed.then(ring, ring);
      return () => undefined;
    };
    await firstOf([served], signal);
  }
  return null;
}

/** A claim of something settled is of no use once the list of items has passed its outcome. */
export async function forgetSettled({ readModels, claims }: { readonly readModels: ReadModels; readonly claims: Claims }, desks: Desks): Promise<void> {
  const settled = [...desks.values()].filter((desk) => desk.hasSettled);
  const upTo = settled.length === 0 ? null : await itemsPosition(readModels);
  if (upTo === null) return;
  for (const desk of settled) {
    // What the list has not passed yet goes with what is settled next, or with `sweeps/orphanedClaims.ts`.
    desk.hasSettled = (await claims.forgetSettled(desk.kind.rule.kind, upTo)) > 0 || desk.running > 0;
  }
}

/** How far the serving list of items has come; null: nothing serves. */
export async function itemsPosition(readModels: ReadModels): Promise<string | null> {
  const build = await readModels.serving(WORK_ITEMS);
  return build === null ? null : readModels.checkpoint(WORK_ITEMS, build);
}
