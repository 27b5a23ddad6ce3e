/** The built server as a process that may be killed at any moment, its start included. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The build that `npm start` runs. */
export const BUILT_SERVER = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

export type Victim = {
  /** Its address and how long the start took, ms; rejects when it ends before it was ready. */
  readonly ready: Promise<{ readonly url: string; readonly startMs: number }>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
};

export type VictimOptions = { readonly dataDir: string; readonly allowHosts: string /** Its entry file. */; readonly server: string };

export function startVictim({ dataDir, allowHosts, server }: VictimOptions): Victim {
  const from = performance.now();
  const child = spawn(process.execPath, [server], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: dataDir,
      DEMO: 'false',
      LOG_LEVEL: 'error',
      FREE_ANALYSES_PER_MONTH: '100000',
      AUDIT_ALLOW_HOSTS: allowHosts,
      AUDIT_THREADS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  // Nobody would stop it when this process ends before the loop does.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  void exited.then(() => process.off('exit', end));
  let text = '';
  const ready = new Promise<{ url: string; startMs: number }>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-20_000);
      const url = /SEO Workbench\s+(http:\/\/\S+)/.exec(text)?.[1];
      if (url) resolve({ url, startMs: performance.now() - from });
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The server ended (${code ?? signal}) before it was ready:\n${text}`)));
  });
  // A kill during the start is part of the game.
  ready.catch(() => undefined);
  return {
    ready,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
