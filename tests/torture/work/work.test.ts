/** Tests of the verdict on work: it passes the product, and finds each planted bug. */
import { expect, it } from 'vitest';
import { FULL, some } from '../../given/fullForm.ts';
import { openPlantedArena, type Plant } from '../history/plantedArena.ts';
import { FORGETFUL, PLANTED_WORK } from './workPlants.ts';
import { runWorkTorture, type WorkResult, type WorkRunOptions } from './workRun.ts';

const SEED = 20261123;
const BACKLOG = FULL ? 16 : 8;

/** No faults are injected, and nothing outside fails: any fault in the verdict is the product's own. */
const run = (
  plant: Plant,
  { restMs, ...more }: Pick<WorkRunOptions, 'quietMs' | 'mailMs'> & { readonly restMs: number },
): Promise<WorkResult> =>
  runWorkTorture({
    open: (options) => openPlantedArena(plant, options),
    seed: SEED,
    backlog: BACKLOG,
    kills: 0,
    users: 5,
    undisturbedMs: FULL ? 3_000 : 1_500,
    thinkingMs: 150,
    restMs,
    ...more,
    outside: { dropped: 0, slowMs: 10 },
  });

// Per push, `tests/e2e/work` shows this with real processes.
it.runIf(FULL)('finds no faults without a planted bug', { timeout: 120_000 }, async () => {
  const { faults, figures } = await run({}, { restMs: 60_000 });
  expect(faults).toEqual([]);
  expect(figures.jobs).toBeGreaterThan(BACKLOG);
  expect(figures.mails.sent).toBeGreaterThan(0);
  expect(figures.deliveries.delivered).toBeGreaterThan(0);
  expect(figures.audits.begunAgain).toBe(0);
});

it.runIf(FULL)(
  'finds no faults when claims are dropped too early, since workers check the log first',
  { timeout: 120_000 },
  async () => {
    expect((await run(FORGETFUL, { restMs: 60_000 })).faults).toEqual([]);
  },
);

// The first of them per push. Concurrent, because each mostly waits for timeouts.
it.concurrent.each(some(PLANTED_WORK, PLANTED_WORK.length))(
  'finds the planted bug: $name',
  async ({ plant, mailMs, says }) => {
    const { faults } = await run(plant(), { restMs: 30_000, quietMs: 5_000, mailMs });
    expect(faults).toContainEqual(expect.stringMatching(says));
  },
);
