/** When the embedded log was last backed up: `npm run backup` records it in the data folder. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { LastBackup } from '../../http/deps/system.ts';

/** `installationId`: whose log it was. */
const LastBackupFile = z.object({
  at: z.iso.datetime(),
  events: z.int(),
  bytes: z.int(),
  installationId: z.string().min(1).optional(),
});
type LastBackupFile = z.infer<typeof LastBackupFile>;

export const lastBackupFile = (dataDir: string): string => join(dataDir, 'last-backup.json');

/** Null: no known backup. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return LastBackupFile.parse(JSON.parse(await readFile(lastBackupFile(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** What was recorded, for a start; null: nothing. A record that cannot be read still says that there was a backup. */
export function readBackupRecord(dataDir: string): LastBackupFile | 'unreadable' | null {
  const file = lastBackupFile(dataDir);
  try {
    return LastBackupFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return existsSync(file) ? 'unreadable' : null;
  }
}
