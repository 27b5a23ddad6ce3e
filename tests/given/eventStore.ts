/** A real event store that ends with the test. */
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite.ts';

export function memoryEventStore(): SqliteEventStore {
  return openSqliteEventStore({ file: ':memory:' });
}
