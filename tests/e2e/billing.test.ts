import { expect, it } from 'vitest';
import { FULL } from '../given/fullForm.ts';
import { openBillingArena } from '../torture/billing/billingArena.ts';
import { runBillingStorm } from '../torture/billing/billingRun.ts';

const SEED = Number(process.env.TORTURE_SEED ?? 20261123);
const SIZE = FULL
  ? { users: 12, purchases: 120, subscribers: 12, kills: 5 }
  : { users: 4, purchases: 24, subscribers: 6, kills: 2 };

/**
 * The short form; `npm run torture -- --billing` makes 1,000 purchases. Repeat a failing seed with `--billing --seed
 * …`.
 */
it('grants exactly what was paid while the server is killed and the provider and its events fail', {
  timeout: 240_000,
}, async () => {
  process.stdout.write(`billing: seed ${SEED}\n`);
  // More is lost than in the long form, so that there are losses at all.
  const shares = { doubled: 0.2, delayed: 0.2, lost: 0.2, gone: 0.3 };
  const result = await runBillingStorm({
    open: openBillingArena,
    seed: SEED,
    ...SIZE,
    shares,
    thinkingMs: 400,
    delayMs: 2_000,
    restMs: 90_000,
  });
  if (result.faults.length > 0) process.stdout.write(result.output);
  expect(result.faults).toEqual([]);
  expect(result.figures.purchases).toBe(SIZE.purchases);
  expect(result.figures.granted).toBe(result.figures.paid);
  expect(result.figures.received).toMatchObject({ webhook: expect.any(Number), sweep: expect.any(Number) });
  expect(result.figures.analyses.consumed).toBeGreaterThan(0);
});
