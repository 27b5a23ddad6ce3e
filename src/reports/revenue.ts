/** Payments by month, plan and kind, refunds, and recurring revenue. */
import type { MoneyEvent, PaidInvoice, SubscriptionEvent } from '../domain/billing/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { nameOfTier, type PaidTier } from '../model/tiers.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import {
  evolveRecurring,
  mergeRecurring,
  noRecurring,
  type RecurringState,
  recurringTable,
} from './recurringRevenue.ts';
import type { Report, ReportParams } from './report.ts';
import { addId, addIds, type CompactIds, compactIds, hasId } from './state/compactIds.ts';

type Kind = 'reports' | 'subscription';
/** What a payment was for. `plan` is empty for a plan whose payment is unknown. */
type Purpose = { readonly kind: Kind; readonly plan: PaidTier | '' };

type State = {
  readonly money: DailySums<'kind' | 'plan' | 'currency', 'payments' | 'paid' | 'refunded' | 'disputed'>;
  readonly granted: DailySums<never, 'grants' | 'credits'>;
  /** Payment intents that bought reports: there may be very many. */
  readonly reportPayments: CompactIds;
  /** Purpose of the payments of plans, by payment intent. */
  readonly planPayments: Map<string, Purpose>;
  readonly recurring: RecurringState;
};

type PlanEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionSynced' }>;
type RevenueEvent = MoneyEvent | PlanEvent;

const TYPES = [
  'FundsAdded',
  'CreditsGranted',
  'PaymentRefunded',
  'DisputeOpened',
  'DisputeWon',
  'SubscriptionStarted',
  'SubscriptionChanged',
  'SubscriptionRenewed',
  'SubscriptionPaymentFailed',
  'SubscriptionStatusChanged',
  'SubscriptionEnded',
] as readonly RevenueEvent['type'][];

const REPORTS: Purpose = { kind: 'reports', plan: '' };
const UNKNOWN_PLAN: Purpose = { kind: 'subscription', plan: '' };
/** Shared objects per tier: there may be very many payments. */
const OF_TIER: Readonly<Record<PaidTier, Purpose>> = {
  tier1: { kind: 'subscription', plan: 'tier1' },
  tier2: { kind: 'subscription', plan: 'tier2' },
  tier3: { kind: 'subscription', plan: 'tier3' },
  tier4: { kind: 'subscription', plan: 'tier4' },
};

function evolve(state: State, event: Recorded<RevenueEvent>): State {
  const { at } = event.metadata;
  switch (event.type) {
    case 'FundsAdded': {
      const { paymentIntentId, amount, currency } = event.data;
      addId(state.reportPayments, paymentIntentId);
      addTo(state.money, at, { ...REPORTS, currency }, { payments: amount > 0 ? 1 : 0, paid: amount });
      return state;
    }
    case 'CreditsGranted':
      addTo(state.granted, at, {}, { grants: 1, credits: event.data.credits });
      return state;
    case 'PaymentRefunded':
      addTo(state.money, at, of(state, event.data), { refunded: event.data.amount });
      return state;
    case 'DisputeOpened':
      addTo(state.money, at, of(state, event.data), { disputed: event.data.amount });
      return state;
    case 'DisputeWon':
      addTo(state.money, at, of(state, event.data), { disputed: -event.data.amount });
      return state;
    case 'DisputeLost':
      return state;
    default:
      if ('paid' in event.data && event.data.paid) enterInvoice(state, at, event.data.tier, event.data.paid);
      evolveRecurring(state.recurring, event);
      return state;
  }
}

function enterInvoice(
  { money, planPayments }: State,
  at: string,
  tier: PaidTier,
  { paymentIntentId, amount, currency }: PaidInvoice,
): void {
  const purpose = OF_TIER[tier];
  if (paymentIntentId !== null) planPayments.set(paymentIntentId, purpose);
  addTo(money, at, { ...purpose, currency }, { payments: amount > 0 ? 1 : 0, paid: amount });
}

