/**
 * Verifying a whole log: shapes, order, chains, ids, references, and a checkpoint, with the time that a million events
 * take at that rate.
 */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { ERASURE } from '../../src/commands/closedStreams.ts';
import { withChain } from '../../src/eventStore/chain/withChain.ts';
import { type Position, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { readCheckpoint, writeCheckpoint } from '../../src/eventStore/verify/checkpointFile.ts';
import { verifyLog as verify } from '../../src/eventStore/verify/verifyLog.ts';
import { fill } from '../events.ts';
import { compare, type Figure, timed } from '../measure.ts';

const MILLION = 1_000_000;
const GOAL_SECONDS = 30;
/** A process has about 120 MB before it begins. */
const GOAL_MB = 180;

export const verifyLog: Figure = {
  name: 'verifyLog',
  async measure({ rounds, dir, full }) {
    const count = full ? MILLION : 50_000;
    const store = openSqliteEventStore({ file: join(dir, 'verify.db') });
    await fill(withChain(store, { closes: ERASURE.closes }), count);
    const file = join(dir, 'checkpoint.gz');
    await writeCheckpoint({
      store,
      file,
      key: generateKeyPairSync('ed25519').privateKey,
      at: new Date().toISOString(),
    });
    const before = process.memoryUsage.rss();
    let peak = before;
    const note = () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const ours = async () => {
      let chained = 0;
      const took = await timed(async () => {
        const { sealed } = await readCheckpoint(file);
        // Jobs without accounts are faults here, and looked for all the same.
        ({ chained } = await verify({
          store,
          erasure: ERASURE,
          sealed,
          onFault: ({ check }) => onlyReferences(check),
          onProgress: note,
        }));
      });
      if (chained === 0) throw new Error('Nothing was chained.');
      return (count * 1_000) / took;
    };
    const read = async () => {
      const took = await timed(async () => {
        for (let after: Position = START, end = false; !end; )
          ({ next: after, end } = await store.readAll({ after, limit: 500 }));
      });
      return (count * 1_000) / took;
    };
    const { ours: rate, limit } = await compare(Math.min(rounds, 3), ours, read);
    await store.close();
    const [seconds, raw] = [MILLION / rate, MILLION / limit];
    const megabytes = Math.round((peak - before) / 1e6);
    const size = count.toLocaleString('en-US');
    return [
      {
        what: `verify a log against a checkpoint, time for 10^6 events (measured with ${size}; beside it: reading them)`,
        ours: `${seconds.toFixed(1)} s`,
        limit: `${raw.toFixed(1)} s`,
        ratio: seconds / raw,
        goal: `< ${GOAL_SECONDS} s`,
        met: seconds < GOAL_SECONDS,
      },
      {
        what: 'the same: memory that it adds to a process',
        ours: `${megabytes} MB`,
        limit: '–',
        ratio: null,
        goal: `< ${GOAL_MB} MB for 10^6`,
        met: megabytes < GOAL_MB,
      },
    ];
  },
};

function onlyReferences(check: string): void {
  if (check !== 'references') throw new Error(`A log that nobody touched has a fault: ${check}.`);
}
