/**
 * Which collections of a database are the product's: another program may keep its own beside them, and nothing is done
 * to those.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { ReadModelError } from '../readModels.ts';

const DOCUMENTS = /^docs_.+_.+_[0-9a-f]{12}$/;

/** For the documents of a build; never the same twice. */
export const documentsName = (model: string, build: string): string =>
  `docs_${model}_${build}_${randomBytes(6).toString('hex')}`;

export const holdsDocuments = (name: string): boolean => DOCUMENTS.test(name);

const OTHERS: ReadonlySet<string> = new Set([
  'builds',
  'changes',
  'claims',
  'leases',
  'marks',
  'parked',
  'presence',
  'snapshots',
]);

export const isOurs = (name: string): boolean => OTHERS.has(name) || holdsDocuments(name);

/** What is not ours: a start would read it as its own, never find its place, or put unique indexes on it. */
const FOREIGN: readonly (readonly [collection: string, foreign: object])[] = [
  ['builds', { _id: { $not: /^(?:shared$|[^/]+\/)/ } }],
  ['changes', { _id: { $not: /^\d+$/ } }],
  ['leases', { _id: { $not: /\/\d{16}$/ } }],
  ['claims', { item: { $not: { $type: 'string' } } }],
  ['marks', { _id: { $not: /^mark\// } }],
  ['parked', { documentId: { $not: { $type: 'string' } } }],
  ['presence', { kind: { $not: { $type: 'string' } } }],
  ['snapshots', { order: { $exists: false } }],
];

/** @throws ReadModelError FOREIGN_DATABASE if one of the product's collections is another program's, or damaged */
export async function refuseForeign(db: Db): Promise<void> {
  for (const [name, foreign] of FOREIGN) {
    const [record] = await db
      .collection<{ _id: unknown }>(name)
      .find(foreign, { projection: { _id: 1 }, limit: 1 })
      .toArray();
    if (record) throw foreignRecord(db.databaseName, name, record._id);
  }
}

export const foreignRecord = (database: string, collection: string, id: unknown): ReadModelError =>
  new ReadModelError(
    'FOREIGN_DATABASE',
    `The collection '${collection}' of the MongoDB database '${database}' holds a record that this product did not write, or that is damaged (${JSON.stringify(id)}). Name a database of the product's own in MONGODB_URL.`,
  );
