/** The installation's secret for shared links, kept outside the event log: a copy of the log opens no link. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'share-secret';

/**
 * The configured secret; otherwise, with the embedded stores, one generated once and kept in the data folder; otherwise one for the lifetime of this process,
 * whose links keep working but are shown in full only until it ends.
 */
export function shareSecretOf(config: { readonly SHARE_SECRET?: string | undefined; readonly DATA_DIR: string; readonly servers: object | null }): string {
  if (config.SHARE_SECRET !== undefined) return config.SHARE_SECRET;
  return config.servers ? newSecret() : keptSecret(join(config.DATA_DIR, FILE), 'links that exist go on working.');
}

/** Generated once. `without`: the consequence for an installation that loses it. */
export function keptSecret(file: string, without: string): string {
  const known = readSecret(file);
  if (known !== null) return known;
  // Atomic, even if the process is killed; a concurrent second writer uses the first one's secret.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${newSecret()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readSecret(file);
  if (kept === null) throw new Error(`${file} holds no secret. Remove it to have a new one made; ${without}`);
  return kept;
}

/** Null: the file does not exist, or its content is too short for a secret. */
export function readSecret(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text.length >= 32 ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');
