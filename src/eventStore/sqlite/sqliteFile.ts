/** The event store's database file: opening, ownership, schema, and the meaning of its errors. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EventStoreError, StoreUnavailable } from '../eventStore.ts';
import { keepFromFinalizers } from './sqliteFinalizers.ts';

export type EventDatabase = Database.Database;

/** Marks the file as this product's event log ("SEOe"), so that another SQLite file is not written to by mistake. */
const APPLICATION_ID = 0x53454f65;
const SCHEMA_VERSION = 3;
/** SQLite's FULL: a commit returns only after the log is on disk. */
const SYNCHRONOUS_FULL = 2;

/**
 * One index serves the revision check, reading a stream and finding an id. It holds numbers instead of names to stay
 * small: `stream_key` hashes the stream's name and `id_key` the event's id. Both only narrow the search; the name and
 * id in the row decide. `events_of_type` holds positions in log order within each type, so that the cost of reading one
 * type depends on its events only. `stream_ends` remembers the last revision of streams whose events are gone.
 */
const SCHEMA = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream_key INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  id_key INTEGER NOT NULL,
  stream TEXT NOT NULL,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  metadata TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_stream ON events (stream_key, revision, id_key);
CREATE INDEX events_of_type ON events (type);
CREATE TABLE stream_ends (
  stream TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('truncated', 'soft', 'hard'))
) STRICT, WITHOUT ROWID;
CREATE TABLE log (one INTEGER PRIMARY KEY CHECK (one = 1), head INTEGER NOT NULL) STRICT;
INSERT INTO log VALUES (1, 0);
`;

/** The migration from each version to the next. */
const UPGRADES: readonly (readonly [from: number, sql: string])[] = [
  // Version 1 kept the workers' queues in the file; pending work is now read from the log.
  [1, 'DROP TABLE deliveries; DROP TABLE consumer_groups'],
  [2, 'CREATE INDEX events_of_type ON events (type)'],
];

/**
 * Opens the file exclusively, creating it and its folder if absent. The lock is the operating system's: it ends with
 * the process, however that ends.
 * @throws StoreUnavailable when another process has it, or it cannot be read or written, or is not an event log of this
 *   version.
 */
export function openEventDatabase(file: string, lockTimeoutMs: number): EventDatabase {
  let db: EventDatabase | undefined;
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    db = new Database(file, { timeout: lockTimeoutMs });
    keepFromFinalizers(db);
    own(db);
    layOut(db, file);
    return db;
  } catch (error) {
    db?.close();
    throw unavailable(error, file);
  }
}

function own(db: EventDatabase): void {
  // Before the first access, so that SQLite locks the file permanently and keeps the WAL's index in its own memory.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  // Switching to WAL lowers this to NORMAL in this build, and a reopened file starts with NORMAL: a power failure could
  // then lose acknowledged events.
  db.pragma('synchronous = FULL');
  db.pragma('secure_delete = ON');
  const synchronous = db.pragma('synchronous', { simple: true });
  if (synchronous !== SYNCHRONOUS_FULL)
    throw new StoreUnavailable(`SQLite does not promise durable commits: synchronous is ${String(synchronous)}.`);
  db.exec('BEGIN EXCLUSIVE; COMMIT');
}

function layOut(db: EventDatabase, file: string): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  const application = db.pragma('application_id', { simple: true });
  if (version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0) {
    db.transaction(() => {
      db.exec(SCHEMA);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    }).exclusive();
    return;
  }
  if (application !== APPLICATION_ID)
    throw new StoreUnavailable(`${file} is a database of something else, not an event store. Name another file.`);
  if (version > SCHEMA_VERSION)
    throw new StoreUnavailable(
      `${file} was written by a newer version of this program. Start that version, or restore a backup.`,
    );
  if (version < SCHEMA_VERSION) {
    // All or nothing: a process killed meanwhile leaves the file as it was.
    db.transaction(() => {
      for (const [from, sql] of UPGRADES) if (from >= version) db.exec(sql);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    }).exclusive();
  }
}

/** Whether it is an event log of this version, for those who only read. @throws StoreUnavailable otherwise */
export function assertEventLog(db: EventDatabase, file: string): void {
  if (
    db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
    db.pragma('user_version', { simple: true }) === SCHEMA_VERSION
  )
    return;
  throw new StoreUnavailable(`${file} is not an event store of this version.`);
}

const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'is in use by another process. Stop that process first, or give this one its own data folder.',
  ],
  [/^SQLITE_FULL/, 'cannot grow: the disk is full. Free some space; what was acknowledged is safe and readable.'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'is damaged or not a database. Stop, keep a copy, and restore a backup.'],
  [
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/,
    'cannot be opened for writing. Check that the folder exists and belongs to this user.',
  ],
  [/^SQLITE_IOERR/, 'could not be read or written. Check the disk.'],
];

/** Whether the error means that the file itself is corrupt. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}

/** Whether there was no space for what was to be written. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_FULL/.test(String(error.code));
}

/**
 * Translates a driver's or file system's error into the port's terms; the port's own errors and bugs are passed
 * through.
 */
export function unavailable(error: unknown, file: string): unknown {
  if (
    error instanceof EventStoreError ||
    !(error instanceof Error) ||
    !('code' in error) ||
    typeof error.code !== 'string'
  )
    return error;
  const advice = ADVICE.find(([code]) => code.test(error.code as string))?.[1];
  if (advice !== undefined) return new StoreUnavailable(`The event store ${file} ${advice} (${error.code})`);
  if (error.code.startsWith('SQLITE_') || /^E[A-Z]+$/.test(error.code))
    return new StoreUnavailable(`The event store ${file} failed: ${error.message} (${error.code})`);
  return error;
}
