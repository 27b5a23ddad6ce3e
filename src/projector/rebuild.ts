/** Fills builds from the log next to the serving ones, until they can take over. */
import type { EventFilter, EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';
import type { AnyProjection } from '../projections/projection.ts';
import { batchesOf } from './batches.ts';
import { type Lane, lowestCheckpoint } from './projectionLane.ts';

export type FillOptions = {
  readonly store: EventStore;
  readonly filter: EventFilter;
  readonly batchSize: number;
  readonly signal: AbortSignal;
  readonly apply: (lanes: readonly Lane[], events: readonly RecordedEvent[], upTo: Position) => Promise<void>;
  /** Tries to switch over; false if the serving builds have meanwhile passed `upTo`. */
  readonly handOver: (lanes: readonly Lane[], upTo: Position) => Promise<boolean>;
  readonly progress: () => void;
};

/** Reads the log for these lanes until they are handed over or the signal aborts. */
export async function fillLanes(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  const { store, filter, batchSize, signal } = options;
  const pace = createPace('background');
  let after = lowestCheckpoint(lanes);
  while (!signal.aborted) {
    const page = await store.readAll({ after, limit: batchSize, filter });
    const batches = batchesOf(lanes, page.events);
    for (const [nth, events] of batches.entries()) {
      const upTo = nth === batches.length - 1 ? page.next : (events.at(-1)?.position ?? page.next);
      await options.apply(lanes, events, upTo);
      options.progress();
      await pace.pass();
      if (signal.aborted) return;
    }
    after = page.next;
    if (page.end && (await options.handOver(lanes, after))) return;
  }
}

const BUILD = /^v(\d+)(?:r(\d+))?$/;

/** Whether a build was filled by this version of the projection: `v3`, or one of its rebuilds `v3r1`. */
export function isBuildOf(projection: AnyProjection, build: string | null): build is string {
  return build !== null && BUILD.exec(build)?.[1] === String(projection.version);
}

/** Name for a build that does not conflict with the serving one. */
export function nextBuild(projection: AnyProjection, serving: string | null): string {
  if (!isBuildOf(projection, serving)) return `v${projection.version}`;
  return `v${projection.version}r${Number(BUILD.exec(serving)?.[2] ?? 0) + 1}`;
}
