/**
 * The MongoDB database is deleted while the projections run: all of it is rebuilt without a restart, and readers find
 * it.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventStore, Position } from '../../src/eventStore/eventStore.ts';
import type { MongoConnection } from '../../src/readModels/mongo/mongoConnection.ts';
import type { Change, ReadModels } from '../../src/readModels/readModels.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, filled, moved, TOYS } from '../projections/toys.ts';
import { describeOnMongo, type MongoCase } from '../readModels/mongo/mongoServers.ts';

const TIMEOUT_MS = 30_000;
const MODELS = TOYS.map(({ name }) => name);
const history = (count: number) =>
  Array.from({ length: count }, (_, n) => (n % 7 === 6 ? moved(`b${n % 5}`, 'ada', 'bob') : filled(`b${n % 5}`, n)));

describeOnMongo('a database that is deleted under the projections', (newCase) => {
  let store: EventStore;
  let mongo: MongoCase;
  let connection: MongoConnection;
  let writer: ReadModels;
  let reader: ReadModels;
  let loop: Projecting | null = null;
  beforeEach(async () => {
    store = rawEventStore();
    mongo = newCase();
    connection = await mongo.connect();
    writer = await mongo.open({}, connection);
    reader = await mongo.open();
  });
  afterEach(async () => {
    await loop?.stop();
    loop = null;
    await mongo.dispose();
    await store.close();
  });

  function start(options: Parameters<typeof projecting>[3] = {}): Projecting {
    loop = projecting(store, writer, TOYS, { pollMs: 20, backoffMs: () => 5, ...options });
    return loop;
  }

  /** Readers find what a clean pass over the log gives. */
  async function expectWhole(upTo: Position): Promise<void> {
    const clean = memoryReadModels();
    const pass = projecting(store, clean, TOYS);
    await pass.ready;
    await vi.waitFor(
      async () => {
        for (const model of MODELS) {
          const build = await reader.serving(model);
          expect(build && (await reader.checkpoint(model, build))).toBe(upTo);
        }
      },
      { timeout: TIMEOUT_MS, interval: 20 },
    );
    for (const model of MODELS) expect(await documentsOf(reader, model)).toEqual(await documentsOf(clean, model));
    await pass.stop();
    await clean.close();
  }

  it('a lost model is rebuilt while no events arrive', async () => {
    const position = await append(store, ...history(60));
    await start().ready;
    await expectWhole(position);
    await connection.db.dropDatabase();
    await expectWhole(position);
    expect(loop?.logged.filter(({ message }) => message.includes('gone from their store'))).toHaveLength(1);
    const later = await append(store, ...history(9));
    expect(await reader.reached(MODELS, later, TIMEOUT_MS)).toBe(true);
    await expectWhole(later);
    expect((await reader.find('boxes', { where: { owner: 'bob' } })).documents.length).toBeGreaterThan(0);
    const [collection] = (await connection.db.listCollections().toArray()).filter(({ name }) =>
      name.startsWith('docs_boxes'),
    );
    expect((await connection.db.collection(collection?.name ?? '').indexes()).map(({ name }) => name)).toContain(
      'by owner',
    );
    expect((await connection.db.collection('parked').indexes()).map(({ name }) => name)).toContain('model');
  });

  it('is rebuilt while it is being filled', async () => {
    const position = await append(store, ...history(300));
    let dropped: Promise<unknown> | null = null;
    await start({
      batchSize: 20,
      onProgress: ({ position: reached }) => {
        if (Number(reached) > 100) dropped ??= connection.db.dropDatabase();
      },
    }).ready;
    await dropped;
    await expectWhole(position);
  });

  it('is rebuilt while events arrive, again and again', async () => {
    await append(store, ...history(40));
    await start({ batchSize: 10 }).ready;
    let position = '';
    for (let round = 0; round < 4; round += 1) {
      const [, last] = await Promise.all([connection.db.dropDatabase(), append(store, ...history(30))]);
      position = last;
    }
    await expectWhole(position);
  });

  it('is rebuilt, and watchers receive later changes', async () => {
    await append(store, ...history(60));
    await start().ready;
    const stop = new AbortController();
    const changes: Change[] = [];
    const watching = (async () => {
      for await (const change of reader.watch({ models: ['boxes'], signal: stop.signal })) changes.push(change);
    })();
    await expectWhole(await append(store, filled('before', 1)));
    await vi.waitFor(() => expect(changes.map(({ id }) => id)).toContain('before'), { timeout: TIMEOUT_MS });
    await connection.db.dropDatabase();
    const position = await append(store, filled('after', 1));
    await expectWhole(position);
    await vi.waitFor(() => expect(changes.map(({ id }) => id)).toContain('after'), { timeout: TIMEOUT_MS });
    await append(store, filled('much later', 1));
    await vi.waitFor(() => expect(changes.map(({ id }) => id)).toContain('much later'), { timeout: TIMEOUT_MS });
    stop.abort();
    await watching;
  });
});
