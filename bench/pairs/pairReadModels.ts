/**
 * Commits of 500 documents: ours, to a build that is being filled and to one that serves, beside the bare driver
 * writing the same documents.
 */
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import type { ModelDefinition, ReadModels } from '../../src/readModels/readModels.ts';
import { compare, type Row, rateRow, timed } from '../measure.ts';

const BATCH = 500;
/** Batches of new documents, and as many that change them. */
const BATCHES = 6;

export type BareDocuments = {
  readonly name: string;
  /** An empty collection with the same indexes. */
  open(): Promise<{ write(documents: readonly BenchDocument[], areNew: boolean): Promise<void> }>;
  close(): Promise<void>;
};

type BenchDocument = { readonly id: string; readonly position: string; readonly data: Record<string, string | number> };

export const DOCUMENTS: Omit<ModelDefinition, 'name'> = { version: 1, indexes: [['userId', 'createdAt'], ['status']] };

export const at = (position: number): string => String(position).padStart(20, '0');

/** So many documents does each user have, one after the other. */
export const OF_A_USER = 20;

/** About as large as a job of the job list. */
export function document(n: number, position: number): BenchDocument {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const data = {
    userId: `user-${Math.floor(n / OF_A_USER)}`,
    status: 'running',
    host: 'shop.example',
    url: 'https://shop.example/',
    score: n % 100,
    createdAt,
    text: 'x'.repeat(200),
  };
  return { id: `document-${n}`, position: at(position), data };
}

function* batches(): Generator<{
  readonly documents: readonly BenchDocument[];
  readonly checkpoint: number;
  readonly areNew: boolean;
}> {
  for (let pass = 0; pass < 2; pass += 1) {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const checkpoint = (pass * BATCHES + batch + 1) * BATCH;
      yield {
        documents: Array.from({ length: BATCH }, (_, n) => document(batch * BATCH + n, checkpoint)),
        checkpoint,
        areNew: pass === 0,
      };
    }
  }
}

const WRITES = 2 * BATCHES * BATCH;

async function ours(readModels: ReadModels, serves: boolean): Promise<number> {
  const model = `bench${randomUUID().slice(0, 8)}`;
  await readModels.prepare({ name: model, ...DOCUMENTS }, 'v1');
  if (serves) await readModels.serve(model, 'v1');
  const took = await timed(async () => {
    for (const { documents, checkpoint } of batches())
      await readModels.commit([{ model, build: 'v1', checkpoint: at(checkpoint), writes: documents }]);
  });
  await readModels.drop(model, 'v1');
  return (WRITES * 1000) / took;
}

async function limit(bare: BareDocuments): Promise<number> {
  const target = await bare.open();
  const took = await timed(async () => {
    for (const { documents, areNew } of batches()) await target.write(documents, areNew);
  });
  return (WRITES * 1000) / took;
}

export function bareMongo(url: string): BareDocuments {
  const client = new MongoClient(url, { writeConcern: { w: 'majority' } });
  return {
    name: "the bare driver's bulkWrite",
    async open() {
      const collection = client.db().collection<{ _id: string; position: string }>(`bare${randomUUID().slice(0, 8)}`);
      const indexes = [['position'], ...DOCUMENTS.indexes.map((fields) => fields.map((field) => `data.${field}`))];
      await collection.createIndexes(
        indexes.map((fields) => ({ key: Object.fromEntries([...fields, '_id'].map((field) => [field, 1] as const)) })),
      );
      return {
        async write(documents, areNew) {
          const operations = documents.map(({ id, position, data }) =>
            areNew
              ? { insertOne: { document: { _id: id, position, data } } }
              : { replaceOne: { filter: { _id: id, position: { $lt: position } }, replacement: { position, data } } },
          );
          await collection.bulkWrite(operations, { ordered: false });
        },
      };
    },
    close: () => client.close(),
  };
}

export function bareSqlite(file: string): BareDocuments {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  return {
    name: 'raw upserts',
    async open() {
      const table = `bare${randomUUID().slice(0, 8)}`;
      db.exec(`CREATE TABLE ${table} (id TEXT PRIMARY KEY, position TEXT NOT NULL, data TEXT NOT NULL) STRICT`);
      DOCUMENTS.indexes.forEach((fields, n) => {
        db.exec(
          `CREATE INDEX ${table}_${n} ON ${table} (${fields.map((field) => `data ->> '$.${field}'`).join(', ')}, id)`,
        );
      });
      const put = db.prepare(
        `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET position = excluded.position, data = excluded.data WHERE excluded.position > ${table}.position`,
      );
      const write = db.transaction((documents: readonly BenchDocument[]) => {
        for (const { id, position, data } of documents) put.run(id, position, JSON.stringify(data));
      });
      return { write: async (documents) => write(documents) };
    },
    close: async () => void db.close(),
  };
}

export async function readModelRows(
  pair: string,
  rounds: number,
  readModels: ReadModels,
  bare: BareDocuments,
  goal: number,
): Promise<readonly Row[]> {
  const filled = await compare(
    rounds,
    () => ours(readModels, false),
    () => limit(bare),
  );
  const serving = await compare(
    rounds,
    () => ours(readModels, true),
    () => limit(bare),
  );
  return [
    rateRow(`${pair}: commit ${BATCH} documents to a build being filled vs ${bare.name}`, filled, goal),
    rateRow(`${pair}: the same to a serving build, told to watchers`, serving, goal),
  ];
}
