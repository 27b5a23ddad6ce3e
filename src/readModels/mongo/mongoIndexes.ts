/**
 * Every MongoDB index of this product. Each collection also has `_id_`:
 * - `builds`, `changes`, `leases`, `marks` and `snapshots` are read by `_id` only;
 * - `claims` by item, by occupied slots, by holder, and by settled position;
 * - `presence` by kind and time;
 * - `parked` by model, and by build when it is dropped;
 * - the documents of a build by the indexes in its model's definition (`src/projections`), and by those of every build
 *   below.
 */
import type { IndexDescription } from 'mongodb';
import type { StoredDefinition } from '../definitions.ts';

export const PARKED_INDEXES: readonly IndexDescription[] = [
  { name: 'model', key: { model: 1 } },
  { name: 'collection', key: { collection: 1 } },
];

export const SLOT_INDEX = 'slot';
export const CLAIM_INDEXES: readonly IndexDescription[] = [
  { name: 'item', key: { item: 1 } },
  { name: 'holder', key: { holder: 1 } },
  { name: 'settled', key: { kind: 1, settledAt: 1 } },
  { name: SLOT_INDEX, key: { slot: 1 }, unique: true },
];

export const PRESENCE_INDEXES: readonly IndexDescription[] = [{ name: 'seen', key: { kind: 1, at: 1 } }];

export const ID_INDEX = '_id_';
export const POSITION_INDEX = 'position';
export const TOMBSTONE_INDEX = 'tombstones';

/** Path of a `data` field in a stored document: copied out so that it can be indexed. */
export function fieldPath(field: string): string {
  return field === 'position' ? 'position' : `keys.${keyName(field)}`;
}

/** `place.city` as one name: a dot would mean a nested document. */
export function keyName(field: string): string {
  return field.replaceAll('.', '/');
}

/** Name of the index on these fields. */
export function indexName(fields: readonly string[]): string {
  if (fields.length === 0) return ID_INDEX;
  return fields.join() === 'position' ? POSITION_INDEX : `by ${fields.map(keyName).join(',')}`;
}

/**
 * `deleted` first: tombstones are in the same collection but out of the way. The trailing id makes paging an index
 * scan, ties included.
 */
export function documentIndexes({ indexes, tombstoneFields }: StoredDefinition): readonly IndexDescription[] {
  const named = new Map<string, IndexDescription>();
  for (const fields of [['position'], ...indexes]) {
    named.set(indexName(fields), {
      name: indexName(fields),
      key: ascending(['deleted', ...fields.map(fieldPath), '_id']),
    });
  }
  if (tombstoneFields.length > 0) {
    named.set(TOMBSTONE_INDEX, {
      name: TOMBSTONE_INDEX,
      key: ascending(['deleted', ...tombstoneFields.map(fieldPath), 'position']),
    });
  }
  return [...named.values()];
}

function ascending(paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

/** The fields that a build's documents carry next to their data. */
export function keyFields(definition: StoredDefinition): readonly string[] {
  const known = KEY_FIELDS.get(definition);
  if (known) return known;
  const { indexes, tombstoneFields } = definition;
  const fields = [...new Set([...indexes.flat(), ...tombstoneFields])].filter((field) => field !== 'position');
  KEY_FIELDS.set(definition, fields);
  return fields;
}

/** Asked for once per document. */
const KEY_FIELDS = new WeakMap<StoredDefinition, readonly string[]>();
