import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { LedgerRowView } from '../../../../src/http/contract/admin/ledger.ts';
import { eventWords } from '../../../../src/model/history/eventWords.ts';
import { nameOfTier } from '../../../../src/model/tiers.ts';
import type { SystemStatus } from '../../../api/system.ts';
import { adminHistoryPath, adminLedgerPath, adminUserPath } from '../../../ui/adminPaths.ts';
import type { Column } from '../../../ui/table/column.ts';
import { Table } from '../../../ui/table/Table.tsx';
import { ExactTime } from '../../../ui/text/ExactTime.tsx';
import { OUTSIDE } from '../../../ui/text/links.ts';
import { MINUS, moneyText } from '../../../ui/text/money.ts';
import { count, cutMiddle } from '../../../ui/text/wording.ts';
import { providerObject } from './providerLink.ts';

interface LedgerRowsProps {
  rows: readonly LedgerRowView[];
  /** Number of all rows of the filter, once it is known. */
  total: number | undefined;
  payments: SystemStatus['payments'];
}

/** A line per event of a bill, which links to that event, its user, and the provider's object. */
export function LedgerRows({ rows, total, payments }: LedgerRowsProps) {
  const columns = useMemo(() => columnsFor(payments), [payments]);
  return (
    <Table
      label="Ledger"
      rows={rows}
      columns={columns}
      idOf={idOf}
      {...(total === undefined ? {} : { total })}
      card="cards:grid-cols-[minmax(0,1fr)_auto] cards:[contain-intrinsic-size:auto_126px]"
    />
  );
}

const idOf = ({ id }: LedgerRowView): string => id;
const LINK = 'underline-offset-2 wrap-anywhere hover:underline pointer-coarse:touch-line';
const ID_LENGTH = 30;

const columnsFor = (payments: SystemStatus['payments']): readonly Column<LedgerRowView>[] => [
  {
    id: 'event',
    name: 'Event',
    width: 'minmax(0, 1.3fr)',
    cell: (row) => (
      <>
        <Link to={`${adminHistoryPath(row.stream)}#${row.revision}`} className={`font-medium text-strong ${LINK}`}>
          {eventWords(row.type)}
        </Link>
        <Details row={row} />
      </>
    ),
  },
  {
    id: 'user',
    name: 'User',
    width: 'minmax(0, 1fr)',
    className: 'text-sm cards:order-3 cards:col-span-2',
    cell: ({ user_id, user_email }) =>
      user_email === null ? (
        <Link to={adminLedgerPath(user_id)} title={user_id} className={`text-muted ${LINK}`}>
          Deleted account {cutMiddle(user_id, 13)}
        </Link>
      ) : (
        <Link to={adminUserPath(user_id)} className={`text-normal ${LINK}`}>
          {user_email}
        </Link>
      ),
  },
  {
    id: 'provider',
    name: 'At the provider',
    width: 'minmax(0, 1fr)',
    className: 'font-mono text-xs text-muted cards:order-4 cards:col-span-2',
    cell: (row) => <ProviderObject row={row} payments={payments} />,
  },
  {
    id: 'time',
    name: 'Recorded',
    width: '164px',
    className: 'text-sm whitespace-nowrap text-muted cards:order-5 cards:col-span-2',
    cell: ({ at }) => <ExactTime iso={at} />,
  },
  {
    id: 'amount',
    name: 'Amount',
    width: '112px',
    end: true,
    className: 'text-right text-strong tabular-nums cards:order-2 cards:self-start',
    cell: (row) => <Amount row={row} />,
  },
];

function Details({ row: { plan, former_plan, invoice_number, code, job_id } }: { row: LedgerRowView }) {
  const plans = [former_plan, plan].flatMap((tier) => (tier === null || tier === undefined ? [] : [nameOfTier(tier)]));
  const texts = [
    [...new Set(plans)].join(' → '),
    invoice_number !== null && `Invoice ${invoice_number}`,
    code !== null && `Code ${code}`,
    job_id !== null && `Job ${cutMiddle(job_id, 13)}`,
  ].filter(Boolean);
  return texts.length === 0 ? null : (
    <span className="block text-sm text-muted wrap-anywhere" title={job_id ?? undefined}>
      {texts.join(' · ')}
    </span>
  );
}

function ProviderObject({ row, payments }: { row: LedgerRowView; payments: SystemStatus['payments'] }) {
  const found = providerObject(row, payments);
  if (!found) return null;
  const text = (
    <span title={found.id} className="wrap-anywhere">
      {cutMiddle(found.id, ID_LENGTH)}
    </span>
  );
  return found.url === null ? (
    text
  ) : (
    <a href={found.url} {...OUTSIDE} className="link wrap-anywhere">
      {text}
    </a>
  );
}

/** Money that was paid or given back; otherwise what changed instead. */
function Amount({ row: { kind, amount, currency, funds, credits } }: { row: LedgerRowView }) {
  if (kind === 'credit' || kind === 'credit_use')
    return `${credits < 0 ? MINUS : '+'}${count(Math.abs(credits), 'credit')}`;
  if (kind === 'funds_use')
    return (
      <>
        {funds > 0 && '+'}
        {moneyText(funds, currency)}
        <span className="block text-xs text-muted">{funds < 0 ? 'from the funds' : 'to the funds'}</span>
      </>
    );
  return kind === 'plan' ? null : moneyText(amount, currency);
}
