import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timesIn } from '../../../src/domain/billing/money.ts';
import { decimalText, digitsOf, moneyText, unitsOf } from '../../../src/model/money.ts';
import {
  type Discount,
  FALLBACK_REPORT_PRICE,
  MAX_QUANTITY,
  purchaseSums,
  shareOf,
} from '../../../src/model/purchase.ts';

const SEED = 20261123;
const usd = (amount: number) => ({ amount, currency: 'usd' });
const percent = (percentOff: number): Discount => ({ percentOff });
const fixed = (amountOff: number, currency = 'usd'): Discount => ({ amountOff, currency });

describe('the sums of a purchase', () => {
  it.each([
    { quantity: 1, unit: 5_000, code: null, total: 5_000, note: 'no code' },
    { quantity: 3, unit: 5_000, code: percent(15), total: 12_750, note: 'a percentage of the subtotal' },
    { quantity: 1, unit: 3_333, code: percent(12.5), total: 2_916, note: '416.625 becomes 417' },
    { quantity: 2, unit: 5_000, code: fixed(1_000), total: 8_000, note: 'a fixed sum for each report' },
    { quantity: 1, unit: 5_000, code: percent(100), total: 50, note: 'the minimum' },
    { quantity: 20, unit: 5_000, code: fixed(6_000), total: 50, note: 'never negative' },
    { quantity: 1, unit: 1_001, code: percent(50), total: 500, note: '500.5 becomes 501' },
    {
      quantity: 1,
      unit: 5_000,
      code: fixed(1_000, 'eur'),
      total: 5_000,
      note: 'a code of another currency takes nothing off',
    },
  ])('$quantity × $unit: $total ($note)', ({ quantity, unit, code, total }) => {
    expect(purchaseSums(quantity, usd(unit), code)).toMatchObject({
      subtotal: quantity * unit,
      total,
      funds: quantity * unit,
    });
  });
  it('are those of 1 to 20 whole reports', () => {
    for (const quantity of [0, -1, 1.5, 21, Number.NaN])
      expect(() => purchaseSums(quantity, usd(5_000), null)).toThrow(RangeError);
    for (const amount of [-1, 0.5, Number.NaN]) expect(() => purchaseSums(1, usd(amount), null)).toThrow(RangeError);
    expect(purchaseSums(MAX_QUANTITY, FALLBACK_REPORT_PRICE, null).total).toBe(100_000);
  });
  it(`are whole, never below the minimum, and never take off more than there is (seed ${SEED})`, () => {
    const code = fc.oneof(
      fc.constant(null),
      fc.nat(10_000).map((hundredths) => percent(hundredths / 100)),
      fc.nat(20_000).map((cents) => fixed(cents)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(1_000_000), code, (quantity, unit, off) => {
        const { subtotal, discount, total, funds } = purchaseSums(quantity, usd(unit), off);
        for (const sum of [subtotal, discount, total, funds]) expect(Number.isSafeInteger(sum)).toBe(true);
        expect(discount).toBeGreaterThanOrEqual(0);
        expect(discount).toBeLessThanOrEqual(subtotal);
        expect(total).toBe(Math.max(50, subtotal - discount));
        expect(funds).toBe(subtotal);
      }),
      { seed: SEED },
    );
  });
});

describe('a fraction of an amount', () => {
  it('rounds half up, returns the whole for the whole, and is exact for large amounts', () => {
    expect(shareOf(5, 1, 2)).toBe(3);
    expect(shareOf(7, 1, 3)).toBe(2);
    expect(shareOf(5_000, 50, 50)).toBe(5_000);
    expect(shareOf(9_007_199_254_740_991, 10_000, 10_000)).toBe(9_007_199_254_740_991);
    expect(shareOf(5_000, 1, 0)).toBe(0);
  });
});

describe('money', () => {
  it('gives how many times an amount fits into a balance', () => {
    expect(timesIn(14_999, 5_000)).toBe(2);
    expect(timesIn(-1, 5_000)).toBe(0);
    expect(timesIn(5_000, 0)).toBe(0);
  });
  it('is formatted with its currency and two decimals', () => {
    expect(moneyText(usd(5_000))).toBe('$50.00');
    expect(moneyText(usd(50))).toBe('$0.50');
    expect(moneyText({ amount: -123_456, currency: 'eur' })).toBe('-€1,234.56');
  });
  it('has as many digits as its currency', () => {
    const sums = [
      { amount: 5_000, currency: 'usd' },
      { amount: -5_000, currency: 'jpy' },
      { amount: 7, currency: 'eur' },
      { amount: 7, currency: 'jpy' },
      { amount: -12_345, currency: 'kwd' },
    ];
    expect(sums.map((sum) => [digitsOf(sum.currency), unitsOf(sum), decimalText(sum)])).toEqual([
      [2, 50, '50.00'],
      [0, -5_000, '-5000'],
      [2, 0.07, '0.07'],
      [0, 7, '7'],
      [3, -12.345, '-12.345'],
    ]);
    expect(moneyText({ amount: -5_000, currency: 'jpy' })).toBe('-¥5,000');
  });
});