function of(
  { reportPayments, planPayments }: State,
  { paymentIntentId, currency }: { readonly paymentIntentId: string; readonly currency: string },
) {
  const purpose =
    planPayments.get(paymentIntentId) ?? (hasId(reportPayments, paymentIntentId) ? REPORTS : UNKNOWN_PLAN);
  return { ...purpose, currency };
}

/** A payment and what becomes of it are in one bill, which is one stream. */
function merge(one: State, other: State): State {
  mergeSums(one.money, other.money);
  mergeSums(one.granted, other.granted);
  mergeRecurring(one.recurring, other.recurring);
  addIds(one.reportPayments, other.reportPayments);
  for (const [payment, purpose] of other.planPayments) one.planPayments.set(payment, purpose);
  return one;
}

const MONEY: readonly ReportColumn[] = [
  { key: 'payments', label: 'Payments', kind: 'count' },
  { key: 'paid', label: 'Paid', kind: 'money' },
  { key: 'refunded', label: 'Refunded', kind: 'money' },
  { key: 'disputed', label: 'Disputed', kind: 'money' },
  { key: 'net', label: 'Net', kind: 'money' },
];
const STEP: ReportColumn = { key: 'step', label: 'From', kind: 'date' };
const FOR: readonly ReportColumn[] = [
  { key: 'kind', label: 'For', kind: 'text' },
  { key: 'plan', label: 'Plan', kind: 'text' },
];

type Group = 'step' | 'kind' | 'plan' | 'currency';

function moneyRows({ money }: State, params: ReportParams, groups: readonly Group[]): readonly ReportRow[] {
  return sumsBy(money, params, groups).map((row) => ({ ...named(row), net: row.paid - row.refunded - row.disputed }));
}

function named(row: ReportRow): ReportRow {
  if (row.kind === undefined) return row;
  const plan = row.plan === '' || row.plan === undefined ? null : nameOfTier(row.plan as PaidTier);
  return { ...row, kind: row.kind === 'reports' ? 'Reports' : 'Subscription', plan };
}

function tables(state: State, params: ReportParams & { readonly asOf: string }): readonly ReportTable[] {
  return [
    {
      name: 'over-time',
      title: 'Revenue over time',
      columns: [STEP, ...MONEY],
      rows: moneyRows(state, params, ['step', 'currency']),
      note: 'Dated by when the payment was recorded. Net is what was paid, less refunds and what disputes have taken back. Each currency is counted by itself.',
      chart: { kind: 'bar', x: 'step', series: ['net'] },
    },
    {
      name: 'by-plan',
      title: 'Revenue by plan',
      columns: [...FOR, ...MONEY],
      rows: moneyRows(state, params, ['kind', 'plan', 'currency']),
    },
    {
      name: 'by-plan-over-time',
      title: 'Revenue by plan over time',
      columns: [STEP, ...FOR, ...MONEY],
      rows: moneyRows(state, params, ['step', 'kind', 'plan', 'currency']),
    },
    recurringTable(state.recurring, params, params.asOf),
    {
      name: 'credits',
      title: 'Granted credits',
      columns: [
        STEP,
        { key: 'grants', label: 'Grants', kind: 'count' },
        { key: 'credits', label: 'Credits', kind: 'count' },
      ],
      rows: sumsBy(state.granted, params, ['step']),
      note: 'Credits are granted by admins, free of charge.',
    },
  ];
}

export const revenue: Report<State> = {
  name: 'revenue',
  version: 3,
  lean: true,
  title: 'Revenue',
  description:
    'What was paid, by plan and kind, what was refunded or disputed, and the recurring revenue with its movements.',
  types: TYPES,
  initial: () => ({
    money: dailySums(['kind', 'plan', 'currency'], ['payments', 'paid', 'refunded', 'disputed']),
    granted: dailySums([], ['grants', 'credits']),
    reportPayments: compactIds(),
    planPayments: new Map(),
    recurring: noRecurring(),
  }),
  evolve: (state, event) => evolve(state, event as Recorded<RevenueEvent>),
  merge,
  tables,
};
