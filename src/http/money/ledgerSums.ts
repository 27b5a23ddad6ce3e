/** The sums of the ledger, which are those of the report Revenue and of the bills. */
import type { LedgerKind } from '../../model/ledger.ts';
import { ascending } from '../../model/order.ts';
import { type LedgerFilter, type LedgerReading, type LedgerRow, ledgerPages } from '../../projections/ledger.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { LedgerSums, LedgerSumsResponse } from '../contract/admin/ledger.ts';

type Sums = Omit<LedgerSumsResponse['data'], 'all_currencies'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type KindSum = Mutable<Sums['kinds'][number]>;

const PAGE = 200;

/** Of all rows of the filter, read a page at a time. @throws what `between` throws */
export async function sumLedger(
  readModels: Pick<ReadModels, 'find'>,
  filter: LedgerFilter,
  between: LedgerReading['between'],
): Promise<Sums> {
  const currencies = new Map<string, Mutable<LedgerSums>>();
  const kinds = new Map<string, KindSum>();
  const credits = { granted: 0, used: 0 };
  let rows = 0;
  for await (const page of ledgerPages(readModels, filter, { size: PAGE, between })) {
    for (const { data } of page) {
      rows += 1;
      const { kind, amount, currency = null } = data;
      const ofKind = kinds.get(`${kind} ${currency}`) ?? { kind, currency, rows: 0, amount: 0 };
      ofKind.rows += 1;
      ofKind.amount += amount;
      kinds.set(`${kind} ${currency}`, ofKind);
      if (kind === 'credit') credits.granted += data.credits;
      if (kind === 'credit_use') credits.used -= data.credits;
      if (currency === null) continue;
      const ofCurrency = currencies.get(currency) ?? noSums(currency);
      addTo(ofCurrency, data);
      currencies.set(currency, ofCurrency);
    }
  }
  return {
    rows,
    currencies: [...currencies.values()].sort((a, b) => ascending(a.currency, b.currency)),
    credits,
    kinds: [...kinds.values()].sort((a, b) => ascending(`${a.kind} ${a.currency}`, `${b.kind} ${b.currency}`)),
  };
}

const noSums = (currency: string): Mutable<LedgerSums> => ({
  currency,
  payments: 0,
  paid: 0,
  refunded: 0,
  disputed: 0,
  net: 0,
  funds: 0,
});

const PAYMENTS: ReadonlySet<LedgerKind> = new Set(['purchase', 'plan_invoice', 'renewal']);

function addTo(sums: Mutable<LedgerSums>, { kind, amount, funds }: LedgerRow['data']): void {
  sums.net += amount;
  sums.funds += funds;
  if (kind === 'refund') sums.refunded -= amount;
  else if (kind === 'dispute') sums.disputed -= amount;
  else if (PAYMENTS.has(kind)) {
    sums.paid += amount;
    // What was free is no payment.
    if (amount > 0) sums.payments += 1;
  }
}
