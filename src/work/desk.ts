/** What a process keeps of each kind of work: whose turn it is, and what runs; and how it learns of what is owed. */
import { createBell } from '../eventStore/bell.ts';
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
    /** A place has been free since then (UTC ISO). */
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

export type Desks = ReadonlyMap<string, Desk>;

/** What is owed now, and from then on what changes; ends when the signal aborts or the watch breaks off. */
export async function followItems(readModels: ReadModels, desks: Desks, signal: AbortSignal): Promise<void> {
  const after = await itemsPosition(readModels);
  const watching = new AbortController();
  const stop = (): void => watching.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const changes = readModels.watch({ models: [WORK_ITEMS], signal: watching.signal, ...(after === null ? {} : { after }) });
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
