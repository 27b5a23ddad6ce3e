/** Reading the whole log in order, parsed, against raw pages of rows and JSON.parse. */
import { join } from 'node:path';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { startChild } from '../child.ts';
import { fill, jobStreams } from '../events.ts';
import { compare, type Figure, rateRow, timed } from '../measure.ts';
import { openRawLog } from './rawLog.ts';
import type { AskedReplay, Replayed } from './replayChild.ts';

export const replay: Figure = {
  name: 'replay',
  async measure({ rounds, dir, full }) {
    const count = full ? 1_000_000 : 50_000;
    const log = join(dir, 'replay-ours.db');
    const store = openSqliteEventStore({ file: log });
    const raw = openRawLog(join(dir, 'replay-raw.db'));
    await fill(store, count);
    await store.close();
    for (const { stream, events } of jobStreams(count)) raw.appendGroup(events.map((event) => ({ stream, event })));
    const child = startChild('log/replayChild');
    let peak = 0;
    const compared = await compare(
      rounds,
      async () => {
        const { events, ms, peak: used } = await child.ask<Replayed>({ log } satisfies AskedReplay);
        if (events !== count) throw new Error(`Read ${events} of ${count} events.`);
        peak = Math.max(peak, used);
        return (events * 1000) / ms;
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
    await child.stop();
    raw.close();
    const megabytes = Math.round(peak / 1e6);
    return [
      rateRow(`read ${count.toLocaleString('en-US')} events in order and parse them`, compared, 0.75),
      {
        what: 'the same: memory of the process that reads',
        ours: `${megabytes} MB`,
        limit: '–',
        ratio: null,
        goal: '< 200 MB for 10^6',
        met: megabytes < 200,
      },
    ];
  },
};
