/** The installation's secret for shared links, kept outside the event log: a copy of the log opens no link. */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOf } from '../partFiles.ts';
import { DamagedKeyFile, readKeyFile } from './readKeyFile.ts';

export const SHARE_FILE = 'share-secret';
export const WITHOUT_SHARE_SECRET = 'links that exist go on working.';

/**
 * The configured secret; otherwise, with the embedded stores, one generated once and kept in the data folder; otherwise
 * one for the lifetime of this process, whose links keep working but are shown in full only until it ends.
 */
export function shareSecretOf(config: {
  readonly SHARE_SECRET?: string | undefined;
  readonly DATA_DIR: string;
  readonly servers: object | null;
}): string {
  if (config.SHARE_SECRET !== undefined) return config.SHARE_SECRET;
  return config.servers ? newSecret() : keptSecret(join(config.DATA_DIR, SHARE_FILE), WITHOUT_SHARE_SECRET);
}

/** Generated once. `without`: the consequence for an installation that loses it. @throws DamagedKeyFile */
export function keptSecret(file: string, without: string): string {
  const known = soundSecret(file, without);
  if (known !== null) return known;
  // Atomic, even if the process is killed; a concurrent second writer uses the first one's secret.
  const draft = partOf(file);
  writeFileSync(draft, `${newSecret()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = soundSecret(file, without);
  if (kept === null) throw new DamagedKeyFile(`${file} was removed while it was being made. Start again.`);
  return kept;
}

/** Null: there is no such file. `without`: as for `keptSecret`. @throws DamagedKeyFile when it holds no secret */
export function soundSecret(file: string, without: string): string | null {
  const secret = readSecret(file);
  if (secret !== null || !existsSync(file)) return secret;
  throw new DamagedKeyFile(
    `${file} holds no secret. Put it back from a backup, or remove it to have a new one made; ${without}`,
  );
}

/** Long enough, and text: what a disk leaves of a lost file is often zeros, which anybody could guess. */
const SECRET = /^(?:\P{Cc}|[\r\n\t]){32,}$/u;

/** Null: the file does not exist, or holds no secret. @throws DamagedKeyFile when it cannot be read */
export function readSecret(file: string): string | null {
  const bytes = readKeyFile(file);
  const text = bytes !== null && isUtf8(bytes) ? bytes.toString('utf8').trim() : '';
  return SECRET.test(text) ? text : null;
}

const newSecret = (): string => randomBytes(32).toString('base64url');
