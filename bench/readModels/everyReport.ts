/**
 * Every report over a log with all types of events: embedded, each by itself; on EventStoreDB, all of them in one
 * reading.
 */
import { EventStoreDBClient, FORWARDS, START as LOG_START } from '@eventstore/db-client';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { REPORTS } from '../../src/reports/all.ts';
import { startChild } from '../child.ts';
import { type Bench, compare, milliseconds, type Row, rateRow } from '../measure.ts';
import { startTestEventStore } from '../pairs/pairServers.ts';
import { everyEvent } from './everyEvent.ts';
import { rawRate, writeAll, writeBoth } from './reportLogs.ts';
import type { FoldedReport, ReportRequest } from './reportsChild.ts';

const NAMES = REPORTS.map(({ name }) => name);
const GOAL = 0.5;
const LIMIT = '–';

/** Each in a process of its own, which goes on to the next round: its memory is that of the first. */
export async function everyReportRows({ rounds, dir, full, say }: Bench, asOf: string): Promise<readonly Row[]> {
  const count = full ? 1_000_000 : 20_000;
  const { file, raw } = await writeBoth(dir, 'every', everyEvent(count));
  const rows: Row[] = [];
  const first: (FoldedReport & { readonly name: string })[] = [];
  for (const name of NAMES) {
    say(name);
    const child = startChild('readModels/reportsChild');
    let folded: FoldedReport | undefined;
    const ours = async () => {
      const now = await child.ask<FoldedReport>({ log: file, reports: [name], asOf } satisfies ReportRequest);
      folded ??= now;
      return (count * 1_000) / now.ms;
    };
    rows.push(
      rateRow(
        `report ${name}, of ${count.toLocaleString('en-US')} events of every type`,
        await compare(rounds, ours, rawRate(raw, count)),
        GOAL,
      ),
    );
    await child.stop();
    if (folded) first.push({ name, ...folded });
  }
  raw.close();
  const slowest = first.toSorted((one, other) => other.ms - one.ms)[0];
  const largest = first.toSorted((one, other) => other.peak - one.peak)[0];
  if (!slowest || !largest) throw new Error('There are no reports.');
  const megabytes = Math.round(largest.peak / 1e6);
  const [slow, large] = [
    `the same: the slowest, ${slowest.name}, first run`,
    `the same: the most memory, ${largest.name}`,
  ];
  return [
    ...rows,
    {
      what: slow,
      ours: milliseconds(slowest.ms),
      limit: LIMIT,
      ratio: null,
      goal: '< 10 s for 10^6',
      met: slowest.ms < 10_000,
    },
    {
      what: large,
      ours: `${megabytes} MB`,
      limit: LIMIT,
      ratio: null,
      goal: '< 300 MB for 10^6',
      met: megabytes < 300,
    },
  ];
}

/**
 * On the test server, whose log is as long as it is made here. As in production, streams are asked what they still
 * show.
 */
export async function pairReportRows({ rounds, full, say }: Bench, asOf: string): Promise<readonly Row[]> {
  const count = full ? 100_000 : 5_000;
  say('EventStoreDB');
  const server = await startTestEventStore();
  const client = EventStoreDBClient.connectionString(server.url);
  const child = startChild('readModels/reportsChild');
  try {
    const store = await openEventStoreDb({ url: server.url });
    await writeAll(withStoredEvents(store), everyEvent(count));
    await store.close();
    const ours = async () => {
      const { ms } = await child.ask<FoldedReport>({ log: server.url, reports: NAMES, asOf } satisfies ReportRequest);
      return (count * 1_000) / ms;
    };
    const bare = async () => {
      const began = performance.now();
      let left = count;
      for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: LOG_START }))
        if (event && !event.type.startsWith('$')) left -= 1;
      if (left !== 0) throw new Error(`The bare client read ${count - left} of ${count} events.`);
      return (count * 1_000) / (performance.now() - began);
    };
    const what = `EventStoreDB (test server): all reports in one reading of ${count.toLocaleString('en-US')} events vs the bare client`;
    return [rateRow(what, await compare(rounds, ours, bare), GOAL)];
  } finally {
    await child.stop();
    await client.dispose();
    await server.close();
  }
}
