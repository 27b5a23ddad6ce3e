/** Logs in files that can be damaged directly, and inspected afterwards. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ERASURE } from '../../../src/commands/closedStreams.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import type { Fault } from '../../../src/eventStore/verify/fault.ts';
import type { Sealed } from '../../../src/eventStore/verify/seals.ts';
import type { Verified } from '../../../src/eventStore/verify/verification.ts';
import { verifyLog } from '../../../src/eventStore/verify/verifyLog.ts';

export type Found = Verified & { readonly found: readonly Fault[] };

export async function verified(store: EventStore, sealed: Sealed | null = null): Promise<Found> {
  const found: Fault[] = [];
  const result = await verifyLog({ store, erasure: ERASURE, sealed, onFault: (fault) => found.push(fault) });
  return { ...result, found };
}

export type LogFolder = {
  readonly path: (name: string) => string;
  /** As the product opens it. */
  readonly open: (name: string) => { readonly raw: SqliteEventStore; readonly store: SqliteEventStore };
  /** A copy of a closed log with damage done to it. */
  readonly damaged: (name: string, damage: (db: Database.Database) => void) => string;
  readonly verify: (name: string, sealed?: Sealed | null) => Promise<Found>;
  readonly remove: () => void;
};

export function logFolder(): LogFolder {
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  const path = (name: string) => join(folder, name);
  let copies = 0;
  return {
    path,
    open(name) {
      const raw = openSqliteEventStore({ file: path(name) });
      return { raw, store: withStoredEvents(raw, { closes: ERASURE.closes }) };
    },
    damaged(name, damage) {
      copies += 1;
      const copy = `damaged-${copies}.db`;
      copyFileSync(path(name), path(copy));
      const db = new Database(path(copy));
      damage(db);
      db.close();
      return copy;
    },
    async verify(name, sealed) {
      const raw = openSqliteEventStore({ file: path(name) });
      try {
        return await verified(raw, sealed);
      } finally {
        await raw.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
