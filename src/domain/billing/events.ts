/**
 * Storage format, version with care. Stream: `billing-{userId}`: ONE stream for all that pays for analyses, so that nothing can be spent twice.
 * Amounts are integers in the smallest unit of their currency, which the provider spells: `usd`.
 */
import type { PaidTier } from '../../model/tiers.ts';

/** What an analysis was taken from; admins pay nothing. */
export type PaidFrom = 'admin' | 'plan' | 'credits' | 'funds' | 'free_allowance';

/** What is taken for one analysis, and so what is given back. */
export type Taken = {
  readonly from: PaidFrom;
  /** Calendar month in UTC, `2026-11`, in which it is taken; of the free allowance, whose allowance. */
  readonly period: string;
  /** Of a plan: the subscription, and the start of the period whose analyses it takes. */
  readonly subscriptionId?: string;
  readonly periodStart?: string;
  /** Of funds: what one report cost then. */
  readonly amount?: number;
  readonly currency?: string;
  /** Of credits and funds: what they amount to after the event. */
  readonly balance?: number;
};

type OfJob = { readonly userId: string; readonly jobId: string };

export type AnalysisEvent =
  | {
      readonly type: 'AnalysisReserved';
      readonly data: OfJob &
        Taken & {
          /** Shared by all that one submission reserved, of which a `JobSubmitted` of several has it too. Old events lack it. */
          readonly batchId?: string;
          readonly access: 'full' | 'preview';
          readonly reservedAt: string;
        };
    }
  /** What accounts that had the same address before, and were deleted, had used of the month in which this one signed up. Once a month. */
  | {
      readonly type: 'AllowanceCarriedOver';
      readonly data: { readonly userId: string; readonly period: string; readonly used: number; readonly carriedAt: string };
    }
  | { readonly type: 'AnalysisConsumed'; readonly data: OfJob & { readonly consumedAt: string } }
  | {
      readonly type: 'AnalysisReleased';
      readonly data: OfJob &
        /** What is given back, as its reservation has it. Old events, whose reservations have no `batchId`, lack `from` and `period`. */
        Partial<Taken> & {
          readonly reason: 'job_failed' | 'job_cancelled' | 'job_missing' | 'submission_failed';
          /** A worker had begun the job that was cancelled: such releases are counted. */
          readonly begun?: true;
          readonly releasedAt: string;
        };
    }
  /** A preview is to be shown in full: the job's own event follows. */
  | { readonly type: 'UnlockPaid'; readonly data: OfJob & Taken & { readonly paidAt: string } }
  /** Its job was gone by then. */
  | { readonly type: 'UnlockReturned'; readonly data: OfJob & Taken & { readonly returnedAt: string } };

type OfPayment = {
  readonly userId: string;
  readonly paymentIntentId: string;
  /** Money that changed hands. */
  readonly amount: number;
  readonly currency: string;
  /** What the funds are changed by for it, as a number that is not negative; nothing when it paid for a subscription. */
  readonly funds: number;
  /** The funds after the event. */
  readonly balance: number;
};

export type MoneyEvent =
  | { readonly type: 'FundsAdded'; readonly data: OfPayment & { readonly quantity: number; readonly discountCode?: string; readonly addedAt: string } }
  | {
      readonly type: 'CreditsGranted';
      readonly data: {
        readonly userId: string;
        readonly grantId: string;
        readonly credits: number;
        readonly reason: string;
        /** The credits after the event. */
        readonly balance: number;
        readonly grantedAt: string;
      };
    }
  | { readonly type: 'PaymentRefunded'; readonly data: OfPayment & { readonly refundId: string; readonly refundedAt: string } }
  /** The bank takes the money back until it is decided. */
  | { readonly type: 'DisputeOpened'; readonly data: OfPayment & { readonly disputeId: string; readonly openedAt: string } }
  | { readonly type: 'DisputeWon'; readonly data: OfPayment & { readonly disputeId: string; readonly wonAt: string } }
  /** What was taken when it was opened stays taken. */
  | { readonly type: 'DisputeLost'; readonly data: OfPayment & { readonly disputeId: string; readonly lostAt: string } };

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'canceled' | 'unpaid' | 'inactive';

