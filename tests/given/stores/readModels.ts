/** Read models in memory: the same adapter as in production, discarded after the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { runProjections } from '../../../src/projector/project.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { memoryEventStore } from './eventStore.ts';

export function memoryReadModels(): SqliteReadModels {
  return openSqliteReadModels({ file: ':memory:' });
}

let prepared: Promise<Buffer> | undefined;

/**
 * As after a start of the product on an empty log: with the tables of all its models, which are made once a process and
 * copied from then on.
 */
export async function preparedReadModels(): Promise<SqliteReadModels> {
  prepared ??= prepare();
  return openSqliteReadModels({ file: ':memory:', contents: await prepared, reads: READ_MODELS });
}

async function prepare(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'));
  const file = join(folder, 'readModels.db');
  const readModels = openSqliteReadModels({ file });
  const store = memoryEventStore();
  const ended = new AbortController();
  const projections = runProjections({
    store,
    readModels,
    projections: READ_MODELS,
    signal: ended.signal,
    now: Date.now,
  });
  await projections.ready;
  ended.abort();
  await projections.done;
  await Promise.all([readModels.close(), store.close()]);
  const db = new Database(file);
  // SQLite keeps no write-ahead log in memory.
  db.pragma('journal_mode = DELETE');
  const contents = db.serialize();
  db.close();
  rmSync(folder, { recursive: true });
  return contents;
}
