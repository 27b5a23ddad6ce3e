/** What the chain of hashes costs an append: the same events, appended durably, with it and without. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { withChain } from '../../src/eventStore/chain/withChain.ts';
import type { EventStore, Revision } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { progressed } from '../events.ts';
import { compare, type Figure, type Row, rateRow, timed } from '../measure.ts';

const SINGLE = 1_200;
const CALLERS = 50;
const TURNS = 100;
/** Flushes take as long as the disk pleases: a difference of a twentieth shows in many rounds only. */
const ROUNDS = 5;

async function append(store: EventStore, count: number): Promise<void> {
  const stream = `job-${randomUUID()}`;
  let expected: Revision | 'no_stream' = 'no_stream';
  for (let n = 0; n < count; n += 1)
    expected = (await store.append(stream, [progressed('0d9a6c0e-job', n)], { expected })).revision;
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  return (count * 1_000) / (await timed(work));
}

export const chain: Figure = {
  name: 'chain',
  async measure({ rounds, dir }) {
    const bare = openSqliteEventStore({ file: join(dir, 'bare.db') });
    const raw = openSqliteEventStore({ file: join(dir, 'chained.db') });
    const chained = withChain(raw, { closes: () => [] });
    const alone = (store: EventStore) => rate(SINGLE, () => append(store, SINGLE));
    const together = (store: EventStore) =>
      rate(CALLERS * TURNS, () => Promise.all(Array.from({ length: CALLERS }, () => append(store, TURNS))));
    const rows: readonly Row[] = [
      rateRow(
        'append one event with the chain (raw: without)',
        await compare(
          ROUNDS * rounds,
          () => alone(chained),
          () => alone(bare),
        ),
        0.95,
      ),
      rateRow(
        `the same, ${CALLERS} callers at once`,
        await compare(
          ROUNDS * rounds,
          () => together(chained),
          () => together(bare),
        ),
        0.8,
      ),
    ];
    await raw.close();
    await bare.close();
    return rows;
  },
};
