/** A real event store that ends with the test. */
import { openSqliteEventStore, type SqliteEventStore, type SqliteEventStoreOptions } from '../../src/eventStore/sqlite.ts';

export function memoryEventStore(options: Partial<Omit<SqliteEventStoreOptions, 'file'>> = {}): SqliteEventStore {
  return openSqliteEventStore({ now: () => Date.now(), ...options, file: ':memory:' });
}
