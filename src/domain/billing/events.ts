/**
 * Storage format, version with care. Stream: `billing-{userId}`: ONE stream for everything that pays for audits, so
 * that nothing can be spent twice. Amounts are integers in the smallest unit of their currency, in the provider's
 * spelling: `usd`. None of it is secret: the provider's ids are on its receipts, too.
 */
import * as z from 'zod';
import { JOB_ACCESSES } from '../../model/jobs.ts';
import { TIERS } from '../../model/tiers.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const billingStream = (userId: string): string => `billing-${userId}`;

/** What paid for an audit; admins pay nothing. */
const paidFrom = z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']);
export type PaidFrom = Infer<typeof paidFrom>;

/** May be negative. */
const balance = z.int();
const currency = z.string();

const taken = {
  from: paidFrom,
  /** Calendar month in UTC, `2026-11`, in which it is taken; for the free allowance, the month of the allowance. */
  period: z.string(),
  /** For a plan: the subscription, and the start of the period it is charged to. */
  subscriptionId: id.exactOptional(),
  periodStart: at.exactOptional(),
  /** For funds: the price of one report at that time. */
  amount: count.exactOptional(),
  currency: currency.exactOptional(),
  /** For credits and funds: the balance after the event. */
  balance: balance.exactOptional(),
};
const takenSchema = z.strictObject(taken);
/** What is taken for one audit, and therefore what is given back. */
export type Taken = Infer<typeof takenSchema>;

const ofJob = { userId: id, jobId: id };

const ANALYSIS_EVENTS = {
  AnalysisReserved: z.strictObject({
    ...ofJob,
    ...taken,
    /**
     * Shared by everything one submission reserved; `JobSubmitted` has it too if there were several. Absent from old
     * events.
     */
    batchId: id.exactOptional(),
    access: z.enum(JOB_ACCESSES),
    reservedAt: at,
  }),
  /** Usage by deleted accounts with the same address in the month this account signed up. Once per month. */
  AllowanceCarriedOver: z.strictObject({ userId: id, period: z.string(), used: count, carriedAt: at }),
  AnalysisConsumed: z.strictObject({ ...ofJob, consumedAt: at }),
  AnalysisReleased: z.strictObject({
    ...ofJob,
    /** `shut_site`, `not_judged`: the audit was completed, but could judge nothing. */
    reason: z.enum(['job_failed', 'job_cancelled', 'job_missing', 'submission_failed', 'shut_site', 'not_judged']),
    // What is given back, copied from the reservation. Old events, whose reservations have no `batchId`, lack `from`
    // and `period`.
    ...taken,
    from: paidFrom.exactOptional(),
    period: z.string().exactOptional(),
    /** A worker had started the cancelled job: such releases are counted. */
    begun: z.literal(true).exactOptional(),
    /**
     * Of a completed audit: 16 bits of a hash of its site, by which such releases are counted. The bill outlives the
     * account, so it names no site.
     */
    siteMark: count.exactOptional(),
    releasedAt: at,
  }),
  /** A preview was paid to be unlocked; the job's own event follows. */
  UnlockPaid: z.strictObject({ ...ofJob, ...taken, paidAt: at }),
  /** Its job had been deleted by then. */
  UnlockReturned: z.strictObject({ ...ofJob, ...taken, returnedAt: at }),
};
export type AnalysisEvent = EventIn<typeof ANALYSIS_EVENTS>;

const ofPayment = {
  userId: id,
  paymentIntentId: id,
  /** Money paid or returned. */
  amount: count,
  currency,
  /** The resulting change of the funds, as a non-negative number; 0 if the payment was for a subscription. */
  funds: count,
  /** Funds after the event. */
  balance,
};

const MONEY_EVENTS = {
  FundsAdded: z.strictObject({ ...ofPayment, quantity: count, discountCode: z.string().exactOptional(), addedAt: at }),
  CreditsGranted: z.strictObject({
    userId: id,
    grantId: id,
    credits: count,
    /** In events of earlier versions. */
    reason: z.string().exactOptional(),
    /** The admin's reason, in the stream of notes: free text does not outlive the account. */
    noteId: id.exactOptional(),
    /** Credits after the event. */
    balance,
    grantedAt: at,
  }),
  PaymentRefunded: z.strictObject({ ...ofPayment, refundId: id, refundedAt: at }),
  /** The bank withholds the money until the dispute is decided. */
  DisputeOpened: z.strictObject({ ...ofPayment, disputeId: id, openedAt: at }),
  DisputeWon: z.strictObject({ ...ofPayment, disputeId: id, wonAt: at }),
  /** What was withheld at the start stays withheld. */
  DisputeLost: z.strictObject({ ...ofPayment, disputeId: id, lostAt: at }),
};
export type MoneyEvent = EventIn<typeof MONEY_EVENTS>;

