/** Writing documents that only ever advance: the position guard, for writers that do not know of each other. */
import { type AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb';
import type { Position } from '../readModels.ts';
import { type DocumentCollection, type DocumentRecord, positionsOf } from './mongoDocuments.ts';
import { duplicatesOf } from './mongoErrors.ts';
import { ID_INDEX } from './mongoIndexes.ts';

/**
 * Writes each record whose document is absent or at an earlier position. `known`: positions as last read, null if absent; they only choose between an insert
 * and an update, the guard is in each operation. `isEmpty`: the others are absent, as far as known. Each id appears once. Returns the ids that were skipped.
 */
export async function writeGuarded(
  documents: DocumentCollection,
  records: readonly DocumentRecord[],
  known: ReadonlyMap<string, Position | null>,
  isEmpty: boolean,
): Promise<ReadonlySet<string>> {
  const skipped = new Set<string>();
  const positions = new Map(known);
  // An insert that fails, or an update that finds nothing, costs the server more than being asked.
  const unknown = records.flatMap(({ _id }) => (positions.has(_id) ? [] : [_id]));
  const found = unknown.length > 0 && !isEmpty ? await positionsOf(documents, unknown) : null;
  for (const id of unknown) positions.set(id, found?.get(id) ?? null);
  let waiting = records;
  for (;;) {
    const sent: DocumentRecord[] = [];
    for (const record of waiting) {
      if (isReached(positions.get(record._id), record)) skipped.add(record._id);
      else sent.push(record);
    }
    if (sent.length === 0) return skipped;
    waiting = await send(documents, sent, positions);
  }
}

function isReached(position: Position | null | undefined, record: DocumentRecord): boolean {
  return position !== null && position !== undefined && position >= record.position;
}

/** The records that were not written, with their current positions in `positions`: a document thought absent exists, or is at a later position. */
async function send(
  documents: DocumentCollection,
  records: readonly DocumentRecord[],
  positions: Map<string, Position | null>,
): Promise<readonly DocumentRecord[]> {
  const isUpdate = ({ _id }: DocumentRecord) => typeof positions.get(_id) === 'string';
  const updates = new Set(records.filter(isUpdate));
  let refused: readonly DocumentRecord[] = [];
  let matched = updates.size;
  try {
    const operations = records.map((record) => (updates.has(record) ? forward(record) : { insertOne: { document: record } }));
    ({ matchedCount: matched } = await documents.bulkWrite(operations, { ordered: false }));
  } catch (error) {
    // A duplicate key means that the document already exists; no other error is ignored.
    const duplicates = duplicatesOf(error);
    if (!duplicates) throw error;
    refused = duplicates.flatMap((at) => records[at] ?? []);
    if (error instanceof MongoBulkWriteError) matched = error.matchedCount;
  }
  // Another writer was faster with some of these: their positions show which ones.
  if (matched < updates.size) refused = [...refused, ...updates];
  if (refused.length === 0) return [];
  const ids = refused.map(({ _id }) => _id);
  const now = await positionsOf(documents, ids);
  for (const id of ids) positions.set(id, now.get(id) ?? null);
  // An update whose document is at exactly its position is done, by this writer or by one that applied the same events.
  return refused.filter((record) => !(updates.has(record) && positions.get(record._id) === record.position));
}

/** With the index named: to choose one for each document costs the server a fifth of the whole write. */
function forward(record: DocumentRecord): AnyBulkWriteOperation<DocumentRecord> {
  const { _id, ...replacement } = record;
  return { replaceOne: { filter: { _id, position: { $lt: record.position } }, replacement, hint: ID_INDEX } };
}
