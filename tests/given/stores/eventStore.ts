/** A real event store that ends with the test. */
import { openSqliteEventStore, type SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';

export function memoryEventStore(): SqliteEventStore {
  return openSqliteEventStore({ file: ':memory:' });
}
