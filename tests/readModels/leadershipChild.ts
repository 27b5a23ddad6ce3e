/**
 * A process that contends for a lease on MongoDB and keeps writing while it leads; a test kills and pauses it. Prints
 * to stdout `standby`, `leading TOKEN` and `ended`; a line `pause` on stdin makes it stop as by SIGSTOP after the
 * current write.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { whileLeading } from '../../src/readModels/leadership.ts';
import { createMongoLeases } from '../../src/readModels/mongo/coordination/mongoLeases.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';

const [url = ''] = process.argv.slice(2);
/** Often enough to catch a process that must not write. */
const WRITE_EVERY_MS = 20;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const connection = await connectMongo({ url });
const written = connection.db.collection('written');
const stopping = new AbortController();
let pausing = false;
process.once('SIGTERM', () => stopping.abort());
process.stdin.on('data', (text: Buffer) => {
  if (text.toString().includes('pause')) pausing = true;
});
// The test that started it has ended.
process.stdin.on('end', () => process.exit(1));

const leadership = whileLeading(
  { leases: createMongoLeases(connection), name: 'projector', owner: randomUUID(), signal: stopping.signal },
  async (signal, held) => {
    const token = leadership.token();
    say(`leading ${token}`);
    while (!signal.aborted) {
      if (held()) await written.insertOne({ token });
      if (pausing) {
        pausing = false;
        process.kill(process.pid, 'SIGSTOP');
      }
      await sleep(WRITE_EVERY_MS);
    }
    say('ended');
  },
);
say('standby');
await leadership.done;
await connection.close();
process.exit(0);
