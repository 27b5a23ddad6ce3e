/** The product as one process on the embedded stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite.ts';
import type { RunningServer } from '../given/processes.ts';
import { ALLOWANCE, type Arena, type ArenaOptions, type ReadLog, readStore } from './arena.ts';
import { integrityFaults } from './verdict.ts';
import { startVictim } from './victim.ts';

export async function openEmbeddedArena({ allowance = ALLOWANCE, server: entry }: ArenaOptions = {}): Promise<Arena> {
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  let server: RunningServer;
  let url: string | null = null;
  let stderr = '';

  async function start(): Promise<void> {
    server = startVictim({ dataDir, allowHosts: new URL(site.url).host, server: entry, allowance });
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
    const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
    const read = await readStore(store);
    await store.close();
    const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
    const parked = await readModels.parked();
    await readModels.close();
    const stuck = parked.map((record) => `document ${record.documentId} of ${record.model} was parked: ${record.error}`);
    return { ...read, faults: [...read.faults, ...stuck, ...integrityFaults(dataDir)] };
  }

  await start();
  await server!.ready();
  return {
    name: 'one process on the embedded stores',
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
    ],
    ready: async () => void (await server.ready()),
    // Its files belong to it alone while it runs.
    readLog: async () => {
      const faults = await stop();
      const read = await readFiles();
      await start();
      return { ...read, faults: [...read.faults, ...faults], whole: true };
    },
    finish: async () => {
      const faults = await stop();
      const read = await readFiles();
      return { ...read, faults: [...read.faults, ...faults] };
    },
    output: () => stderr + server.stderr(),
    close: async () => {
      await server.kill();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
