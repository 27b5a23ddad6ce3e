/** Events by where they stand, many at once: what was erased since is left out. */
import pLimit from 'p-limit';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';

/** As a read model remembers it. */
export type Place = { readonly stream: string; readonly revision: number };

/** Reads on their way at once. */
const AT_ONCE = 16;

/** In the order of the places. */
export async function eventsAt(store: Pick<EventStore, 'read'>, places: readonly Place[]): Promise<readonly RecordedEvent[]> {
  const limit = pLimit(AT_ONCE);
  const events = await Promise.all(places.map((place) => limit(() => eventAt(store, place))));
  return events.filter((event) => event !== null);
}

/** Null: it is gone. */
export async function eventAt(store: Pick<EventStore, 'read'>, { stream, revision }: Place): Promise<RecordedEvent | null> {
  const from = BigInt(revision);
  const read = await store.read(stream, { from, limit: 1 });
  const event = read.status === 'found' ? read.events[0] : undefined;
  // Where the beginning of a stream was erased, what is left is returned instead.
  return event?.revision === from ? event : null;
}
