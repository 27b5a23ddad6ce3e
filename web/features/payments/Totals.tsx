import type { ReactNode } from 'react';
import { MINIMUM_TOTAL } from '../../../src/model/purchase.ts';
import { moneyText } from '../../ui/text/money.ts';
import { count } from '../../ui/text/wording.ts';
import type { ShownSums } from './purchase.ts';

interface TotalsProps {
  /** Null when the quantity is invalid. */
  sums: ShownSums | null;
  quantity: number;
  /** Current funds; null when unknown. */
  balance: number | null;
}

/** What is charged and for what, beside the button that charges it. */
export function Totals({ sums, quantity, balance }: TotalsProps) {
  if (!sums) return <p className="text-muted">Choose how many reports to buy.</p>;
  const money = (amount: number): string => moneyText(amount, sums.currency);
  return (
    <dl aria-label="Totals" className="space-y-1 tabular-nums">
      <Line name={`Subtotal (${count(quantity, 'report')} at ${money(sums.unitAmount)})`}>{money(sums.subtotal)}</Line>
      {sums.discount > 0 && (
        <Line name="Discount" className="text-good">
          {money(-sums.discount)}
        </Line>
      )}
      {sums.atMinimum && (
        <Line name="Minimum charge" className="text-sm text-muted">
          {money(MINIMUM_TOTAL)}
        </Line>
      )}
      <Line name="Total" className="border-t border-line pt-1 text-lg font-semibold text-strong">
        {money(sums.total)}
      </Line>
      {balance !== null && (
        <>
          <Line name="Balance now" className="pt-1 text-sm text-muted">
            {money(balance)}
          </Line>
          <Line name="Balance after" className="text-sm text-muted">
            {money(balance + sums.funds)}
          </Line>
        </>
      )}
    </dl>
  );
}

function Line({ name, className = '', children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={`flex justify-between gap-4 ${className}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
