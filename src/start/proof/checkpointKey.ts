/** The key that signs checkpoints of the log. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSigningKey } from '../../eventStore/verify/checkpointFile.ts';
import { type Config, ConfigError } from '../config.ts';
import { partOf } from '../partFiles.ts';
import { readKeyFile } from '../secrets/readKeyFile.ts';

const FILE = 'checkpoint-key.pem';

type KeyConfig = Pick<Config, 'CHECKPOINT_KEY_FILE' | 'DATA_DIR' | 'servers'>;

/** Null: none was created here yet, and none is configured. @throws ConfigError, BadCheckpoint, DamagedKeyFile */
export function findCheckpointKey({ CHECKPOINT_KEY_FILE: configured, DATA_DIR: dataDir }: KeyConfig): KeyObject | null {
  const file = configured ?? join(dataDir, FILE);
  const pem = readKeyFile(file);
  if (pem !== null) return readSigningKey(pem.toString('utf8'), file);
  if (configured !== undefined) throw new ConfigError([`CHECKPOINT_KEY_FILE: there is no file ${file}`]);
  return null;
}

/**
 * The configured key or, with the embedded stores, one created on first use.
 * @throws ConfigError, BadCheckpoint, DamagedKeyFile
 */
export function checkpointKeyOf(config: KeyConfig): KeyObject {
  const known = findCheckpointKey(config);
  if (known !== null) return known;
  if (config.servers)
    throw new ConfigError([
      'CHECKPOINT_KEY_FILE: is required with EVENTSTORE_URL; make one with: openssl genpkey -algorithm ed25519 -out <file>',
    ]);
  return makeKey(join(config.DATA_DIR, FILE));
}

function makeKey(file: string): KeyObject {
  mkdirSync(dirname(file), { recursive: true });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  // Atomic, even if the process is killed; a concurrent second writer uses the first one's key.
  const draft = partOf(file);
  writeFileSync(draft, pem, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSigningKey(readFileSync(file, 'utf8'), file);
}
