/** The product as six processes, each role twice, on the protocol servers of the production stores. Every one of the eight may be hurt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb.ts';
import { connectMongo } from '../../src/readModels/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongoDb.ts';
import { type RunningServer, startProcess, startServer } from '../given/processes.ts';
import { startFerretDb } from '../servers/ferretDb.ts';
import { ALLOWANCE, type Arena, type ArenaOptions, type ReadLog, readStore, type Target } from './arena.ts';
import { tortured } from './victim.ts';

const EVENT_STORE = fileURLToPath(new URL('../servers/eventStoreDbMain.ts', import.meta.url));
const ROLES = ['projector', 'projector', 'http', 'http', 'worker', 'worker'] as const;
/** The projector may have much to make good, ms. */
const READY_MS = 120_000;
const quiet = pino({ level: 'silent' });

type Server = Target & {
  readonly role: (typeof ROLES)[number];
  readonly url: () => string | null;
  readonly ready: () => Promise<unknown>;
  readonly stop: NonNullable<Target['stop']>;
  readonly stderr: () => string;
};

type Store = Target & { readonly url: string; readonly close: () => Promise<void> };

/** A process of the product that keeps its place over its lives. */
function openServer(role: Server['role'], number: number, env: Readonly<Record<string, string>>, entry: string | undefined): Server {
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
    // Whether it is ready depends on how far the read models are, which is not its affair.
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

async function openReadModelStore(dir: string): Promise<Store> {
  let server = await startFerretDb({ dir });
  const port = Number(new URL(server.url.replace('mongodb:', 'http:')).port);
  return {
    name: 'the read-model store',
    url: `${server.url}torture`,
    kill: () => server.kill(),
    start: async () => {
      server = await startFerretDb({ dir, port });
    },
    pause: () => void process.kill(server.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.pid, 'SIGCONT'),
    close: () => server.kill(),
  };
}

async function readServers(eventStoreUrl: string, mongoUrl: string): Promise<ReadLog> {
  const store = await openEventStoreDb({ url: eventStoreUrl, log: quiet });
  const connection = await connectMongo({ url: mongoUrl, log: quiet });
  try {
    const readModels = await openMongoReadModels(connection);
    const read = await readStore(store);
    const stuck = (await readModels.parked()).map((record) => `document ${record.documentId} of ${record.model} was parked: ${record.error}`);
    await readModels.close();
    return { ...read, faults: [...read.faults, ...stuck] };
  } finally {
    await connection.close();
    await store.close();
  }
}

export async function openProductionArena({ allowance = ALLOWANCE, server: entry }: ArenaOptions = {}): Promise<Arena> {
  const dir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const [eventStore, readModels] = await Promise.all([openEventStore(dir), openReadModelStore(join(dir, 'ferretdb'))]);
  const env = { ...tortured(new URL(site.url).host, allowance), EVENTSTORE_URL: eventStore.url, MONGODB_URL: readModels.url };
  const servers = ROLES.map((role, index) => openServer(role, (index % 2) + 1, env, entry));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()));
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
    targets: [...servers, eventStore, readModels],
    ready,
    readLog: async () => ({ ...(await readServers(eventStore.url, readModels.url)), whole: false }),
    finish: async () => {
      const faults = (await Promise.all(servers.map((server) => server.stop()))).flat();
      const read = await readServers(eventStore.url, readModels.url);
      return { ...read, faults: [...read.faults, ...faults] };
    },
    output: () => servers.map((server) => `--- ${server.name}\n${server.stderr()}`).join('\n'),
    close,
  };
}
