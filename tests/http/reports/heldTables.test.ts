import { describe, expect, it } from 'vitest';
import { createHeldTables } from '../../../src/http/reports/heldTables.ts';

describe('held tables', () => {
  it('are made once for all who ask, and again once they are gone', async () => {
    const held = createHeldTables(100);
    let made = 0;
    const ask = (key: string, bytes = 40) =>
      held.get(
        key,
        async () => {
          made += 1;
          return { key };
        },
        () => bytes,
      );
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([{ key: 'a' }, { key: 'a' }]);
    await ask('b');
    await ask('a');
    expect(made).toBe(2);
    // The one that was not used for longest goes.
    await ask('c');
    await ask('a');
    expect(made).toBe(3);
    await ask('b');
    expect(made).toBe(4);
  });

  it('larger than all room are answered and not held', async () => {
    const held = createHeldTables(100);
    let made = 0;
    const ask = () =>
      held.get(
        'large',
        async () => {
          made += 1;
          return { made };
        },
        () => 101,
      );
    await ask();
    expect(await ask()).toEqual({ made: 2 });
  });

  it('that fail are asked for again', async () => {
    const held = createHeldTables(100);
    await expect(
      held.get(
        'a',
        () => Promise.reject(new Error('No store')),
        () => 1,
      ),
    ).rejects.toThrow('No store');
    expect(
      await held.get(
        'a',
        async () => ({ fine: true }),
        () => 1,
      ),
    ).toEqual({ fine: true });
  });
});
