import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdKeys } from '../../../src/eventStore/sqlite/sqliteIdKeys.ts';
import { runs } from '../../given/fullForm.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const key = fc.oneof(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }), fc.integer({ min: -3_000, max: 3_000 }));

describe('the keys of a stream’s ids', () => {
  it('are those loaded and those added, however many', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { maxLength: 200 }),
        fc.array(key, { maxLength: 200 }),
        fc.nat(3_000),
        (loaded, added, more) => {
          const keys = createIdKeys(loaded);
          const plain = new Set(loaded);
          for (const next of [...added, ...Array.from({ length: more }, (_, nth) => nth * 7 - 9_000)]) {
            keys.add(next);
            plain.add(next);
          }
          for (const asked of [...loaded, ...added, -9_000, -2_147_483_648, 2_147_483_647, 0, 1])
            expect(keys.has(asked)).toBe(plain.has(asked));
          for (let asked = -3_100; asked < 3_100; asked += 1)
            if (keys.has(asked) !== plain.has(asked)) throw new Error(`Wrong about ${asked}.`);
          expect(keys.size).toBeGreaterThanOrEqual(plain.size);
        },
      ),
      { seed: 20261122, numRuns: runs(100) },
    );
  });

  it('refuse a repeated id in a long stream', async () => {
    const store = rawEventStore();
    const event = () => ({
      id: randomUUID(),
      type: 'Happened',
      data: {},
      metadata: metadataAt('2026-03-01T00:00:00.000Z'),
    });
    const events = Array.from({ length: 3_000 }, event);
    for (let from = 0; from < events.length; from += 500)
      await store.append('long-1', events.slice(from, from + 500), { expected: 'any' });
    for (const nth of [0, 1_023, 1_024, 1_500, 2_999]) {
      await expect(
        store.append('long-1', [{ ...event(), id: events[nth]!.id }], { expected: 2_999n }),
      ).rejects.toMatchObject({ code: 'INVALID_APPEND' });
    }
    expect(await store.append('long-1', [event()], { expected: 2_999n })).toMatchObject({ revision: 3_000n });
    await store.close();
  });
});
