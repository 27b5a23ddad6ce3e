/** The built server as a user starts it: a process of its own on free ports and a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

export type BuiltServer = {
  readonly url: string;
  readonly demoSite: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly process: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
};

export function temporaryData(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'seo-workbench-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Resolves when the server has printed where it listens. */
export async function startBuiltServer(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<BuiltServer> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DEMO_PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A run that is broken off leaves no server behind.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      if (/SEO Workbench\s+http/.test(text) && text.includes('events and read models')) resolve();
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready:\n${text}`)));
  });
  await ready;
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const exited = (): Promise<number | null> =>
    child.exitCode !== null || child.signalCode !== null ? Promise.resolve(child.exitCode) : once(child, 'exit').then(([code]) => code as number | null);
  return {
    url: find(/SEO Workbench\s+(\S+)/),
    demoSite: find(/Demo site\s+(\S+)/),
    admin: { email: find(/Demo admin\s+(\S+)/), password: find(/password (\S+)/) },
    process: child,
    output: () => text,
    async stop() {
      child.kill('SIGTERM');
      return exited();
    },
    async kill() {
      child.kill('SIGKILL');
      await exited();
    },
  };
}
