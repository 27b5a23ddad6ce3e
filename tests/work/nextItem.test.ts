/** The rule of who is next: one row for each of its parts, which fails if that part is taken away. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextItem, type Slots, type Waiting } from '../../src/work/nextItem.ts';
import { runs } from '../given/fullForm.ts';

const NOW = 100;
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

/** Due for one second longer than 'second', in all else equal. */
const first: Waiting = { lane: 'first', dueAt: at(NOW - 2), rank: 0, network: null };
const second: Waiting = { lane: 'second', dueAt: at(NOW - 1), rank: 0, network: null };

const open: Slots = {
  now: at(NOW),
  free: 2,
  reserved: 0,
  alone: false,
  running: new Map(),
  limit: 2,
  networks: new Map([['crowd', 2]]),
  networkLimit: 2,
  hadToday: new Set(),
};
const onlyReserved: Slots = { ...open, free: 1, reserved: 1 };

type Row = readonly [rule: string, waiting: readonly Waiting[], slots: Slots, next: string | null];

const ROWS: readonly Row[] = [
  ['nothing begins without a free slot', [first], { ...open, free: 0 }, null],
  ['nothing begins before it is due', [{ ...first, dueAt: at(NOW + 1) }], open, null],
  ['a lane at its limit gets nothing', [first], { ...open, running: new Map([['first', 2]]) }, null],
  ['a network at its limit gets nothing', [{ ...first, network: 'crowd' }], open, null],
  [
    'another network does',
    [
      { ...first, network: 'crowd' },
      { ...second, network: 'other' },
    ],
    open,
    'second',
  ],
  ['and so does who has none', [{ ...first, network: 'crowd' }, second], open, 'second'],
  ['the fewest running first', [first, second], { ...open, running: new Map([['first', 1]]) }, 'second'],
  [
    'then those that have waited for half a minute, whatever their rank',
    [
      { ...first, dueAt: at(NOW - 30) },
      { ...second, rank: 9 },
    ],
    open,
    'first',
  ],
  ['then the higher rank', [first, { ...second, rank: 1 }], open, 'second'],
  ['then the longest waiting', [second, first], open, 'first'],
  [
    'a reserved slot is not for a user with something running',
    [first],
    { ...onlyReserved, running: new Map([['first', 1]]) },
    null,
  ],
  [
    'a reserved slot is not for a user who has had one today',
    [first],
    { ...onlyReserved, hadToday: new Set(['first']) },
    null,
  ],
  ['a reserved slot is for any other user', [first], onlyReserved, 'first'],
  [
    'a slot that is not reserved is also for those who have had one today',
    [first],
    { ...open, reserved: 1, hadToday: new Set(['first']) },
    'first',
  ],
  ['nothing begins beside an item that ended its process before', [first], { ...open, alone: true }, null],
];

describe('the next item', () => {
  it.each(ROWS)('%s', (_, waiting, slots, next) => {
    expect(nextItem(waiting, slots)?.lane ?? null).toBe(next);
  });

  it('lets nobody wait for a second place behind a steady load of higher rank', () => {
    const load = fc.record({ every: fc.integer({ min: 1, max: 10 }), rank: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(load, { minLength: 1 }), (loads) => {
        const running = new Map([['patient', 1], ...loads.map((_, user) => [`power ${user}`, 1] as const)]);
        // One place becomes free each second. Each of the others has had something new due shortly before.
        const turns = Array.from({ length: 31 }, (_, second) => {
          const others = loads.map(({ every, rank }, user) => {
            return { lane: `power ${user}`, dueAt: at(second - (second % every)), rank, network: null };
          });
          const patient = { ...first, lane: 'patient', dueAt: at(0) };
          return nextItem([...others, patient], { ...open, now: at(second), running })?.lane;
        });
        expect(turns.indexOf('patient')).toBe(30);
      }),
      { numRuns: runs(100), seed: 20261123 },
    );
  });

  it('takes little time with 10,000 users waiting', () => {
    const waiting = Array.from({ length: 10_000 }, (_, nth) => ({
      ...first,
      lane: `user ${nth}`,
      dueAt: at(nth % 90),
    }));
    const running = new Map(waiting.slice(0, 32).map(({ lane }) => [lane, 1]));
    const times = Array.from({ length: 100 }, () => {
      const begun = performance.now();
      nextItem(waiting, { ...open, running });
      return performance.now() - begun;
    });
    // Half a millisecond where nothing else runs.
    expect(Math.min(...times)).toBeLessThan(3);
  });
});
