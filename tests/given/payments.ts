/** The payments port on the real adapter with its own sandbox, and the actions of customers on the provider's pages. */
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { Payments } from '../../src/integrations/payments/payments.ts';
import {
  createStripePayments,
  type StripePaymentsOptions,
} from '../../src/integrations/payments/stripe/stripePayments.ts';
import type { PaymentSandboxOptions } from '../../src/paymentSandbox/paymentSandbox.ts';
import { type GivenSandbox, givenSandbox } from './paymentSandbox.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';

export const SANDBOX_PRICES: StripePaymentsOptions['prices'] = {
  report: 'report',
  tiers: { tier1: 'tier1_monthly', tier2: 'tier2_monthly', tier3: 'tier3_monthly', tier4: 'tier4_monthly' },
};

type Given = { readonly sandbox?: Partial<PaymentSandboxOptions>; readonly options?: Partial<StripePaymentsOptions> };

export type GivenPayments = Awaited<ReturnType<typeof givenPayments>>;

/**
 * `now` follows the sandbox's clock, which is stopped until `sandbox.advance(days)`. There are no retries, since they
 * wait. The webhooks are for `sandbox: { webhooks: [{ url, secret: WEBHOOK_SECRET }] }`.
 */
export async function givenPayments({ sandbox: wanted = {}, options = {} }: Given = {}) {
  const sandbox = await givenSandbox(wanted);
  const advance = async (days: number): Promise<void> => {
    await sandbox.advance(days);
    time = (await sandbox.now()) * 1_000;
  };
  let time = (await sandbox.now()) * 1_000;
  const payments = paymentsOf(sandbox, { now: () => new Date(time).toISOString(), ...options });
  const now = (): string => new Date(time).toISOString();
  return {
    ...customersOf(sandbox, payments),
    payments,
    sandbox: { ...sandbox, advance },
    stripe: sandbox.stripe,
    now,
    end: sandbox.end,
  };
}

/** The adapter for a running sandbox. */
export function paymentsOf(
  sandbox: { readonly url: string; readonly secretKey: string; readonly publishableKey: string },
  options: Partial<StripePaymentsOptions> = {},
): Payments {
  const { hostname, port } = new URL(sandbox.url);
  return createStripePayments({
    secretKey: sandbox.secretKey,
    publishableKey: sandbox.publishableKey,
    webhookSecrets: [WEBHOOK_SECRET],
    address: { host: hostname, port: Number(port), protocol: 'http' },
    sandboxUrl: sandbox.url,
    prices: SANDBOX_PRICES,
    maxNetworkRetries: 0,
    now: () => new Date().toISOString(),
    ...options,
  });
}

/** The actions of customers, through the provider's API instead of its pages. */
function customersOf({ stripe, url, publishableKey }: GivenSandbox, payments: Payments) {
  const customer = async (userId: string, email = `${userId}@example.com`) =>
    (await payments.makeCustomer({ userId, email, name: 'Ada', key: `customer-${userId}` })).customerId;

  /** For later payments, as the checkout and the portal keep it. */
  async function saveCard(customerId: string, token = 'pm_card_visa'): Promise<string> {
    const { id } = await stripe.paymentMethods.attach(token, { customer: customerId });
    await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } });
    return id;
  }

  /** A subscription as a checkout leaves it. */
  async function subscribe(
    userId: string,
    customerId: string,
    tier = 'tier1',
    token = 'pm_card_visa',
  ): Promise<Stripe.Subscription> {
    await saveCard(customerId, token);
    return stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: `price_${tier}_monthly` }],
      metadata: { user_id: userId },
    });
  }

  /** Pays in the browser: with the publishable key and the secret of the one payment. */
  async function confirm(
    clientSecret: string,
    number = '4242424242424242',
    origin?: string,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${url}/v1/payment_intents/${clientSecret.split('_secret')[0]}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}`, ...(origin === undefined ? {} : { origin }) },
      body: new URLSearchParams({
        client_secret: clientSecret,
        return_url: 'http://localhost:3000/account',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
        'payment_method_data[billing_details][name]': 'Ada Lovelace',
        'payment_method_data[billing_details][address][line1]': '1 Main Street',
        'payment_method_data[billing_details][address][country]': 'US',
      }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** As the card fields in the browser get them; null: the secret is invalid or has expired. */
  async function savedCards(clientSecret: string): Promise<readonly Stripe.PaymentMethod[] | null> {
    const query = new URLSearchParams({ customer_session_client_secret: clientSecret });
    const answer = await fetch(`${url}/v1/elements/sessions?${query}`, {
      headers: { authorization: `Bearer ${publishableKey}` },
    });
    return answer.ok
      ? ((await answer.json()) as { customer: { payment_methods: readonly Stripe.PaymentMethod[] } }).customer
          .payment_methods
      : null;
  }

  /** Pays in the browser with one of them. */
  async function confirmSaved(
    clientSecret: string,
    payment_method: string,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${url}/v1/payment_intents/${clientSecret.split('_secret')[0]}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** Starts the purchase of reports. */
  const begin = (userId: string, customerId: string, quantity = 1) =>
    payments.startPayment({
      userId,
      customerId,
      quantity,
      amount: quantity * 5_000,
      currency: 'usd',
      funds: quantity * 5_000,
      discountCode: null,
      codeUse: null,
      billingEmail: `${userId}@example.com`,
      savePaymentMethod: true,
      key: randomUUID(),
    });

  /** Buys and pays for reports. */
  async function buy(userId: string, customerId: string, quantity = 1): Promise<string> {
    const { paymentIntentId, clientSecret } = await begin(userId, customerId, quantity);
    const { status } = await confirm(clientSecret);
    if (status !== 200) throw new Error(`the payment was answered ${status}`);
    return paymentIntentId;
  }

  return { customer, saveCard, subscribe, begin, confirm, savedCards, confirmSaved, buy };
}
