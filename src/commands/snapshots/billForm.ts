/**
 * Serializes the state of a bill. Audits are stored as columns, a thousand per part: what most have in common is
 * written once, and reading takes a tenth of the time of folding the events. For values that changed, only the latest
 * is written: no later state needs an earlier one.
 */
import * as z from 'zod';
import { billingDecider } from '../../domain/billing/decide.ts';
import type { PaidFrom, SubscriptionStatus, Taken } from '../../domain/billing/events.ts';
import {
  addEntry,
  type BillingState,
  type Dispute,
  type Entry,
  emptyLedger,
  isOpen,
  type Ledger,
  type Payment,
  type PlanPayment,
  type Unlock,
} from '../../domain/billing/ledger.ts';
import { JOB_ACCESSES } from '../../model/jobs.ts';
import { type PaidTier, TIERS } from '../../model/tiers.ts';
import type { StateForm, StateReader } from './stateForm.ts';

type Head = Omit<BillingState, 'ledger'>;
type Versioned<T> = { readonly id: string; readonly by: number; readonly value: T };
type Columns = {
  /** Each distinct value once. */
  readonly takings: readonly Taken[];
  readonly jobs: readonly string[];
  /** Index into `takings`. */
  readonly taken: readonly number[];
  readonly access: readonly Entry['access'][];
  readonly batches: readonly (string | null)[];
  readonly reservedBy: readonly number[];
  readonly endedBy: readonly (number | null)[];
  readonly ends: readonly Entry['end'][];
};
type Part =
  | { readonly analyses: Columns }
  | { readonly unlocks: readonly Versioned<Unlock>[] }
  | { readonly payments: readonly Versioned<Payment>[] }
  | { readonly planPayments: readonly Versioned<PlanPayment>[] }
  | { readonly disputes: readonly Versioned<Dispute>[] }
  | { readonly ended: readonly Versioned<PaidTier>[] }
  | { readonly known: readonly Versioned<true>[] };

const PART_SIZE = 1_000;

// Checked against the state's types: a new field there does not compile until it is written and read here, and the
// version is raised.
const text = z.string();
const count = z.int().nonnegative();
const number = z.int();
const [, ...paidTiers] = TIERS;
const tier: z.ZodType<PaidTier> = z.enum(paidTiers);
const from: z.ZodType<PaidFrom> = z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']);
const status: z.ZodType<SubscriptionStatus> = z.enum([
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'inactive',
]);

const subscription: z.ZodType<BillingState['subscriptions'][number]> = z.strictObject({
  subscriptionId: text,
  tier,
  status,
  periodStart: text,
  periodEnd: text,
  price: number,
  currency: text,
  monthly: number,
  productId: text.nullable(),
  isUnknownPlan: z.boolean(),
  limit: count.nullable(),
  isProrated: z.boolean(),
  suspendedFor: z.array(text),
  pending: z.strictObject({ tier, at: text }).nullable(),
  cancelsAt: text.nullable(),
  graceEndsAt: text.nullable(),
  failedInvoiceId: text.nullable(),
  asOf: text,
});

const head: z.ZodType<Head> = z.strictObject({
  upTo: count,
  months: z.array(z.strictObject({ period: text, used: z.record(text, number) })),
  carried: z.record(text, number),
  cancelled: z.strictObject({ day: text, count }),
  unjudged: z.strictObject({ day: text, sites: z.array(z.strictObject({ mark: count, count })) }),
  credits: number,
  funds: z.strictObject({ amount: number, currency: text.nullable() }),
  subscriptions: z.array(subscription),
  synced: z.strictObject({ outcome: z.enum(['in_step', 'late', 'failed']), at: text }).nullable(),
  customers: z.array(z.strictObject({ customerId: text, mode: z.enum(['live', 'test', 'sandbox']) })),
});

const taken: z.ZodType<Taken> = z.strictObject({
  from,
  period: text,
  subscriptionId: text.exactOptional(),
  periodStart: text.exactOptional(),
  amount: number.exactOptional(),
  currency: text.exactOptional(),
  balance: number.exactOptional(),
});

/** A column is validated in one pass: a schema per value takes longer than folding the events. */
const column = <T>(is: (value: unknown) => value is T) =>
  z.custom<readonly T[]>((given) => Array.isArray(given) && given.every(is));
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isNull = (value: unknown): value is null => value === null;
const isAccess = (value: unknown): value is Entry['access'] => JOB_ACCESSES.some((access) => access === value);
const isEnd = (value: unknown): value is Entry['end'] => value === null || value === 'consumed' || value === 'released';

const columns: z.ZodType<Columns> = z.strictObject({
  takings: z.array(taken),
  jobs: column(isText),
  taken: column(isCount),
  access: column(isAccess),
  batches: column((value): value is string | null => isNull(value) || isText(value)),
  reservedBy: column(isCount),
  endedBy: column((value): value is number | null => isNull(value) || isCount(value)),
  ends: column(isEnd),
});

const payment: z.ZodType<Payment> = z.strictObject({
  paid: number,
  funds: number,
  currency: text,
  refunded: number,
  disputed: number,
  takenBack: number,
});
const planPayment: z.ZodType<PlanPayment> = z.strictObject({
  subscriptionId: text.nullable(),
  periodStart: text,
  amount: number,
  refunded: number,
});
const dispute: z.ZodType<Dispute> = z.strictObject({
  status: z.enum(['open', 'won', 'lost']),
  amount: number,
  paymentIntentId: text,
});
const unlock: z.ZodType<Unlock> = z.strictObject({ status: z.enum(['paid', 'returned']), taken });
const versioned = <T>(value: z.ZodType<T>) => z.array(z.strictObject({ id: text, by: count, value }));

