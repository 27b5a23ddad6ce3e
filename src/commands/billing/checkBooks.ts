import { applyToBooks, type Books, type Comparison, compareBooks } from '../../domain/billing/books.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { type EventStore, START } from '../../eventStore/eventStore.ts';
import type { Payments } from '../../integrations/payments/payments.ts';

const MONEY = [
  ...(['FundsAdded', 'PaymentRefunded', 'DisputeOpened', 'DisputeWon'] as const),
  ...(['SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed'] as const),
] satisfies readonly BillingEvent['type'][];
const PAGE = 500;

/**
 * Reconciles all bills, folded from the log, with the payment provider's records. Writes nothing. Payments in transit
 * show up as differences, too.
 */
export async function checkBooks(store: EventStore, payments: Pick<Payments, 'books'>): Promise<Comparison> {
  const bills: Books = new Map();
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: MONEY } });
    for (const event of page.events) if (isOf(event, ...MONEY)) applyToBooks(bills, event);
    if (page.end) break;
    after = page.next;
  }
  const provider: Books = new Map();
  for await (const { userId, paymentIntentId, amount, currency, refunded, disputed } of payments.books()) {
    // Sales outside this product are in no bill.
    if (userId !== null)
      provider.set(paymentIntentId, { userId, paymentIntentId, amount, currency, refunded, disputed });
  }
  return compareBooks(bills, provider);
}
