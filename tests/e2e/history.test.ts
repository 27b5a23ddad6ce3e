import { describe, expect, it } from 'vitest';
import { FULL } from '../given/fullForm.ts';
import { available, MONGOD } from '../given/requirements.ts';
import type { Arena } from '../torture/arena.ts';
import { openEmbeddedArena } from '../torture/embeddedArena.ts';
import { runHistory } from '../torture/history/historyRun.ts';
import { openProductionArena } from '../torture/productionArena.ts';

const SEED = Number(process.env.TORTURE_SEED ?? 20261121);
const SHORT = { seed: SEED, restMs: 90_000 };

/**
 * The short form; `npm run torture -- --mode history --pair both` makes 100,000 requests. Repeat a failing seed with
 * `--seed …`.
 */
async function judge(open: () => Promise<Arena>, operations: number, faults: number): Promise<void> {
  const arena = await open();
  try {
    process.stdout.write(`history: ${arena.name}, seed ${SEED}\n`);
    const result = await runHistory({ ...SHORT, arena, operations, faults });
    if (result.faults.length > 0) process.stdout.write(arena.output());
    expect(result.faults).toEqual([]);
    expect(result.hurts).toHaveLength(faults);
    expect(result.jobs).toBeGreaterThan(operations / 50);
  } finally {
    await arena.close();
  }
}

describe('answers and screens while processes are killed and paused', () => {
  it('are consistent on the embedded stores', { timeout: 180_000 }, () =>
    judge(openEmbeddedArena, FULL ? 800 : 160, FULL ? 4 : 2),
  );

  it.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))(
    'are consistent on the production stores, with each role twice',
    { timeout: 240_000 },
    () => judge(openProductionArena, FULL ? 600 : 80, FULL ? 6 : 2),
  );
});
