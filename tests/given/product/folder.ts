/**
 * A data folder of the embedded stores, started and stopped in this process as a server does it, without serving
 * anything.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { signUp } from '../../../src/commands/account/signUp.ts';
import type { Config } from '../../../src/start/config.ts';
import { openStores, type Stores } from '../../../src/start/openStores.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { product } from '../commands.ts';
import { projecting } from '../stores/projections.ts';

export type StartSettings = Partial<Pick<Config, 'servers' | 'BEGIN_ANEW' | 'SHARE_SECRET' | 'MFA_SECRET'>>;

export type Folder = {
  readonly dir: string;
  path(name: string): string;
  /** A start of the server up to its stores, what it does in them, and its end; null: it was refused. */
  start<T>(
    settings?: StartSettings,
    use?: (stores: Stores) => Promise<T>,
  ): Promise<{ readonly id: string | null; readonly did: T | undefined }>;
  /** What a refused start says. */
  refusal(settings?: StartSettings): Promise<string>;
  /** The lines on the console of the latest start. */
  said(): readonly string[];
  /** Names of everything in it. */
  files(): readonly string[];
  read(name: string): string;
  /** A copy of one file or the whole folder elsewhere. */
  copy(name: string, target: string): void;
  remove(): void;
};

export function dataFolder(given?: string): Folder {
  const dir = given ?? mkdtempSync(join(tmpdir(), 'installation-'));
  const path = (name: string): string => join(dir, name);
  let lines: string[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push((JSON.parse(line) as { readonly msg: string }).msg) },
  );
  const folder: Folder = {
    dir,
    path,
    said: () => lines,
    start: async (settings = {}, use = async () => undefined as never) => {
      lines = [];
      const stores = await openStores({ servers: null, DATA_DIR: dir, ...settings }, log, { isStart: true });
      try {
        return { id: stores.installationId, did: await use(stores) };
      } finally {
        await stores.close();
      }
    },
    refusal: (settings) =>
      folder.start(settings).then(
        ({ id }) => {
          throw new Error(`It was not refused: ${id}`);
        },
        (error: unknown) => {
          if (error instanceof Error && 'code' in error) return error.message;
          throw error;
        },
      ),
    files: () => readdirSync(dir).sort(),
    read: (name) => readFileSync(path(name), 'utf8').trim(),
    copy: (name, target) => cpSync(path(name), target, { recursive: true }),
    remove: () => {
      if (existsSync(dir)) rmSync(dir, { recursive: true, force: true });
    },
  };
  return folder;
}

/** Signs somebody up and brings the read models up to date. */
export const withAccount =
  (email = 'ann@example.com') =>
  async ({ store, readModels }: Stores): Promise<void> => {
    await signUp(product(store).context(email), { email, name: 'Ann', passwordHash: 'hash' });
    await projectAll({ store, readModels });
  };

export async function projectAll({ store, readModels }: Pick<Stores, 'store' | 'readModels'>): Promise<void> {
  const running = projecting(store, readModels, READ_MODELS);
  await running.ready;
  await running.stop();
}

/** The emails of all accounts in the read models. */
export async function accountsIn({ readModels }: Pick<Stores, 'readModels'>): Promise<readonly string[]> {
  if ((await readModels.serving('accounts')) === null) return [];
  const { documents } = await readModels.find<{ readonly email: string }>('accounts', {});
  return documents.map(({ data }) => data.email);
}

/** The same once the read models are up to date. */
export async function rebuiltAccounts(stores: Pick<Stores, 'store' | 'readModels'>): Promise<readonly string[]> {
  await projectAll(stores);
  return accountsIn(stores);
}
