/**
 * All bills in one list, for auditors: a row for each event that moves money or changes what somebody may use. A row is
 * made of its event alone, so it costs the same however long the bill is. It has no text that a person wrote, and no
 * email: whoever reads the list looks that up, and finds none of a deleted account.
 */
import type { BillingEvent, PaidInvoice, Taken } from '../domain/billing/events.ts';
import type { EventOf, EventType } from '../domain/stored/eventOf.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { LedgerKind } from '../model/ledger.ts';
import { descending } from '../model/order.ts';
import type { PaidTier } from '../model/tiers.ts';
import type { Query, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { each, projection } from './projection.ts';

/** Its id is the event's. Fields without a value are absent, so that their indexes hold only rows that have one. */
export type LedgerDocument = {
  readonly kind: LedgerKind;
  readonly type: LedgerEventType;
  readonly userId: string;
  readonly revision: number;
  /** UTC ISO: when it was recorded, as in the reports. */
  readonly at: string;
  /** The time, then the position: unique, and the order of the list. */
  readonly order: string;
  /** Money that the customer paid (above zero) or got back (below), in the smallest unit of the currency. */
  readonly amount: number;
  readonly currency?: string;
  /** By how much it changed the funds. */
  readonly funds: number;
  /** By how many it changed the credits. */
  readonly credits: number;
  readonly tier?: PaidTier;
  readonly formerTier?: PaidTier;
  /** The first code that reduced the payment, in capitals. */
  readonly code?: string;
  /** As printed on the invoice. */
  readonly invoiceNumber?: string;
  readonly paymentId?: string;
  readonly subscriptionId?: string;
  /** The invoice, refund, or dispute, by its id at the provider. */
  readonly objectId?: string;
  readonly jobId?: string;
};

const TYPES = [
  'AnalysisReserved',
  'AnalysisReleased',
  'UnlockPaid',
  'UnlockReturned',
  'FundsAdded',
  'CreditsGranted',
  'PaymentRefunded',
  'DisputeOpened',
  'DisputeWon',
  'DisputeLost',
  'SubscriptionStarted',
  'SubscriptionChanged',
  'SubscriptionChangeScheduled',
  'SubscriptionChangeUndone',
  'SubscriptionRenewed',
  'SubscriptionPaymentFailed',
  'SubscriptionCancelScheduled',
  'SubscriptionReactivated',
  'SubscriptionStatusChanged',
  'SubscriptionSuspended',
  'SubscriptionResumed',
  'SubscriptionEnded',
] as const satisfies readonly (EventType & BillingEvent['type'])[];

export type LedgerEventType = (typeof TYPES)[number];
type LedgerEvent = EventOf<LedgerEventType>;

/** Fields by which rows are searched for, each with an exact value. */
export const LEDGER_SEARCHED = [
  'userId',
  'code',
  'invoiceNumber',
  'paymentId',
  'subscriptionId',
  'objectId',
  'jobId',
] as const;
export type LedgerSearched = (typeof LEDGER_SEARCHED)[number];

export const ledger = projection<LedgerDocument>()({
  name: 'ledger',
  version: 1,
  indexes: [
    ['order'],
    ['kind', 'order'],
    ['currency', 'order'],
    ['kind', 'currency', 'order'],
    ['userId', 'kind', 'order'],
    ...LEDGER_SEARCHED.map((field) => [field, 'order']),
  ],
  // Audits that a plan or the free allowance pays for move no money.
  keys: (event) => (isRow(event) ? [event.id] : []),
  on: each(TYPES, (_: LedgerDocument | null, event) => rowOf(event)),
});

const isRow = ({ type, data }: Recorded<LedgerEvent>): boolean =>
  'from' in data ? data.from === 'credits' || data.from === 'funds' : type !== 'AnalysisReleased';

type Facts = Partial<LedgerDocument> & Pick<LedgerDocument, 'kind'>;

function rowOf(event: Recorded<LedgerEvent>): LedgerDocument {
  const { at } = event.metadata;
  return {
    type: event.type,
    userId: event.data.userId,
    revision: Number(event.revision),
    at,
    order: `${at} ${event.position}`,
    amount: 0,
    funds: 0,
    credits: 0,
    ...factsOf(event),
  };
}

function factsOf(event: Recorded<LedgerEvent>): Facts {
  switch (event.type) {
    case 'AnalysisReserved':
    case 'UnlockPaid':
      return used(event.data, -1);
    case 'AnalysisReleased':
    case 'UnlockReturned':
      return used(event.data, 1);
    case 'FundsAdded': {
      const { amount, discountCode: code } = event.data;
      return { kind: 'purchase', amount, ...ofPayment(event.data, 1), ...(code ? { code: code.toUpperCase() } : {}) };
    }
    case 'CreditsGranted':
      return { kind: 'credit', credits: event.data.credits };
    case 'PaymentRefunded':
      return {
        kind: 'refund',
        amount: -event.data.amount,
        ...ofPayment(event.data, -1),
        objectId: event.data.refundId,
      };
    case 'DisputeOpened':
      return {
        kind: 'dispute',
        amount: -event.data.amount,
        ...ofPayment(event.data, -1),
        objectId: event.data.disputeId,
      };
    case 'DisputeWon':
      return {
        kind: 'dispute',
        amount: event.data.amount,
        ...ofPayment(event.data, 1),
        objectId: event.data.disputeId,
      };
    // What was withheld at the start stays withheld.
    case 'DisputeLost':
      return { kind: 'dispute', ...ofPayment(event.data, -1), objectId: event.data.disputeId };
    default:
      return ofPlan(event);
  }
}

function ofPlan({ type, data }: Extract<LedgerEvent, { readonly type: `Subscription${string}` }>): Facts {
  const paid = 'paid' in data ? data.paid : null;
  return {
    kind: paid === null ? 'plan' : type === 'SubscriptionRenewed' ? 'renewal' : 'plan_invoice',
    subscriptionId: data.subscriptionId,
    ...('tier' in data ? { tier: data.tier } : {}),
    ...('formerTier' in data ? { formerTier: data.formerTier } : {}),
    ...(type === 'SubscriptionPaymentFailed' ? { objectId: data.invoiceId, currency: data.currency } : {}),
    ...(type === 'SubscriptionSuspended' ? { paymentId: data.paymentIntentId } : {}),
    ...(paid === null ? {} : ofInvoice(paid)),
  };
}

function ofInvoice({ invoiceId, number, paymentIntentId, amount, currency, discounts = [] }: PaidInvoice) {
  const code = discounts.find((discount) => discount.code !== undefined)?.code;
  return {
    amount,
    currency,
    objectId: invoiceId,
    ...(number === undefined ? {} : { invoiceNumber: number }),
    ...(paymentIntentId === null ? {} : { paymentId: paymentIntentId }),
    ...(code === undefined ? {} : { code: code.toUpperCase() }),
  };
}

type MoneyData = EventOf<'FundsAdded'>['data'];

/** `sign`: of the change of the funds, which events have as a number above zero. */
function ofPayment(
  { paymentIntentId, currency, funds }: Pick<MoneyData, 'paymentIntentId' | 'currency' | 'funds'>,
  sign: 1 | -1,
) {
  return { paymentId: paymentIntentId, currency, funds: funds === 0 ? 0 : sign * funds };
}

/** `sign`: -1 for a use, 1 for what is given back. */
function used(taken: { readonly jobId: string } & Partial<Taken>, sign: 1 | -1): Facts {
  const { jobId, from, amount = 0, currency } = taken;
  if (from === 'credits') return { kind: 'credit_use', credits: sign, jobId };
  return { kind: 'funds_use', funds: sign * amount, jobId, ...(currency === undefined ? {} : { currency }) };
}

export type LedgerRow = StoredDocument<LedgerDocument>;

/** Rows that have one of these values. */
export type LedgerMatch = { readonly field: LedgerSearched; readonly value: string };

export type LedgerFilter = {
  /** Null: all kinds. */
  readonly kinds: readonly LedgerKind[] | null;
  readonly currency: string | null;
  /** Null: all rows. */
  readonly matches: readonly LedgerMatch[] | null;
  /** Beginnings of `order`: the first includes, the second excludes. */
  readonly from: string | null;
  readonly before: string | null;
};

export const ALL_ROWS: LedgerFilter = { kinds: null, currency: null, matches: null, from: null, before: null };

export type LedgerReading = {
  /** Rows that are read at once, of each index that the filter needs. */
  readonly size: number;
  /** Awaited before each read: lets others in, and throws once nobody wants the rest. */
  readonly between: () => Promise<void>;
};

/**
 * The filtered rows, newest first, read a page at a time: no more than that is in memory, however many there are. Each
 * page is complete, and may be empty.
 */
export async function* ledgerPages(
  readModels: Pick<ReadModels, 'find'>,
  filter: LedgerFilter,
  { size, between }: LedgerReading,
): AsyncGenerator<readonly LedgerRow[]> {
  const sources = sourcesOf(filter);
  const kinds = filter.kinds && new Set(filter.kinds);
  let before = filter.before;
  do {
    await between();
    const pages = await Promise.all(sources.map((where) => readBefore(readModels, where, filter.from, before, size)));
    // As far back as every source was read.
    before = pages.reduce<string | null>((latest, { readTo }) => later(latest, readTo), null);
    const rows = new Map<string, LedgerRow>();
    for (const row of pages.flatMap(({ documents }) => documents)) {
      const { order, kind, currency } = row.data;
      if (before !== null && order < before) continue;
      if (kinds && !kinds.has(kind)) continue;
      if (filter.currency !== null && currency !== filter.currency) continue;
      rows.set(row.id, row);
    }
    yield [...rows.values()].sort((a, b) => descending(a.data.order, b.data.order));
  } while (before !== null);
}

const later = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a);

