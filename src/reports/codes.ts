/** What each promotion code brought: purchases of reports and payments of plans, at the list price and as paid. */
import type { BillingEventData } from '../domain/billing/events.ts';
import type { EventOf } from '../domain/stored/eventOf.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import { PURCHASES } from './purchases.ts';
import type { Report, ReportParams } from './report.ts';

type Group = 'code' | 'kind' | 'currency';
type State = DailySums<Group, 'uses' | 'list' | 'discount' | 'paid'>;
type Purchased = Recorded<EventOf<(typeof PURCHASES)[number]>>;

const KINDS = { reports: 'Reports', plans: 'Plans' } as const;

function evolve(state: State, event: Purchased): State {
  if (event.type === 'FundsAdded') bought(state, event.metadata.at, event.data);
  else paidForPlan(state, event.metadata.at, event.data.paid);
  return state;
}

function bought(
  state: State,
  at: string,
  { discountCode: code, funds, amount, currency }: BillingEventData<'FundsAdded'>,
): void {
  if (code === undefined) return;
  addTo(
    state,
    at,
    { code, kind: 'reports', currency },
    { uses: 1, list: funds, discount: funds - amount, paid: amount },
  );
}

/** An invoice with several codes counts for each of them. */
function paidForPlan(state: State, at: string, paid: BillingEventData<'SubscriptionStarted'>['paid']): void {
  for (const { code, amount: discount } of paid?.discounts ?? []) {
    if (!paid || code === undefined) continue;
    const { currency, amount, listAmount: list = amount } = paid;
    addTo(state, at, { code, kind: 'plans', currency }, { uses: 1, list, discount, paid: amount });
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
  const rows = (groups: readonly ('step' | Group)[]): readonly ReportRow[] => sumsBy(state, params, groups).map(named);
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
  ];
}

export const codes: Report<State> = {
  name: 'codes',
  version: 1,
  lean: true,
  title: 'Promotion codes',
  description: 'What each promotion code brought, in reports and plans: uses, list price, what was taken off and paid.',
  types: PURCHASES,
  initial: () => dailySums(['code', 'kind', 'currency'], ['uses', 'list', 'discount', 'paid']),
  evolve: (state, event) => evolve(state, event as Purchased),
  merge: mergeSums,
  tables,
};
