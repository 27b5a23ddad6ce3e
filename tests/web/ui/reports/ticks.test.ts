/** The axes of charts. */
import { describe, expect, it } from 'vitest';
import { lineData } from '../../../../web/ui/reports/lineData.ts';
import type { Drawn } from '../../../../web/ui/reports/reportSeries.ts';
import { everyNth, ticksOf } from '../../../../web/ui/reports/ticks.ts';

describe('the lines of an axis', () => {
  it.each([
    ['of nothing', 0, 0, 'whole', [0, 1]],
    ['of one', 0, 1, 'whole', [0, 1]],
    ['end just above the most, at whole numbers', 0, 2, 'whole', [0, 1, 2]],
    ['of few', 0, 3, 'whole', [0, 1, 2, 3]],
    ['of more', 0, 7, 'whole', [0, 2, 4, 6, 8]],
    ['of many', 0, 1301, 'whole', [0, 500, 1000, 1500]],
    ['of shares', 0, 0.31, 'any', [0, 0.1, 0.2, 0.3, 0.4]],
    ['of what is below zero', -30, 90, 'any', [-50, 0, 50, 100]],
    ['of nothing but what is below zero', -3, -1, 'whole', [-3, -2, -1, 0]],
    ['of minutes', 0, 200_000, 'duration', [0, 60_000, 120_000, 180_000, 240_000]],
    ['of milliseconds', 0, 900, 'duration', [0, 500, 1000]],
    ['of days', 0, 9 * 86_400_000, 'duration', [0, 5 * 86_400_000, 10 * 86_400_000]],
  ] as const)('%s', (_, least, most, kind, ticks) => {
    expect(ticksOf(least, most, kind)).toEqual(ticks);
  });

  it('are few, whatever the numbers', () => {
    for (const kind of ['whole', 'duration', 'any'] as const)
      for (let most = 0.001; most < 1e12; most *= 1.7) {
        const ticks = ticksOf(-most / 3, most, kind);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(9);
        expect(ticks[0]).toBeLessThanOrEqual(-most / 3 + 1e-6 * most);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-6));
        expect(ticks).toContain(0);
      }
  });

  it('have as many labels as fit', () => {
    expect(everyNth(5, 600, 60)).toBe(1);
    expect(everyNth(100, 600, 60)).toBe(10);
    expect(everyNth(0, 0, 60)).toBe(1);
  });
});

describe('the points of a line', () => {
  const drawn = (values: readonly (number | null)[]): Drawn => ({
    x: { key: 'at', label: 'Day', kind: 'date' },
    series: [{ key: 'paid', label: 'Paid', kind: 'count', currency: null }],
    points: values.map((paid, n) => ({ x: `${n}`, paid })),
  });

  it.each([0, 1, 10_000])('are those of the table: %i', (length) => {
    const data = lineData(drawn(Array.from({ length }, (_, n) => (n % 3 === 0 ? null : n))));
    expect(data[0]).toHaveLength(length);
    expect([...data[1]!].slice(0, 2)).toEqual([null, 1].slice(0, length));
  });
});
