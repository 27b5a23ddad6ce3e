/** Stored events of billing. None of it is secret: the provider's ids are on its receipts, too. */
import * as z from 'zod';
import { JOB_ACCESSES } from '../../model/jobs.ts';
import { TIERS } from '../../model/tiers.ts';
import type { BillingEvent } from '../billing/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored, type Upcast } from './storedType.ts';

/** New fields are optional: older events lack them. */
const unchanged: Upcast = (data) => data;

const from = z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']);
const OF_JOB = ['userId', 'jobId'] as const;
/** May be negative. */
const balance = z.int();
const currency = z.string();
const paidWith = {
  subscriptionId: id.exactOptional(),
  periodStart: at.exactOptional(),
  amount: count.exactOptional(),
  currency: currency.exactOptional(),
  balance: balance.exactOptional(),
};
const taken = { userId: id, jobId: id, from, period: z.string(), ...paidWith };
const ofPayment = { userId: id, paymentIntentId: id, amount: count, currency, funds: count, balance };
const OF_PAYMENT = ['userId', 'paymentIntentId'] as const;

const ANALYSIS_TYPES = {
  AnalysisReserved: stored(z.strictObject({ ...taken, batchId: id.exactOptional(), access: z.enum(JOB_ACCESSES), reservedAt: at }), OF_JOB, {
    upcasts: [unchanged],
  }),
  AllowanceCarriedOver: stored(z.strictObject({ userId: id, period: z.string(), used: count, carriedAt: at }), ['userId']),
  AnalysisConsumed: stored(z.strictObject({ userId: id, jobId: id, consumedAt: at }), OF_JOB),
  AnalysisReleased: stored(
    z.strictObject({
      userId: id,
      jobId: id,
      reason: z.enum(['job_failed', 'job_cancelled', 'job_missing', 'submission_failed']),
      from: from.exactOptional(),
      period: z.string().exactOptional(),
      ...paidWith,
      begun: z.literal(true).exactOptional(),
      releasedAt: at,
    }),
    OF_JOB,
    { upcasts: [unchanged] },
  ),
  UnlockPaid: stored(z.strictObject({ ...taken, paidAt: at }), OF_JOB),
  UnlockReturned: stored(z.strictObject({ ...taken, returnedAt: at }), OF_JOB),
};

const MONEY_TYPES = {
  FundsAdded: stored(z.strictObject({ ...ofPayment, quantity: count, discountCode: z.string().exactOptional(), addedAt: at }), OF_PAYMENT),
  CreditsGranted: stored(z.strictObject({ userId: id, grantId: id, credits: count, reason: z.string(), balance, grantedAt: at }), ['userId', 'grantId']),
  PaymentRefunded: stored(z.strictObject({ ...ofPayment, refundId: id, refundedAt: at }), [...OF_PAYMENT, 'refundId']),
  DisputeOpened: stored(z.strictObject({ ...ofPayment, disputeId: id, openedAt: at }), [...OF_PAYMENT, 'disputeId']),
  DisputeWon: stored(z.strictObject({ ...ofPayment, disputeId: id, wonAt: at }), [...OF_PAYMENT, 'disputeId']),
  DisputeLost: stored(z.strictObject({ ...ofPayment, disputeId: id, lostAt: at }), [...OF_PAYMENT, 'disputeId']),
};

const [, ...paidTiers] = TIERS;
const tier = z.enum(paidTiers);
const ofSubscription = { userId: id, subscriptionId: id, asOf: at };
const OF_SUBSCRIPTION = ['userId', 'subscriptionId'] as const;
const period = { periodStart: at, periodEnd: at };
const price = { price: count, currency };
const paid = z.strictObject({ invoiceId: id, number: z.string().exactOptional(), paymentIntentId: id.nullable(), amount: count, currency });

const SUBSCRIPTION_TYPES = {
  SubscriptionStarted: stored(
    z.strictObject({ ...ofSubscription, ...period, ...price, tier, status: z.enum(['active', 'trialing']), paid: paid.nullable(), startedAt: at }),
    OF_SUBSCRIPTION,
    { upcasts: [unchanged] },
  ),
  SubscriptionChanged: stored(
    z.strictObject({ ...ofSubscription, ...period, ...price, formerTier: tier, tier, paid: paid.nullable(), changedAt: at }),
    OF_SUBSCRIPTION,
    { upcasts: [unchanged] },
  ),
  SubscriptionChangeScheduled: stored(z.strictObject({ ...ofSubscription, tier, effectiveAt: at, scheduledAt: at }), OF_SUBSCRIPTION),
  SubscriptionChangeUndone: stored(z.strictObject({ ...ofSubscription, undoneAt: at }), OF_SUBSCRIPTION),
  SubscriptionRenewed: stored(z.strictObject({ ...ofSubscription, ...period, ...price, tier, paid, renewedAt: at }), OF_SUBSCRIPTION, { upcasts: [unchanged] }),
  SubscriptionPaymentFailed: stored(
    z.strictObject({ ...ofSubscription, ...period, invoiceId: id, amount: count, currency, graceEndsAt: at, failedAt: at }),
    OF_SUBSCRIPTION,
  ),
  SubscriptionCancelScheduled: stored(z.strictObject({ ...ofSubscription, cancelsAt: at, scheduledAt: at }), OF_SUBSCRIPTION),
  SubscriptionReactivated: stored(z.strictObject({ ...ofSubscription, reactivatedAt: at }), OF_SUBSCRIPTION),
  SubscriptionStatusChanged: stored(
    z.strictObject({
      ...ofSubscription,
      status: z.enum(['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'inactive']),
      graceEndsAt: at.nullable(),
      changedAt: at,
    }),
    OF_SUBSCRIPTION,
  ),
  SubscriptionEnded: stored(z.strictObject({ ...ofSubscription, tier, endedAt: at }), OF_SUBSCRIPTION),
  SubscriptionSynced: stored(z.strictObject({ userId: id, outcome: z.enum(['in_step', 'late', 'failed']), syncedAt: at }), ['userId']),
};

const CUSTOMER_TYPES = {
  CustomerLinked: stored(z.strictObject({ userId: id, customerId: id, mode: z.enum(['live', 'test', 'sandbox']), linkedAt: at }), ['userId', 'customerId']),
};

export const BILLING_TYPES = { ...ANALYSIS_TYPES, ...MONEY_TYPES, ...SUBSCRIPTION_TYPES, ...CUSTOMER_TYPES } satisfies StoredTypes<BillingEvent>;
