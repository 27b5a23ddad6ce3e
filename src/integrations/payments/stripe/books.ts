/**
 * The provider's payment records, for reconciliation with ours: reads whole lists instead of making one request per
 * payment.
 */
import { subscriptionStatusOf } from '../../../domain/billing/subscription.ts';
import type { Payments, ProviderLine, ProviderPlan } from '../payments.ts';
import { type Prices, planAmong } from './catalogue.ts';
import { eachOf, expandedOf, idOf, type StripeClient } from './client.ts';
import { disputeStatusOf } from './purchases.ts';

export function bookCalls(client: StripeClient, prices: Prices): Pick<Payments, 'books' | 'plans'> {
  return {
    async *plans() {
      const all = eachOf(client, (stripe, page) => stripe.subscriptions.list({ status: 'all', ...page }));
      for await (const { id, metadata, status, items } of all) {
        const sold = await planAmong(prices, items.data);
        if (!sold) continue;
        const { productId, tier } = sold;
        const plan: ProviderPlan = {
          subscriptionId: id,
          userId: metadata.user_id ?? null,
          status: subscriptionStatusOf(status),
          productId,
          tier,
        };
        yield plan;
      }
    },

    async *books() {
      const [subscribers, disputed] = await Promise.all([subscribersOf(client), disputedOf(client)]);
      const charges = eachOf(client, (stripe, page) =>
        stripe.charges.list({ expand: ['data.payment_intent'], ...page }),
      );
      for await (const charge of charges) {
        const intent = expandedOf(charge.payment_intent);
        if (!intent || !charge.paid || !charge.captured) continue;
        const isSubscription = subscribers.has(intent.id);
        const line: ProviderLine = {
          userId: (isSubscription ? subscribers.get(intent.id) : intent.metadata.user_id) ?? null,
          customerId: idOf(charge.customer),
          paymentIntentId: intent.id,
          purpose: isSubscription ? 'subscription' : 'funds',
          amount: charge.amount,
          currency: charge.currency,
          refunded: charge.amount_refunded,
          disputed: disputed.get(intent.id) ?? 0,
        };
        yield line;
      }
    },
  };
}

/** Users by the payment intents that paid their invoices. */
async function subscribersOf(client: StripeClient): Promise<ReadonlyMap<string, string | null>> {
  const users = new Map<string, string | null>();
  const paid = eachOf(client, (stripe, page) =>
    stripe.invoicePayments.list({ status: 'paid', expand: ['data.invoice'], ...page }),
  );
  for await (const { payment, invoice } of paid) {
    const intent = idOf(payment.payment_intent);
    const of = expandedOf(invoice);
    if (intent !== null)
      users.set(intent, of && 'parent' in of ? (of.parent?.subscription_details?.metadata?.user_id ?? null) : null);
  }
  return users;
}

async function disputedOf(client: StripeClient): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for await (const { payment_intent, status, amount } of eachOf(client, (stripe, page) => stripe.disputes.list(page))) {
    const intent = idOf(payment_intent);
    const stands = disputeStatusOf(status);
    if (intent !== null && (stands === 'open' || stands === 'lost')) sums.set(intent, (sums.get(intent) ?? 0) + amount);
  }
  return sums;
}
