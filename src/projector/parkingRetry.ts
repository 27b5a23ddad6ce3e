/** Retries a parked document: reads the events it missed from the log and applies them in order. */
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import type { ParkedRecord, ReadModels } from '../readModels/readModels.ts';
import { foldEvents, keyEvents, parkedRecord } from './projectionFold.ts';
import type { Lane } from './projectionLane.ts';

type RetryContext = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly batchSize: number;
  readonly parkedAt: () => string;
  /** Runs `work` while no batch is being applied. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** False once another build serves the model. */
  readonly isLive: (lane: Lane) => boolean;
};

/**
 * Null when the document is up to date again; otherwise its new parking record (a later event may be the one that fails
 * now).
 */
export async function retryDocument(
  context: RetryContext,
  lane: Lane,
  record: ParkedRecord,
): Promise<ParkedRecord | null> {
  const { store, readModels } = context;
  const { projection, build } = lane;
  const id = record.documentId;
  const stored = await readModels.states(projection.name, [id], build);
  let states = stored;
  // A store may only be read from positions that it returned itself.
  const before = await store.readAll({ after: record.position, direction: 'backward', limit: 1 });
  let after = before.events[0]?.position ?? START;
  for (;;) {
    const page = await store.readAll({ after, limit: context.batchSize, filter: { types: projection.handles } });
    const events = keyEvents(projection, page.events).filter(
      ({ keys, deletes }) => keys.includes(id) || deletes !== undefined,
    );
    const folded = foldEvents(
      projection,
      events.map((keyed) => ({ ...keyed, keys: keyed.keys.filter((key) => key === id) })),
      states,
      new Map(),
    );
    states = folded.writes.length > 0 ? folded.writes : states;
    after = page.next;
    const failed = folded.failures[0] ?? null;
    const still = failed && parkedRecord(projection.name, build, failed, context.parkedAt());
    if (failed || page.end) {
      const done = await context.exclusive(() => settle(context, lane, id, { stored, states, after, still }));
      if (done) return still;
    }
  }
}

type Outcome = {
  readonly stored: readonly object[];
  readonly states: Awaited<ReturnType<ReadModels['states']>>;
  readonly after: Position;
  readonly still: ParkedRecord | null;
};

/** False if the lane has meanwhile passed what was read: there is more to apply first. */
async function settle(
  context: RetryContext,
  lane: Lane,
  id: string,
  { stored, states, after, still }: Outcome,
): Promise<boolean> {
  if (!context.isLive(lane)) return true;
  const { checkpoint } = lane;
  if (checkpoint === null || (!still && after < checkpoint)) return false;
  const commit = {
    model: lane.projection.name,
    build: lane.build,
    unpark: [id],
    writes: states === stored ? [] : states,
  };
  await context.readModels.commit([still ? { ...commit, park: [still] } : commit]);
  if (still) lane.parked.set(id, still);
  else lane.parked.delete(id);
  return true;
}
