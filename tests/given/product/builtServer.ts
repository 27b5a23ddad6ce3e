/** The built server as a user starts it: a separate process on free ports with its own data folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProcess, startServer } from './processes.ts';

export type BuiltServer = Pick<RunningProcess, 'output' | 'stop' | 'kill'> & {
  readonly url: string;
  readonly demoSite: string;
  readonly admin: { readonly email: string; readonly password: string };
};

export function temporaryData(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'seo-workbench-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Resolves when the server has printed where it listens. `entry`: of another version. */
export async function startBuiltServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<BuiltServer> {
  const server = startServer({
    ...(entry === undefined ? {} : { entry }),
    env: { DEMO_PORT: '0', DATA_DIR: dataDir, ...env },
  });
  const url = await server.ready();
  const find = (pattern: RegExp): string => pattern.exec(server.output())?.[1] ?? '';
  return {
    url,
    demoSite: find(/Demo site\s+(\S+)/),
    admin: { email: find(/Demo admin\s+(\S+)/), password: find(/password (\S+)/) },
    output: server.output,
    stop: server.stop,
    kill: server.kill,
  };
}
