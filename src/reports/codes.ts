/** What each promotion code brought: purchases of reports and payments of plans, at the list price and as paid. */
import type { BillingEventData } from '../domain/billing/events.ts';
import type { CodeEvent } from '../domain/code/events.ts';
import type { EventOf } from '../domain/stored/eventOf.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import { PURCHASES } from './purchases.ts';
import type { Report, ReportParams } from './report.ts';

type Group = 'code' | 'kind' | 'currency';
type State = {
  readonly brought: DailySums<Group, 'uses' | 'list' | 'discount' | 'paid'>;
  /** Of codes with a limited number of uses, for reports. */
  readonly limited: DailySums<'code', 'reserved' | 'used' | 'late'>;
};
type Purchased = Recorded<EventOf<(typeof PURCHASES)[number]>>;
type Read = Purchased | Recorded<CodeEvent>;

const KINDS = { reports: 'Reports', plans: 'Plans' } as const;

function evolve(state: State, event: Read): State {
  const { at } = event.metadata;
  switch (event.type) {
    case 'FundsAdded':
      bought(state, at, event.data);
      break;
    case 'CodeUseReserved':
      addTo(state.limited, at, { code: event.data.code }, { reserved: 1 });
      break;
    case 'CodeUsed':
      addTo(state.limited, at, { code: event.data.code }, { used: 1, late: event.data.afterRelease ? 1 : 0 });
      break;
    case 'CodeUseStarted':
    case 'CodeUseReleased':
      break;
    default:
      paidForPlan(state, at, event.data.paid);
  }
  return state;
}

function bought(
  { brought }: State,
  at: string,
  { discountCode: code, funds, amount, currency }: BillingEventData<'FundsAdded'>,
): void {
  if (code === undefined) return;
  addTo(
    brought,
    at,
    { code, kind: 'reports', currency },
    { uses: 1, list: funds, discount: funds - amount, paid: amount },
  );
}

/** An invoice with several codes counts for each of them. */
function paidForPlan({ brought }: State, at: string, paid: BillingEventData<'SubscriptionStarted'>['paid']): void {
  for (const { code, amount: discount } of paid?.discounts ?? []) {
    if (!paid || code === undefined) continue;
    const { currency, amount, listAmount: list = amount } = paid;
    addTo(brought, at, { code, kind: 'plans', currency }, { uses: 1, list, discount, paid: amount });
  }
}

const SUMS: readonly ReportColumn[] = [
  { key: 'uses', label: 'Payments', kind: 'count' },
  { key: 'list', label: 'List price', kind: 'money' },
  { key: 'discount', label: 'Taken off', kind: 'money' },
  { key: 'paid', label: 'Paid', kind: 'money' },
];

const named = (row: ReportRow): ReportRow =>
  row.kind === undefined ? row : { ...row, kind: KINDS[row.kind as keyof typeof KINDS] };

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  const rows = (groups: readonly ('step' | Group)[]): readonly ReportRow[] =>
    sumsBy(state.brought, params, groups).map(named);
  return [
    {
      name: 'by-code',
      title: 'What each code brought',
      columns: [{ key: 'code', label: 'Code', kind: 'text' }, ...SUMS],
      rows: rows(['code', 'currency']),
      chart: { kind: 'bar', x: 'code', series: ['paid', 'discount'] },
      note: 'A payment of a plan with several codes counts for each of them. Payments of plans that versions before this one recorded have no codes.',
    },
    {
      name: 'by-kind',
      title: 'Reports and plans by code',
      columns: [{ key: 'code', label: 'Code', kind: 'text' }, { key: 'kind', label: 'For', kind: 'text' }, ...SUMS],
      rows: rows(['code', 'kind', 'currency']),
    },
    {
      name: 'over-time',
      title: 'Payments with a code over time',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        { key: 'code', label: 'Code', kind: 'text' },
        { key: 'kind', label: 'For', kind: 'text' },
        ...SUMS,
      ],
      rows: rows(['step', 'code', 'kind', 'currency']),
    },
    {
      name: 'limited',
      title: 'Codes with a number of uses, for reports',
      columns: [
        { key: 'code', label: 'Code', kind: 'text' },
        { key: 'reserved', label: 'Checkouts opened', kind: 'count' },
        { key: 'used', label: 'Used', kind: 'count' },
        { key: 'late', label: 'Paid after release', kind: 'count' },
      ],
      rows: sumsBy(state.limited, params, ['code']),
      note: 'A use is kept for half an hour while a checkout is open. One that is paid for later is honored all the same, perhaps beyond the limit.',
    },
  ];
}

export const codes: Report<State> = {
  name: 'codes',
  version: 1,
  lean: true,
  title: 'Promotion codes',
  description: 'What each promotion code brought, in reports and plans: uses, list price, what was taken off and paid.',
  types: [...PURCHASES, 'CodeUseReserved', 'CodeUsed'],
  initial: () => ({
    brought: dailySums(['code', 'kind', 'currency'], ['uses', 'list', 'discount', 'paid']),
    limited: dailySums(['code'], ['reserved', 'used', 'late']),
  }),
  evolve: (state, event) => evolve(state, event as Read),
  merge: (one, other) => ({
    brought: mergeSums(one.brought, other.brought),
    limited: mergeSums(one.limited, other.limited),
  }),
  tables,
};
