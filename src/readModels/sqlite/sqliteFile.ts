/**
 * The file behind the embedded read models: opened exclusively by this process, with the tables shared by all builds
 * and those for coordination.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ReadModelError } from '../readModels.ts';

/**
 * Raise it when the tables change: anything stored in another layout is dropped and projected again; claims, marks and
 * snapshots start empty.
 */
const LAYOUT = 1;
/** Marks a file as ours, so that no other database is ever cleared. */
const APPLICATION_ID = 0x53454f52;
const DAMAGE_NOTE = '.damage';

const SHARED_TABLES = `
  CREATE TABLE IF NOT EXISTS builds (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    build TEXT NOT NULL,
    definition TEXT NOT NULL,
    checkpoint TEXT,
    serving INTEGER NOT NULL DEFAULT 0,
    lastEvent TEXT,
    UNIQUE (model, build)
  );
  CREATE TABLE IF NOT EXISTS sharedCheckpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    builds TEXT NOT NULL,
    position TEXT NOT NULL,
    lastEvent TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parked (
    model TEXT NOT NULL,
    build TEXT NOT NULL,
    documentId TEXT NOT NULL,
    position TEXT NOT NULL,
    eventType TEXT NOT NULL,
    error TEXT NOT NULL,
    parkedAt TEXT NOT NULL,
    PRIMARY KEY (model, build, documentId)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claims (
    kind TEXT NOT NULL,
    itemId TEXT NOT NULL,
    opening TEXT NOT NULL,
    lane TEXT NOT NULL,
    number INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    vanishings INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    failure TEXT,
    notBefore TEXT,
    settledAt TEXT,
    holder TEXT,
    vanished INTEGER NOT NULL,
    PRIMARY KEY (kind, itemId)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS claimsHeld ON claims (holder) WHERE holder IS NOT NULL;
  CREATE INDEX IF NOT EXISTS claimsSettled ON claims (kind, settledAt) WHERE settledAt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS presence (kind TEXT NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS presenceSeen ON presence (kind, at);
  CREATE TABLE IF NOT EXISTS snapshots (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    position TEXT NOT NULL,
    hash TEXT NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (name, key)
  );
`;

/**
 * `lockTimeoutMs`: how long to wait for a process that is about to release the file.
 * @throws ReadModelError READ_MODELS_IN_USE, READ_MODELS_UNREADABLE, READ_MODELS_DAMAGED
 */
export function openFile(file: string, lockTimeoutMs: number, contents?: Buffer): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(contents ?? file, { timeout: lockTimeoutMs });
    // Exclusive before the first access: the lock is then held until close, and no second process can open the file.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    // A process crash loses nothing; a power failure may lose the last commits, documents and checkpoint together, and
    // they are projected again.
    db.pragma('synchronous = NORMAL');
    db.pragma('cache_size = -32000');
    // Half of what the write-ahead file may hold (`sqliteWal.ts`): pages that change in many commits reach the database
    // once.
    db.pragma('wal_autocheckpoint = 1000');
    db.pragma('journal_size_limit = 4194304');
    db.pragma('temp_store = MEMORY');
    // Data that a projection deletes is overwritten, not just unlinked.
    db.pragma('secure_delete = ON');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    prepareLayout(db, file);
    // The write-ahead log left by a killed process may contain data deleted since.
    db.pragma('wal_checkpoint(TRUNCATE)');
    return db;
  } catch (error) {
    db?.close();
    throw asRefusal(file, error);
  }
}

function prepareLayout(db: Database.Database, file: string): void {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  if (tables.length > 0 && db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new ReadModelError('READ_MODELS_UNREADABLE', `${file} is a database of something else: move it away.`);
  }
  db.transaction(() => {
    if (db.pragma('user_version', { simple: true }) !== LAYOUT) {
      for (const table of tables) db.exec(`DROP TABLE "${table.replaceAll('"', '""')}"`);
    }
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${LAYOUT}`);
    db.exec(SHARED_TABLES);
    addLastEvent(db);
  })();
}

/** To a file from before checkpoints named an event. The versions before it ignore the column. */
function addLastEvent(db: Database.Database): void {
  const columns = db.prepare("SELECT name FROM pragma_table_info('builds')").pluck().all();
  if (!columns.includes('lastEvent')) db.exec('ALTER TABLE builds ADD COLUMN lastEvent TEXT');
}

/** Whether the error means that the file itself is corrupt. */
export function isDamage(error: unknown): boolean {
  if (error instanceof ReadModelError) return error.code === 'READ_MODELS_DAMAGED';
  return (
    error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  );
}

/** Marks a file found damaged while in use: its results are unpredictable, so the next start does not rely on it. */
export function noteDamage(file: string): void {
  try {
    writeFileSync(`${file}${DAMAGE_NOTE}`, '');
  } catch {
    // For example a full disk. The mark is made when the damage is next detected.
  }
}

export function isNotedAsDamaged(file: string): boolean {
  return existsSync(`${file}${DAMAGE_NOTE}`);
}

/** Moves the file out of the way of a new one. Only the latest such file is kept, for inspection. Returns its path. */
export function moveAside(file: string): string {
  const aside = `${file}.damaged`;
  for (const part of ['', '-wal', '-shm']) {
    rmSync(`${aside}${part}`, { force: true });
    if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${aside}${part}`);
  }
  rmSync(`${file}${DAMAGE_NOTE}`, { force: true });
  return aside;
}

function asRefusal(file: string, error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new ReadModelError(
      'READ_MODELS_IN_USE',
      `${file} is in use by another process. Stop that one first: the embedded stores are for one process.`,
    );
  }
  if (isDamage(error)) {
    return new ReadModelError(
      'READ_MODELS_DAMAGED',
      `${file} is damaged or not a database. It holds only what can be projected again: delete it and start again.`,
    );
  }
  if (code === 'SQLITE_CANTOPEN' || (error instanceof TypeError && /directory/.test(error.message))) {
    return new ReadModelError(
      'READ_MODELS_UNREADABLE',
      `${file} cannot be opened: check that its folder exists and may be written to.`,
    );
  }
  return error;
}

/**
 * A deleted document is overwritten in the database, but the write-ahead log still has its earlier pages: it is
 * truncated shortly after, once for any number of deletions.
 */
export function createLogErasure(db: Database.Database, afterMs = 1_000): { due(): void; close(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    due: () => {
      timer ??= setTimeout(() => {
        timer = null;
        try {
          db.pragma('wal_checkpoint(TRUNCATE)');
        } catch {
          // For example a full disk: the next deletion or start truncates it.
        }
      }, afterMs).unref();
    },
    // Closing the database also clears its write-ahead log.
    close: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
