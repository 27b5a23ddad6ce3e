/** A store in which an event cannot be read. */
import type { EventStore } from '../../../src/eventStore/eventStore.ts';

/** The first event of `stream` is as if it were of a newer version, or damaged. */
export function withUnreadable(store: EventStore, stream: string): EventStore {
  return Object.assign(Object.create(store) as EventStore, {
    read: async (...input: Parameters<EventStore['read']>) => {
      const read = await store.read(...input);
      if (input[0] !== stream || read.status !== 'found') return read;
      return {
        ...read,
        events: read.events.map((event, at) => (at === 0 ? { ...event, unreadable: 'its data is not JSON' } : event)),
      };
    },
  });
}
