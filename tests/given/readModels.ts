import type { ReadModels } from '../../src/readModels/readModels.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite.ts';

/** Read models in memory: the same adapter as in production, gone with the test. */
export function memoryReadModels(): ReadModels {
  return openSqliteReadModels({ file: ':memory:' });
}
