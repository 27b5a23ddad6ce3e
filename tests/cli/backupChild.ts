/**
 * The server side of a backup, in its own process: owns the log of the data folder, keeps writing to it, and copies it
 * on request. Prints `open`, then each acknowledged revision. With `hold` as the second argument, it does not write.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { answerRequests, backupHandler } from '../../src/eventStore/folderRequests.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { metadataAt } from '../given/stores/metadata.ts';

const [, , dataDir = '', mode = 'write'] = process.argv;
const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
await answerRequests(
  dataDir,
  backupHandler((target) => store.backup(target)),
);
writeSync(1, 'open\n');
setInterval(() => undefined, 60_000);
let expected: bigint | 'no_stream' = 'no_stream';
while (mode === 'write') {
  const event = {
    id: randomUUID(),
    type: 'ThingWritten',
    data: { text: 'x'.repeat(3_000) },
    metadata: metadataAt('2026-01-01T00:00:00.000Z'),
  };
  const { revision } = await store.append('written-1', [event], { expected });
  expected = revision;
  writeSync(1, `${revision}\n`);
}
