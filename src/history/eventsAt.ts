/** Reads many events by their places; those erased since are left out. */

import pLimit from 'p-limit';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';

/** As stored in a read model. */
export type Place = { readonly stream: string; readonly revision: number };

/** Concurrent reads. */
const AT_ONCE = 16;

/** In the order of the places. */
export async function eventsAt(
  store: Pick<EventStore, 'read'>,
  places: readonly Place[],
): Promise<readonly RecordedEvent[]> {
  const limit = pLimit(AT_ONCE);
  const pace = createPace('request');
  const events = await Promise.all(
    places.map((place) =>
      limit(async () => {
        await pace.pass();
        return eventAt(store, place);
      }),
    ),
  );
  return events.filter((event) => event !== null);
}

/** Null if it was erased. */
export async function eventAt(
  store: Pick<EventStore, 'read'>,
  { stream, revision }: Place,
): Promise<RecordedEvent | null> {
  const from = BigInt(revision);
  const read = await store.read(stream, { from, limit: 1 });
  const event = read.status === 'found' ? read.events[0] : undefined;
  // If the start of the stream was erased, the store returns the first remaining event instead.
  return event?.revision === from ? event : null;
}
