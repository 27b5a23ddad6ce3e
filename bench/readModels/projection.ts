/**
 * Folding events into the job list and writing its documents, against the same fold written straight into SQLite; and a
 * rebuild of everything.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Position, type RecordedEvent, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { jobs } from '../../src/projections/jobs.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { runProjections } from '../../src/projector/project.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { fill } from '../events.ts';
import { compare, type Figure, median, perSecond, rateRow, timed } from '../measure.ts';

const EVENTS = 20_000;
const BATCH = 100;

/** From zero until everything is served. */
async function project(store: SqliteEventStore, file: string, projections: readonly AnyProjection[]): Promise<number> {
  const readModels = openSqliteReadModels({ file });
  const stop = new AbortController();
  const took = await timed(async () => {
    const running = runProjections({
      store,
      readModels,
      projections,
      signal: stop.signal,
      now: Date.now,
      batchSize: BATCH,
    });
    await running.ready;
    stop.abort();
    await running.done;
  });
  await readModels.close();
  return (EVENTS * 1000) / took;
}

async function* pages(store: SqliteEventStore): AsyncGenerator<readonly RecordedEvent[]> {
  const filter = { types: jobs.handles };
  for (let after: Position = START; ; ) {
    const page = await store.readAll({ after, limit: BATCH, filter });
    yield page.events;
    if (page.end) return;
    after = page.next;
  }
}

/** The same reads, the same evolve, the documents upserted by hand. */
async function projectRaw(store: SqliteEventStore, file: string): Promise<number> {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(`CREATE TABLE jobs (id TEXT PRIMARY KEY, position TEXT NOT NULL, data TEXT NOT NULL) STRICT;
    CREATE TABLE checkpoint (one INTEGER PRIMARY KEY, position TEXT NOT NULL);
    ${jobs.indexes.map((fields, n) => `CREATE INDEX jobs_${n} ON jobs (${fields.map((field) => `data ->> '$.${field}'`).join(', ')})`).join(';')}`);
  const get = db.prepare<[string], string>('SELECT data FROM jobs WHERE id = ?').pluck();
  const put = db.prepare(
    'INSERT INTO jobs VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET position = excluded.position, data = excluded.data WHERE excluded.position > jobs.position',
  );
  const check = db.prepare(
    'INSERT INTO checkpoint VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET position = excluded.position',
  );
  const commit = db.transaction((events: readonly RecordedEvent[]) => {
    const documents = new Map<string, { position: Position; data: object | null }>();
    for (const event of events) {
      const typed = event as Parameters<typeof jobs.evolve>[1];
      for (const key of jobs.keys(typed)) {
        const text = documents.has(key) ? undefined : get.get(key);
        const before = documents.get(key)?.data ?? (text === undefined ? null : (JSON.parse(text) as object));
        documents.set(key, { position: event.position, data: jobs.evolve(before as never, typed, key) });
      }
    }
    for (const [id, { position, data }] of documents) put.run(id, position, JSON.stringify(data));
    check.run(events.at(-1)?.position ?? START);
  });
  const took = await timed(async () => {
    for await (const page of pages(store)) if (page.length > 0) commit(page);
  });
  db.close();
  return (EVENTS * 1000) / took;
}

export const projection: Figure = {
  name: 'projection',
  async measure({ rounds, dir, say }) {
    const store = openSqliteEventStore({ file: join(dir, 'events.db') });
    await fill(store, EVENTS);
    let file = 0;
    const fresh = () => {
      file += 1;
      return join(dir, `models-${file}.db`);
    };
    const compared = await compare(
      rounds,
      () => project(store, fresh(), [jobs]),
      () => projectRaw(store, fresh()),
    );
    say('rebuilding everything');
    const all: number[] = [];
    for (let round = 0; round < Math.min(3, rounds); round += 1) all.push(await project(store, fresh(), READ_MODELS));
    await store.close();
    const rate = median(all);
    return [
      rateRow(`job-list projection: fold and upsert, batches of ${BATCH}, events`, compared, 0.6),
      {
        what: `rebuild of all ${READ_MODELS.length} read models, events`,
        ours: perSecond(rate),
        limit: '–',
        ratio: null,
        goal: '≥ 10,000/s',
        met: rate >= 10_000,
      },
    ];
  },
};
