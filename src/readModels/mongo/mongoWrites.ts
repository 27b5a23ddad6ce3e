/** Writing documents that only ever advance: the position guard, for writers that do not know of each other. */
import { type AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb';
import type { Position } from '../readModels.ts';
import { type DocumentCollection, type DocumentRecord, positionsOf } from './mongoDocuments.ts';
import { duplicatesOf } from './mongoErrors.ts';
import { ID_INDEX } from './mongoIndexes.ts';

/** So many updates go as two commands. */
const MANY_UPDATES = 200;

/**
 * Writes each record whose document is absent or at an earlier position. `known`: positions as last read, null if
 * absent; they only choose between an insert and an update, the guard is in each operation. `isEmpty`: the others are
 * absent, as far as known. Each id appears once. Returns the ids that were skipped.
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

/**
 * The records that were not written, with their current positions in `positions`: a document thought absent exists, or
 * is at a later position.
 */
async function send(
  documents: DocumentCollection,
  records: readonly DocumentRecord[],
  positions: Map<string, Position | null>,
): Promise<readonly DocumentRecord[]> {
  const isUpdate = ({ _id }: DocumentRecord) => typeof positions.get(_id) === 'string';
  const outcomes = await Promise.allSettled(
    partsOf(records, isUpdate).map((part) => sendPart(documents, part, isUpdate)),
  );
  const refused = outcomes.flatMap((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  if (refused.length === 0) return [];
  const now = await positionsOf(
    documents,
    refused.map(({ _id }) => _id),
  );
  // An update whose document is at exactly its position is done, by this writer or by one that applied the same events.
  const waiting = refused.filter((record) => !(isUpdate(record) && now.get(record._id) === record.position));
  for (const { _id } of refused) positions.set(_id, now.get(_id) ?? null);
  return waiting;
}

/**
 * One command for all, unless there are many updates: the server works on these one after the other, and on two
 * commands at once.
 */
function partsOf(
  records: readonly DocumentRecord[],
  isUpdate: (record: DocumentRecord) => boolean,
): readonly (readonly DocumentRecord[])[] {
  const updates = records.filter(isUpdate);
  if (updates.length < MANY_UPDATES) return [records];
  const middle = Math.ceil(updates.length / 2);
  const inserts = records.filter((record) => !isUpdate(record));
  return [updates.slice(0, middle), updates.slice(middle), inserts].filter((part) => part.length > 0);
}

/** The records that were perhaps not written. */
async function sendPart(
  documents: DocumentCollection,
  records: readonly DocumentRecord[],
  isUpdate: (record: DocumentRecord) => boolean,
): Promise<readonly DocumentRecord[]> {
  const updates = records.filter(isUpdate);
  try {
    const operations = records.map((record) =>
      isUpdate(record) ? forward(record) : { insertOne: { document: record } },
    );
    const { matchedCount } = await documents.bulkWrite(operations, { ordered: false });
    // Another writer was faster with some of these: their positions show which ones.
    return matchedCount < updates.length ? updates : [];
  } catch (error) {
    // A duplicate key means that the document already exists; no other error is ignored.
    const duplicates = duplicatesOf(error);
    if (!duplicates) throw error;
    const matched = error instanceof MongoBulkWriteError ? error.matchedCount : 0;
    return [...duplicates.flatMap((at) => records[at] ?? []), ...(matched < updates.length ? updates : [])];
  }
}

/** With the index named: to choose one for each document costs the server a fifth of the whole write. */
function forward(record: DocumentRecord): AnyBulkWriteOperation<DocumentRecord> {
  const { _id, ...replacement } = record;
  return { replaceOne: { filter: { _id, position: { $lt: record.position } }, replacement, hint: ID_INDEX } };
}
