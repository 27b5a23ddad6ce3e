/**
 * An installation on the production stores: each role twice, as separate processes, on the protocol servers of the
 * tests.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMongoServer } from '../../servers/mongoServer.ts';
import { temporaryData } from './builtServer.ts';
import { type RunningProcess, type RunningServer, startProcess, startServer } from './processes.ts';

const EVENT_STORE = fileURLToPath(new URL('../../servers/eventStoreDbMain.ts', import.meta.url));

export type Installation = {
  readonly http: readonly [RunningServer, RunningServer];
  readonly projectors: readonly [RunningServer, RunningServer];
  readonly workers: readonly [RunningServer, RunningServer];
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** The leading projector; null while there is none. */
  leader(): Promise<RunningServer | null>;
  /** kill -9 of the event store's server, and a new one on its files at the same address. */
  restartEventStore(): Promise<void>;
  /** Starts another process of a role; `entry`: of another version. */
  startMore(role: 'http' | 'projector' | 'worker', entry?: string): RunningServer;
  /** SIGTERM to all; resolves with the exit codes by name. */
  stop(): Promise<Readonly<Record<string, number | null>>>;
};

/**
 * `env` goes to every role; `entry`: the server's, if not the build. Resolves when all of them report that they are
 * ready.
 */
export async function startInstallation(env: Readonly<Record<string, string>>, entry?: string): Promise<Installation> {
  const data = temporaryData();
  let eventStore = await startEventStore(data.dir, 0);
  const eventStoreUrl = (await eventStore.started).url;
  const port = Number(new URL(eventStoreUrl.replace('esdb:', 'http:')).port);
  const mongo = await startMongoServer();
  const mongoUrl = mongo.freshDatabaseUrl();
  const servers: RunningServer[] = [];
  const start = (ROLE: 'http' | 'projector' | 'worker', name: string, from = entry): RunningServer => {
    const stores = { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl, DATA_DIR: data.dir };
    const server = startServer({
      name,
      ...(from === undefined ? {} : { entry: from }),
      env: { ...stores, ROLE, LOG_LEVEL: 'info', ...env },
    });
    servers.push(server);
    return server;
  };
  const pair = (role: 'http' | 'projector' | 'worker') => [start(role, `${role} 1`), start(role, `${role} 2`)] as const;
  const projectors = pair('projector');
  const http = pair('http');
  const workers = pair('worker');
  await Promise.all(servers.map((server) => server.ready()));
  return {
    http,
    projectors,
    workers,
    eventStoreUrl,
    mongoUrl,
    async leader() {
      for (const projector of projectors) if ((await projectorState(projector)) === 'leading') return projector;
      return null;
    },
    async restartEventStore() {
      await eventStore.kill();
      eventStore = await startEventStore(data.dir, port);
    },
    startMore: (role, from) => start(role, `${role} ${servers.length}`, from),
    async stop() {
      const codes = await Promise.all(
        servers
          .filter((server) => server.state() !== 'ended')
          .map(async (server) => [server.name, await server.stop()] as const),
      );
      await mongo.close();
      await eventStore.stop();
      data.remove();
      return Object.fromEntries(codes);
    },
  };
}

async function startEventStore(dir: string, port: number): Promise<RunningProcess> {
  const server = startProcess({
    name: 'the event store',
    entry: EVENT_STORE,
    args: ['--port', String(port), '--file', join(dir, 'eventStoreDb.jsonl')],
    started: /^ready (esdb:\S+)$/m,
  });
  await server.started;
  return server;
}

/** Its readiness; null when it does not answer. */
async function projectorState(projector: RunningServer): Promise<string | null> {
  if (projector.state() !== 'running') return null;
  try {
    const { url } = await projector.started;
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    const { checks } = (await answer.json()) as { checks?: { projector?: { detail?: string } } };
    return checks?.projector?.detail ?? null;
  } catch {
    return null;
  }
}
