/**
 * The product as six processes, each role twice, on a protocol server of EventStoreDB and a real MongoDB. Each of them
 * can get faults.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openMongoClaims } from '../../src/readModels/mongo/coordination/mongoClaims.ts';
import { createMongoLeases } from '../../src/readModels/mongo/coordination/mongoLeases.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongo/mongoDb.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { type RunningServer, startProcess, startServer } from '../given/product/processes.ts';
import { type MongoMember, type MongoServer, startMongoServer } from '../servers/mongoServer.ts';
import { ALLOWANCE, type Arena, type ArenaOptions, type ReadLog, readStore, type Target } from './arena.ts';
import { tortured } from './victim.ts';
import type { Coordination } from './work/samplePlaces.ts';
import { followLog } from './work/witness.ts';
import { readWorkView } from './work/workLog.ts';

const EVENT_STORE = fileURLToPath(new URL('../servers/eventStoreDbMain.ts', import.meta.url));
const REBUILD = fileURLToPath(new URL('../../dist/src/cli/rebuild.js', import.meta.url));
const ROLES = ['projector', 'projector', 'http', 'http', 'worker', 'worker'] as const;
/** The projector may have much to catch up on, ms. */
const READY_MS = 600_000;
const quiet = pino({ level: 'silent' });

type Server = Target & {
  readonly role: (typeof ROLES)[number];
  readonly url: () => string | null;
  readonly ready: () => Promise<unknown>;
  readonly stop: NonNullable<Target['stop']>;
  readonly stderr: () => string;
};

type Store = Target & { readonly url: string; readonly close: () => Promise<void> };

/** A process of the product that keeps its port across restarts. */
function openServer(
  role: Server['role'],
  number: number,
  env: Readonly<Record<string, string>>,
  entry: string | undefined,
): Server {
  const name = `${role} ${number}`;
  let stderr = '';
  let url: string | null = null;
  let server: RunningServer;
  function launch(): void {
    server = startServer({ name, ...(entry === undefined ? {} : { entry }), env: { ...env, ROLE: role } });
    server.started.then(
      (told) => {
        url = told.url;
      },
      () => undefined,
    );
  }
  launch();
  return {
    name,
    role,
    url: () => url,
    ready: () => server.ready(READY_MS),
    stderr: () => stderr + (server.state() === 'ended' ? '' : server.stderr()),
    kill: async () => {
      url = null;
      await server.kill();
      stderr += server.stderr();
    },
    // Its readiness depends on the lag of the read models, over which it has no control.
    start: async () => {
      launch();
      await server.started;
    },
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: async () => {
      const code = await server.stop();
      url = null;
      stderr += server.stderr();
      return code === 0 ? [] : [`the orderly stop of ${name} ended with ${code}`];
    },
  };
}

async function openEventStore(dir: string): Promise<Store> {
  const launch = async (port: number) => {
    const server = startProcess({
      name: 'the event store',
      entry: EVENT_STORE,
      args: ['--port', String(port), '--file', join(dir, 'events.jsonl')],
      started: /^ready (esdb:\S+)$/m,
    });
    return { server, url: (await server.started).url };
  };
  let { server, url } = await launch(0);
  const port = Number(new URL(url.replace('esdb:', 'http:')).port);
  return {
    name: 'the event store',
    url,
    kill: () => server.kill(),
    start: async () => {
      ({ server } = await launch(port));
    },
    pause: () => server.pause(),
    resume: () => server.resume(),
    close: () => server.kill(),
  };
}

type ReadModelStore = {
  readonly url: string;
  readonly targets: readonly Target[];
  /** Drops the database under the running processes. */
  loseAll(): Promise<void>;
  close(): Promise<void>;
};

/** How long a majority of the members stays away, ms. */
const QUORUM_LOST_MS = 20_000;

async function openReadModelStore(dir: string, count: number): Promise<ReadModelStore> {
  const server = await startMongoServer({ dir, members: count });
  const url = `${server.url}torture`;
  return {
    url,
    targets: count === 1 ? [memberTarget('the read-model store', server)] : [...setTargets(server)],
    loseAll: async () => {
      const connection = await connectMongo({ url, log: quiet });
      await connection.db.dropDatabase().finally(() => connection.close());
    },
    close: () => server.close(),
  };
}

/** Whichever member leads at that moment. */
function memberTarget(name: string, server: MongoServer): Target {
  let hurt: MongoMember | null = null;
  // A pause cannot wait for an answer about who leads.
  const [first] = server.members;
  return {
    name,
    kill: async () => {
      hurt = await server.primary();
      await hurt.kill();
    },
    start: async () => {
      await hurt?.start();
      await server.primary();
    },
    pause: () => first && process.kill(first.pid, 'SIGSTOP'),
    resume: () => first && process.kill(first.pid, 'SIGCONT'),
  };
}

