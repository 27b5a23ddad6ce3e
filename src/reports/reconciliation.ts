/** Reconciles payments reported by the payment provider with those entered in the bills. */
import type { MoneyEvent, PaidInvoice, SubscriptionEvent } from '../domain/billing/events.ts';
import type { ProviderEventEvent } from '../domain/providerEvent/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { ascending, descending } from '../model/order.ts';
import type { ReportRow, ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy } from './groups.ts';
import type { Report, ReportParams } from './report.ts';

type Line = { readonly at: string; readonly amount: number; readonly currency: string };
type Kind = 'payment' | 'invoice' | 'dispute';
/** `made`: when it was created at the provider, UTC ISO; `at` is when we were notified. */
type ReportedLine = Line & { readonly kind: Kind; readonly made: string; notOurs: boolean };
type Entered = Line & { readonly kind: Kind; readonly userId: string };

type State = {
  /** By the provider's id of the payment, invoice or dispute. */
  readonly reported: Map<string, ReportedLine>;
  readonly entered: Map<string, Entered>;
  /** Paid invoices, by their payment. */
  readonly invoiceOf: Map<string, string>;
  /** Refunded payments: as reported by the provider, with the time, and as entered in the bills. */
  readonly refundsReported: Map<string, string>;
  readonly refundsEntered: Set<string>;
  /** Provider events not processed yet, with the id they concern. */
  readonly pending: Map<string, string>;
  /** Live plans whose product is none of the plans, by subscription. */
  readonly unknownPlans: Map<string, UnknownPlan>;
};

type UnknownPlan = { readonly userId: string; readonly productId: string | null; readonly at: string };

type ReconciledEvent = MoneyEvent | SubscriptionEvent | ProviderEventEvent;

const TYPES = [
  'FundsAdded',
  'PaymentRefunded',
  'DisputeOpened',
  'SubscriptionStarted',
  'SubscriptionChanged',
  'SubscriptionRenewed',
  'SubscriptionStatusChanged',
  'SubscriptionEnded',
  'ProviderEventReceived',
  'ProviderEventApplied',
  'ProviderEventIgnored',
] as readonly ReconciledEvent['type'][];

function evolve(state: State, event: Recorded<ReconciledEvent>): State {
  const { at } = event.metadata;
  switch (event.type) {
    case 'FundsAdded': {
      const { userId, paymentIntentId, amount, currency } = event.data;
      state.entered.set(paymentIntentId, { kind: 'payment', userId, at, amount, currency });
      break;
    }
    case 'PaymentRefunded':
      state.refundsEntered.add(event.data.paymentIntentId);
      break;
    case 'DisputeOpened': {
      const { userId, disputeId, amount, currency } = event.data;
      state.entered.set(disputeId, { kind: 'dispute', userId, at, amount, currency });
      break;
    }
    case 'SubscriptionStarted':
    case 'SubscriptionChanged':
    case 'SubscriptionRenewed':
      if (event.data.paid) enterInvoice(state, at, event.data.userId, event.data.paid);
      break;
    case 'SubscriptionStatusChanged': {
      const { userId, subscriptionId, unknownPlan, productId = null } = event.data;
      if (unknownPlan) state.unknownPlans.set(subscriptionId, { userId, productId, at });
      else if (unknownPlan === false) state.unknownPlans.delete(subscriptionId);
      break;
    }
    case 'SubscriptionEnded':
      state.unknownPlans.delete(event.data.subscriptionId);
      break;
    case 'ProviderEventReceived':
      received(state, event);
      break;
    case 'ProviderEventApplied':
      applied(state, event.data);
      break;
    case 'ProviderEventIgnored':
      ignored(state, event.data);
      break;
    default:
  }
  return state;
}

function enterInvoice(
  { entered, invoiceOf }: State,
  at: string,
  userId: string,
  { invoiceId, paymentIntentId, amount, currency }: PaidInvoice,
): void {
  entered.set(invoiceId, { kind: 'invoice', userId, at, amount, currency });
  if (paymentIntentId !== null) invoiceOf.set(paymentIntentId, invoiceId);
}

/** Marks a pending entry as a refund. */
const REFUND = 'refund of ';
const refundOf = (paymentIntentId: string): string => `${REFUND}${paymentIntentId}`;

type Received = Extract<Recorded<ReconciledEvent>, { readonly type: 'ProviderEventReceived' }>;

const KIND_OF: ReadonlyMap<string, Kind> = new Map([
  ['payment_intent.succeeded', 'payment'],
  ['invoice.paid', 'invoice'],
  ['charge.dispute.created', 'dispute'],
]);