/** An invoice that was paid. */
export type PaidInvoice = {
  readonly invoiceId: string;
  /** As the invoice itself shows it. Missing from older events. */
  readonly number?: string;
  readonly paymentIntentId: string | null;
  readonly amount: number;
  readonly currency: string;
};

/** `asOf`: when the provider was asked; what it said earlier than what is known by now changes nothing. */
type OfSubscription = { readonly userId: string; readonly subscriptionId: string; readonly asOf: string };
/** The provider's period; times are UTC ISO, the end exclusive. */
type Period = { readonly periodStart: string; readonly periodEnd: string };
/** What the tier costs each month. */
type Price = { readonly price: number; readonly currency: string };

export type SubscriptionEvent =
  | {
      readonly type: 'SubscriptionStarted';
      readonly data: OfSubscription &
        Period &
        Price & { readonly tier: PaidTier; readonly status: 'active' | 'trialing'; readonly paid: PaidInvoice | null; readonly startedAt: string };
    }
  /** At once. An invoice of a change that came later has the same tier twice. */
  | {
      readonly type: 'SubscriptionChanged';
      readonly data: OfSubscription &
        Period &
        Price & { readonly formerTier: PaidTier; readonly tier: PaidTier; readonly paid: PaidInvoice | null; readonly changedAt: string };
    }
  | {
      readonly type: 'SubscriptionChangeScheduled';
      readonly data: OfSubscription & { readonly tier: PaidTier; readonly effectiveAt: string; readonly scheduledAt: string };
    }
  | { readonly type: 'SubscriptionChangeUndone'; readonly data: OfSubscription & { readonly undoneAt: string } }
  /** A period is paid; perhaps an earlier one, told late. */
  | {
      readonly type: 'SubscriptionRenewed';
      readonly data: OfSubscription & Period & Price & { readonly tier: PaidTier; readonly paid: PaidInvoice; readonly renewedAt: string };
    }
  | {
      readonly type: 'SubscriptionPaymentFailed';
      readonly data: OfSubscription &
        Period & {
          readonly invoiceId: string;
          readonly amount: number;
          readonly currency: string;
          /** Until then the plan stays as it is. */
          readonly graceEndsAt: string;
          readonly failedAt: string;
        };
    }
  | { readonly type: 'SubscriptionCancelScheduled'; readonly data: OfSubscription & { readonly cancelsAt: string; readonly scheduledAt: string } }
  | { readonly type: 'SubscriptionReactivated'; readonly data: OfSubscription & { readonly reactivatedAt: string } }
  /** What no other event says: unpaid, paused, and back again. */
  | {
      readonly type: 'SubscriptionStatusChanged';
      readonly data: OfSubscription & { readonly status: SubscriptionStatus; readonly graceEndsAt: string | null; readonly changedAt: string };
    }
  | { readonly type: 'SubscriptionEnded'; readonly data: OfSubscription & { readonly tier: PaidTier; readonly endedAt: string } }
  /** Compared with what the provider has. `late`: something was missed and made good. */
  | {
      readonly type: 'SubscriptionSynced';
      readonly data: { readonly userId: string; readonly outcome: 'in_step' | 'late' | 'failed'; readonly syncedAt: string };
    };

/** The account's own entry in the provider's books. A later one of the same mode takes its place. */
export type CustomerEvent = {
  readonly type: 'CustomerLinked';
  readonly data: { readonly userId: string; readonly customerId: string; readonly mode: CustomerMode; readonly linkedAt: string };
};

/** Which of the provider's books: customers of one are unknown in another. */
export type CustomerMode = 'live' | 'test' | 'sandbox';

export type BillingEvent = AnalysisEvent | MoneyEvent | SubscriptionEvent | CustomerEvent;

export type BillingEventData<Type extends BillingEvent['type']> = Extract<BillingEvent, { readonly type: Type }>['data'];
