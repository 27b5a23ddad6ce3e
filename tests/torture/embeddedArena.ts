/** The product as one process on the embedded stores, or with its events on a server that gets faults, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import type { RunningServer } from '../given/product/processes.ts';
import { ALLOWANCE, type Arena, type ArenaOptions, type ReadLog, readStore } from './arena.ts';
import { type EventStoreCommand, type EventStoreServer, startEventStoreServer } from './eventStoreServer.ts';
import { integrityFaults } from './verdict.ts';
import { startVictim } from './victim.ts';
import { allClaims, readWorkLog, readWorkView } from './work/workLog.ts';

/**
 * The build knows no such pair, so it is built once more, with a program that does. Within the project, so that
 * packages are found.
 */
const ON_EVENT_STORE = fileURLToPath(new URL('onEventStore.ts', import.meta.url));
const BUILD = fileURLToPath(new URL('../../node_modules/.cache/torture/dist/src', import.meta.url));
const BUNDLER = new URL('../../scripts/bundleServer.mjs', import.meta.url).href;

export async function openEventStoreArena(given: EventStoreCommand, options: ArenaOptions = {}): Promise<Arena> {
  const { bundleServer } = (await import(BUNDLER)) as { bundleServer(options: object): Promise<void> };
  await bundleServer({ folder: BUILD, also: { onEventStore: ON_EVENT_STORE } });
  const eventStore = await startEventStoreServer(given);
  const env = { ...options.env, TORTURE_EVENTSTORE_URL: eventStore.url };
  return openEmbeddedArena({ ...options, server: join(BUILD, 'onEventStore.js'), env }, eventStore).catch(
    async (error: unknown) => {
      await eventStore.close();
      throw error;
    },
  );
}

export async function openEmbeddedArena(
  { allowance = ALLOWANCE, server: entry, env, hosts = [] }: ArenaOptions = {},
  eventStore: EventStoreServer | null = null,
): Promise<Arena> {
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  let server: RunningServer;
  let url: string | null = null;
  let stderr = '';

  async function start(): Promise<void> {
    server = startVictim({
      dataDir,
      allowHosts: [new URL(site.url).host, ...hosts].join(),
      server: entry,
      allowance,
      env,
    });
    ({ url } = await server.started);
  }

  function gone(): void {
    stderr += server.stderr();
    url = null;
  }

  async function stop(): Promise<readonly string[]> {
    const code = await server.stop();
    gone();
    return code === 0 ? [] : [`the orderly stop ended with ${code}`];
  }

  async function readFiles(): Promise<ReadLog> {
    const { read, parked } = await withFiles(async (store, readModels) => ({
      read: await readStore(store),
      parked: await readModels.parked(),
    }));
    const stuck = parked.map(
      (record) => `document ${record.documentId} of ${record.model} was parked: ${record.error}`,
    );
    return { ...read, faults: [...read.faults, ...stuck, ...integrityFaults(dataDir)] };
  }

  async function withFiles<T>(use: (store: EventStore, readModels: SqliteReadModels) => Promise<T>): Promise<T> {
    const store = eventStore ? await eventStore.open() : openSqliteEventStore({ file: join(dataDir, 'events.db') });
    const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
    const answer = await use(store, readModels);
    await readModels.close();
    await store.close();
    return answer;
  }

  await start();
  await server!.ready();
  return {
    name: eventStore
      ? 'one process on an event store server and embedded read models'
      : 'one process on the embedded stores',
    site: site.url,
    urls: () => (url === null ? [] : [url]),
    targets: [
      {
        name: 'the server',
        kill: async () => {
          await server.kill();
          gone();
        },
        stop,
        start,
        pause: () => server.pause(),
        resume: () => server.resume(),
      },
      ...(eventStore ? [eventStore] : []),
    ],
    ready: async () => void (await server.ready()),
    // Only the process itself can open its files while it runs.
    readLog: async () => {
      const faults = await stop();
      const read = await readFiles();
      await start();
      return { ...read, faults: [...read.faults, ...faults], whole: true };
    },
    readWork: () => withFiles(readWorkView),
    peek: (after) =>
      withFiles(async (store, { claims }) => {
        const claimed = await Promise.all(WORK_RULES.map(({ kind }) => allClaims(claims, kind)));
        return { events: await readWorkLog(store, { after }), claims: claimed.flat() };
      }),
    loseReadModels: async () => {
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(join(dataDir, `readModels.db${end}`), { force: true });
    },
    finish: async () => {
      const faults = await stop();
      const read = await readFiles();
      return { ...read, faults: [...read.faults, ...faults] };
    },
    output: () => stderr + server.stderr(),
    close: async () => {
      await server.kill();
      await eventStore?.close();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
