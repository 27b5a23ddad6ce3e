/**
 * The key files of a start, checked before anything is opened: a damaged one ends it with one line, and nothing has to
 * be closed again.
 */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { demoPassword } from '../demo.ts';
import { findCheckpointKey } from '../proof/checkpointKey.ts';
import { MFA_FILE, WITHOUT_MFA_SECRET } from './mfaSecret.ts';
import { PSEUDONYM_FILE, WITHOUT_PSEUDONYM_SECRET } from './pseudonymSecret.ts';
import { SHARE_FILE, soundSecret, WITHOUT_SHARE_SECRET } from './shareSecret.ts';

type KeyConfig = Pick<
  Config,
  'DATA_DIR' | 'servers' | 'demo' | 'SHARE_SECRET' | 'MFA_SECRET' | 'PSEUDONYM_SECRET' | 'CHECKPOINT_KEY_FILE'
>;

/**
 * Only those that are there, and in use: a secret that is set instead makes its file irrelevant.
 * @throws DamagedKeyFile, BadCheckpoint, ConfigError
 */
export function checkKeyFiles(config: KeyConfig): void {
  const { DATA_DIR, servers, demo, SHARE_SECRET, MFA_SECRET, PSEUDONYM_SECRET, CHECKPOINT_KEY_FILE } = config;
  if (demo) demoPassword(DATA_DIR);
  if (!servers && SHARE_SECRET === undefined) soundSecret(join(DATA_DIR, SHARE_FILE), WITHOUT_SHARE_SECRET);
  if (!servers && MFA_SECRET === undefined) soundSecret(join(DATA_DIR, MFA_FILE), WITHOUT_MFA_SECRET);
  if (!servers && PSEUDONYM_SECRET === undefined) soundSecret(join(DATA_DIR, PSEUDONYM_FILE), WITHOUT_PSEUDONYM_SECRET);
  if (!servers || CHECKPOINT_KEY_FILE !== undefined) findCheckpointKey(config);
}
