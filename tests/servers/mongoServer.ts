/**
 * A real MongoDB (`mongod` 6.0.5, fetched by `scripts/fetchMongod.sh`) as a replica set, one process a member: one
 * member unless more are requested. Start one for a test file, and take a fresh database per case.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient, MongoNetworkError } from 'mongodb';
import { freePort } from '../given/product/freePort.ts';
import { MONGOD } from '../given/requirements.ts';

/** One process of the set. */
export type MongoMember = {
  readonly port: number;
  readonly pid: number;
  /** kill -9; the files stay. */
  kill(): Promise<void>;
  /** Starts it again on its files, at its address; resolves when it answers. */
  start(): Promise<void>;
};

export type MongoServer = {
  /**
   * `mongodb://127.0.0.1:PORT/`, with all members where there are several; of a secured set, with the name and password
   * of its `root`.
   */
  readonly url: string;
  /** The directory of the data; another server can be started on it. */
  readonly dir: string;
  /** Of the first member. */
  readonly pid: number;
  readonly members: readonly MongoMember[];
  /** The address of a new database. */
  freshDatabaseUrl(): string;
  /** The member that takes writes; waits until there is one. */
  primary(): Promise<MongoMember>;
  /** The primary hands over to another member, as for maintenance. */
  stepDown(): Promise<void>;
  /** kill -9 of all members; the files stay. */
  kill(): Promise<void>;
  /** Ends all members; also deletes the directory if it was created for this server. */
  close(): Promise<void>;
};

export type MongoServerOptions = {
  readonly dir?: string;
  /** Of the first member (default: any free one); lets a later server replace an earlier one. */
  readonly port?: number;
  readonly members?: number;
  /** With a key file and users: whoever has no password may do nothing. */
  readonly secured?: boolean;
};

const SET = 'rs0';
/** How long a member may take to answer, and the set to elect a primary, ms. */
const LIMIT_MS = 60_000;
const PAUSE_MS = 20;
/** Ends the server when the pipe to it closes, so that a killed test run leaves none behind. */
const KEEPER =
  'exec 3<&0; "$@" >/dev/null 2>&1 & server=$!; echo "$server"; { cat <&3 >/dev/null; kill -9 "$server"; } 2>/dev/null & wait "$server"';
/** So that an election takes about a second, and not ten. */
const ELECTION_MS = 1_000;

export async function startMongoServer({
  dir: given,
  port,
  members: count = 1,
  secured = false,
}: MongoServerOptions = {}): Promise<MongoServer> {
  if (!existsSync(MONGOD)) throw new Error(`There is no mongod: run scripts/fetchMongod.sh (looked at ${MONGOD})`);
  const dir = given ?? mkdtempSync(join(tmpdir(), 'mongod-'));
  const keyFile = secured ? writeKeyFile(dir) : null;
  const members = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      createMember({ dir: join(dir, `member${index}`), port: index === 0 && port ? port : await freePort(), keyFile }),
    ),
  );
  const addresses = members.map((member) => `127.0.0.1:${member.port}`);
  const root = secured ? { username: 'root', password: randomUUID() } : null;
  const url = `mongodb://${root ? `${root.username}:${root.password}@` : ''}${addresses.join()}/`;
  await Promise.all(members.map((member) => member.start()));
  await initiate(addresses);
  const primary = async (): Promise<Member> => {
    for (const limit = Date.now() + LIMIT_MS; ; await wait(PAUSE_MS)) {
      const found = await firstOf(members, async (member) => (await hello(member.port))?.isWritablePrimary === true);
      if (found) return found;
      if (Date.now() > limit) throw new Error('The replica set elected no primary.');
    }
  };
  await primary();
  // A member that is still copying the data cannot take over.
  for (
    const limit = Date.now() + LIMIT_MS;
    !(await everyOf(members, async ({ port }) => isInStep(await hello(port))));
    await wait(PAUSE_MS)
  )
    if (Date.now() > limit) throw new Error('A member of the replica set has not caught up.');
  if (root) await createRoot(primary, root);
  const kill = async (): Promise<void> => void (await Promise.all(members.map((member) => member.kill())));
  return {
    url,
    dir,
    get pid() {
      return members[0]?.pid ?? 0;
    },
    members,
    freshDatabaseUrl: () => `${url}t${randomUUID().replaceAll('-', '')}`,
    primary,
    async stepDown() {
      const { port: leading } = await primary();
      const command = { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 };
      await withAdmin(leading, (admin) => admin.command(command), root).catch((error: unknown) => {
        // The connection may end with the answer.
        if (!(error instanceof MongoNetworkError)) throw error;
      });
    },
    kill,
    async close() {
      await kill();
      if (!given) rmSync(dir, { recursive: true, force: true });
    },
  };
}

