/** Appending at different lengths of history, and to a long stream, against raw at the same length. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Revision } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { fill, jobStreams, progressed } from '../events.ts';
import { type Bench, compare, type Figure, type Row, rateRow, timed } from '../measure.ts';
import { openRawLog, type RawLog } from './rawLog.ts';

const BATCH = 300;
const LONG_STREAM = 10_000;

export function fillRaw(raw: RawLog, count: number): void {
  let group: Parameters<RawLog['appendGroup']>[0][number][] = [];
  for (const { stream, events } of jobStreams(count)) {
    group.push(...events.map((event) => ({ stream, event })));
    if (group.length < 5000) continue;
    raw.appendGroup(group);
    group = [];
  }
  raw.appendGroup(group);
}

type Target = { readonly stream: string; revision: Revision | 'no_stream' };

/** New streams each time unless one is given, as jobs are. */
async function ours(store: SqliteEventStore, target: Target): Promise<number> {
  const list = Array.from({ length: BATCH }, (_, n) => progressed('growth', n));
  const took = await timed(async () => {
    for (const event of list)
      target.revision = (await store.append(target.stream, [event], { expected: target.revision })).revision;
  });
  return (BATCH * 1000) / took;
}

async function limit(raw: RawLog, stream: string): Promise<number> {
  const list = Array.from({ length: BATCH }, (_, n) => progressed('growth', n));
  const took = await timed(() => {
    for (const event of list) raw.appendOne(stream, event);
  });
  return (BATCH * 1000) / took;
}

async function at(bench: Bench, size: number): Promise<readonly Row[]> {
  bench.say(`filling two logs with ${size.toLocaleString('en-US')} events`);
  const store = openSqliteEventStore({ file: join(bench.dir, `growth-ours-${size}.db`) });
  const raw = openRawLog(join(bench.dir, `growth-raw-${size}.db`));
  await fill(store, size);
  fillRaw(raw, size);
  const fresh = () => `job-${randomUUID()}`;
  const rows = [
    rateRow(
      `append at ${size.toLocaleString('en-US')} events of history`,
      await compare(
        bench.rounds,
        () => ours(store, { stream: fresh(), revision: 'no_stream' }),
        () => limit(raw, fresh()),
      ),
      0.8,
    ),
  ];
  if (size === LONG_STREAM) {
    const long = { stream: fresh(), revision: 'no_stream' as Revision | 'no_stream' };
    const events = Array.from({ length: LONG_STREAM }, (_, n) => progressed('long', n));
    long.revision = (await store.append(long.stream, events, { expected: 'no_stream' })).revision;
    raw.appendGroup(events.map((event) => ({ stream: long.stream, event })));
    const compared = await compare(
      bench.rounds,
      () => ours(store, long),
      () => limit(raw, long.stream),
    );
    rows.push(rateRow(`append to a stream of ${LONG_STREAM.toLocaleString('en-US')} events`, compared, 0.8));
  }
  await store.close();
  raw.close();
  return rows;
}

export const growth: Figure = {
  name: 'growth',
  async measure(bench) {
    const rows: Row[] = [];
    for (const size of [1_000, 10_000, 100_000, ...(bench.full ? [1_000_000] : [])])
      rows.push(...(await at(bench, size)));
    return rows;
  },
};
