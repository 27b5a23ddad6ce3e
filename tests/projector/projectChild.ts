/**
 * A process that projects the log of a folder, to be killed at any point. Prints each batch on stdout; waits when it is
 * done.
 */
import { join } from 'node:path';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { runProjections } from '../../src/projector/project.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { TOYS_WITH_SUMS } from '../projections/toys.ts';

const [folder = '', mode = ''] = process.argv.slice(2);
const running = runProjections({
  store: openSqliteEventStore({ file: join(folder, 'events.db') }),
  readModels: openSqliteReadModels({ file: join(folder, 'readModels.db') }),
  projections: TOYS_WITH_SUMS,
  signal: new AbortController().signal,
  now: Date.now,
  batchSize: 20,
  onProgress: () => process.stdout.write('.'),
});
await running.ready;
if (mode === 'rebuild') await running.rebuild();
process.stdout.write('ready');
await running.done;
