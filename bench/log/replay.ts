/** Reading the whole log in order, parsed, against raw pages of rows and JSON.parse. */
import { join } from 'node:path';
import { type Position, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { fill, jobStreams } from '../events.ts';
import { compare, type Figure, rateRow, timed } from '../measure.ts';
import { openRawLog } from './rawLog.ts';

export const replay: Figure = {
  name: 'replay',
  async measure({ rounds, dir, full }) {
    const count = full ? 1_000_000 : 50_000;
    const store = openSqliteEventStore({ file: join(dir, 'replay-ours.db') });
    const raw = openRawLog(join(dir, 'replay-raw.db'));
    await fill(store, count);
    for (const { stream, events } of jobStreams(count)) raw.appendGroup(events.map((event) => ({ stream, event })));
    let peak = 0;
    const compared = await compare(
      rounds,
      async () => {
        let read = 0;
        const took = await timed(async () => {
          for (let after: Position = START; ; ) {
            const page = await store.readAll({ after, limit: 500 });
            read += page.events.length;
            after = page.next;
            peak = Math.max(peak, process.memoryUsage.rss());
            if (page.end) return;
          }
        });
        if (read !== count) throw new Error(`Read ${read} of ${count} events.`);
        return (read * 1000) / took;
      },
      async () => {
        let read = 0;
        const took = await timed(() => {
          read = raw.replay();
        });
        if (read !== count) throw new Error(`Read ${read} of ${count} raw events.`);
        return (read * 1000) / took;
      },
    );
    await store.close();
    raw.close();
    const megabytes = Math.round(peak / 1e6);
    return [
      rateRow(`read ${count.toLocaleString('en-US')} events in order and parse them`, compared, 0.75),
      { what: 'the same: memory of the whole process', ours: `${megabytes} MB`, limit: '–', ratio: null, goal: '< 200 MB for 10^6', met: megabytes < 200 },
    ];
  },
};
