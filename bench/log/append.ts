/** Appending one event durably, alone and by 50 callers at once, against the raw transaction. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EventStore, NewEvent, Revision } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { progressed } from '../events.ts';
import { compare, type Figure, median, milliseconds, percentile, type Row, rateRow, timed } from '../measure.ts';
import { openRawLog } from './rawLog.ts';

const SINGLE = 1200;
const CALLERS = 50;
const TURNS = 100;

const events = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, n) => progressed('0d9a6c0e-job', n));

/** Each event awaited before the next, at the revision just read from the last result. */
async function alone(store: EventStore, list: readonly NewEvent[], latencies: number[]): Promise<number> {
  const stream = `job-${randomUUID()}`;
  let expected: Revision | 'no_stream' = 'no_stream';
  const took = await timed(async () => {
    for (const event of list) {
      const from = performance.now();
      expected = (await store.append(stream, [event], { expected })).revision;
      latencies.push(performance.now() - from);
    }
  });
  return (list.length * 1000) / took;
}

async function together(store: EventStore, lists: readonly (readonly NewEvent[])[]): Promise<number> {
  const took = await timed(() =>
    Promise.all(
      lists.map(async (list) => {
        const stream = `job-${randomUUID()}`;
        let expected: Revision | 'no_stream' = 'no_stream';
        for (const event of list) expected = (await store.append(stream, [event], { expected })).revision;
      }),
    ),
  );
  return (lists.length * TURNS * 1000) / took;
}

export const append: Figure = {
  name: 'append',
  async measure({ rounds, dir }) {
    const store = openSqliteEventStore({ file: join(dir, 'append-ours.db') });
    const raw = openRawLog(join(dir, 'append-raw.db'));
    const latencies = { ours: [] as number[], raw: [] as number[] };
    const single = await compare(
      rounds,
      () => alone(store, events(SINGLE), latencies.ours),
      async () => {
        const list = events(SINGLE);
        const stream = `job-${randomUUID()}`;
        const took = await timed(() => {
          for (const event of list) {
            const from = performance.now();
            raw.appendOne(stream, event);
            latencies.raw.push(performance.now() - from);
          }
        });
        return (SINGLE * 1000) / took;
      },
    );
    const grouped = await compare(
      rounds,
      () =>
        together(
          store,
          Array.from({ length: CALLERS }, () => events(TURNS)),
        ),
      async () => {
        const lists = Array.from({ length: CALLERS }, () => ({ stream: `job-${randomUUID()}`, list: events(TURNS) }));
        const took = await timed(() => {
          for (let turn = 0; turn < TURNS; turn += 1)
            raw.appendGroup(lists.map(({ stream, list }) => ({ stream, event: list[turn] as NewEvent })));
        });
        return (CALLERS * TURNS * 1000) / took;
      },
    );
    await store.close();
    raw.close();
    const tail = percentile(latencies.ours, 99) / percentile(latencies.raw, 99);
    const spread = (values: readonly number[]) =>
      `${milliseconds(median(values))} / ${milliseconds(percentile(values, 99))}`;
    const rows: readonly Row[] = [
      rateRow('append one event, durable, revision checked', single, 0.8),
      {
        what: 'the same: p50 / p99',
        ours: spread(latencies.ours),
        limit: spread(latencies.raw),
        ratio: tail,
        goal: 'p99 ≤ 2',
        met: tail <= 2,
      },
      rateRow(`append, ${CALLERS} callers at once (raw: groups of ${CALLERS})`, grouped, 0.6),
    ];
    return rows;
  },
};
