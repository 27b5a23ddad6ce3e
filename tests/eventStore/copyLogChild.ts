/** A copy of a log in a process of its own, for tests that kill it: says a line for each append, and what it ended with. */
import { writeSync } from 'node:fs';
import { copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite.ts';

const [, , from = '', to = ''] = process.argv;
const source = openSqliteEventStore({ file: from, now: Date.now });
const target = openSqliteEventStore({ file: to, now: Date.now });
const telling: EventStore = Object.assign(Object.create(target) as EventStore, {
  async append(...input: Parameters<EventStore['append']>) {
    const written = await target.append(...input);
    writeSync(1, `appended ${written.position}\n`);
    return written;
  },
});
const { copied } = await copyLog({ from: source, to: telling });
await target.close();
await source.close();
writeSync(1, `copied ${copied}\n`);
