import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';

/** Read models in memory: the same adapter as in production, discarded after the test. */
export function memoryReadModels(): SqliteReadModels {
  return openSqliteReadModels({ file: ':memory:' });
}
