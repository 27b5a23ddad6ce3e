/** What the chain of causes and the activity of users cost whoever projects: all read models with them and without. */
import { join } from 'node:path';
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { causesOf } from '../../src/history/causes.ts';
import { activity } from '../../src/projections/history/activity.ts';
import { causes as causesModel } from '../../src/projections/history/causes.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { runProjections } from '../../src/projector/project.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { CAUSE, fill } from '../events.ts';
import { compare, type Figure, median, milliseconds, rateRow, timed } from '../measure.ts';

const EVENTS = 20_000;
const BATCH = 100;
const LOOKS = 50;
const WITHOUT = READ_MODELS.filter((model) => model !== causesModel && model !== activity);

/** From zero until everything is served. */
async function project(
  store: SqliteEventStore,
  readModels: SqliteReadModels,
  projections: readonly AnyProjection[],
): Promise<number> {
  const stop = new AbortController();
  const took = await timed(async () => {
    const running = runProjections({
      store,
      readModels,
      projections,
      signal: stop.signal,
      now: Date.now,
      batchSize: BATCH,
    });
    await running.ready;
    stop.abort();
    await running.done;
  });
  return (EVENTS * 1000) / took;
}

export const causes: Figure = {
  name: 'causes',
  async measure({ rounds, dir, say }) {
    const store = openSqliteEventStore({ file: join(dir, 'events.db') });
    await fill(store, EVENTS);
    let file = 0;
    const fresh = () => {
      file += 1;
      return openSqliteReadModels({ file: join(dir, `models-${file}.db`) });
    };
    const rate = async (projections: readonly AnyProjection[]): Promise<number> => {
      const readModels = fresh();
      const perSecond = await project(store, readModels, projections);
      await readModels.close();
      return perSecond;
    };
    const compared = await compare(
      rounds,
      () => rate(READ_MODELS),
      () => rate(WITHOUT),
    );
    say('looking at events');
    const readModels = fresh();
    await project(store, readModels, [causesModel]);
    const looks: number[] = [];
    for (let nth = 0; nth < LOOKS; nth += 1) looks.push(await timed(() => causesOf({ store, readModels }, CAUSE)));
    await readModels.close();
    await store.close();
    const look = median(looks);
    return [
      rateRow('all read models with causes and activity, beside all without, events', compared, 0.8),
      {
        what: 'what one request led to, the first 200 of thousands of events',
        ours: milliseconds(look),
        limit: '–',
        ratio: null,
        goal: '< 100 ms',
        met: look < 100,
      },
    ];
  },
};
