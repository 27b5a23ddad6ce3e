/**
 * What users have to pay with, and how they came by it. Four kinds of documents, all of them from the stream of one
 * user's bill:
 * - `bill`, under the user's id: the monthly usage, and what is left to pay with
 * - `change`: one per change of a bill: payments, credits and funds with the remaining balance, and each transition of a
 *   subscription
 * - `customer`: one per customer at the payment provider
 * - `reservation`: each open one, yet to be consumed or given back. A document of its own, so that no bill grows with
 *   the number of its jobs.
 */
import { countedIn } from '../domain/billing/billing.ts';
import { evolveCustomers } from '../domain/billing/customer.ts';
import { BILLING_EVENTS, type BillingEvent, type PaidInvoice, type Taken } from '../domain/billing/events.ts';
import type { BillingState } from '../domain/billing/ledger.ts';
import { allowsPrograms } from '../domain/billing/plans.ts';
import type { Balances } from '../domain/billing/sources.ts';
import { evolveSubscriptions } from '../domain/billing/subscription.ts';
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import type { Position, Recorded } from '../eventStore/eventStore.ts';
import type { Documents, Page, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { JobDocument } from './jobs.ts';
import { each, projection } from './projection.ts';

export type BillingDocument = Pick<BillingState, 'credits' | 'funds' | 'subscriptions' | 'synced' | 'customers'> & {
  readonly kind: 'bill';
  readonly userId: string;
  /**
   * Audits paid by the free allowance, reserved or consumed, by calendar month (UTC, `2026-11`); includes those of
   * deleted accounts with the same address.
   */
  readonly periods: Readonly<Record<string, number>>;
  /** Audits paid by a plan, by subscription period (`planPeriod`). */
  readonly planPeriods: Readonly<Record<string, number>>;
  /**
   * Audits reserved for running jobs, by job, but only if the event that ends the reservation will not say what it
   * gives back: those of old logs. Nothing is kept for any others, so the document stays small however many jobs wait.
   */
  readonly open: Readonly<Record<string, Pick<Taken, 'period' | 'from'>>>;
  /** Audits with a result, whatever paid for them. */
  readonly consumed: number;
  /** When a plan with API access first ran; null if none ever did. */
  readonly apiAccessSince: string | null;
  /** The product of the plan that runs; null if none does, or if it was recorded by a version that did not keep it. */
  readonly productId: string | null;
  /** A plan runs whose product is none of the plans. Absent, so that the index holds only these. */
  readonly isUnknownPlan?: true;
};

const SHOWN = [
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
  'SubscriptionSuspended',
  'SubscriptionResumed',
  'SubscriptionEnded',
] as const satisfies readonly EventType[];

type ShownEvent = EventOf<(typeof SHOWN)[number]>;

/** The original event; formatting is up to the presentation. */
export type BillingChangeDocument = {
  readonly kind: 'change';
  readonly userId: string;
  readonly eventId: string;
  readonly order: Position;
  readonly at: string;
  /** As printed on the invoice that was paid. */
  readonly invoiceNumber?: string;
  /** The first code that reduced the payment, in capitals. */
  readonly code?: string;
} & ShownEvent;

type ReservationDocument = {
  readonly kind: 'reservation';
  readonly jobId: string;
  readonly userId: string;
  readonly reservedAt: string;
};

type CustomerDocument = { readonly kind: 'customer'; readonly userId: string; readonly customerId: string };

/** A document of the model. */
export type OfBilling = BillingDocument | BillingChangeDocument | ReservationDocument | CustomerDocument;

/** Fields that hold ids of the payment provider. */
const OF_PROVIDER = [
  'data.paymentIntentId',
  'data.paid.paymentIntentId',
  'data.paid.invoiceId',
  'data.subscriptionId',
  'customerId',
] as const;

const changeKey = (userId: string, eventId: string): string => `change/${userId}/${eventId}`;
const customerKey = (userId: string, customerId: string): string => `customer/${userId}/${customerId}`;
const reservationKey = (userId: string, jobId: string): string => `reservation/${userId}/${jobId}`;

/** From the id of a document of any kind. */
export const userIdOfBilling = (id: string): string => id.split('/')[1] ?? id;

export const billing = projection<OfBilling>()({
  name: 'billing',
  version: 6,
  shape: 3,
  // Only changes have an order and the ids of the provider, only reservations a job, only bills a product.
  indexes: [
    ['kind', 'userId', 'order'],
    ['jobId'],
    ['productId'],
    ['isUnknownPlan'],
    ['invoiceNumber', 'order'],
    ['code', 'order'],
    ...OF_PROVIDER.map((field) => [field]),
  ],
  keys: (event) => {
    const { userId } = event.data;
    return [
      userId,
      ...(isShown(event) ? [changeKey(userId, event.id)] : []),
      ...(isOf(event, 'AnalysisReserved', 'AnalysisConsumed', 'AnalysisReleased')
        ? [reservationKey(userId, event.data.jobId)]
        : []),
      ...(isOf(event, 'CustomerLinked') ? [customerKey(userId, event.data.customerId)] : []),
    ];
  },
  on: each(Object.keys(BILLING_EVENTS) as BillingEvent['type'][], (document: OfBilling | null, event, key) => {
    const { userId } = event.data;
    if (key === userId) return evolveBill(document?.kind === 'bill' ? document : emptyBill(userId), event);
    if (isShown(event) && key === changeKey(userId, event.id)) return changeOf(event);
    if (isOf(event, 'CustomerLinked')) return { kind: 'customer', userId, customerId: event.data.customerId };
    return isOf(event, 'AnalysisReserved') ? reservationOf(event) : null;
  }),
});

function isShown(event: Recorded<BillingEvent>): event is Recorded<ShownEvent> {
  if (!isOf(event, ...SHOWN)) return false;
  // Plans, the free allowance and uncharged audits change no balance.
  if ('from' in event.data && event.data.from !== 'credits' && event.data.from !== 'funds') return false;
  return event.type !== 'AnalysisReleased' || event.data.from !== undefined;
}

function changeOf(event: Recorded<ShownEvent>): BillingChangeDocument {
  const { type, data } = event;
  const shown: ShownEvent = { type, data } as ShownEvent;
  const { userId } = data;
  const found = { ...('paid' in data && data.paid ? namesIn(data.paid) : {}), ...codeIn(data) };
  return {
    kind: 'change',
    userId,
    eventId: event.id,
    order: event.position,
    at: event.metadata.at,
    ...found,
    ...shown,
  };
}

type Found = Pick<BillingChangeDocument, 'invoiceNumber' | 'code'>;

function namesIn({ number, discounts = [] }: PaidInvoice): Found {
  const code = discounts.find((discount) => discount.code !== undefined)?.code;
  return {
    ...(number === undefined ? {} : { invoiceNumber: number }),
    ...(code === undefined ? {} : { code: code.toUpperCase() }),
  };
}

const codeIn = (data: ShownEvent['data']): Found =>
  'discountCode' in data && data.discountCode !== undefined ? { code: data.discountCode.toUpperCase() } : {};

function reservationOf({ data }: EventOf<'AnalysisReserved'>): ReservationDocument {
  const { jobId, userId, reservedAt } = data;
  return { kind: 'reservation', jobId, userId, reservedAt };
}

export const emptyBill = (userId: string): BillingDocument => ({
  kind: 'bill',
  userId,
  periods: {},
  planPeriods: {},
  open: {},
  consumed: 0,
  credits: 0,
  funds: { amount: 0, currency: null },
  subscriptions: [],
  synced: null,
  customers: [],
  apiAccessSince: null,
  productId: null,
});

function evolveBill(bill: BillingDocument, event: Recorded<BillingEvent>): BillingDocument {
  switch (event.type) {
    case 'AnalysisReserved': {
      const { jobId, period, from, batchId } = event.data;
      return {
        ...moved(bill, event.data, 1),
        ...(batchId === undefined ? { open: { ...bill.open, [jobId]: { period, from } } } : {}),
      };
    }
    case 'AllowanceCarriedOver':
      return { ...bill, periods: counted(bill.periods, event.data.period, event.data.used) };
    case 'AnalysisConsumed':
      return { ...bill, open: without(bill.open, event.data.jobId), consumed: bill.consumed + 1 };
    case 'AnalysisReleased': {
      const { jobId, period, from } = event.data;
      const taken = period !== undefined && from !== undefined ? { ...event.data, period, from } : bill.open[jobId];
      return taken ? { ...moved(bill, taken, -1), open: without(bill.open, jobId) } : bill;
    }
    case 'UnlockPaid':
      return moved(bill, event.data, 1);
    case 'UnlockReturned':
      return moved(bill, event.data, -1);
    case 'FundsAdded':
      return { ...bill, funds: { amount: event.data.balance, currency: event.data.currency } };
    case 'PaymentRefunded':
    case 'DisputeOpened':
    case 'DisputeWon':
    case 'DisputeLost':
      return { ...bill, funds: { ...bill.funds, amount: event.data.balance } };
    case 'CreditsGranted':
      return { ...bill, credits: event.data.balance };
    case 'CustomerLinked':
      return { ...bill, customers: evolveCustomers(bill.customers, event.data) };
    case 'SubscriptionSynced':
      return { ...bill, synced: { outcome: event.data.outcome, at: event.data.syncedAt } };
    case 'SubscriptionStarted':
    case 'SubscriptionChanged':
    case 'SubscriptionRenewed': {
      const opens = bill.apiAccessSince === null && allowsPrograms(event.data.tier);
      const changed = withSubscriptions(bill, evolveSubscriptions(bill.subscriptions, event));
      return opens ? { ...changed, apiAccessSince: event.metadata.at } : changed;
    }
    default:
      return withSubscriptions(bill, evolveSubscriptions(bill.subscriptions, event));
  }
}

function withSubscriptions(
  { isUnknownPlan: _, ...bill }: BillingDocument,
  subscriptions: BillingDocument['subscriptions'],
): BillingDocument {
  const live = subscriptions.filter(({ status }) => status !== 'canceled');
  return {
    ...bill,
    subscriptions,
    productId: live.at(-1)?.productId ?? null,
    ...(live.some(({ isUnknownPlan }) => isUnknownPlan) ? { isUnknownPlan: true } : {}),
  };
}

/** Takes from the source (1) or gives back to it (-1). */
function moved(bill: BillingDocument, taken: Taken, change: 1 | -1): BillingDocument {
  const { from, balance } = taken;
  switch (from) {
    case 'admin':
      return bill;
    case 'free_allowance':
      return { ...bill, periods: counted(bill.periods, countedIn(taken), change) };
    case 'plan':
      return { ...bill, planPeriods: counted(bill.planPeriods, countedIn(taken), change) };
    case 'credits':
      return balance === undefined ? bill : { ...bill, credits: balance };
    case 'funds':
      return balance === undefined ? bill : { ...bill, funds: { ...bill.funds, amount: balance } };
    default:
      from satisfies never;
      return bill;
  }
}

function counted(
  counts: Readonly<Record<string, number>>,
  period: string,
  change: number,
): Readonly<Record<string, number>> {
  return { ...counts, [period]: (counts[period] ?? 0) + change };
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

/** In the form that the domain rules expect. */
export function balancesOf({ periods, planPeriods, credits, funds, subscriptions }: BillingDocument): Balances {
  const free = Object.entries(periods).map(([period, used]) => ({ period, used: { free_allowance: used } }));
  const plan = Object.entries(planPeriods).map(([period, used]) => ({ period, used: { plan: used } }));
  return { months: [...free, ...plan], credits, funds, subscriptions };
}

export function getBilling(readModels: Documents, userId: string): Promise<StoredDocument<BillingDocument> | null> {
  return readModels.get('billing', userId);
}

/** The changes of a user's bill, newest first. */
export function listBillingHistory(
  readModels: ReadModels,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<BillingChangeDocument>> {
  return readModels.find('billing', {
    where: { kind: 'change', userId },
    sort: [['order', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/**
 * The user whose bill contains this id of the payment provider: of a payment, a paid invoice, a subscription or a
 * customer. Null if there is none.
 */
export async function billOfProviderId(readModels: ReadModels, id: string): Promise<string | null> {
  const found = await Promise.all(
    OF_PROVIDER.map((field) => readModels.find<BillingChangeDocument>('billing', { where: { [field]: id }, limit: 1 })),
  );
  return found.flatMap(({ documents }) => documents)[0]?.data.userId ?? null;
}

/** Users whose bills have a payment with that invoice number, or with that promotion code, newest first. */
export async function billsSaying(
  readModels: ReadModels,
  text: string,
  most: number,
): Promise<readonly { readonly userId: string; readonly says: string }[]> {
  const changes = (where: Readonly<Record<string, string>>) =>
    readModels.find<BillingChangeDocument>('billing', { where, sort: [['order', 'desc']], limit: 200 });
  const [invoices, codes] = await Promise.all([
    changes({ invoiceNumber: text }),
    changes({ code: text.toUpperCase() }),
  ]);
  const found = new Map<string, string>();
  for (const { data } of invoices.documents) found.set(data.userId, `Invoice ${text}`);
  for (const { data } of codes.documents) if (!found.has(data.userId)) found.set(data.userId, `Code ${data.code}`);
  return [...found].slice(0, most).map(([userId, says]) => ({ userId, says }));
}

/** How many users have a plan whose product is none of the plans. */
export const countUnknownPlans = (readModels: ReadModels): Promise<number> =>
  readModels.count('billing', { isUnknownPlan: true });

/**
 * The user whose bill contains one of these ids of the payment provider, as of that position of the log; null if there
 * is none.
 * @throws when the bills are not shown up to that position within ten seconds
 */
export async function ownerOfProviderIds(
  readModels: ReadModels,
  ids: readonly string[],
  asOf: Position,
): Promise<string | null> {
  if (!(await readModels.reached(['billing'], asOf, 10_000))) throw new Error('The bills are behind the log.');
  for (const id of ids) {
    const userId = await billOfProviderId(readModels, id);
    if (userId !== null) return userId;
  }
  return null;
}

/** The products of the plans that run, each once. Takes one query per product. */
export async function listSoldProducts(readModels: ReadModels): Promise<readonly string[]> {
  const products: string[] = [];
  for (;;) {
    const { documents } = await readModels.find<BillingDocument>('billing', {
      where: { productId: { gt: products.at(-1) ?? '' } },
      sort: [['productId', 'asc']],
      limit: 1,
    });
    const productId = documents[0]?.data.productId ?? null;
    if (productId === null) return products;
    products.push(productId);
  }
}

/** Whether the job has an open reservation. */
export async function isReserved(readModels: ReadModels, jobId: string): Promise<boolean> {
  return (await readModels.find('billing', { where: { jobId }, limit: 1 })).documents.length > 0;
}

const PAGE = 200;

/**
 * Jobs with an open reservation that the list of jobs does not show as waiting or running, by id: a page, and where to
 * continue.
 */
export async function listIdleReservations(
  readModels: ReadModels,
  cursor: string | null,
): Promise<{ readonly jobIds: readonly string[]; readonly cursor: string | null }> {
  const page = await readModels.find<ReservationDocument>('billing', {
    where: { jobId: { gt: '' } },
    sort: [['jobId', 'asc']],
    limit: PAGE,
    ...(cursor === null ? {} : { cursor }),
  });
  const jobIds = page.documents.map(({ data }) => data.jobId);
  const jobs = await readModels.getMany<JobDocument>('jobs', jobIds);
  const open = new Set(jobs.filter(({ data }) => !data.finished).map(({ id }) => id));
  return { jobIds: jobIds.filter((jobId) => !open.has(jobId)), cursor: page.cursor };
}
