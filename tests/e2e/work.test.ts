import { describe, expect, it } from 'vitest';
import { FULL } from '../given/fullForm.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { openEmbeddedArena } from '../torture/embeddedArena.ts';
import { openProductionArena } from '../torture/productionArena.ts';
import { runWorkTorture, type WorkResult, type WorkRunOptions } from '../torture/work/workRun.ts';

const SEED = Number(process.env.TORTURE_SEED ?? 20261123);

/**
 * A mail or a delivery that was interrupted is sent again a minute later. In the short form no mail is lost on the way,
 * and on the embedded stores, whose one process is killed each time, nothing is delivered to webhooks; on the
 * production stores, where an audit costs four times as much, users take more time.
 */
const SIZE = FULL
  ? { embedded: { backlog: 40, kills: 6, users: 8 }, production: { backlog: 12, kills: 3, users: 4 } }
  : {
      embedded: { backlog: 10, kills: 2, users: 4, outside: { dropped: 0 }, webhooks: false },
      production: { backlog: 5, kills: 2, users: 3, thinkingMs: 3_000, outside: { dropped: 0 } },
    };

/**
 * The short form; `npm run torture -- --mode work --pair both` has a backlog of 1,000 and kills a hundred times. Repeat
 * a failing seed with `--seed …`.
 */
async function judge(options: Omit<WorkRunOptions, 'seed'>): Promise<WorkResult> {
  process.stdout.write(`work: seed ${SEED}\n`);
  const result = await runWorkTorture({ ...options, seed: SEED });
  if (result.faults.length > 0) process.stdout.write(result.facts.output);
  expect(result.faults).toEqual([]);
  expect(result.rebuilds).toBe(2);
  return result;
}

/** The full form has the cores to itself: beside another storm, work waits for a core, not for a place. */
const inTurn = FULL ? describe.sequential : describe.concurrent;

inTurn('pending work while processes are killed and its list is lost', () => {
  it.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))(
    'is done once on the production stores, with each role twice',
    { timeout: 300_000 },
    async () => {
      const { figures } = await judge({ open: openProductionArena, ...SIZE.production });
      expect(figures.jobs).toBeGreaterThanOrEqual(SIZE.production.backlog);
      expect(figures.deliveries.delivered).toBeGreaterThan(0);
    },
  );

  it('is done once on the embedded stores', { timeout: 300_000 }, async () => {
    const { figures, kills } = await judge({ open: openEmbeddedArena, ...SIZE.embedded });
    expect(kills).toBeGreaterThanOrEqual(SIZE.embedded.kills);
    // On a slow machine the backlog may be all there is time for.
    expect(figures.jobs).toBeGreaterThanOrEqual(SIZE.embedded.backlog);
    expect(figures.mails.sent).toBeGreaterThan(0);
    if (FULL) expect(figures.deliveries.delivered).toBeGreaterThan(0);
  });
});
