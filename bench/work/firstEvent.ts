/** From a submission to the first event of its audit, while nothing else is to be done. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MONGOD } from '../../tests/given/requirements.ts';
import { type Figure, median, milliseconds, percentile, type Row } from '../measure.ts';
import { type PairServers, startPairServers } from '../pairs/pairServers.ts';
import { type SlowSite, startQueue, startSlowSite } from './queue.ts';

const SAMPLES = 100;
/** Reservation, submission, start: each can only be written after the one before. */
const APPENDS = 3;

async function measurePair(
  what: string,
  dir: string,
  site: SlowSite,
  servers: PairServers | null,
  goal: number,
): Promise<Row> {
  const queue = await startQueue(
    dir,
    site,
    null,
    servers ? { eventStoreUrl: servers.eventStoreUrl, mongoUrl: servers.freshMongoUrl() } : undefined,
  );
  const ask = (times: number) => queue.order<readonly number[]>({ ask: 'first', times });
  await ask(10);
  const times = await ask(SAMPLES);
  const appends = await queue.order<readonly number[]>({ ask: 'appends', events: APPENDS, times: SAMPLES });
  await queue.order({ ask: 'stop' });
  await queue.stop();
  const [p50, p95] = [median(times), percentile(times, 95)];
  const limit = `${milliseconds(median(appends))} / ${milliseconds(percentile(appends, 95))} (${APPENDS} appends)`;
  return {
    what: `${what}: submission to the first event of its audit, idle: p50 / p95`,
    ours: `${milliseconds(p50)} / ${milliseconds(p95)}`,
    limit,
    ratio: p50 / median(appends),
    goal: `p95 < ${goal} ms`,
    met: p95 < goal,
  };
}

export const firstEvent: Figure = {
  name: 'firstEvent',
  async measure({ dir, say }) {
    const site = await startSlowSite();
    try {
      const rows = [await measurePair('SQLite', join(dir, 'files'), site, null, 50)];
      if (process.env.TEST_MONGODB_URL === undefined && !existsSync(MONGOD)) {
        say('EventStoreDB + MongoDB is left out: there is no mongod (scripts/fetchMongod.sh)');
        return rows;
      }
      const servers = await startPairServers(join(dir, 'servers'));
      try {
        rows.push(await measurePair('EventStoreDB + MongoDB', join(dir, 'pair'), site, servers, 500));
      } finally {
        await servers.close();
      }
      return rows;
    } finally {
      await site.stop();
    }
  },
};
