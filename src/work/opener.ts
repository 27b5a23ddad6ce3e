import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import type { WorkItem } from './kind.ts';

/** The event that opened an item; null if its stream has been erased since. */
export async function readOpener(store: EventStore, { opener }: WorkItem): Promise<RecordedEvent | null> {
  return readEvent(store, opener.stream, opener.revision);
}

/** One event by its stream and revision (decimal); null if it is gone. */
export async function readEvent(store: EventStore, stream: string, revision: string): Promise<RecordedEvent | null> {
  const read = await store.read(stream, { from: BigInt(revision), limit: 1 });
  const event = read.status === 'found' ? read.events[0] : undefined;
  return event?.revision === BigInt(revision) ? event : null;
}
