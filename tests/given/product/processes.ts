/**
 * Processes that tests start, kill, pause, resume and stop: the built server in a role, a store's server, or any other
 * entry file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundled } from '../bundled.ts';

/** The build that `npm start` runs. */
export const BUILT_SERVER = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
/** A built program of `src/cli`: from source, each start would compile hundreds of files. */
export const builtProgram = (name: string): string =>
  fileURLToPath(new URL(`../../../dist/src/cli/${name}.js`, import.meta.url));
/** What a parser thread runs. */
export const BUILT_PARSER = new URL('../../../dist/src/audit/facts/parse/parserWorker.js', import.meta.url);
/** The server's address in its banner. */
const BANNER = /SEO Workbench\s+(http:\/\/\S+)\s/;

type ProcessOptions = {
  /** Its name in errors. */
  readonly name: string;
  /** Entry file; one that ends in `.ts` is bundled first. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** Its whole environment except PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Matches stdout once it has started; the first group is its address. */
  readonly started: RegExp;
};

export type RunningProcess = {
  readonly name: string;
  readonly child: ChildProcess;
  /** Its printed address, and how long that took, ms. Rejects if it exits first. */
  readonly started: Promise<{ readonly url: string; readonly ms: number }>;
  readonly state: () => 'running' | 'paused' | 'ended';
  /** Everything it printed so far on both channels (the newest megabyte). */
  readonly output: () => string;
  readonly stderr: () => string;
  /** SIGSTOP: its sockets stay open without answers. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /**
   * SIGTERM (resumes it if paused); resolves with the exit code, or null if it had to be killed after `timeoutMs`
   * (default 30,000).
   */
  stop(timeoutMs?: number): Promise<number | null>;
};

export type ServerOptions = {
  readonly name?: string;
  /** Default: the build. */
  readonly entry?: string;
  /** PORT is 0 unless given. */
  readonly env: Readonly<Record<string, string>>;
};

export type RunningServer = RunningProcess & {
  /**
   * Resolves with its address when /readyz reports ready.
   * @throws when it exits or stays unready for `timeoutMs` (default 30,000)
   */
  ready(timeoutMs?: number): Promise<string>;
};

/** A data folder that no other process has: each belongs to one installation. */
export const ownFolder = (): string => join(tmpdir(), `seo-workbench-${randomUUID()}`);

const KEPT_OUTPUT = 1024 * 1024;

export function startProcess({ name, entry, args = [], env = {}, started }: ProcessOptions): RunningProcess {
  const from = performance.now();
  const file = entry.endsWith('.ts') ? bundled(entry) : entry;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  // An aborted run leaves nothing behind.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let state: 'running' | 'paused' | 'ended' = 'running';
  child.once('exit', () => {
    state = 'ended';
    process.off('exit', end);
  });
  let output = '';
  let stderr = '';
  const up = new Promise<{ url: string; ms: number }>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
      const url = started.exec(output)?.[1];
      if (url) resolve({ url, ms: performance.now() - from });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
      stderr = (stderr + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
    });
    child.once('error', reject);
    // Not `exit`: its last output may still be in the pipes then.
    child.once('close', (code, signal) =>
      reject(new Error(`${name} ended with ${code ?? signal} before it was ready:\n${output}`)),
    );
  });
  // A kill during the start is not a separate error.
  up.catch(() => undefined);
  return {
    name,
    child,
    started: up,
    state: () => state,
    output: () => output,
    stderr: () => stderr,
    pause() {
      if (state === 'running' && child.kill('SIGSTOP')) state = 'paused';
    },
    resume() {
      if (state === 'paused' && child.kill('SIGCONT')) state = 'running';
    },
    async kill() {
      if (state === 'ended') return;
      child.kill('SIGKILL');
      await exited;
    },
    async stop(timeoutMs = 30_000) {
      if (state !== 'ended') child.kill('SIGTERM');
      if (state === 'paused') child.kill('SIGCONT');
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const [code] = (await exited) as [number | null];
      clearTimeout(timer);
      return code;
    },
  };
}

/** The product as a separate process, in the role set in its environment. */
export function startServer({ name, entry = BUILT_SERVER, env }: ServerOptions): RunningServer {
  const title = name ?? (env.ROLE ? `the ${env.ROLE} process` : 'the server');
  const running = startProcess({
    name: title,
    entry,
    env: { PORT: '0', DATA_DIR: ownFolder(), ...env },
    started: BANNER,
  });
  return {
    ...running,
    async ready(timeoutMs = 30_000) {
      const limit = Date.now() + timeoutMs;
      const { url } = await running.started;
      let pauseMs = 50;
      for (let said = 'nothing'; ; ) {
        try {
          const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
          if (answer.ok) return url;
          said = `${answer.status} ${await answer.text()}`;
        } catch (error) {
          said = String(error);
        }
        if (running.state() === 'ended') throw new Error(`${title} ended before it was ready:\n${running.output()}`);
        if (Date.now() > limit)
          throw new Error(`${title} was not ready within ${timeoutMs} ms, /readyz said ${said}:\n${running.output()}`);
        await wait(pauseMs);
        // Each answer costs its stores some queries, which slow down a server that is catching up.
        pauseMs = Math.min(1_000, pauseMs * 1.1);
      }
    },
  };
}
