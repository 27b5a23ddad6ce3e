/**
 * Names that events gave to things of a stream, by the thing's id. A stream is read once, and later only what was
 * appended since. In memory only, and never a source of truth: events keep their revisions, and these streams are
 * erased as a whole.
 */

import type { EventStore, RecordedEvent, Revision } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';

type Store = Pick<EventStore, 'read'>;
type Kept = { readonly names: Map<string, string>; next: Revision; reading: Promise<boolean> | null };

const AT_ONCE = 500;
const MOST_STREAMS = 100;
const OF_STORES = new WeakMap<Store, Map<string, Kept>>();

/** `nameIn`: what an event names, if it does. Always the same for a stream. */
export async function namesIn(
  store: Store,
  stream: string,
  nameIn: (event: RecordedEvent) => readonly [id: string, name: string] | null,
): Promise<ReadonlyMap<string, string>> {
  const streams = OF_STORES.get(store) ?? new Map<string, Kept>();
  OF_STORES.set(store, streams);
  const kept = streams.get(stream) ?? { names: new Map<string, string>(), next: 0n, reading: null };
  // Moved to the end: the map is ordered by last use.
  streams.delete(stream);
  streams.set(stream, kept);
  const [oldest] = streams.keys();
  if (streams.size > MOST_STREAMS && oldest !== undefined) streams.delete(oldest);
  // A reading that is under way may have begun too early, so what it left is read after it.
  while (kept.reading) await kept.reading.catch(() => false);
  kept.reading = readOn(store, stream, kept, nameIn).finally(() => {
    kept.reading = null;
  });
  if (await kept.reading) return kept.names;
  streams.delete(stream);
  return new Map();
}

/** Whether the stream is there. */
async function readOn(
  store: Store,
  stream: string,
  kept: Kept,
  nameIn: Parameters<typeof namesIn>[2],
): Promise<boolean> {
  const pace = createPace('request');
  for (;;) {
    const read = await store.read(stream, { from: kept.next, limit: AT_ONCE });
    if (read.status !== 'found') return false;
    for (const event of read.events) {
      const named = nameIn(event);
      if (named) kept.names.set(...named);
      kept.next = event.revision + 1n;
    }
    if (read.events.length === 0 || kept.next > read.revision) return true;
    await pace.pass();
  }
}
