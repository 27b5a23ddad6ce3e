/** The payment provider as the storm uses it: to inject faults, read its records, and pay as browsers do. */
import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import { keysOf } from '../../../src/paymentSandbox/paymentSandbox.ts';
import type { Fault } from '../../../src/paymentSandbox/server/faults.ts';
import { stripeOf } from '../../given/paymentSandbox.ts';

/** A successful payment for reports, as recorded by the provider. */
export type PaidLine = {
  readonly paymentIntentId: string;
  readonly userId: string;
  readonly amount: number;
  readonly funds: number;
};

export type Provider = {
  readonly url: string;
  readonly key: string;
  /** Replaces the current faults; none: no faults. */
  faults(faults: readonly Partial<Fault>[]): Promise<void>;
  /** How often each fault has occurred. */
  struck(): Promise<Readonly<Record<string, number>>>;
  /** Moves its clock ahead, ms. */
  ahead(ms: number): Promise<void>;
  /** Pays as a browser does with the secret of a payment: retries the card until the outcome is known. */
  pay(clientSecret: string, card: string): Promise<Stripe.PaymentIntent.Status>;
  paid(): Promise<readonly PaidLine[]>;
  /** Ids of the payment events. */
  paidEvents(): Promise<readonly string[]>;
  /** Gives the customer a plan, as a checkout leaves it; returns the subscription's id. */
  subscribe(email: string, userId: string, tier: string): Promise<string>;
  /** A new product takes over the plan's lookup key; subscribers stay with the former one. */
  relaunch(tier: string): Promise<void>;
  /** A new price of the same product takes it over. */
  movePrice(tier: string): Promise<void>;
  loseMetadata(subscriptionId: string): Promise<void>;
  /** Opens a dispute of its payment, and decides it unless `outcome` is null. */
  dispute(subscriptionId: string, outcome: 'won' | 'lost' | null): Promise<void>;
  cancel(subscriptionId: string): Promise<void>;
  wipe(subscriptionId: string): Promise<void>;
};

/** Pause between two attempts of a browser, ms. */
const AGAIN_MS = 150;
const MOST_TRIES = 100;

/** Repeats what is harmless to repeat, since the provider fails for us, too. */
async function insist(act: () => Promise<unknown>): Promise<void> {
  for (let nth = 1; ; nth += 1) {
    try {
      await act();
      return;
    } catch (error) {
      if (nth === MOST_TRIES) throw error;
      await wait(AGAIN_MS);
    }
  }
}

export function providerAt(url: string, key: string): Provider {
  const stripe = stripeOf(url, key, { maxNetworkRetries: 5 });
  const { publishable } = keysOf(key);

  async function control<T>(path: string, body?: object): Promise<T> {
    const init = {
      headers: { authorization: `Bearer ${key}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    };
    const answer = await fetch(`${url}/control/${path}`, init);
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Null: unknown. */
  async function asBrowser(
    path: string,
    form: Readonly<Record<string, string>>,
    method: 'GET' | 'POST',
  ): Promise<Partial<Stripe.PaymentIntent> | null> {
    const sent = new URLSearchParams(form);
    const to = method === 'GET' ? `${url}/v1${path}?${sent.toString()}` : `${url}/v1${path}`;
    try {
      const answer = await fetch(to, {
        method,
        headers: { authorization: `Bearer ${publishable}` },
        ...(method === 'POST' ? { body: sent } : {}),
      });
      const body = (await answer.json()) as Partial<Stripe.PaymentIntent> & {
        readonly error?: { readonly payment_intent?: Stripe.PaymentIntent };
      };
      return answer.ok ? body : answer.status === 402 ? (body.error?.payment_intent ?? null) : null;
    } catch {
      return null;
    }
  }

  const sell = async (
    tier: string,
    of: { readonly product: string } | { readonly product_data: { readonly name: string } },
  ) => {
    await stripe.prices.create({
      currency: 'usd',
      unit_amount: 9_900,
      recurring: { interval: 'month' },
      lookup_key: `${tier}_monthly`,
      transfer_lookup_key: true,
      ...of,
    });
  };

  return {
    async subscribe(email, userId, tier) {
      const customer = (await stripe.customers.list({ email, limit: 1 })).data[0]?.id ?? '';
      const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } });
      const { id } = await stripe.subscriptions.create({
        customer,
        items: [{ price: `price_${tier}_monthly` }],
        metadata: { user_id: userId },
      });
      return id;
    },
    relaunch: (tier) => insist(() => sell(tier, { product_data: { name: `${tier} anew` } })),
    movePrice: (tier) => insist(() => sell(tier, { product: `prod_${tier}` })),
    loseMetadata: (id) => insist(() => stripe.subscriptions.update(id, { metadata: { user_id: '' } })),
    async dispute(id, outcome) {
      let charge: string | undefined;
      await insist(async () => {
        const { customer } = await stripe.subscriptions.retrieve(id);
        charge = (await stripe.charges.list({ customer: String(customer) })).data[0]?.id;
      });
      const { id: dispute } = await control<{ readonly id: string }>('disputes', { charge });
      if (outcome !== null) await control('disputes/close', { dispute, outcome });
    },
    cancel: (id) =>
      insist(async () => {
        // An unanswered request may have been carried out.
        if ((await stripe.subscriptions.retrieve(id)).status !== 'canceled') await stripe.subscriptions.cancel(id);
      }),
    wipe: async (subscription) => void (await control('wipe', { subscription })),
    url,
    key,
    faults: async (faults) => void (await control('faults', { faults })),
    struck: async () => (await control<{ readonly struck: Readonly<Record<string, number>> }>('faults')).struck,
    ahead: async (ms) => void (await control('clock', { by: Math.round(ms / 1_000) })),
    async pay(clientSecret, card) {
      const path = `/payment_intents/${clientSecret.split('_secret')[0]}`;
      const form = {
        client_secret: clientSecret,
        return_url: 'http://localhost/account',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': card,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
        'payment_method_data[billing_details][name]': 'Ada Lovelace',
      };
      for (;;) {
        const confirmed = await asBrowser(`${path}/confirm`, form, 'POST');
        if (confirmed?.status) return confirmed.status;
        await wait(AGAIN_MS);
        // An unanswered request may have been carried out.
        const stands = await asBrowser(path, { client_secret: clientSecret }, 'GET');
        if (stands?.status === 'succeeded' || stands?.status === 'processing') return stands.status;
      }
    },
    async paid() {
      const lines: PaidLine[] = [];
      for await (const { id, status, amount, metadata } of stripe.paymentIntents.list({ limit: 100 }))
        if (status === 'succeeded' && metadata.purpose === 'funds')
          lines.push({ paymentIntentId: id, userId: metadata.user_id ?? '', amount, funds: Number(metadata.funds) });
      return lines;
    },
    async paidEvents() {
      const ids: string[] = [];
      for await (const { id } of stripe.events.list({ limit: 100, type: 'payment_intent.succeeded' })) ids.push(id);
      return ids;
    },
  };
}
