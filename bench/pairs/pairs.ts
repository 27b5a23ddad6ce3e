/**
 * Both pairs of stores in one run, each beside its bare client: SQLite with SQLite, EventStoreDB with MongoDB. The
 * latter are real servers where TEST_EVENTSTORE_URL and TEST_MONGODB_URL name them (empty ones: they keep what is
 * written), else the test servers; ratios are what to read.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openStores, type Stores } from '../../src/start/openStores.ts';
import { MONGOD } from '../../tests/given/requirements.ts';
import { latencyRow, sample } from '../http/latency.ts';
import { startProduct } from '../http/product.ts';
import { fillRaw } from '../log/growth.ts';
import { openRawLog } from '../log/rawLog.ts';
import type { Bench, Figure, Row } from '../measure.ts';
import { grow, growthRows, SHORT } from './pairGrowth.ts';
import { type BareLog, bareEventStoreDb, bareTable, logRows } from './pairLog.ts';
import { type BareDocuments, bareMongo, bareSqlite, readModelRows } from './pairReadModels.ts';
import { startPairServers } from './pairServers.ts';

const log = pino({ level: 'silent' });

/** Opened again for each part, so that none measures what another has left. */
type Pair = {
  readonly name: string;
  readonly embedded: boolean;
  open(): Promise<{
    readonly stores: Stores;
    readonly bareLog: BareLog;
    readonly bareDocuments: BareDocuments;
    close(): Promise<void>;
  }>;
};
type Opened = Awaited<ReturnType<Pair['open']>>;

function folders(dir: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const folder = join(dir, `pair-${count}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
}

function embedded(fresh: () => string): Pair {
  return {
    name: 'SQLite',
    embedded: true,
    async open() {
      const dir = fresh();
      const stores = await openStores({ servers: null, DATA_DIR: dir }, log);
      const raw = openRawLog(join(dir, 'raw.db'));
      fillRaw(raw, 20_000);
      const [bareLog, bareDocuments] = [bareTable(raw), bareSqlite(join(dir, 'bare.db'))];
      return opened(stores, bareLog, bareDocuments, async () => undefined);
    },
  };
}

function servers(fresh: () => string): Pair {
  return {
    name: 'EventStoreDB + MongoDB',
    embedded: false,
    async open() {
      const dir = fresh();
      const started = await startPairServers(dir);
      const { eventStoreUrl } = started;
      const stores = await openStores(
        { servers: { eventStoreUrl, mongoUrl: started.freshMongoUrl() }, DATA_DIR: dir },
        log,
      );
      return opened(stores, bareEventStoreDb(eventStoreUrl), bareMongo(started.freshMongoUrl()), () => started.close());
    },
  };
}

function opened(stores: Stores, bareLog: BareLog, bareDocuments: BareDocuments, end: () => Promise<void>): Opened {
  return {
    stores,
    bareLog,
    bareDocuments,
    async close() {
      await stores.close();
      await bareLog.close();
      await bareDocuments.close();
      await end();
    },
  };
}

async function using<T>(open: () => Promise<Opened>, work: (opened: Opened) => Promise<T>): Promise<T> {
  const one = await open();
  try {
    return await work(one);
  } finally {
    await one.close();
  }
}

async function measurePair(pair: Pair, { rounds, full, say, dir }: Bench): Promise<readonly Row[]> {
  const { name } = pair;
  const rows: Row[] = [];
  say(`${name}: the read models`);
  const goal = pair.embedded ? 0.6 : 0.8;
  rows.push(
    ...(await using(pair.open, ({ stores, bareDocuments }) =>
      readModelRows(name, rounds, stores.readModels, bareDocuments, goal),
    )),
  );
  say(`${name}: from a command to a client`);
  rows.push(await using(pair.open, ({ stores }) => latencyOf(pair, dir, stores)));
  if (!pair.embedded && process.env.TEST_EVENTSTORE_URL) {
    say(`${name}: growth is left out: it takes two logs of its own, of known lengths`);
    return rows;
  }
  const size = full ? 1_000_000 : 100_000;
  say(`${name}: ${size.toLocaleString('en-US')} events of history`);
  const grown = await using(pair.open, (short) =>
    using(pair.open, async (long) => {
      await grow(short.stores, SHORT);
      await grow(long.stores, size);
      return growthRows({ pair: name, rounds, size }, long.stores, short.stores);
    }),
  );
  return [...rows, ...grown];
}

async function latencyOf(pair: Pair, dir: string, stores: Stores): Promise<Row> {
  const product = await startProduct(dir, { stores });
  try {
    await sample(product);
    const times = [...(await sample(product)), ...(await sample(product))];
    return latencyRow(
      `${pair.name}: command accepted → read model → websocket client: p50 / p99`,
      times,
      pair.embedded ? [10, 50] : [50, 250],
    );
  } finally {
    await product.close();
  }
}

function measureLog(pair: Pair, { rounds, say }: Bench): Promise<readonly Row[]> {
  say(`${pair.name}: the log`);
  return using(pair.open, ({ stores, bareLog }) => logRows(pair.name, rounds, stores.store, bareLog, pair.embedded));
}

async function measureBoth(
  bench: Bench,
  measure: (pair: Pair, bench: Bench) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const fresh = folders(bench.dir);
  const rows: Row[] = [];
  const hasServers = process.env.TEST_MONGODB_URL !== undefined || existsSync(MONGOD);
  if (!hasServers) bench.say('EventStoreDB + MongoDB is left out: there is no mongod (scripts/fetchMongod.sh)');
  for (const pair of [embedded(fresh), ...(hasServers ? [servers(fresh)] : [])])
    rows.push(...(await measure(pair, bench)));
  return rows;
}

export const pairLogs: Figure = { name: 'pairLogs', measure: (bench) => measureBoth(bench, measureLog) };
export const pairs: Figure = { name: 'pairs', measure: (bench) => measureBoth(bench, measurePair) };
