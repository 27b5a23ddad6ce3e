/**
 * Every index that this product has in MongoDB. Each collection has `_id_` besides:
 * - `builds`, `changes`, `leases`, `marks` and `snapshots` are read by `_id` alone;
 * - `claims` by item, by the places that are taken, by holder, and by what is settled;
 * - `presence` by kind and time;
 * - `parked` by model, and by build when that is dropped;
 * - the documents of a build by the indexes that its model's definition names (`src/projections`), and by those of every build below.
 */
import type { IndexDescription } from 'mongodb';
import type { StoredDefinition } from '../definitions.ts';

export const PARKED_INDEXES: readonly IndexDescription[] = [
  { name: 'model', key: { model: 1 } },
  { name: 'collection', key: { collection: 1 } },
];

export const CLAIM_INDEXES: readonly IndexDescription[] = [
  { name: 'item', key: { item: 1 } },
  { name: 'holder', key: { holder: 1 } },
  { name: 'settled', key: { kind: 1, settledAt: 1 } },
  { name: 'slot', key: { slot: 1 }, unique: true },
];

export const PRESENCE_INDEXES: readonly IndexDescription[] = [{ name: 'seen', key: { kind: 1, at: 1 } }];

export const ID_INDEX = '_id_';
export const POSITION_INDEX = 'position';
export const TOMBSTONE_INDEX = 'tombstones';

/** Where a field of `data` stands in a stored document: copied out, so that it can be indexed. */
export function fieldPath(field: string): string {
  return field === 'position' ? 'position' : `keys.${keyName(field)}`;
}

/** `place.city` as one name: a point would mean a document within a document. */
export function keyName(field: string): string {
  return field.replaceAll('.', '/');
}

/** Name of the index on these fields. */
export function indexName(fields: readonly string[]): string {
  if (fields.length === 0) return ID_INDEX;
  return fields.join() === 'position' ? POSITION_INDEX : `by ${fields.map(keyName).join(',')}`;
}

/** `deleted` first: tombstones are in the same collection and in nobody's way. The id last makes paging an index walk, ties included. */
export function documentIndexes({ indexes, tombstoneFields }: StoredDefinition): readonly IndexDescription[] {
  const named = new Map<string, IndexDescription>();
  for (const fields of [['position'], ...indexes]) {
    named.set(indexName(fields), { name: indexName(fields), key: ascending(['deleted', ...fields.map(fieldPath), '_id']) });
  }
  if (tombstoneFields.length > 0) {
    named.set(TOMBSTONE_INDEX, { name: TOMBSTONE_INDEX, key: ascending(['deleted', ...tombstoneFields.map(fieldPath), 'position']) });
  }
  return [...named.values()];
}

function ascending(paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

/** The fields that a build's documents carry beside their data. */
export function keyFields({ indexes, tombstoneFields }: StoredDefinition): readonly string[] {
  return [...new Set([...indexes.flat(), ...tombstoneFields])].filter((field) => field !== 'position');
}
