/**
 * A payment provider in memory: its data can be changed at any time, and its events are delivered by hand, in any
 * order.
 */
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import type { ProviderPayment } from '../../../src/domain/billing/providerPayment.ts';
import {
  type EventSubject,
  PaymentFault,
  type Payments,
  type ProviderEvent,
  WebhookRefused,
} from '../../../src/integrations/payments/payments.ts';

type Invoice = NonNullable<ProviderSubscription['invoice']>;
type StoodIn = Pick<
  Payments,
  'mode' | 'payment' | 'subscription' | 'invoice' | 'checkWebhookTime' | 'readWebhook' | 'eventsSince'
>;

export const SIGNED = 'a good signature';

export function providerStandIn(userId: string | null) {
  const payments = new Map<string, ProviderPayment>();
  const subscriptions = new Map<string, ProviderSubscription>();
  const invoices = new Map<string, { readonly subscriptionId: string; readonly invoice: Invoice }>();
  const listed: ProviderEvent[] = [];
  let away = false;
  const answer = <T>(value: T): T => {
    if (away) throw new PaymentFault('UNAVAILABLE', 'The provider is away.');
    return value;
  };
  const provider: StoodIn = {
    mode: 'sandbox',
    payment: async (id) => answer(payments.get(id) ?? null),
    subscription: async (id) => {
      const subscription = answer(subscriptions.get(id));
      return subscription ? { customerId: 'cus_1', userId, subscription } : null;
    },
    invoice: async (id) => {
      const found = answer(invoices.get(id));
      return found
        ? {
            ...found,
            customerId: 'cus_1',
            userId,
            tier: 'tier2',
            productId: 'prod_tier2',
            price: found.invoice.amount,
          }
        : null;
    },
    checkWebhookTime: (signature) => {
      if (!signature) throw new WebhookRefused('no time');
    },
    readWebhook: (body, signature) => {
      if (signature !== SIGNED) throw new WebhookRefused('not signed');
      return JSON.parse(Buffer.from(body).toString());
    },
    eventsSince: async function* (since) {
      for (const event of answer(listed)) if (event.createdAt >= since) yield event;
    },
  };
  return {
    provider,
    /** The provider's list of events. */
    listed,
    setAway: (is: boolean) => {
      away = is;
    },
    pay: (paymentIntentId: string, more: Partial<ProviderPayment> = {}): void => {
      payments.set(paymentIntentId, {
        paymentIntentId,
        customerId: 'cus_1',
        userId,
        purpose: 'funds',
        status: 'succeeded',
        amount: 5_000,
        currency: 'usd',
        refunds: [],
        disputes: [],
        agreed: { quantity: 1, funds: 5_000, discountCode: null, codeUse: null },
        createdAt: '2026-03-10T11:00:00.000Z',
        billingEmail: 'billing@example.com',
        ...more,
      });
    },
    subscribe: (subscription: ProviderSubscription): void => {
      const { subscriptionId, invoice } = subscription;
      subscriptions.set(subscriptionId, subscription);
      if (invoice) invoices.set(invoice.invoiceId, { subscriptionId, invoice });
    },
  };
}

export function providerEvent(
  eventId: string,
  subject: EventSubject | null,
  createdAt = '2026-03-10T11:00:00.000Z',
): ProviderEvent {
  return {
    eventId,
    type: 'something.happened',
    createdAt,
    isLive: false,
    account: null,
    objectId: null,
    amount: null,
    currency: null,
    subject,
  };
}

export const ofPayment = (paymentIntentId: string) => ({ kind: 'payment', paymentIntentId }) as const;
export const ofSubscription = (subscriptionId: string) => ({ kind: 'subscription', subscriptionId }) as const;
export const ofInvoice = (invoiceId: string) => ({ kind: 'invoice', invoiceId }) as const;