type Where = Readonly<Record<string, string>>;

/** What the indexes find: what else is filtered by is rarely different among the rows of one user or code. */
function sourcesOf({ kinds, currency, matches }: LedgerFilter): readonly Where[] {
  if (matches)
    return matches.flatMap(({ field, value }) =>
      field === 'userId' && kinds ? kinds.map((kind) => ({ userId: value, kind })) : [{ [field]: value }],
    );
  const ofCurrency: Where = currency === null ? {} : { currency };
  return kinds ? kinds.map((kind) => ({ ...ofCurrency, kind })) : [ofCurrency];
}

type ReadBack = {
  readonly documents: readonly LedgerRow[];
  /** Null: to the end. */
  readonly readTo: string | null;
};

async function readBefore(
  readModels: Pick<ReadModels, 'find'>,
  where: Where,
  from: string | null,
  before: string | null,
  limit: number,
): Promise<ReadBack> {
  const order = { ...(from === null ? {} : { gte: from }), ...(before === null ? {} : { lt: before }) };
  const query: Query = {
    where: Object.keys(order).length === 0 ? where : { ...where, order },
    sort: [['order', 'desc']],
    limit,
  };
  const { documents, cursor } = await readModels.find<LedgerDocument>(ledger.name, query);
  return { documents, readTo: cursor === null ? null : (documents.at(-1)?.data.order ?? null) };
}

