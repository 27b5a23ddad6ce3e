/** How events of billing are stored. None of it is secret: the provider's ids are on its receipts, too. */
import { BILLING_EVENTS, BILLING_NOTES_EVENTS } from '../billing/events.ts';
import { stored, unchanged } from './storedType.ts';

const OF_JOB = ['userId', 'jobId'] as const;
const OF_PAYMENT = ['userId', 'paymentIntentId'] as const;
const OF_SUBSCRIPTION = ['userId', 'subscriptionId'] as const;

export const BILLING_TYPES = stored(BILLING_EVENTS, ['userId'], {
  AnalysisReserved: { ids: OF_JOB, upcasts: [unchanged] },
  AnalysisConsumed: { ids: OF_JOB },
  AnalysisReleased: { ids: OF_JOB, upcasts: [unchanged, unchanged] },
  UnlockPaid: { ids: OF_JOB },
  UnlockReturned: { ids: OF_JOB },
  FundsAdded: { ids: OF_PAYMENT },
  CreditsGranted: { ids: ['userId', 'grantId'] },
  PaymentRefunded: { ids: [...OF_PAYMENT, 'refundId'] },
  DisputeOpened: { ids: [...OF_PAYMENT, 'disputeId'] },
  DisputeWon: { ids: [...OF_PAYMENT, 'disputeId'] },
  DisputeLost: { ids: [...OF_PAYMENT, 'disputeId'] },
  SubscriptionStarted: { ids: OF_SUBSCRIPTION, upcasts: [unchanged] },
  SubscriptionChanged: { ids: OF_SUBSCRIPTION, upcasts: [unchanged] },
  SubscriptionChangeScheduled: { ids: OF_SUBSCRIPTION },
  SubscriptionChangeUndone: { ids: OF_SUBSCRIPTION },
  SubscriptionRenewed: { ids: OF_SUBSCRIPTION, upcasts: [unchanged] },
  SubscriptionPaymentFailed: { ids: OF_SUBSCRIPTION },
  SubscriptionCancelScheduled: { ids: OF_SUBSCRIPTION },
  SubscriptionReactivated: { ids: OF_SUBSCRIPTION },
  SubscriptionStatusChanged: { ids: OF_SUBSCRIPTION },
  SubscriptionSuspended: { ids: [...OF_SUBSCRIPTION, 'paymentIntentId'] },
  SubscriptionResumed: { ids: OF_SUBSCRIPTION },
  SubscriptionEnded: { ids: OF_SUBSCRIPTION },
  CustomerLinked: { ids: ['userId', 'customerId'] },
});

export const BILLING_NOTES_TYPES = stored(BILLING_NOTES_EVENTS, ['userId', 'noteId']);
