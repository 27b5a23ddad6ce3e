/** Tests of the verdict on payments: it passes the product, and finds each planted bug. */
import { expect, it } from 'vitest';
import { FULL, some } from '../../given/fullForm.ts';
import type { Plant } from '../history/plantedArena.ts';
import { runBillingStorm } from './billingRun.ts';
import { openPlantedBilling, PLANTED_BILLING } from './plantedBilling.ts';

const SIZE = { users: 3, purchases: 9, kills: 0, thinkingMs: 20, delayMs: 200 };

async function faultsOf(plant: Plant, restMs: number, lost = 0.3, subscribers = 0): Promise<readonly string[]> {
  const { faults } = await runBillingStorm({
    open: (options) => openPlantedBilling(plant, options),
    seed: 20261123,
    ...SIZE,
    subscribers,
    shares: { lost, gone: 0.4 },
    restMs,
  });
  return faults;
}

// Per push, `tests/e2e/billing` shows this with real processes.
it.runIf(FULL)('finds no faults without a planted bug', { timeout: 60_000 }, async () => {
  expect(await faultsOf({}, 30_000)).toEqual([]);
});

// The first of them per push. Concurrent, because each mostly waits for timeouts.
it.concurrent.each(some(PLANTED_BILLING, PLANTED_BILLING.length))(
  'finds the planted bug: $name',
  async ({ plant, lost, subscribers, says }) => {
    expect(await faultsOf(plant(), 2_500, lost, subscribers)).toContainEqual(expect.stringMatching(says));
  },
);
