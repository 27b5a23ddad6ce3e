/**
 * A process of its own on an event store file, for tests that kill it: `sqliteProcess.ts <file> hold|write`. `hold`
 * opens the file and stays. `write` appends without end, and prints each acknowledged event on stdout: `a <stream>
 * <revision> <event id>`.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const [, , file = '', mode] = process.argv;
const WRITERS = 8;

try {
  await main();
} catch (error) {
  say(`error ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`);
  process.exitCode = 3;
}

async function main(): Promise<void> {
  const store = openSqliteEventStore({ file, lockTimeoutMs: 50 });
  say('open');
  if (mode === 'hold') {
    setInterval(() => undefined, 60_000);
    return;
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  async function write(writer: number): Promise<void> {
    const stream = `writer-${writer}`;
    const read = await store.read(stream, { direction: 'backward', limit: 1 });
    let revision = read.status === 'found' ? read.revision : null;
    for (;;) {
      const events = Array.from({ length: 1 + (writer % 3) }, () => ({
        id: randomUUID(),
        type: 'Written',
        data: { writer, text: 'x'.repeat(writer * 700) },
        metadata: metadataAt('2026-01-01T00:00:00.000Z'),
      }));
      const first = revision === null ? 0n : revision + 1n;
      const result = await store.append(stream, events, { expected: revision ?? 'no_stream' });
      say(events.map((event, index) => `a ${stream} ${first + BigInt(index)} ${event.id}`).join('\n'));
      revision = result.revision;
    }
  }
}

/** Written synchronously, so that the output is in the pipe when the process is killed. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The pipe is full until the reader has caught up.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