const subscriptionStatus = z.enum(['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'inactive']);
export type SubscriptionStatus = Infer<typeof subscriptionStatus>;

/** A paid invoice. */
const paidInvoice = z.strictObject({
  invoiceId: id,
  /** As printed on the invoice. Absent from older events. */
  number: z.string().exactOptional(),
  paymentIntentId: id.nullable(),
  /** Charged, after discounts. */
  amount: count,
  currency,
  /** What it would have cost without discounts and taxes. Absent from older events. */
  listAmount: count.exactOptional(),
  /** What reduced it. `code`: as its customers type it; absent for a discount without a code. */
  discounts: z.array(z.strictObject({ code: z.string().exactOptional(), amount: count })).exactOptional(),
});
export type PaidInvoice = Infer<typeof paidInvoice>;

const [, ...paidTiers] = TIERS;
const tier = z.enum(paidTiers);
/** `asOf`: when the provider was queried; data older than what is already known changes nothing. */
const ofSubscription = { userId: id, subscriptionId: id, asOf: at };
/** The provider's billing period; its end is exclusive. */
const period = { periodStart: at, periodEnd: at };
const price = {
  /** The list price of one period; of a month, as all plans on sale are. */
  price: count,
  currency,
  /** What was agreed to be paid a month: without what a lasting discount takes off. Absent from older events. */
  monthly: count.exactOptional(),
  /** The provider's product. Absent from older events. */
  productId: id.exactOptional(),
};

const SUBSCRIPTION_EVENTS = {
  SubscriptionStarted: z.strictObject({
    ...ofSubscription,
    ...period,
    ...price,
    tier,
    status: z.enum(['active', 'trialing']),
    paid: paidInvoice.nullable(),
    startedAt: at,
  }),
  /** Takes effect immediately. If the invoice of a change arrives later, both tiers are equal. */
  SubscriptionChanged: z.strictObject({
    ...ofSubscription,
    ...period,
    ...price,
    formerTier: tier,
    tier,
    /**
     * Audits of this period, where they are not the tier's: an upgrade in the middle of a period adds only the share
     * that is paid for.
     */
    limit: count.exactOptional(),
    paid: paidInvoice.nullable(),
    changedAt: at,
  }),
  SubscriptionChangeScheduled: z.strictObject({ ...ofSubscription, tier, effectiveAt: at, scheduledAt: at }),
  SubscriptionChangeUndone: z.strictObject({ ...ofSubscription, undoneAt: at }),
  /** A period was paid; possibly an earlier one, reported late. */
  SubscriptionRenewed: z.strictObject({
    ...ofSubscription,
    ...period,
    ...price,
    tier,
    paid: paidInvoice,
    renewedAt: at,
  }),
  SubscriptionPaymentFailed: z.strictObject({
    ...ofSubscription,
    ...period,
    invoiceId: id,
    amount: count,
    currency,
    /** The plan stays unchanged until then. */
    graceEndsAt: at,
    failedAt: at,
  }),
  SubscriptionCancelScheduled: z.strictObject({ ...ofSubscription, cancelsAt: at, scheduledAt: at }),
  SubscriptionReactivated: z.strictObject({ ...ofSubscription, reactivatedAt: at }),
  /** Transitions that no other event covers: unpaid, paused, and back; to a product that is no plan, and back. */
  SubscriptionStatusChanged: z.strictObject({
    ...ofSubscription,
    status: subscriptionStatus,
    graceEndsAt: at.nullable(),
    /** The provider bills a product that is none of the plans: the former tier stays. Absent if that has not changed. */
    unknownPlan: z.boolean().exactOptional(),
    productId: id.exactOptional(),
    changedAt: at,
  }),
  /**
   * What the plan's payments bought is on hold, whatever the provider's status: a payment is disputed, or all of one for
   * the current period was refunded.
   */
  SubscriptionSuspended: z.strictObject({
    userId: id,
    subscriptionId: id,
    reason: z.enum(['disputed', 'refunded']),
    paymentIntentId: id,
    disputeId: id.exactOptional(),
    suspendedAt: at,
  }),
  SubscriptionResumed: z.strictObject({
    userId: id,
    subscriptionId: id,
    /** `paid`: a later period. `admin`: for the reason in the note. */
    reason: z.enum(['dispute_won', 'paid', 'admin']),
    noteId: id.exactOptional(),
    resumedAt: at,
  }),
  SubscriptionEnded: z.strictObject({ ...ofSubscription, tier, endedAt: at }),
  /** Compared with the provider's state. `late`: something had been missed and was recorded. */
  SubscriptionSynced: z.strictObject({ userId: id, outcome: z.enum(['in_step', 'late', 'failed']), syncedAt: at }),
};
export type SubscriptionEvent = EventIn<typeof SUBSCRIPTION_EVENTS>;

/** The provider's environment: a customer exists in only one. */
const customerMode = z.enum(['live', 'test', 'sandbox']);
export type CustomerMode = Infer<typeof customerMode>;

const CUSTOMER_EVENTS = {
  /** The account's customer record at the provider. A later one in the same mode replaces it. */
  CustomerLinked: z.strictObject({ userId: id, customerId: id, mode: customerMode, linkedAt: at }),
};

/** Stream `billing-notes-{userId}`: deleted with the account, unlike the bill. */
export const billingNotesStream = (userId: string): string => `billing-notes-${userId}`;

export const BILLING_NOTES_EVENTS = {
  /** What an admin gave as the reason for a change of the bill. */
  BillingNoteWritten: z.strictObject({ noteId: id, userId: id, text: z.string(), writtenAt: at }),
};
export type BillingNoteWritten = EventIn<typeof BILLING_NOTES_EVENTS>;

export const BILLING_EVENTS = { ...ANALYSIS_EVENTS, ...MONEY_EVENTS, ...SUBSCRIPTION_EVENTS, ...CUSTOMER_EVENTS };
export type BillingEvent = EventIn<typeof BILLING_EVENTS>;

export type BillingEventData<Type extends BillingEvent['type']> = Extract<
  BillingEvent,
  { readonly type: Type }
>['data'];
