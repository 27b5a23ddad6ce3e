/** The decimals of a currency are the payment provider's, whatever the locale data of the runtime say. */
import { describe, expect, it } from 'vitest';
import { decimalText, digitsOf, isOnlyWhole, moneyText } from '../../src/model/money.ts';
import { moneyText as shownText } from '../../web/ui/text/money.ts';

const ZERO = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'];
const THREE = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/** Counted in hundredths by the provider, and with other decimals in locale data. */
const UNLIKE_LOCALE = [
  'afn',
  'all',
  'cop',
  'crc',
  'czk',
  'huf',
  'idr',
  'isk',
  'lak',
  'lbp',
  'mmk',
  'pkr',
  'twd',
  'ugx',
];

describe('the decimals of an amount', () => {
  it.each(ZERO)('%s has none', (currency) => {
    expect(digitsOf(currency)).toBe(0);
    expect(decimalText({ amount: 5_000, currency })).toBe('5000');
    expect(moneyText({ amount: 5_000, currency })).toMatch(/5,000$/);
  });

  it.each(THREE)('%s has three', (currency) => {
    expect(digitsOf(currency)).toBe(3);
    expect(decimalText({ amount: 5_000, currency })).toBe('5.000');
    expect(moneyText({ amount: 5_000, currency })).toMatch(/5\.000$/);
  });

  it.each([...UNLIKE_LOCALE, 'usd', 'eur', 'gbp', 'inr', 'clf', 'iqd'])('%s has two', (currency) => {
    expect(digitsOf(currency)).toBe(2);
    expect(decimalText({ amount: -123_456, currency })).toBe('-1234.56');
    expect(moneyText({ amount: 123_456, currency })).toMatch(/1,234\.56$/);
    expect(shownText(123_456, currency)).toMatch(/1,234\.56$/);
  });

  it('may be ones of which only whole units can be charged', () => {
    expect(['isk', 'ugx', 'huf', 'usd', 'jpy'].filter(isOnlyWhole)).toEqual(['isk', 'ugx']);
  });
});
