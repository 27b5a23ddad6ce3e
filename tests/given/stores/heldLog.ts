/** A log that is open here, as a running server has it open, beside programs that run in processes of their own. */
import { join } from 'node:path';
import { answerRequests, backupHandler } from '../../../src/eventStore/folderRequests.ts';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';

export type HeldLog = { readonly close: () => Promise<void> };

/** Owns the log of the data folder, and copies it on request. */
export async function holdLog(dataDir: string): Promise<HeldLog> {
  const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
  const answering = await answerRequests(
    dataDir,
    backupHandler((target) => store.backup(target)),
  );
  return {
    async close() {
      await answering.close();
      await store.close();
    },
  };
}
