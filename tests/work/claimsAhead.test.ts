import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/readModels/claims.ts';
import { removeClaimsAhead } from '../../src/work/claimsAhead.ts';
import { toyWork } from '../given/work/toyWork.ts';

describe('claims after restoring an older log', () => {
  it('are removed if settled beyond its end, and kept otherwise', async () => {
    const work = toyWork();
    await work.ready;
    const within = await work.enqueue('within', 'ann');
    const settle = async (itemId: string, settledAt: string | null): Promise<void> => {
      const item = { kind: 'toy', itemId, opening: within, lane: 'ann' };
      const claim = (await work.claims.take({ item, seen: null, holder: 'one', laneLimit: 10 })) as Claim;
      await work.claims.letGo(claim, { settledAt });
    };
    await settle('within', within);
    await settle('beyond', '9'.repeat(20));
    await settle('put off', null);
    expect(await removeClaimsAhead(work, ['toy'])).toBe(1);
    expect((await work.claims.list({ kind: 'toy', limit: 10 })).map(({ itemId }) => itemId)).toEqual([
      'put off',
      'within',
    ]);
    await work.stop();
  });
});
