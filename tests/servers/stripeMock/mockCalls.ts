/**
 * Every call of the payments port against stripe-mock, which responds with Stripe's own examples: the product's code
 * must be able to read all of them.
 */
import type Stripe from 'stripe';
import { PaymentFault, type Payments } from '../../../src/integrations/payments/payments.ts';
import { paymentsOf, SANDBOX_PRICES } from '../../given/payments.ts';
import { openProxy } from './portCalls.ts';

/** The result of a call, or the code of its PaymentFault. Any other error is a bug of ours. */
export type Outcome = { readonly returned?: unknown; readonly fault?: string };

/** stripe-mock has one monthly price and one product; here a report is paid once and each plan has its own product. */
function asSold(path: string, answer: Record<string, unknown>): Record<string, unknown> {
  const id = /^\/v1\/prices\/(\w+)$/.exec(path)?.[1];
  if (id === undefined) return answer;
  return {
    ...answer,
    product: `prod_of_${id}`,
    ...(id === 'price_report' ? { type: 'one_time', recurring: null } : {}),
  };
}

/** Each name is a call, some with a variant. */
export async function callMock(mockUrl: string): Promise<Readonly<Record<string, Outcome>>> {
  const of = { url: mockUrl, secretKey: 'sk_test_123', publishableKey: 'pk_test_123' };
  const proxy = await openProxy(mockUrl, () => undefined, asSold);
  const tiers = {
    tier1: await priceOfExample(mockUrl, of.secretKey),
    tier2: 'price_tier2',
    tier3: 'price_tier3',
    tier4: 'price_tier4',
  };
  const sold = paymentsOf(
    { ...of, url: `http://127.0.0.1:${proxy.port}` },
    { prices: { report: 'price_report', tiers } },
  );
  const unsold = paymentsOf(of, { prices: SANDBOX_PRICES });
  const outcomes: Record<string, Outcome> = {};
  try {
    for (const [name, call] of [
      ...callsOf(sold),
      ['catalogue, of prices that do not fit', () => unsold.catalogue()] as const,
    ])
      outcomes[name] = await call().then(
        (returned) => ({ returned }),
        (error: unknown) => {
          if (error instanceof PaymentFault) return { fault: error.fault };
          throw new Error(`${name}: ${String(error)}`, { cause: error });
        },
      );
  } finally {
    await proxy.close();
  }
  return outcomes;
}

/** The price in stripe-mock's example of a subscription: here that of a plan. */
async function priceOfExample(mockUrl: string, key: string): Promise<string> {
  const response = await fetch(`${mockUrl}/v1/subscriptions/sub_1`, { headers: { authorization: `Bearer ${key}` } });
  const { items } = (await response.json()) as Stripe.Subscription;
  return items.data[0]?.price.id ?? '';
}

type NamedCall = readonly [name: string, call: () => Promise<unknown>];

function callsOf(payments: Payments): readonly NamedCall[] {
  const [customerId, subscriptionId, key] = ['cus_1', 'sub_1', 'key'];
  const pages = { successUrl: 'http://localhost:3000/done', cancelUrl: 'http://localhost:3000/plans' };
  const purchase = {
    amount: 12_750,
    currency: 'usd',
    funds: 15_000,
    discountCode: null,
    codeUse: null,
    billingEmail: 'ann@example.com',
    savePaymentMethod: true,
  };
  return [
    ['catalogue', () => payments.catalogue()],
    ['promotionCode', () => payments.promotionCode('FALL20')],
    ['planCode', () => payments.planCode({ code: 'FALL20', customerId })],
    ['makeCustomer', () => payments.makeCustomer({ userId: 'ann', email: 'ann@example.com', name: 'Ann', key })],
    ['customer', () => payments.customer(customerId)],
    ['openCustomerSession', () => payments.openCustomerSession({ customerId, key })],
    ['forgetCustomer', () => payments.forgetCustomer(customerId)],
    ['startPayment', () => payments.startPayment({ userId: 'ann', customerId, quantity: 3, ...purchase, key })],
    ['payment', () => payments.payment('pi_1')],
    ['subscription', () => payments.subscription(subscriptionId)],
    ['subscriptionsOf', () => payments.subscriptionsOf(customerId)],
    ['invoice', () => payments.invoice('in_1')],
    [
      'startCheckout',
      () => payments.startCheckout({ userId: 'ann', customerId, tier: 'tier1', promotionCodeId: null, ...pages, key }),
    ],
    ['upgradeCost', () => payments.upgradeCost({ subscriptionId, tier: 'tier2' })],
    ['upgrade', () => payments.upgrade({ subscriptionId, tier: 'tier2', key })],
    ['scheduleDowngrade', () => payments.scheduleDowngrade({ subscriptionId, tier: 'tier2', key })],
    ['cancel, later', () => payments.cancel({ subscriptionId, immediately: false, key })],
    ['cancel, now', () => payments.cancel({ subscriptionId, immediately: true, key })],
    ['reactivate', () => payments.reactivate({ subscriptionId, key })],
    ['openPortal', () => payments.openPortal({ customerId, returnUrl: 'http://localhost:3000/account', key })],
    ['eventsSince', () => all(payments.eventsSince('2026-01-01T00:00:00.000Z'))],
    ['books', () => all(payments.books())],
    ['plans', () => all(payments.plans())],
  ];
}

async function all(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}
