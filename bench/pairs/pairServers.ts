/**
 * The servers behind the second pair of stores, each a process of its own: real ones where the environment names them,
 * else the test servers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../tests/given/bundled.ts';
import { startMongoServer } from '../../tests/servers/mongoServer.ts';

export type PairServers = {
  readonly eventStoreUrl: string;
  /** The address of a database that nobody has used yet. */
  freshMongoUrl(): string;
  /** What they are, for the table. */
  readonly log: string;
  readonly documents: string;
  close(): Promise<void>;
};

type EventStoreServer = { readonly url: string; readonly name: string; close(): Promise<void> };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `dir`: where the test servers keep their data. */
export async function startPairServers(dir: string): Promise<PairServers> {
  const log = await startEventStore();
  const mongo = process.env.TEST_MONGODB_URL ? null : await startMongoServer({ dir: join(dir, 'mongo') });
  const own = `bench${Date.now()}`;
  let databases = 0;
  return {
    eventStoreUrl: log.url,
    freshMongoUrl: () =>
      mongo?.freshDatabaseUrl() ?? withDatabase(process.env.TEST_MONGODB_URL ?? '', `${own}x${databases++}`),
    log: log.name,
    documents: mongo ? 'MongoDB 6.0 of the tests' : 'MongoDB',
    async close() {
      await log.close();
      await mongo?.close();
    },
  };
}

function withDatabase(url: string, name: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
}

async function startEventStore(): Promise<EventStoreServer> {
  const real = process.env.TEST_EVENTSTORE_URL;
  return real ? { url: real, name: 'EventStoreDB', close: async () => undefined } : startTestEventStore();
}

/** The test server, with an empty log; in a file, if one is named, and then on the disk before it is answered. */
export async function startTestEventStore(file?: string): Promise<EventStoreServer> {
  // A larger young generation, so that neither side of a comparison waits for the server's garbage collection.
  const args = [
    '--max-semi-space-size=64',
    bundled(fileURLToPath(new URL('../../tests/servers/eventStoreDbMain.ts', import.meta.url))),
    ...(file === undefined ? [] : ['--file', file]),
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    url: await readyUrl(child),
    name: 'the EventStoreDB test server',
    async close() {
      process.off('exit', end);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /^ready (\S+)$/m.exec(text)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', (code) =>
      reject(new Error(`The EventStoreDB test server ended with ${code} before it was ready.`)),
    );
  });
}
