import type { LedgerSumsResponse } from '../../../../src/http/contract/admin/ledger.ts';
import type { LedgerKind } from '../../../../src/model/ledger.ts';
import type { ReportColumn } from '../../../../src/model/reports.ts';
import { Card } from '../../../ui/Card.tsx';
import { ReportRows } from '../../../ui/reports/ReportRows.tsx';
import { count } from '../../../ui/text/wording.ts';

const SUMS: readonly ReportColumn[] = [
  { key: 'name', label: 'Currency', kind: 'text' },
  { key: 'payments', label: 'Payments', kind: 'count' },
  { key: 'paid', label: 'Paid', kind: 'money' },
  { key: 'refunded', label: 'Refunded', kind: 'money' },
  { key: 'disputed', label: 'Disputed', kind: 'money' },
  { key: 'net', label: 'Net', kind: 'money' },
  { key: 'funds', label: 'Change of funds', kind: 'money' },
];
const KINDS: readonly ReportColumn[] = [
  { key: 'name', label: 'Kind', kind: 'text' },
  { key: 'rows', label: 'Rows', kind: 'count' },
  { key: 'amount', label: 'Money', kind: 'money' },
];

const KIND_NAMES: Readonly<Record<LedgerKind, string>> = {
  purchase: 'Reports bought',
  plan_invoice: 'Plans started and changed',
  renewal: 'Plans renewed',
  refund: 'Refunds',
  dispute: 'Disputes',
  credit: 'Credits granted',
  credit_use: 'Audits paid with credits',
  funds_use: 'Audits paid with funds',
  plan: 'Plan changes without a payment',
};

/** The sums of all rows of the filter, as in the report Revenue. */
export function LedgerFigures({ sums }: { sums: LedgerSumsResponse['data'] }) {
  const { rows, currencies, credits, kinds } = sums;
  return (
    <Card title="Sums" aside={<p className="text-sm text-muted">Of {count(rows, 'row')}, whatever page is shown</p>}>
      {currencies.length === 0 ? (
        <p className="text-muted">No money moved.</p>
      ) : (
        <ReportRows
          title="Sums"
          columns={SUMS}
          rows={currencies.map((each) => ({ ...each, name: each.currency.toUpperCase() }))}
        />
      )}
      {(credits.granted !== 0 || credits.used !== 0) && (
        <p className="mt-3 text-sm text-normal">
          {count(credits.granted, 'credit')} granted, {count(credits.used, 'credit')} used.
        </p>
      )}
      {kinds.length > 0 && (
        <details className="mt-3">
          <summary className="min-h-8 cursor-pointer text-sm text-normal pointer-coarse:min-h-11">By kind</summary>
          <ReportRows title="By kind" columns={KINDS} rows={kinds.map(kindRow)} />
        </details>
      )}
    </Card>
  );
}

const kindRow = ({ kind, currency, rows, amount }: LedgerSumsResponse['data']['kinds'][number]) => ({
  name: currency === null ? KIND_NAMES[kind] : `${KIND_NAMES[kind]}, ${currency.toUpperCase()}`,
  currency,
  rows,
  amount: currency === null ? null : amount,
});
