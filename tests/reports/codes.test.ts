/** What a promotion code brought, in reports and plans. */
import { expect, it } from 'vitest';
import type { BillingCommand } from '../../src/domain/billing/decide.ts';
import { codes } from '../../src/reports/codes.ts';
import { billed, bought, subscribed, told } from '../given/billing/facts.ts';
import { happened, logOf, rowsOf, runReport } from '../given/reports.ts';

const billOf = (at: readonly string[], ...commands: readonly BillingCommand[]) =>
  billed(...commands).events.map((event, nth) =>
    happened('billing-user-1', at[Math.min(nth, at.length - 1)] ?? '', event.type, event.data),
  );
const AT = ['2026-01-10T10:00:00.000Z', '2026-01-11T10:00:00.000Z', '2026-02-01T00:00:00.000Z'];

/** The plan's `nth` period, of which the code takes half. */
const halved = (nth: number, code: string | null = 'FIFTEEN') => {
  const plan = subscribed({ nth });
  const invoice = plan.invoice && {
    ...plan.invoice,
    amount: 3_950,
    discounts: [{ ...(code === null ? {} : { code }), amount: 3_950 }],
  };
  return told({ ...plan, invoice, monthly: 3_950 });
};

it('is empty without events, and without codes', async () => {
  const empty = [
    ['by-code', []],
    ['by-kind', []],
    ['over-time', []],
    ['limited', []],
  ];
  for (const log of [await logOf(), await logOf(...billOf(AT, bought('pi_1'), halved(0, null)))])
    expect((await runReport(log, codes)).tables.map(({ name, rows }) => [name, rows])).toEqual(empty);
});

it('adds up reports and plans, by code and month, and keeps ranges', async () => {
  const code = { discountCode: 'FIFTEEN' };
  const log = await logOf(
    ...billOf(
      AT,
      bought('pi_1', { quantity: 3, amount: 12_750, funds: 15_000, ...code }),
      halved(0),
      halved(1),
      bought('pi_2', { amount: 0, funds: 5_000, discountCode: 'FREE' }),
    ),
  );
  const result = await runReport(log, codes);
  const usd = { currency: 'usd' };
  expect(rowsOf(result, 'by-code')).toEqual([
    { code: 'FIFTEEN', ...usd, uses: 3, list: 30_800, discount: 10_150, paid: 20_650 },
    { code: 'FREE', ...usd, uses: 1, list: 5_000, discount: 5_000, paid: 0 },
  ]);
  expect(rowsOf(result, 'by-kind')).toEqual([
    { code: 'FIFTEEN', kind: 'Plans', ...usd, uses: 2, list: 15_800, discount: 7_900, paid: 7_900 },
    { code: 'FIFTEEN', kind: 'Reports', ...usd, uses: 1, list: 15_000, discount: 2_250, paid: 12_750 },
    { code: 'FREE', kind: 'Reports', ...usd, uses: 1, list: 5_000, discount: 5_000, paid: 0 },
  ]);
  const february = await runReport(log, codes, { from: '2026-02-01', to: '2026-03-01' });
  expect(rowsOf(february, 'over-time')).toEqual([
    { step: '2026-02-01', code: 'FIFTEEN', kind: 'Plans', ...usd, uses: 1, list: 7_900, discount: 3_950, paid: 3_950 },
    { step: '2026-02-01', code: 'FREE', kind: 'Reports', ...usd, uses: 1, list: 5_000, discount: 5_000, paid: 0 },
  ]);
});

it('counts the checkouts and payments of codes with a number of uses', async () => {
  const use = { codeId: 'c-1', promotionCodeId: 'promo_1', code: 'FEW', userId: 'user-1' };
  const [opened, later] = ['2026-01-10T10:00:00.000Z', '2026-01-10T11:00:00.000Z'];
  const log = await logOf(
    happened('code-c-1', opened, 'CodeUseReserved', { ...use, useId: 'u-1', expiresAt: later, reservedAt: opened }),
    happened('code-c-1', later, 'CodeUseReleased', {
      codeId: 'c-1',
      useId: 'u-1',
      reason: 'expired',
      releasedAt: later,
    }),
    happened('code-c-1', later, 'CodeUsed', {
      ...use,
      useId: 'u-1',
      paymentIntentId: 'pi_1',
      afterRelease: true,
      usedAt: later,
    }),
  );
  expect(rowsOf(await runReport(log, codes), 'limited')).toEqual([{ code: 'FEW', reserved: 1, used: 1, late: 1 }]);
});
