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
};

/** Pause between two attempts of a browser, ms. */
const AGAIN_MS = 150;

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

  return {
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
