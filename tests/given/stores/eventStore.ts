/** A real event store that ends with the test. */
import { openSqliteEventStore, type SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';

/** As in the product: written events are checked. */
export function memoryEventStore(): SqliteEventStore {
  return withStoredEvents(rawEventStore());
}

/** Only the log, for events unknown to the product. */
export function rawEventStore(): SqliteEventStore {
  return openSqliteEventStore({ file: ':memory:' });
}