/** What happens to a set of several members: its leader dies or is paused, steps down, or loses the majority. */
function setTargets(server: MongoServer): readonly Target[] {
  const leader = memberTarget('the leader of the read-model store', server);
  let lost: readonly MongoMember[] = [];
  let lostAt = 0;
  return [
    leader,
    {
      ...leader,
      name: 'the leader of the read-model store, stepping down',
      kill: () => server.stepDown(),
      start: async () => void (await server.primary()),
    },
    {
      ...leader,
      name: 'the majority of the read-model store',
      kill: async () => {
        lost = server.members.slice(0, Math.ceil((server.members.length + 1) / 2));
        lostAt = Date.now();
        await Promise.all(lost.map((member) => member.kill()));
      },
      start: async () => {
        await wait(Math.max(0, lostAt + QUORUM_LOST_MS - Date.now()));
        await Promise.all(lost.map((member) => member.start()));
        await server.primary();
      },
    },
  ];
}

type Urls = { readonly EVENTSTORE_URL: string; readonly MONGODB_URL: string };

async function withStores<T>(
  { EVENTSTORE_URL, MONGODB_URL }: Urls,
  use: (store: EventStore, readModels: ReadModels) => Promise<T>,
): Promise<T> {
  const store = await openEventStoreDb({ url: EVENTSTORE_URL, log: quiet });
  const connection = await connectMongo({ url: MONGODB_URL, log: quiet });
  try {
    const readModels = await openMongoReadModels(connection);
    const answer = await use(store, readModels);
    await readModels.close();
    return answer;
  } finally {
    await connection.close();
    await store.close();
  }
}

const readServers = (urls: Urls): Promise<ReadLog> =>
  withStores(urls, async (store, readModels) => {
    const read = await readStore(store);
    const stuck = (await readModels.parked()).map(
      (record) => `document ${record.documentId} of ${record.model} was parked: ${record.error}`,
    );
    return { ...read, faults: [...read.faults, ...stuck] };
  });

const REBUILD_TRIES = 3;

/** `npm run rebuild`: no projector may run meanwhile, everything else keeps running. */
async function rebuildBeside(
  projectors: readonly Server[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const faults = (await Promise.all(projectors.map((projector) => projector.stop()))).flat();
  // On a busy machine it may lose its lease, and then it has changed nothing.
  for (let tries = 1; ; tries += 1) {
    const rebuilding = startProcess({ name: 'the rebuild', entry: REBUILD, env, started: /^(Rebuilt .*)$/m });
    const failure = await rebuilding.started.then(
      () => null,
      (error: unknown) => String(error),
    );
    if (failure !== null && tries < REBUILD_TRIES) continue;
    if (failure !== null) faults.push(failure);
    break;
  }
  await Promise.all(projectors.map((projector) => projector.start()));
  return faults;
}

/** For outside inspection as long as the arena is open. */
async function openCoordination({ MONGODB_URL }: Urls): Promise<Coordination & { close(): Promise<void> }> {
  const connection = await connectMongo({ url: MONGODB_URL, log: quiet });
  const [readModels, claims] = await Promise.all([openMongoReadModels(connection), openMongoClaims(connection)]);
  const close = async (): Promise<void> => {
    await readModels.close();
    await connection.close();
  };
  return { readModels, claims, leases: createMongoLeases(connection), close };
}

export async function openProductionArena({
  allowance = ALLOWANCE,
  server: entry,
  env: more,
  hosts = [],
  members = 1,
}: ArenaOptions = {}): Promise<Arena> {
  const dir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const [eventStore, readModels] = await Promise.all([
    openEventStore(dir),
    openReadModelStore(join(dir, 'mongo'), members),
  ]);
  const urls: Urls = { EVENTSTORE_URL: eventStore.url, MONGODB_URL: readModels.url };
  const env = { ...tortured([new URL(site.url).host, ...hosts].join(), allowance), ...more, ...urls };
  const servers = ROLES.map((role, index) => openServer(role, (index % 2) + 1, env, entry));
  const coordination = await openCoordination(urls);
  const close = async (): Promise<void> => {
    await Promise.all([...servers.map((server) => server.kill()), coordination.close()]);
    await Promise.all([eventStore.close(), readModels.close(), site.close()]);
    rmSync(dir, { recursive: true, force: true });
  };
  const ready = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.ready())));
  await ready().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    name: 'six processes on the production stores',
    site: site.url,
    urls: () => servers.flatMap((server) => (server.role === 'http' ? (server.url() ?? []) : [])),
    targets: [...servers, eventStore, ...readModels.targets],
    ready,
    readLog: async () => ({ ...(await readServers(urls)), whole: false }),
    readWork: () => withStores(urls, readWorkView),
    follow: async (take, signal) => {
      const store = await openEventStoreDb({ url: eventStore.url, log: quiet });
      await followLog(store, take, signal).finally(() => store.close());
    },
    loseReadModels: () => readModels.loseAll(),
    rebuild: () =>
      rebuildBeside(
        servers.filter(({ role }) => role === 'projector'),
        env,
      ),
    coordination,
    finish: async () => {
      const faults = (await Promise.all(servers.map((server) => server.stop()))).flat();
      const read = await readServers(urls);
      return { ...read, faults: [...read.faults, ...faults] };
    },
    output: () => servers.map((server) => `--- ${server.name}\n${server.stderr()}`).join('\n'),
    close,
  };
}
