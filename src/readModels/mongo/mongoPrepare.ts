/**
 * Brings a build's collection in line with its definition: the fields stored next to the data, and the indexes on them.
 */
import type { Collection, Document, IndexDescription } from 'mongodb';
import type { StoredDefinition } from '../definitions.ts';
import type { MongoBuild } from './mongoBuild.ts';
import { type DocumentCollection, type DocumentRow, keysOf, WITHOUT_KEYS } from './mongoDocuments.ts';
import { isNamespaceMissing } from './mongoErrors.ts';
import { documentIndexes, ID_INDEX, keyFields } from './mongoIndexes.ts';

const BATCH = 500;

/** Idempotent: adds what is missing and removes what is no longer defined. */
export async function alignIndexes(build: MongoBuild, definition: StoredDefinition): Promise<void> {
  const { documents } = build;
  const known = new Set(keyFields(build.definition));
  const isNew = (field: string) => !known.has(field);
  if (
    keyFields(definition).some(isNew) ||
    definition.tombstoneFields.some((field) => !build.definition.tombstoneFields.includes(field))
  ) {
    await rewriteKeys(documents, definition);
  }
  const wanted = documentIndexes(definition);
  await addIndexes(documents, wanted);
  const names = new Set([ID_INDEX, ...wanted.map(({ name }) => name)]);
  for (const name of await indexNames(documents)) if (!names.has(name)) await documents.dropIndex(name);
}

/** Adds the indexes that do not exist yet, compared by name. */
export async function addIndexes<T extends Document>(
  collection: Collection<T>,
  wanted: readonly IndexDescription[],
): Promise<void> {
  const present = await indexNames(collection);
  const missing = wanted.filter(({ name = '' }) => !present.includes(name));
  if (missing.length > 0) await collection.createIndexes([...missing]);
}

async function indexNames<T extends Document>(collection: Collection<T>): Promise<readonly string[]> {
  try {
    return (await collection.indexes()).flatMap(({ name }) => name ?? []);
  } catch (error) {
    if (isNamespaceMissing(error)) return [];
    throw error;
  }
}

/** Copies the fields out of existing documents' data. A document updated meanwhile is left to its writer. */
async function rewriteKeys(documents: DocumentCollection, definition: StoredDefinition): Promise<void> {
  const rows = documents.find<DocumentRow>({}, { projection: WITHOUT_KEYS, sort: { _id: 1 }, batchSize: BATCH });
  let batch: DocumentRow[] = [];
  const write = async () => {
    if (batch.length === 0) return;
    await documents.bulkWrite(
      batch.map(({ _id, position, deleted, data }) => ({
        updateOne: {
          filter: { _id, position },
          update: { $set: { keys: keysOf(data, deleted === 1 ? definition.tombstoneFields : keyFields(definition)) } },
        },
      })),
      { ordered: false },
    );
    batch = [];
  };
  for await (const row of rows) if (batch.push(row) === BATCH) await write();
  await write();
}
