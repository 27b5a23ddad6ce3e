/**
 * Where else than in its log an installation is named: in a file of its own beside the key files, in the record of the
 * last backup, in the read models.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreUnavailable } from '../../eventStore/eventStore.ts';
import { type ReadModelsIdentity, UNNAMED } from '../../readModels/identity.ts';
import { lastBackupFile, readBackupRecord } from '../monitor/lastBackup.ts';
import { partOf } from '../partFiles.ts';

export type Place = Pick<ReadModelsIdentity, 'read' | 'moveAside'> & {
  /** Read models alone hold some. */
  readonly accounts?: ReadModelsIdentity['accounts'];
  /** As it is called in a refusal. */
  readonly name: string;
};

const FILE = 'installation-id';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const identityFileOf = (dataDir: string): string => join(dataDir, FILE);

/**
 * Null: there is none, or its folder is not ours to look into.
 * @throws StoreUnavailable when it is there and cannot be read, or names no installation
 */
export function readIdentityFile(file: string): string | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!existsSync(file)) return null;
    throw new StoreUnavailable(`${file} cannot be read (${isNodeError(error) ? error.code : String(error)}).`);
  }
  if (ID.test(text)) return text;
  throw new StoreUnavailable(
    `${file} is damaged: it holds no id of an installation. Remove it: the next start writes it again, if all else agrees.`,
  );
}

/**
 * Whole or not at all, even if the process is killed. A second writer at the same time writes the same.
 * @throws the file system's error
 */
export function writeIdentityFile(file: string, id: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = partOf(file);
  try {
    writeFileSync(draft, `${id}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** In the order in which a refusal names them. */
export function placesOf(dataDir: string, readModels: Place | null): readonly Place[] {
  return [filePlace(identityFileOf(dataDir)), backupPlace(dataDir), ...(readModels ? [readModels] : [])];
}

function filePlace(file: string): Place {
  return {
    name: file,
    read: async () => readIdentityFile(file),
    moveAside: async (id) => {
      if (readIdentityFile(file) === id) rmSync(file, { force: true });
    },
  };
}

/** Kept when it is given up: it says that there are backups of that installation. */
function backupPlace(dataDir: string): Place {
  const file = lastBackupFile(dataDir);
  const read = async (): Promise<string | null> => {
    const last = readBackupRecord(dataDir);
    if (last === 'unreadable') return UNNAMED;
    return last && (last.installationId ?? (last.events > 0 ? UNNAMED : null));
  };
  return {
    name: file,
    read,
    moveAside: async (id) => {
      if ((await read()) !== id) return;
      // Of several, the newest one counts.
      renameSync(file, `${file}.${id}`);
    },
  };
}

const isNodeError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;
