/**
 * The secrets that an installation keeps as files in its data folder. Nothing in the log can rebuild them, so a backup
 * takes them along.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** And whose they are, so that those of another installation are not taken for them. */
const KEY_FILES = [
  'installation-id',
  'mfa-secret',
  'share-secret',
  'checkpoint-key.pem',
  'pseudonym-key',
  'demo-admin-password',
] as const;

const present = (dataDir: string) => KEY_FILES.filter((name) => existsSync(join(dataDir, name)));

/** Names of those that hold a key. */
export const keyFilesIn = (dataDir: string): readonly string[] =>
  present(dataDir).filter((name) => name !== 'installation-id');

/**
 * Copies those that exist to a new folder, which is made only if there are any; returns their names. Both are readable
 * only by their owner.
 */
export function copyKeyFiles(dataDir: string, folder: string): readonly string[] {
  const names = present(dataDir);
  if (names.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of names)
    writeFileSync(join(folder, name), readFileSync(join(dataDir, name)), { mode: 0o600, flag: 'wx', flush: true });
  return names;
}
