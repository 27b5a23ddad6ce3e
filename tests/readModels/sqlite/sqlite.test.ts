import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { describeReadModels } from '../../contract/readModels.ts';

describeReadModels('SQLite read models', async (options = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const file = join(folder, 'readModels.db');
  let readModels = openSqliteReadModels({ file, ...options });
  return {
    readModels,
    reopen: async () => {
      await readModels.close();
      readModels = openSqliteReadModels({ file, ...options });
      return readModels;
    },
    dispose: async () => {
      await readModels.close();
      rmSync(folder, { recursive: true });
    },
  };
});
