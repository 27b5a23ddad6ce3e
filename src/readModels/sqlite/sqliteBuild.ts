/**
 * One build of a model in SQLite: a table of JSON documents, numbered rather than named, and its indexes. No request
 * data is ever part of its SQL.
 */
import type Database from 'better-sqlite3';
import { isField } from '../conditions.ts';
import type { StoredDefinition } from '../definitions.ts';
import { createReadCache, type ReadCache } from '../readCache.ts';
import { type Position, ReadModelError } from '../readModels.ts';

export type DocumentRow = {
  readonly id: string;
  readonly position: Position;
  readonly data: string | null;
  readonly deleted: 0 | 1;
};

export type Build = {
  readonly model: string;
  readonly name: string;
  readonly number: number;
  readonly table: string;
  definition: StoredDefinition;
  checkpoint: Position | null;
  lastEvent: string | null;
  serving: boolean;
  readonly get: Database.Statement<[string], DocumentRow>;
  readonly upsert: Database.Statement<[string, Position, string | null, 0 | 1]>;
  readonly saveCheckpoint: Database.Statement<[Position, string | null]>;
  /** Prepared queries, by their SQL. */
  readonly queries: Map<string, Database.Statement<unknown[]>>;
  readonly answers: ReadCache;
  /** One of its documents could not be read. */
  isDamaged: boolean;
};

export type BuildRow = {
  number: number;
  model: string;
  build: string;
  definition: string;
  checkpoint: Position | null;
  serving: 0 | 1;
  lastEvent: string | null;
};

/** `position` first: for changes since a position, and for the number of documents. */
const POSITION_INDEX = 'position, deleted';

/** SQL of a field: it must be identical in the index and the query, or the index would not be used. */
export function fieldSql(field: string): string {
  if (!isField(field)) throw new ReadModelError('INVALID_QUERY', 'A field name is not valid.');
  if (field === 'position') return 'position';
  return `json_extract(data, '$.${field
    .split('.')
    .map((name) => `"${name}"`)
    .join('.')}')`;
}

export function indexName(build: Pick<Build, 'number'>, fields: readonly string[]): string {
  return `"i${build.number}:${fields.join(',')}"`;
}

export function tombstoneIndexName(build: Pick<Build, 'number'>): string {
  return `"i${build.number}:deleted"`;
}

export function createTable(db: Database.Database, number: number): void {
  db.exec(
    `CREATE TABLE documents_${number} (id TEXT PRIMARY KEY, position TEXT NOT NULL, data TEXT, deleted INTEGER NOT NULL)`,
  );
}

/** Brings the table's indexes in line with the definition: adds missing ones and removes others. */
export function alignIndexes(db: Database.Database, number: number, definition: StoredDefinition): void {
  const table = `documents_${number}`;
  const wanted = new Map<string, string>([[indexName({ number }, ['position']), `(${POSITION_INDEX})`]]);
  for (const fields of definition.indexes) {
    if (fields.join() === 'position') continue;
    // The trailing id makes paging by these fields an index scan, ties included.
    wanted.set(indexName({ number }, fields), `(${[...fields.map(fieldSql), 'id'].join(', ')}) WHERE deleted = 0`);
  }
  if (definition.tombstoneFields.length > 0) {
    wanted.set(
      tombstoneIndexName({ number }),
      `(${[...definition.tombstoneFields.map(fieldSql), 'position'].join(', ')}) WHERE deleted = 1`,
    );
  }
  const present = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all(table) as {
    name: string;
    sql: string;
  }[];
  const kept = new Set<string>();
  for (const { name, sql } of present) {
    const columns = wanted.get(`"${name}"`);
    if (columns && sql.endsWith(` ${columns}`)) kept.add(`"${name}"`);
    else db.exec(`DROP INDEX "${name.replaceAll('"', '""')}"`);
  }
  for (const [name, columns] of wanted) if (!kept.has(name)) db.exec(`CREATE INDEX ${name} ON ${table} ${columns}`);
}

export function openBuild(db: Database.Database, row: BuildRow): Build {
  const table = `documents_${row.number}`;
  const columns = 'id, position, data, deleted';
  return {
    model: row.model,
    name: row.build,
    number: row.number,
    table,
    definition: JSON.parse(row.definition) as StoredDefinition,
    checkpoint: row.checkpoint,
    lastEvent: row.lastEvent,
    serving: row.serving === 1,
    get: db.prepare<[string], DocumentRow>(`SELECT ${columns} FROM ${table} WHERE id = ?`),
    // The position guard: a document only ever advances.
    upsert: db.prepare(
      `INSERT INTO ${table} (${columns}) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET position = excluded.position, data = excluded.data, deleted = excluded.deleted WHERE excluded.position > position`,
    ),
    saveCheckpoint: db.prepare(
      `UPDATE builds SET checkpoint = ?, lastEvent = coalesce(?, lastEvent) WHERE number = ${row.number}`,
    ),
    queries: new Map(),
    answers: createReadCache(),
    isDamaged: false,
  };
}

/**
 * The JSON object in a row.
 * @throws ReadModelError READ_MODELS_UNAVAILABLE if it is none: the projector then builds the model again
 */
export function objectOf(build: Build, id: string, json: string | null): object {
  const value = json === null ? null : parsed(json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw damageOf(build, id);
}

export function damageOf(build: Build, id: string | null): ReadModelError {
  build.isDamaged = true;
  const which = id === null ? 'A document' : `Document ${id}`;
  return new ReadModelError(
    'READ_MODELS_UNAVAILABLE',
    `${which} of ${build.model} is damaged; the read model is built again from the log.`,
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Runs SQL that reads fields of the build's documents, which fails at one that is no JSON.
 * @throws ReadModelError READ_MODELS_UNAVAILABLE then
 */
export function readingFields<T>(build: Build, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && /malformed JSON/.test(error.message)) throw damageOf(build, null);
    throw error;
  }
}
