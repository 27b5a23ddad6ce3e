/** Writing documents that only ever advance: the position guard, for writers that do not know of each other. */
import { type AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb';
import type { Position } from '../readModels.ts';
import type { DocumentCollection, DocumentRecord } from './mongoDocuments.ts';
import { duplicatesOf } from './mongoErrors.ts';

/**
 * Writes each record whose document is absent or at an earlier position. `known`: positions as last read, null if absent; they only save the server work, the
 * guard is in each operation. Each id appears once. Returns the ids that were skipped.
 */
export async function writeGuarded(
  documents: DocumentCollection,
  records: readonly DocumentRecord[],
  known: ReadonlyMap<string, Position | null>,
): Promise<ReadonlySet<string>> {
  const skipped = new Set<string>();
  const positions = new Map(known);
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
  const rows = await documents.find<{ _id: string; position: Position }>({ _id: { $in: ids } }, { projection: { position: 1 } }).toArray();
  for (const id of ids) positions.set(id, null);
  for (const { _id, position } of rows) positions.set(_id, position);
  // An update whose document is at exactly its position is done, by this writer or by one that applied the same events.
  return refused.filter((record) => !(updates.has(record) && positions.get(record._id) === record.position));
}

function forward(record: DocumentRecord): AnyBulkWriteOperation<DocumentRecord> {
  const { _id, ...replacement } = record;
  return { replaceOne: { filter: { _id, position: { $lt: record.position } }, replacement } };
}
