/**
 * A copy of a log in a process of its own, for tests that kill it: prints a line for each append requested and each
 * completed, and its result.
 */
import { writeSync } from 'node:fs';
import { copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';

const [, , from = '', to = ''] = process.argv;
const source = openSqliteEventStore({ file: from });
const target = openSqliteEventStore({ file: to });
const telling: EventStore = Object.assign(Object.create(target) as EventStore, {
  async append(...input: Parameters<EventStore['append']>) {
    say(`asked ${input[0]}`);
    const written = await target.append(...input);
    say(`appended ${written.position}`);
    return written;
  },
});
const { copied } = await copyLog({ from: source, to: telling });
await target.close();
await source.close();
say(`copied ${copied}`);

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
