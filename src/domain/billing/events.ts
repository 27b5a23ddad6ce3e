/**
 * Storage format, version with care. Stream: `billing-{userId}`: ONE stream for everything that pays for audits, so that nothing can be spent twice.
 * Amounts are integers in the smallest unit of their currency, in the provider's spelling: `usd`.
 */
import type { PaidTier } from '../../model/tiers.ts';

/** What paid for an audit; admins pay nothing. */
export type PaidFrom = 'admin' | 'plan' | 'credits' | 'funds' | 'free_allowance';

/** What is taken for one audit, and therefore what is given back. */
export type Taken = {
  readonly from: PaidFrom;
  /** Calendar month in UTC, `2026-11`, in which it is taken; for the free allowance, the month of the allowance. */
  readonly period: string;
  /** For a plan: the subscription, and the start of the period it is charged to. */
  readonly subscriptionId?: string;
  readonly periodStart?: string;
  /** For funds: the price of one report at that time. */
  readonly amount?: number;
  readonly currency?: string;
  /** For credits and funds: the balance after the event. */
  readonly balance?: number;
};

type OfJob = { readonly userId: string; readonly jobId: string };

export type AnalysisEvent =
  | {
      readonly type: 'AnalysisReserved';
      readonly data: OfJob &
        Taken & {
          /** Shared by everything one submission reserved; `JobSubmitted` has it too if there were several. Absent from old events. */
          readonly batchId?: string;
          readonly access: 'full' | 'preview';
          readonly reservedAt: string;
        };
    }
  /** Usage by deleted accounts with the same address in the month this account signed up. Once per month. */
  | {
      readonly type: 'AllowanceCarriedOver';
      readonly data: { readonly userId: string; readonly period: string; readonly used: number; readonly carriedAt: string };
    }
  | { readonly type: 'AnalysisConsumed'; readonly data: OfJob & { readonly consumedAt: string } }
  | {
      readonly type: 'AnalysisReleased';
      readonly data: OfJob &
        /** What is given back, copied from the reservation. Old events, whose reservations have no `batchId`, lack `from` and `period`. */
        Partial<Taken> & {
          readonly reason: 'job_failed' | 'job_cancelled' | 'job_missing' | 'submission_failed';
          /** A worker had started the cancelled job: such releases are counted. */
          readonly begun?: true;
          readonly releasedAt: string;
        };
    }
  /** A preview was paid to be unlocked; the job's own event follows. */
  | { readonly type: 'UnlockPaid'; readonly data: OfJob & Taken & { readonly paidAt: string } }
  /** Its job had been deleted by then. */
  | { readonly type: 'UnlockReturned'; readonly data: OfJob & Taken & { readonly returnedAt: string } };

type OfPayment = {
  readonly userId: string;
  readonly paymentIntentId: string;
  /** Money paid or returned. */
  readonly amount: number;
  readonly currency: string;
  /** The resulting change of the funds, as a non-negative number; 0 if the payment was for a subscription. */
  readonly funds: number;
  /** Funds after the event. */
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
        /** Credits after the event. */
        readonly balance: number;
        readonly grantedAt: string;
      };
    }
  | { readonly type: 'PaymentRefunded'; readonly data: OfPayment & { readonly refundId: string; readonly refundedAt: string } }
  /** The bank withholds the money until the dispute is decided. */
  | { readonly type: 'DisputeOpened'; readonly data: OfPayment & { readonly disputeId: string; readonly openedAt: string } }
  | { readonly type: 'DisputeWon'; readonly data: OfPayment & { readonly disputeId: string; readonly wonAt: string } }
  /** What was withheld at the start stays withheld. */
  | { readonly type: 'DisputeLost'; readonly data: OfPayment & { readonly disputeId: string; readonly lostAt: string } };

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'canceled' | 'unpaid' | 'inactive';

/** A paid invoice. */
export type PaidInvoice = {
  readonly invoiceId: string;
  /** As printed on the invoice. Absent from older events. */
  readonly number?: string;
  readonly paymentIntentId: string | null;
  readonly amount: number;
  readonly currency: string;
};

/** `asOf`: when the provider was queried; data older than what is already known changes nothing. */
type OfSubscription = { readonly userId: string; readonly subscriptionId: string; readonly asOf: string };
/** The provider's billing period; times are UTC ISO, the end exclusive. */
type Period = { readonly periodStart: string; readonly periodEnd: string };
/** Monthly price of the tier. */
type Price = { readonly price: number; readonly currency: string };

export type SubscriptionEvent =
  | {
      readonly type: 'SubscriptionStarted';
      readonly data: OfSubscription &
        Period &
        Price & { readonly tier: PaidTier; readonly status: 'active' | 'trialing'; readonly paid: PaidInvoice | null; readonly startedAt: string };
    }
  /** Takes effect immediately. If the invoice of a change arrives later, both tiers are equal. */
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
  /** A period was paid; possibly an earlier one, reported late. */
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
          /** The plan stays unchanged until then. */
          readonly graceEndsAt: string;
          readonly failedAt: string;
        };
    }
  | { readonly type: 'SubscriptionCancelScheduled'; readonly data: OfSubscription & { readonly cancelsAt: string; readonly scheduledAt: string } }
  | { readonly type: 'SubscriptionReactivated'; readonly data: OfSubscription & { readonly reactivatedAt: string } }
  /** Transitions that no other event covers: unpaid, paused, and back. */
  | {
      readonly type: 'SubscriptionStatusChanged';
      readonly data: OfSubscription & { readonly status: SubscriptionStatus; readonly graceEndsAt: string | null; readonly changedAt: string };
    }
  | { readonly type: 'SubscriptionEnded'; readonly data: OfSubscription & { readonly tier: PaidTier; readonly endedAt: string } }
  /** Compared with the provider's state. `late`: something had been missed and was recorded. */
  | {
      readonly type: 'SubscriptionSynced';
      readonly data: { readonly userId: string; readonly outcome: 'in_step' | 'late' | 'failed'; readonly syncedAt: string };
    };

/** The account's customer record at the provider. A later one in the same mode replaces it. */
export type CustomerEvent = {
  readonly type: 'CustomerLinked';
  readonly data: { readonly userId: string; readonly customerId: string; readonly mode: CustomerMode; readonly linkedAt: string };
};

/** The provider's environment: a customer exists in only one. */
export type CustomerMode = 'live' | 'test' | 'sandbox';

export type BillingEvent = AnalysisEvent | MoneyEvent | SubscriptionEvent | CustomerEvent;

export type BillingEventData<Type extends BillingEvent['type']> = Extract<BillingEvent, { readonly type: Type }>['data'];
