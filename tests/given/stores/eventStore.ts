/** A real event store that ends with the test. */
import { openSqliteEventStore, type SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';

/** As the product has it: what is written is checked. */
export function memoryEventStore(): SqliteEventStore {
  return withStoredEvents(rawEventStore());
}

/** The log alone, for events that the product does not know. */
export function rawEventStore(): SqliteEventStore {
  return openSqliteEventStore({ file: ':memory:' });
}
