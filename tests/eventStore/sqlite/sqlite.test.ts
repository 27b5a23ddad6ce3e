/** The contract suite on the SQLite store: in memory, as tests use it, and as a file, as the product does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { eventStoreOn } from '../../../src/eventStore/sqlite/sqlite.ts';
import { openEventDatabase } from '../../../src/eventStore/sqlite/sqliteFile.ts';
import { describeEventStore } from '../../contract/eventStore.ts';
import { type EventStoreFactory, yields } from '../../contract/eventStoreHarness.ts';

const elsewhere = 'needs files and processes of its own: tests/eventStore/sqlite/sqliteFile.test.ts';
const exceptions = { ES51: elsewhere, ES52: elsewhere, ES53: elsewhere };
const passing = 'its data ends with the store: the file holds this';

function factory(folder: () => string | null): EventStoreFactory {
  return async ({ lastRevision } = {}) => {
    const directory = folder();
    const file = directory === null ? ':memory:' : join(directory, 'events.db');
    const open = () => {
      const db = openEventDatabase(file, 0);
      if (lastRevision !== undefined) {
        db.prepare("INSERT INTO stream_ends (stream, revision, state) VALUES (?, ?, 'truncated')").run(
          lastRevision.stream,
          lastRevision.revision,
        );
        db.prepare('UPDATE log SET head = ?').run(lastRevision.revision);
      }
      return { db, store: eventStoreOn(db, { file }) };
    };
    let current = open();
    const stores: EventStore[] = [current.store];
    return {
      store: current.store,
      idle: () => yields(12),
      erase: async () => undefined,
      reopen:
        directory === null
          ? null
          : async () => {
              // The file is released without closing the store, as when its process is killed.
              current.db.close();
              current = open();
              stores.push(current.store);
              return current.store;
            },
      async end() {
        for (const store of stores) await store.close();
        if (directory !== null) rmSync(directory, { recursive: true });
      },
    };
  };
}

describeEventStore(
  'SQLite in memory',
  factory(() => null),
  { exceptions: { ...exceptions, ES37: passing } },
);
describeEventStore(
  'SQLite file',
  factory(() => mkdtempSync(join(tmpdir(), 'event-store-'))),
  { exceptions },
);
