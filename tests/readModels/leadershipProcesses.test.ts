/** Two processes and one lease, with the time to live of production: `kill -9`, SIGSTOP and SIGTERM of the leader. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bundled } from '../given/bundled.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { type MongoServer, startMongoServer } from '../servers/mongoServer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TAKEOVER_MS = 15_000;

type Process = {
  readonly child: ChildProcess;
  readonly said: () => readonly string[];
  says(line: string): Promise<void>;
};

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('two processes and one lease', () => {
  let server: MongoServer;
  let client: MongoClient;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await client?.close();
    await server?.close();
  });

  async function start(url: string): Promise<Process> {
    const child = spawn(
      process.execPath,
      [bundled(fileURLToPath(new URL('leadershipChild.ts', import.meta.url))), url],
      {
        cwd: root,
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    let text = '';
    const waiting = new Set<() => void>();
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const look of waiting) look();
    });
    const said = (): string[] => text.split('\n').slice(0, -1);
    const one: Process = {
      child,
      said,
      says: (line) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (said().includes(line)) resolve();
          };
          waiting.add(look);
          look();
        }),
    };
    await one.says('standby');
    return one;
  }

  async function pair(): Promise<{
    leader: Process;
    standby: Process;
    writtenWith: (token: number) => Promise<number>;
  }> {
    const url = server.freshDatabaseUrl();
    const leader = await start(url);
    await leader.says('leading 1');
    const standby = await start(url);
    const written = client.db(new URL(url).pathname.slice(1)).collection('written');
    return { leader, standby, writtenWith: (token) => written.countDocuments({ token }) };
  }

  it.concurrent('if the leader is killed, the other leads within 15 s', async ({ expect }) => {
    const { leader, standby, writtenWith } = await pair();
    const killedAt = performance.now();
    leader.child.kill('SIGKILL');
    await standby.says('leading 2');
    expect(performance.now() - killedAt).toBeLessThan(TAKEOVER_MS);
    await until(async () => (await writtenWith(2)) > 3);
    standby.child.kill('SIGKILL');
  });

  it.concurrent('a leader that is paused until the other leads writes nothing more and stands by', async ({
    expect,
  }) => {
    const { leader, standby, writtenWith } = await pair();
    await until(async () => (await writtenWith(1)) > 3);
    leader.child.stdin?.write('pause\n');
    await standby.says('leading 2');
    const written = await writtenWith(1);
    expect(written).toBeGreaterThan(3);
    leader.child.kill('SIGCONT');
    await leader.says('ended');
    await until(async () => (await writtenWith(2)) > 3);
    expect(await writtenWith(1)).toBe(written);
    expect(standby.said()).not.toContain('ended');
    // It is a normal standby: when the other exits, it leads again, with a new token.
    standby.child.kill('SIGTERM');
    await leader.says('leading 3');
    expect(standby.said()).toContain('ended');
    leader.child.kill('SIGKILL');
  });

  it.concurrent('if the leader gets SIGTERM, the other leads at its next poll', async ({ expect }) => {
    const { leader, standby } = await pair();
    const toldAt = performance.now();
    leader.child.kill('SIGTERM');
    const [code] = await once(leader.child, 'exit');
    expect(code).toBe(0);
    await standby.says('leading 2');
    expect(performance.now() - toldAt).toBeLessThan(5_000);
    standby.child.kill('SIGKILL');
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
