/** The payments port on the `stripe` library, with Stripe itself or the sandbox, which implements its API. */
import type { PaymentMode, Payments } from '../payments.ts';
import { bookCalls } from './books.ts';
import { createPrices, type PriceNames } from './catalogue.ts';
import { type ClientOptions, createClient } from './client.ts';
import { customerCalls, findPlanCode, findPromotionCode } from './customers.ts';
import { eventCalls } from './events.ts';
import { planChangeCalls } from './planChanges.ts';
import { portalCalls } from './portal.ts';
import { purchaseCalls } from './purchases.ts';
import { subscriptionReads, type UnknownStatus } from './subscriptions.ts';

export type StripePaymentsOptions = ClientOptions & {
  readonly publishableKey: string;
  /** Several during a rotation. */
  readonly webhookSecrets: readonly string[];
  readonly prices: PriceNames;
  /** For the sandbox, its URL for browsers. Null for Stripe. */
  readonly sandboxUrl: string | null;
  /** UTC ISO. */
  readonly now: () => string;
  /** Called whenever a subscription with an unknown status is read. */
  readonly onUnknownStatus?: (of: UnknownStatus) => void;
};

export function createStripePayments(options: StripePaymentsOptions): Payments {
  const { publishableKey, webhookSecrets, sandboxUrl, now, onUnknownStatus = () => undefined } = options;
  const client = createClient(options);
  const prices = createPrices(client, options.prices, now);
  const mode = modeOf(options);
  return {
    mode,
    publishableKey,
    sandboxUrl,
    catalogue: prices.catalogue,
    promotionCode: (code) => findPromotionCode(client, prices, code),
    planCode: (of) => findPlanCode(client, of),
    ...customerCalls(client),
    ...purchaseCalls(client),
    ...subscriptionReads({ client, prices, now, onUnknownStatus }),
    ...planChangeCalls(client, prices),
    ...portalCalls(client),
    ...eventCalls(client, { webhookSecrets, mode, now }),
    ...bookCalls(client, prices),
  };
}

function modeOf({ sandboxUrl, secretKey }: StripePaymentsOptions): PaymentMode {
  if (sandboxUrl !== null) return 'sandbox';
  return /^[sr]k_live_/.test(secretKey) ? 'live' : 'test';
}
