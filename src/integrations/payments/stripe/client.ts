/** The `stripe` library with our timeouts and error mapping. */
import Stripe from 'stripe';
import { PaymentFault } from '../payments.ts';

export type StripeAddress = { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' };

export type ClientOptions = {
  readonly secretKey: string;
  /** URL of the sandbox; if unset, Stripe itself. */
  readonly address?: StripeAddress | undefined;
  /** For one call with all its retries, ms. */
  readonly timeoutMs?: number;
  readonly maxNetworkRetries?: number;
};

type Keyed = { readonly idempotencyKey: string };

export type StripeClient = {
  readonly webhooks: Stripe['webhooks'];
  /** @throws PaymentFault */
  ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T>;
  /** Idempotent per key. @throws PaymentFault */
  askOnce<T>(key: string, call: (stripe: Stripe, options: Keyed) => Promise<T>): Promise<T>;
};

const TIMEOUT_MS = 20_000;

export function createClient({
  secretKey,
  address,
  timeoutMs = TIMEOUT_MS,
  maxNetworkRetries = 2,
}: ClientOptions): StripeClient {
  const stripe = new Stripe(secretKey, { ...address, timeout: timeoutMs, maxNetworkRetries, telemetry: false });

  async function ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await within(timeoutMs, call(stripe));
    } catch (error) {
      throw meaningOf(error);
    }
  }

  async function askOnce<T>(key: string, call: (stripe: Stripe, options: Keyed) => Promise<T>): Promise<T> {
    return ask(async () => {
      try {
        return await call(stripe, { idempotencyKey: key });
      } catch (error) {
        // Stripe stores its own failures under the key and would repeat them for a day. Every call made here is safe to
        // repeat: it sets a desired state, or creates something without value until it is paid.
        if (!isKeptFailure(error)) throw error;
        return await call(stripe, { idempotencyKey: `${key}:again` });
      }
    });
  }

  return { webhooks: stripe.webhooks, ask, askOnce };
}

function isKeptFailure(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}

/** The library's own timeout applies to each try. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new PaymentFault('UNAVAILABLE', 'The payment provider took too long to answer.')),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Drops the details of the library's errors: that of a declined payment contains its client secret. */
function meaningOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { statusCode, code, message } = error;
  if (error instanceof Stripe.errors.StripeCardError) return new PaymentFault('DECLINED', message);
  if (
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError
  )
    return new PaymentFault('UNAVAILABLE', `The payment provider is not available: ${message}`);
  // The request itself is fine: it will succeed once the key is right.
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return new PaymentFault('UNAVAILABLE', `The payment provider does not accept our key: ${message}`);
  if (statusCode === 404 || code === 'resource_missing') return new PaymentFault('NOT_FOUND', message);
  return new PaymentFault('REFUSED', message);
}

/** Returns null if the object does not exist. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PaymentFault && error.fault === 'NOT_FOUND') return null;
    throw error;
  }
}

/** All objects of a list, page by page, newest first. */
export async function* eachOf<T extends { readonly id: string }>(
  client: StripeClient,
  list: (
    stripe: Stripe,
    page: { readonly limit: number; readonly starting_after?: string },
  ) => Promise<Stripe.ApiList<T>>,
): AsyncIterable<T> {
  for (let after: string | undefined; ; ) {
    const from = after;
    const { data, has_more } = await client.ask((stripe) =>
      list(stripe, { limit: 100, ...(from === undefined ? {} : { starting_after: from }) }),
    );
    yield* data;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return;
  }
}

export const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** The id of a reference that may be expanded. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

/** The expanded object; null if it is not expanded or missing. */
export function expandedOf<T extends object>(reference: string | T | null | undefined): T | null {
  return typeof reference === 'object' ? reference : null;
}
