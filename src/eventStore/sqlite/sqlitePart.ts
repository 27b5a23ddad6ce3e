/**
 * One part of an embedded log, for a thread that reads beside others: every reader has the file open, and nobody writes
 * to it meanwhile.
 */
import Database from 'better-sqlite3';
import type { EventStore } from '../eventStore.ts';
import { toPosition } from '../positions.ts';
import { assertEventLog, unavailable } from './sqliteFile.ts';
import { keepFromFinalizers } from './sqliteFinalizers.ts';
import { createReadLog, type LogPart, readAll, SCANNED_EVENTS, WHOLE_EVENTS } from './sqliteRead.ts';
import { toEvent, toScanned } from './sqliteRows.ts';

export type SqlitePart = Required<Pick<EventStore, 'head' | 'readAll' | 'scan'>> & { close(): void };

/**
 * Opens a log that `openSqliteEventStore` has opened and closed before, so that it has today's tables. While a part is
 * open, no event store can be opened on the file.
 * @throws StoreUnavailable when an event store has it open, or it is no event log of this version.
 */
export function openSqlitePart(file: string, part: LogPart): SqlitePart {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    keepFromFinalizers(db);
    db.pragma('query_only = ON');
    // In WAL mode, the first read takes the shared lock, which the open connection keeps.
    assertEventLog(db, file);
    return partOn(db, file, part);
  } catch (error) {
    db?.close();
    throw unavailable(error, file);
  }
}

function partOn(db: Database.Database, file: string, part: LogPart): SqlitePart {
  const committed =
    db
      .prepare<[], bigint>('SELECT max(head, coalesce((SELECT max(position) FROM events), 0)) FROM log')
      .pluck()
      .safeIntegers()
      .get() ?? 0n;
  const head = { committed };
  const assertOpen = () => undefined;
  const whole = { readLog: createReadLog(db, head, WHOLE_EVENTS, part), head, assertOpen };
  const scanned = { readLog: createReadLog(db, head, SCANNED_EVENTS, part), head, assertOpen };
  const explained = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw unavailable(error, file);
    }
  };
  return {
    head: async () => toPosition(committed),
    readAll: (how = {}) => explained(() => readAll(whole, toEvent, how)),
    scan: (how) => explained(() => readAll(scanned, toScanned, how)),
    close: () => db.close(),
  };
}
