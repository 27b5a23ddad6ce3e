/** Verifies a backup of the embedded log before anyone relies on it. */
import Database from 'better-sqlite3';
import { type Position, StoreUnavailable } from '../eventStore.ts';
import { toPosition } from '../positions.ts';
import { unavailable } from './sqliteFile.ts';

type Backup = { readonly events: number; readonly head: Position; readonly bytes: number };

/**
 * Makes the copy a single file without side files, and reads all of it.
 * @throws StoreUnavailable when it is not sound
 */
export function checkBackup(file: string): Backup {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    db.pragma('journal_mode = DELETE');
    const found = db.pragma('integrity_check', { simple: true });
    if (found !== 'ok')
      throw new StoreUnavailable(
        `The backup ${file} is not sound: ${String(found)}. Check the disk, and take another.`,
      );
    const pages = db.pragma('page_count', { simple: true }) as number;
    const head =
      db
        .prepare<[], bigint>('SELECT max(head, coalesce((SELECT max(position) FROM events), 0)) FROM log')
        .pluck()
        .safeIntegers()
        .get() ?? 0n;
    const events = db.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0;
    return { events, head: toPosition(head), bytes: pages * (db.pragma('page_size', { simple: true }) as number) };
  } catch (error) {
    throw unavailable(error, file);
  } finally {
    db?.close();
  }
}