function received({ reported, refundsReported, pending }: State, { data, metadata }: Received): void {
  const { eventId, eventType, objectId, amount, currency, subject, createdAt } = data;
  if (eventType === 'charge.refunded' && subject.kind === 'payment') {
    refundsReported.set(subject.paymentIntentId, metadata.at);
    pending.set(eventId, refundOf(subject.paymentIntentId));
  }
  const kind = KIND_OF.get(eventType);
  if (!kind || objectId === null || amount === null || currency === null) return;
  reported.set(objectId, { kind, at: metadata.at, made: createdAt, amount, currency, notOurs: false });
  pending.set(eventId, objectId);
}

type DataOf<Type extends ProviderEventEvent['type']> = Extract<ProviderEventEvent, { readonly type: Type }>['data'];

function applied({ reported, pending }: State, { eventId, outcome }: DataOf<'ProviderEventApplied'>): void {
  const line = reported.get(pending.get(eventId) ?? '');
  pending.delete(eventId);
  // A bank inquiry takes no money yet: it enters no bill until it becomes a dispute.
  if (outcome === 'nothing_new' && line?.kind === 'dispute') line.notOurs = true;
}

/**
 * Payments for other products sold through the same provider account are in no bill, nor are those of deleted accounts.
 */
function ignored(
  { reported, pending, refundsReported }: State,
  { eventId, reason }: DataOf<'ProviderEventIgnored'>,
): void {
  const about = pending.get(eventId);
  // One that was given up may still be processed: an operator can queue it again.
  if (about === undefined || reason === 'given_up') return;
  pending.delete(eventId);
  if (about.startsWith(REFUND)) refundsReported.delete(about.slice(REFUND.length));
  const line = reported.get(about);
  if (line) line.notOurs = true;
}

type Pair = {
  readonly id: string;
  readonly kind: Kind;
  readonly at: string;
  readonly currency: string;
  readonly reported: number | null;
  readonly entered: Entered | null;
};

/** What is in both or either of them, once each: an invoice and its payment count as one. */
function pairsOf({ reported, entered, invoiceOf }: State, params: ReportParams): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const [id, { kind, at, amount, currency }] of entered) {
    if (amount > 0) pairs.set(id, { id, kind, at, currency, reported: null, entered: entered.get(id) ?? null });
  }
  const onlyReported: (readonly [id: string, line: ReportedLine])[] = [];
  for (const [reportedId, line] of reported) {
    const id = invoiceOf.get(reportedId) ?? reportedId;
    const own = pairs.get(id);
    if (own) pairs.set(id, own.reported === null || id === reportedId ? { ...own, reported: line.amount } : own);
    else if (!line.notOurs && line.amount > 0 && !entered.has(id)) onlyReported.push([id, line]);
  }
  for (const [id, { kind, at, currency, amount }] of withoutDuplicates(onlyReported))
    pairs.set(id, { id, kind, at, currency, reported: amount, entered: null });
  return [...pairs.values()].filter(({ at }) => isWithin(at.slice(0, 10), params));
}

/** An invoice and its payment are created within this time of each other, in ms. */
const TOGETHER_MS = 60_000;

type Lines = readonly (readonly [id: string, line: ReportedLine])[];

/**
 * Only a bill links a payment to its invoice. If it has neither, a payment of the same amount at the same time is taken
 * as the invoice's, one per invoice.
 */
function withoutDuplicates(lines: Lines): Lines {
  const ofKind = (wanted: Kind): Lines =>
    lines.filter(([, { kind }]) => kind === wanted).sort(([, one], [, other]) => timeOf(one) - timeOf(other));
  const payments = groupedBy(ofKind('payment'), ([, line]) => sumOf(line));
  const duplicates = new Set<string>();
  for (const [, invoice] of ofKind('invoice')) {
    const left = payments.get(sumOf(invoice)) ?? [];
    while (left[0] && timeOf(left[0][1]) < timeOf(invoice) - TOGETHER_MS) left.shift();
    if (left[0] && timeOf(left[0][1]) <= timeOf(invoice) + TOGETHER_MS) duplicates.add(left.shift()?.[0] ?? '');
  }
  return lines.filter(([id]) => !duplicates.has(id));
}

const timeOf = ({ made }: ReportedLine): number => Date.parse(made);
const sumOf = ({ amount, currency }: ReportedLine): string => `${amount} ${currency}`;

function whyOf({ reported, entered }: Pair, isPending: boolean): string | null {
  if (reported === null) return 'Not reported by the provider';
  if (entered === null) return isPending ? 'On its way into the bill' : 'The bill does not have it';
  return reported === entered.amount ? null : 'The amounts differ';
}

const KINDS: Readonly<Record<Kind, string>> = { payment: 'Payment', invoice: 'Invoice', dispute: 'Dispute' };
const MOST_LISTED = 1_000;