type Member = MongoMember & { readonly dir: string };

/** By which members know each other. */
function writeKeyFile(dir: string): string {
  const file = join(dir, 'keyfile');
  writeFileSync(file, randomBytes(256).toString('base64'), { mode: 0o400 });
  return file;
}

/**
 * The first user, whom anybody on the same machine may create while there is none. The primary may change meanwhile.
 */
async function createRoot(primary: () => Promise<Member>, root: Credentials): Promise<void> {
  for (const limit = Date.now() + LIMIT_MS; ; ) {
    const { port } = await primary();
    try {
      return void (await withAdmin(port, (admin) =>
        admin.command({ createUser: root.username, pwd: root.password, roles: ['root'] }),
      ));
    } catch (error) {
      const isThere = await withAdmin(port, (admin) => admin.command({ usersInfo: root.username }), root).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (Date.now() > limit) throw error;
      await wait(PAUSE_MS);
    }
  }
}

function createMember({
  dir,
  port,
  keyFile,
}: {
  readonly dir: string;
  readonly port: number;
  readonly keyFile: string | null;
}): Member {
  mkdirSync(dir, { recursive: true });
  let child: ChildProcess | null = null;
  let pid = 0;
  const exited = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    dir,
    port,
    get pid() {
      return pid;
    },
    async kill() {
      if (!child || child.exitCode !== null) return;
      process.kill(pid, 'SIGKILL');
      await exited();
    },
    async start() {
      const log = join(dir, 'mongod.log');
      const options = [
        '--dbpath',
        dir,
        '--port',
        String(port),
        '--replSet',
        SET,
        '--bind_ip',
        '127.0.0.1',
        '--logpath',
        log,
        '--logappend',
      ];
      const small = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128', '--nounixsocket', '--quiet'];
      const set = ['diagnosticDataCollectionEnabled=false', 'ttlMonitorEnabled=true'].flatMap((parameter) => [
        '--setParameter',
        parameter,
      ]);
      const secured = keyFile === null ? [] : ['--keyFile', keyFile];
      const started = spawn('/bin/sh', ['-c', KEEPER, 'sh', MONGOD, ...options, ...small, ...set, ...secured], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child = started;
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      pid = Number(line.toString());
      for (const limit = Date.now() + LIMIT_MS; !(await hello(port)); await wait(PAUSE_MS)) {
        if (started.exitCode !== null) throw new Error(`mongod ended before it answered; see ${log}`);
        if (Date.now() > limit) throw new Error(`mongod did not answer within ${LIMIT_MS} ms; see ${log}`);
      }
    },
  };
}

const everyOf = async <T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(all.map(holds))).every(Boolean);

async function firstOf<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T | undefined> {
  const answers = await Promise.all(all.map(holds));
  return all.find((_, index) => answers[index]);
}

type Credentials = { readonly username: string; readonly password: string };

async function withAdmin<T>(
  port: number,
  use: (admin: ReturnType<MongoClient['db']>) => Promise<T>,
  auth: Credentials | null = null,
): Promise<T> {
  const limits = {
    serverSelectionTimeoutMS: 500,
    connectTimeoutMS: 500,
    socketTimeoutMS: 15_000,
    directConnection: true,
    ...(auth ? { auth } : {}),
  };
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, limits);
  try {
    return await use(client.db('admin'));
  } finally {
    await client.close();
  }
}

type Hello = { readonly isWritablePrimary?: boolean; readonly secondary?: boolean; readonly setName?: string };

const isInStep = (answer: Hello | null): boolean => answer?.isWritablePrimary === true || answer?.secondary === true;

/** Null while it does not answer. */
const hello = (port: number): Promise<Hello | null> =>
  withAdmin(port, (admin) => admin.command({ hello: 1 })).catch(() => null);

/** Once: the configuration is kept with the data. */
async function initiate(addresses: readonly string[]): Promise<void> {
  const port = Number(addresses[0]?.split(':')[1]);
  if (await firstOf(addresses, async (address) => (await hello(Number(address.split(':')[1])))?.setName !== undefined))
    return;
  const members = addresses.map((host, _id) => ({ _id, host }));
  await withAdmin(port, (admin) =>
    admin.command({ replSetInitiate: { _id: SET, members, settings: { electionTimeoutMillis: ELECTION_MS } } }),
  );
}
