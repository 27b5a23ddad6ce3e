/**
 * FerretDB 1.24 on SQLite, in its own process, with MongoDB's wire protocol: commands, indexes, guarded upserts, findAndModify,
 * bulk writes (an unordered one stops at its first refused update, unlike MongoDB's). It has no replica set: no change streams,
 * no transactions. Start one for a test file, and take a fresh database per case.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FERRETDB } from '../given/requirements.ts';

export type FerretDb = {
  /** `mongodb://127.0.0.1:PORT/` */
  readonly url: string;
  /** The directory of the databases; another server can be started on it. */
  readonly dir: string;
  readonly pid: number;
  /** The address of a new database. */
  freshDatabaseUrl(): string;
  /** kill -9; the files stay. */
  kill(): Promise<void>;
  /** SIGTERM; also deletes the directory if it was created for this server. */
  close(): Promise<void>;
};

/** `dir` keeps the databases between servers; `port` (default: any free one) lets a later server replace an earlier one. */
export async function startFerretDb(options: { readonly dir?: string; readonly port?: number } = {}): Promise<FerretDb> {
  if (!existsSync(FERRETDB)) throw new Error(`FerretDB is not built: run scripts/buildFerretDb.sh (looked at ${FERRETDB})`);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'ferretdb-'));
  // The server exits when this pipe closes, so that a killed test run leaves none behind.
  // Most allocations are short-lived: with Go's default, garbage collection takes an eighth of the time.
  const env = { ...process.env, GOGC: '400' };
  const child = spawn(FERRETDB, ['--dir', dir, '--port', String(options.port ?? 0)], { stdio: ['pipe', 'pipe', 'pipe'], env });
  let asked = false;
  const end = (signal: NodeJS.Signals): void => {
    asked = true;
    child.kill(signal);
  };
  const url = await readyLine(child);
  // Otherwise its exit looks like a client error.
  child.once('exit', (code, signal) => {
    if (!asked) process.stderr.write(`FerretDB ended by itself (${signal ?? code})\n`);
  });
  const ended = (): Promise<unknown> => (child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit'));
  return {
    url,
    dir,
    pid: child.pid ?? 0,
    freshDatabaseUrl: () => `${url}t${randomUUID().replaceAll('-', '')}`,
    async kill() {
      end('SIGKILL');
      await ended();
    },
    async close() {
      end('SIGTERM');
      await ended();
      if (!options.dir) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const url = /^ready (\S+)$/m.exec(text)?.[1];
      if (url) resolve(url);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`FerretDB ended with ${code} before it was ready:\n${text}`)));
  });
}