/** The newest of the filtered rows, and where to go on: the `before` of the next page; null at the end. */
export async function listLedger(
  readModels: Pick<ReadModels, 'find'>,
  filter: LedgerFilter,
  { limit, between }: { readonly limit: number } & Pick<LedgerReading, 'between'>,
): Promise<{ readonly rows: readonly LedgerRow[]; readonly next: string | null }> {
  const rows: LedgerRow[] = [];
  for await (const page of ledgerPages(readModels, filter, { size: limit + 1, between })) {
    rows.push(...page);
    if (rows.length > limit) break;
  }
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.data.order ?? null) : null };
}

/** Those of these fields that have the value in some row. */
export async function ledgerMatches(
  readModels: Pick<ReadModels, 'find'>,
  candidates: readonly LedgerMatch[],
): Promise<readonly LedgerMatch[]> {
  const found = await Promise.all(
    candidates.map(async (match) => {
      const query = { where: { [match.field]: match.value }, limit: 1 };
      return (await readModels.find(ledger.name, query)).documents.length > 0 ? [match] : [];
    }),
  );
  return found.flat();
}

/** Every currency of a row, each once. Takes one query per currency. */
export async function listLedgerCurrencies(readModels: Pick<ReadModels, 'find'>): Promise<readonly string[]> {
  const currencies: string[] = [];
  for (;;) {
    const { documents } = await readModels.find<LedgerDocument>(ledger.name, {
      where: { currency: { gt: currencies.at(-1) ?? '' } },
      sort: [['currency', 'asc']],
      limit: 1,
    });
    const currency = documents[0]?.data.currency;
    if (currency === undefined) return currencies;
    currencies.push(currency);
  }
}
