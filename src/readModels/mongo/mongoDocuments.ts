/**
 * A document as MongoDB stores it. Its data is JSON text, so that it is returned exactly as given, whatever its keys
 * and values; the queried fields are stored next to it as plain values.
 */
import type { Collection } from 'mongodb';
import { fieldOf } from '../conditions.ts';
import type { StoredDefinition } from '../definitions.ts';
import { DocumentRefused, type Position, type StoredDocument } from '../readModels.ts';
import type { CurrentState } from '../watchers.ts';
import { keyFields, keyName } from './mongoIndexes.ts';

/**
 * A value that can be indexed, in the order shared by all stores: null, numbers (booleans are 0 and 1), texts by code
 * point.
 */
export type Key = string | number | null;

export type DocumentRecord = {
  readonly _id: string;
  readonly position: Position;
  /** 1: a tombstone, whose data are the fields it keeps. */
  readonly deleted: 0 | 1;
  readonly data: string | null;
  readonly keys: Readonly<Record<string, Key>>;
};

export type DocumentCollection = Collection<DocumentRecord>;

/** The fields read of a document; `keys` are for the server only. */
export type DocumentRow = Omit<DocumentRecord, 'keys'>;
export const WITHOUT_KEYS = { keys: 0 } as const;

/** MongoDB's limit for a document is 16 MiB, names and lengths included. */
const MAX_BYTES = 16 * 1024 * 1024 - 64 * 1024;
const MAX_BYTES_PER_CHAR = 3;

export function keyOf(value: unknown): Key {
  if (typeof value === 'string') return value;
  // Negative zero is zero, as in JSON.
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/**
 * `data`: the source of `json`, if available.
 * @throws DocumentRefused when it is too large
 */
export function toRecord(
  model: string,
  definition: StoredDefinition,
  document: {
    readonly id: string;
    readonly position: Position;
    readonly deleted: 0 | 1;
    readonly json: string | null;
    readonly data?: object | null;
  },
): DocumentRecord {
  const { id, position, deleted, json, data } = document;
  const fields = deleted === 1 ? definition.tombstoneFields : keyFields(definition);
  const keys = (data && plainKeys(data, fields)) ?? keysOf(json, fields);
  const texts = [json ?? '', ...Object.values(keys).filter((key) => typeof key === 'string')];
  if (texts.reduce((sum, text) => sum + text.length, 0) * MAX_BYTES_PER_CHAR > MAX_BYTES) {
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytes > MAX_BYTES) throw new DocumentRefused(model, id, `it has ${bytes} bytes, ${MAX_BYTES} fit.`);
  }
  return { _id: id, position, deleted, data: json, keys };
}

export function keysOf(json: string | null, fields: readonly string[]): Readonly<Record<string, Key>> {
  const data = json === null ? {} : (JSON.parse(json) as object);
  const keys = Object.create(null) as Record<string, Key>;
  for (const field of fields) keys[keyName(field)] = keyOf(fieldOf(data, field));
  return keys;
}

/** The same without parsing, for data in which every field is already a plain value; null otherwise. */
function plainKeys(data: object, fields: readonly string[]): Readonly<Record<string, Key>> | null {
  const keys = Object.create(null) as Record<string, Key>;
  for (const field of fields) {
    let value: unknown = data;
    for (const name of field.split('.')) {
      if (typeof value !== 'object' || value === null) value = null;
      else if ('toJSON' in value || Array.isArray(value)) return null;
      else value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    }
    if (typeof value === 'number' && !Number.isFinite(value)) return null;
    if (value !== null && value !== undefined && !['string', 'number', 'boolean'].includes(typeof value)) return null;
    keys[keyName(field)] = keyOf(value);
  }
  return keys;
}

export function toDocument<T extends object>(row: DocumentRow): StoredDocument<T> {
  return { id: row._id, position: row.position, data: JSON.parse(row.data ?? '{}') as T };
}

export function toState(row: DocumentRow): CurrentState {
  const stored = row.data === null ? null : (JSON.parse(row.data) as object);
  return row.deleted === 0
    ? { position: row.position, data: stored, tombstone: null }
    : { position: row.position, data: null, tombstone: stored };
}

/** By id; ids that are not strings match nothing. */
export async function rowsOf(
  collection: DocumentCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DocumentRow>> {
  const known = [...new Set(ids)].filter((id) => typeof id === 'string');
  if (known.length === 0) return new Map();
  const [only] = known;
  const filter = { _id: known.length === 1 && only !== undefined ? only : { $in: known } };
  const rows = await collection
    .find<DocumentRow>(filter, { projection: WITHOUT_KEYS, ...inOneAnswer(known) })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** By id, of documents and tombstones. */
export async function positionsOf(
  collection: DocumentCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Position>> {
  const options = { projection: { position: 1 }, ...inOneAnswer(ids) } as const;
  const rows = await collection
    .find<{ _id: string; position: Position }>({ _id: { $in: [...ids] } }, options)
    .toArray();
  return new Map(rows.map(({ _id, position }) => [_id, position]));
}

/**
 * A batch that may hold one more than there can be: of a full one the server cannot tell that it is the last, and would
 * have to be asked for the next.
 */
const inOneAnswer = (ids: readonly string[]) => ({ batchSize: ids.length + 1 });
