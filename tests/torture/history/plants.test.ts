/** Tests of the checker: it passes the product, and finds each planted bug over HTTP. */
import { expect, it } from 'vitest';
import { FULL, some } from '../../given/fullForm.ts';
import { runHistory } from './historyRun.ts';
import { openPlantedArena, type Plant } from './plantedArena.ts';
import { PLANTED_BUGS } from './plants.ts';
import type { Fault } from './wishes.ts';

const SEED = 20261121;

async function faultsOf(plant: Plant, operations: number, restMs: number): Promise<readonly Fault[]> {
  const arena = await openPlantedArena(plant);
  try {
    const { faults } = await runHistory({
      arena,
      seed: SEED,
      operations,
      faults: 0,
      clients: 6,
      restMs,
      thinkingMs: 5,
    });
    return faults;
  } finally {
    await arena.close();
  }
}

// Per push, `tests/e2e/history` shows this with real processes.
it.runIf(FULL)('finds no faults without a planted bug', async () => {
  expect(await faultsOf({}, 500, 30_000)).toEqual([]);
});

// The first of them per push. Concurrent, because each mostly waits for timeouts.
it.concurrent.each(some(PLANTED_BUGS, PLANTED_BUGS.length))(
  'finds the planted bug: $name',
  async ({ plant, rule, says }) => {
    const faults = await faultsOf(plant(), FULL ? 250 : 180, 2_500);
    expect(faults.filter((fault) => fault.rule === rule).map((fault) => fault.text)).toContainEqual(
      expect.stringMatching(says),
    );
  },
);
