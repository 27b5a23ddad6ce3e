import { expect, it } from 'vitest';
import { moneyText } from '../../../../web/ui/text/money.ts';

it('formats a sum in its currency, with that currency’s digits', () => {
  const sums = [
    [123_456, 'usd'],
    [-5, 'usd'],
    [1_200, null],
    [123_456, 'eur'],
    [5_000, 'jpy'],
  ] as const;
  expect(sums.map(([amount, currency]) => moneyText(amount, currency))).toEqual([
    '$1,234.56',
    '−$0.05',
    '$12.00',
    '€1,234.56',
    '¥5,000',
  ]);
});
