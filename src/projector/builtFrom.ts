/**
 * Whether a build was filled from this log. Its position alone does not tell: a copy of the log that went on by itself
 * has other events at the same positions. So each commit names the newest event that it has seen.
 */
import {
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
} from '../eventStore/eventStore.ts';
import type { AnyProjection } from '../projections/projection.ts';
import type { ReadModels } from '../readModels/readModels.ts';

/** With its place in its stream: a position of another log may not be read from. */
export function nameOf({
  position,
  revision,
  id,
  stream,
}: Pick<RecordedEvent, 'position' | 'revision' | 'id' | 'stream'>): string {
  return `${position} ${revision} ${id} ${stream}`;
}

/** For a build that no event has reached yet. */
export const NO_EVENT: string = START;

/**
 * `ahead`: of the end of the log. `foreign`: this log never had the event. `doubtful`: the log has events before the
 * checkpoint that the build has not.
 */
export type Origin = 'this_log' | 'ahead' | 'foreign' | 'doubtful';

type OriginOptions = { readonly store: EventStore; readonly readModels: ReadModels; readonly filter: EventFilter };

/**
 * Tells where builds are from. The log is asked once about builds at the same checkpoint, which is nearly all of them.
 */
export async function createOrigins({
  store,
  readModels,
  filter,
}: OriginOptions): Promise<(projection: AnyProjection, build: string) => Promise<Origin>> {
  const head = await store.head();
  const answers = new Map<string, { readonly found: Origin; readonly missed: ReadonlySet<string> }>();

  async function ask(lastEvent: string, checkpoint: Position) {
    const found = await findEvent(store, lastEvent);
    return {
      found,
      missed:
        found === 'this_log' ? await typesBetween(store, filter, positionOf(lastEvent), checkpoint) : new Set<string>(),
    };
  }

  return async ({ name, handles }, build) => {
    const checkpoint = (await readModels.checkpoint(name, build)) ?? START;
    if (checkpoint > head) return 'ahead';
    const lastEvent = await readModels.lastEvent(name, build);
    // From before events were named.
    if (lastEvent === null) return 'this_log';
    const key = `${checkpoint} ${lastEvent}`;
    const answer = answers.get(key) ?? (await ask(lastEvent, checkpoint));
    answers.set(key, answer);
    // What it does not handle itself may be handled only since a later version of another projection.
    return answer.found === 'this_log' && handles.some((type) => answer.missed.has(type)) ? 'doubtful' : answer.found;
  };
}

const positionOf = (lastEvent: string): Position => lastEvent.split(' ', 1)[0] ?? START;

async function findEvent(store: EventStore, lastEvent: string): Promise<Origin> {
  if (lastEvent === NO_EVENT) return 'this_log';
  const [position, revision, id, ...stream] = lastEvent.split(' ');
  const from = BigInt(revision ?? 0);
  const read = await store.read(stream.join(' '), { from, limit: 1 });
  // Nearly always with the job or account that it told about: only a log that had the stream knows that it is gone.
  if (read.status === 'deleted') return 'this_log';
  const event = read.status === 'found' ? read.events[0] : undefined;
  if (event?.id === id && event?.position === position) return 'this_log';
  // Truncated since, as streams are of which only the last event counts.
  return event && event.revision > from ? 'this_log' : 'foreign';
}

const PAGE = 100;

/** Types of events after one position and up to another: usually none. */
async function typesBetween(
  store: EventStore,
  filter: EventFilter,
  from: Position,
  upTo: Position,
): Promise<ReadonlySet<string>> {
  const types = new Set<string>();
  for (let after = from; after < upTo; ) {
    const page = await store.readAll({ after, limit: PAGE, filter });
    for (const { type, position } of page.events) if (position <= upTo) types.add(type);
    if (page.end) break;
    after = page.next;
  }
  return types;
}
