import type { EventStore } from '../eventStore/eventStore.ts';

/**
 * Erases everything before a stream's last event, which stays for read models and copies of the log. Writes nothing if
 * already done.
 */
export async function keepLastOnly(store: EventStore, stream: string): Promise<void> {
  const read = await store.read(stream, { direction: 'backward', limit: 2 });
  if (read.status === 'found' && read.events.length > 1) await store.truncate(stream, read.revision);
}