const part: z.ZodType<Part> = z.union([
  z.strictObject({ analyses: columns }),
  z.strictObject({ unlocks: versioned(unlock) }),
  z.strictObject({ payments: versioned(payment) }),
  z.strictObject({ planPayments: versioned(planPayment) }),
  z.strictObject({ disputes: versioned(dispute) }),
  z.strictObject({ ended: versioned(tier) }),
  z.strictObject({ known: versioned(z.literal(true)) }),
]);

export const billForm: StateForm<BillingState> = {
  name: 'bill',
  version: 3,
  evolve: billingDecider.evolve,
  partsOf,
  read,
};

function* partsOf(state: BillingState): Generator<Head | Part> {
  const { ledger, ...rest } = state;
  yield rest satisfies Head;
  yield* analysesOf(state);
  for (const unlocks of pagesOf(lastOf(ledger.unlocks, state.upTo))) yield { unlocks };
  for (const payments of pagesOf(lastOf(ledger.payments, state.upTo))) yield { payments };
  for (const planPayments of pagesOf(lastOf(ledger.planPayments, state.upTo))) yield { planPayments };
  for (const disputes of pagesOf(lastOf(ledger.disputes, state.upTo))) yield { disputes };
  for (const ended of pagesOf(lastOf(ledger.ended, state.upTo))) yield { ended };
  for (const known of pagesOf(lastOf(ledger.known, state.upTo))) yield { known };
}

function* analysesOf({ ledger, upTo }: BillingState): Generator<Part> {
  for (const page of pagesOf(knownBy(ledger, upTo))) {
    const takings: Taken[] = [];
    const places = new Map<string, number>();
    const taken = page.map(([, entry]) => {
      const { from, period, subscriptionId, periodStart, amount, currency } = entry.taken;
      const key = `${from} ${period} ${subscriptionId} ${periodStart} ${amount} ${currency}`;
      const place = places.get(key) ?? takings.push(entry.taken) - 1;
      places.set(key, place);
      return place;
    });
    const ended = page.map(([, entry]) => (isOpen(entry, upTo) ? null : entry));
    yield {
      analyses: {
        takings,
        jobs: page.map(([jobId]) => jobId),
        taken,
        access: page.map(([, { access }]) => access),
        batches: page.map(([, { batchId }]) => batchId),
        reservedBy: page.map(([, { reservedBy }]) => reservedBy),
        endedBy: ended.map((entry) => entry?.endedBy ?? null),
        ends: ended.map((entry) => entry?.end ?? null),
      },
    };
  }
}

function* knownBy({ analyses }: Ledger, upTo: number): Generator<readonly [string, Entry]> {
  for (const known of analyses) if (known[1].reservedBy <= upTo) yield known;
}

function* lastOf<T>(
  versions: ReadonlyMap<string, readonly { readonly by: number; readonly value: T }[]>,
  upTo: number,
): Generator<Versioned<T>> {
  for (const [id, values] of versions) {
    const last = values.findLast(({ by }) => by <= upTo);
    if (last) yield { id, ...last };
  }
}

function* pagesOf<T>(all: Iterable<T>): Generator<readonly T[]> {
  let page: T[] = [];
  for (const each of all) {
    if (page.push(each) < PART_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function read(): StateReader<BillingState> {
  const ledger = emptyLedger();
  let rest: Head | null = null;
  return {
    take: (given) => {
      if (rest) addTo(ledger, part.parse(given));
      else {
        rest = head.parse(given);
        ledger.events = rest.upTo;
      }
    },
    state: () => {
      if (!rest) throw new Error('The first part of a bill is missing.');
      return { ledger, ...rest };
    },
  };
}

function addTo(ledger: Ledger, given: Part): void {
  if ('analyses' in given) addAnalyses(ledger, given.analyses);
  else if ('unlocks' in given) addVersions(ledger.unlocks, given.unlocks);
  else if ('payments' in given) addVersions(ledger.payments, given.payments);
  else if ('planPayments' in given) addVersions(ledger.planPayments, given.planPayments);
  else if ('disputes' in given) addVersions(ledger.disputes, given.disputes);
  else if ('ended' in given) addVersions(ledger.ended, given.ended);
  else addVersions(ledger.known, given.known);
}

function addVersions<T>(
  versions: Map<string, { readonly by: number; readonly value: T }[]>,
  given: readonly Versioned<T>[],
): void {
  for (const { id, by, value } of given) versions.set(id, [{ by, value }]);
}

/** @throws when the columns differ in length */
function addAnalyses(ledger: Ledger, { takings, jobs, ...of }: Columns): void {
  for (let nth = 0; nth < jobs.length; nth += 1) {
    const jobId = jobs[nth];
    const [taken, access, batchId] = [takings[of.taken[nth] ?? -1], of.access[nth], of.batches[nth]];
    const [reservedBy, endedBy, end] = [of.reservedBy[nth], of.endedBy[nth], of.ends[nth]];
    if (
      jobId === undefined ||
      !taken ||
      !access ||
      batchId === undefined ||
      reservedBy === undefined ||
      endedBy === undefined ||
      end === undefined
    ) {
      throw new Error('A part of a bill has columns of different lengths.');
    }
    addEntry(ledger, jobId, { taken, access, batchId, reservedBy, endedBy, end });
  }
}