function differences(state: State, params: ReportParams): readonly ReportRow[] {
  const pending = new Set(state.pending.values());
  const rows = pairsOf(state, params).flatMap((pair): ReportRow[] => {
    const why = whyOf(pair, pending.has(pair.id));
    if (why === null) return [];
    const { id, kind, at, currency, reported, entered } = pair;
    const difference = (reported ?? 0) - (entered?.amount ?? 0);
    return [
      {
        at,
        kind: KINDS[kind],
        id,
        user: entered?.userId ?? null,
        currency,
        provider: reported,
        ledger: entered?.amount ?? null,
        difference,
        why,
      },
    ];
  });
  for (const [id, at] of state.refundsReported) {
    if (state.refundsEntered.has(id) || !isWithin(at.slice(0, 10), params)) continue;
    const nothing = { user: null, currency: null, provider: null, ledger: null, difference: null };
    rows.push({
      at,
      kind: 'Refund',
      id,
      ...nothing,
      why: pending.has(refundOf(id)) ? 'On its way into the bill' : 'The bill does not have it',
    });
  }
  return rows.sort((one, other) => descending(String(one.at), String(other.at)));
}

type Sums = { payments: number; provider: number; ledger: number };

function sums(state: State, params: ReportParams): readonly ReportRow[] {
  const steps = new Map<string, Sums>();
  for (const { kind, at, currency, reported, entered } of pairsOf(state, params)) {
    if (kind === 'dispute') continue;
    const key = `${stepOf(at.slice(0, 10), params.by)} ${currency}`;
    const { payments, provider, ledger } = steps.get(key) ?? { payments: 0, provider: 0, ledger: 0 };
    steps.set(key, {
      payments: payments + 1,
      provider: provider + (reported ?? 0),
      ledger: ledger + (entered?.amount ?? 0),
    });
  }
  return [...steps]
    .sort(([one], [other]) => ascending(one, other))
    .map(([key, { payments, provider, ledger }]) => {
      const [step = '', currency = ''] = key.split(' ');
      return { step, currency, payments, provider, ledger, difference: provider - ledger };
    });
}

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  const found = differences(state, params);
  return [
    {
      name: 'over-time',
      title: 'Payments at the provider and in the bills',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        { key: 'payments', label: 'Payments', kind: 'count' },
        { key: 'provider', label: 'Provider', kind: 'money' },
        { key: 'ledger', label: 'Bills', kind: 'money' },
        { key: 'difference', label: 'Difference', kind: 'money' },
      ],
      rows: sums(state, params),
      note: 'By what the provider’s events said when they came. `npm run billing:check` asks the provider itself.',
      chart: { kind: 'bar', x: 'step', series: ['provider', 'ledger'] },
    },
    {
      name: 'differences',
      title: 'Differences',
      columns: [
        { key: 'at', label: 'When', kind: 'date' },
        { key: 'kind', label: 'What', kind: 'text' },
        { key: 'id', label: 'Its id at the provider', kind: 'text' },
        { key: 'user', label: 'User', kind: 'text' },
        { key: 'provider', label: 'Provider', kind: 'money' },
        { key: 'ledger', label: 'Bills', kind: 'money' },
        { key: 'difference', label: 'Difference', kind: 'money' },
        { key: 'why', label: 'Why', kind: 'text' },
      ],
      rows: found.slice(0, MOST_LISTED),
      note:
        found.length > MOST_LISTED
          ? `The newest ${MOST_LISTED} of ${found.length}.`
          : 'The provider reports refunds without their amounts, so only whether the bill has one is compared. Where the bill has neither an invoice nor its payment, a payment of the same sum within a minute is taken for the invoice’s.',
    },
    {
      name: 'unknown-plans',
      title: 'Plans of unknown products',
      columns: [
        { key: 'at', label: 'Since', kind: 'date' },
        { key: 'subscription', label: 'Subscription', kind: 'text' },
        { key: 'product', label: 'Product', kind: 'text' },
        { key: 'user', label: 'User', kind: 'text' },
      ],
      rows: [...state.unknownPlans].slice(0, MOST_LISTED).map(([subscription, { userId, productId, at }]) => ({
        at,
        subscription,
        product: productId,
        user: userId,
      })),
      note: 'Their product is none of the four plans, so their owners keep the tier they had. What is paid, changed or canceled is recorded all the same. Give the product’s price to one of the plans in the settings, or move these subscriptions to a plan at the provider.',
    },
  ];
}

export const reconciliation: Report<State> = {
  name: 'reconciliation',
  version: 4,
  lean: true,
  title: 'Payments at the provider',
  description:
    'Payments, invoices and disputes reported by the payment provider, compared with the bills: sums and every difference.',
  types: TYPES,
  initial: () => ({
    reported: new Map(),
    entered: new Map(),
    invoiceOf: new Map(),
    refundsReported: new Map(),
    refundsEntered: new Set(),
    pending: new Map(),
    unknownPlans: new Map(),
  }),
  evolve: (state, event) => evolve(state, event as Recorded<ReconciledEvent>),
  tables,
};
