import { applyToBooks, type Books, type Comparison, compareBooks, type OwnPlan } from '../../domain/billing/books.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import { evolveSubscription } from '../../domain/billing/subscription.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { type EventStore, START } from '../../eventStore/eventStore.ts';
import type { Payments, ProviderPlan } from '../../integrations/payments/payments.ts';

const MONEY = [
  ...(['FundsAdded', 'PaymentRefunded', 'DisputeOpened', 'DisputeWon'] as const),
  ...(['SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed'] as const),
  ...(['SubscriptionPaymentFailed', 'SubscriptionStatusChanged', 'SubscriptionEnded'] as const),
] satisfies readonly BillingEvent['type'][];
const PAGE = 500;

type SubscriptionUpdate = Parameters<typeof evolveSubscription>[1];

/**
 * Reconciles all bills, folded from the log, with the payment provider's records. Writes nothing. Payments in transit
 * show up as differences, too.
 */
export async function checkBooks(store: EventStore, payments: Pick<Payments, 'books' | 'plans'>): Promise<Comparison> {
  const bills: Books = new Map();
  const own = new Map<string, OwnPlan>();
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: MONEY } });
    for (const event of page.events) {
      if (!isOf(event, ...MONEY)) continue;
      applyToBooks(bills, event);
      if ('subscriptionId' in event.data) applyToPlans(own, event as SubscriptionUpdate);
    }
    if (page.end) break;
    after = page.next;
  }
  const provider: Books = new Map();
  for await (const { userId, paymentIntentId, amount, currency, refunded, disputed } of payments.books()) {
    // What the bill knows is ours, even if it names no user; other sales outside this product are in no bill.
    const payer = userId ?? bills.get(paymentIntentId)?.userId;
    if (payer !== undefined)
      provider.set(paymentIntentId, { userId: payer, paymentIntentId, amount, currency, refunded, disputed });
  }
  const theirs = new Map<string, ProviderPlan>();
  for await (const plan of payments.plans()) theirs.set(plan.subscriptionId, plan);
  return compareBooks(bills, provider, { own, theirs });
}

/** One at a time, unlike in a bill, which keeps only the last of those that ended. */
function applyToPlans(own: Map<string, OwnPlan>, event: SubscriptionUpdate): void {
  const { userId, subscriptionId } = event.data;
  const subscription = evolveSubscription(own.get(subscriptionId)?.subscription ?? null, event);
  if (subscription) own.set(subscriptionId, { userId, subscription });
}
