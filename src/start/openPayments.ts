/**
 * Selects the payment provider: Stripe, the sandbox, or none. Created once per process; the library and the sandbox are
 * loaded only if used.
 */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { HttpConfig } from '../http/deps/deps.ts';
import { API } from '../http/request/apiPrefix.ts';
import type { Metrics } from '../http/usage/metrics.ts';
import { PaymentFault, type Payments } from '../integrations/payments/payments.ts';
import type { StripePaymentsOptions } from '../integrations/payments/stripe/stripePayments.ts';
import type { PaymentSandbox } from '../paymentSandbox/paymentSandbox.ts';
import { type Config, ConfigError } from './config.ts';
import { onFreePort } from './listen.ts';

const SANDBOX_PORT = 12_111;
const SANDBOX_PRICES: StripePaymentsOptions['prices'] = {
  report: 'report',
  tiers: { tier1: 'tier1_monthly', tier2: 'tier2_monthly', tier3: 'tier3_monthly', tier4: 'tier4_monthly' },
};
/** How long startup waits for the check that the prices can be sold. */
const FIRST_ANSWER_MS = 3_000;
const REFRESH_MS = 5 * 60_000;

export type OpenPayments = {
  /** Null: nothing is sold. */
  readonly payments: Payments | null;
  /**
   * The price last reported by the provider; null until it was reached, and if nothing is sold: an unverified amount is
   * never charged. Makes no request.
   */
  reportPrice(): HttpConfig['reportPrice'];
  close(): Promise<void>;
};

type At = {
  readonly log: Logger;
  readonly now: () => string;
  /** This process's own address. */
  readonly url: string;
  readonly appUrl: string;
  readonly metrics?: Pick<Metrics, 'unknownSubscriptionStatus'>;
};

/** @throws ConfigError when the configured prices cannot be sold */
export async function openPayments(config: Config, at: At): Promise<OpenPayments> {
  if (config.billing === 'off') return { payments: null, reportPrice: () => null, close: async () => undefined };
  const sandbox =
    config.billing === 'sandbox' && config.PAYMENT_SANDBOX_URL === undefined ? await startSandbox(config, at) : null;
  const { createStripePayments } = await import('../integrations/payments/stripe/stripePayments.ts');
  const provider =
    config.billing === 'stripe'
      ? ofStripe(config, at.now)
      : ofSandbox(sandbox ?? (await outsideSandbox(config)), at.now);
  const onUnknownStatus: StripePaymentsOptions['onUnknownStatus'] = (of) => {
    at.metrics?.unknownSubscriptionStatus();
    at.log.error(
      of,
      'a subscription has a status that is not known here, and gives no rights; its owner may have paid for it',
    );
  };
  const payments = createStripePayments({ ...provider, onUnknownStatus });
  try {
    const price = await watchPrice(payments, at.log);
    const close = async (): Promise<void> => {
      price.stop();
      await sandbox?.close();
    };
    return { payments, reportPrice: price.current, close };
  } catch (error) {
    await sandbox?.close();
    throw error;
  }
}

function ofStripe(config: Config, now: () => string): StripePaymentsOptions {
  const {
    STRIPE_SECRET_KEY: secretKey = '',
    STRIPE_PUBLISHABLE_KEY: publishableKey = '',
    STRIPE_WEBHOOK_SECRET: secrets = '',
  } = config;
  const { STRIPE_PRICE_ID: report = '', STRIPE_TIER1_PRICE_ID: tier1 = '', STRIPE_TIER2_PRICE_ID: tier2 = '' } = config;
  const { STRIPE_TIER3_PRICE_ID: tier3 = '', STRIPE_TIER4_PRICE_ID: tier4 = '' } = config;
  const webhookSecrets = secrets.split(',').map((secret) => secret.trim());
  return {
    secretKey,
    publishableKey,
    webhookSecrets,
    sandboxUrl: null,
    prices: { report, tiers: { tier1, tier2, tier3, tier4 } },
    now,
  };
}

const loadSandbox = () => import('../paymentSandbox/paymentSandbox.ts');

type Sandbox = Pick<PaymentSandbox, 'url' | 'secretKey' | 'publishableKey' | 'webhookSecret'>;

function ofSandbox(
  { url, secretKey, publishableKey, webhookSecret }: Sandbox,
  now: () => string,
): StripePaymentsOptions {
  const { hostname: host, port, protocol } = new URL(url);
  const address = {
    host,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
  };
  return {
    secretKey,
    publishableKey,
    webhookSecrets: [webhookSecret],
    address,
    sandboxUrl: url,
    prices: SANDBOX_PRICES,
    now,
  };
}

async function outsideSandbox({
  PAYMENT_SANDBOX_URL: url = '',
  PAYMENT_SANDBOX_KEY: key = '',
}: Config): Promise<Sandbox> {
  const { keysOf } = await loadSandbox();
  const { secret, publishable, webhook } = keysOf(key);
  return { url: url.replace(/\/+$/, ''), secretKey: secret, publishableKey: publishable, webhookSecret: webhook };
}

/** On this machine only, for the pages of this server; its events arrive the same way as Stripe's. */
async function startSandbox({ DATA_DIR, HOST, PORT }: Config, { log, url, appUrl }: At): Promise<PaymentSandbox> {
  const { startPaymentSandbox } = await loadSandbox();
  const { port, origin } = new URL(url);
  const own = HOST === '0.0.0.0' || HOST === '::' ? `http://127.0.0.1:${port}` : origin;
  return onFreePort(PORT === 0 ? 0 : SANDBOX_PORT, (free) =>
    startPaymentSandbox({
      dataDir: join(DATA_DIR, 'payments'),
      port: free,
      // The app may have been opened by either name of this machine.
      origins: [...new Set([new URL(appUrl).origin, own, `http://localhost:${port}`])],
      webhooks: [{ url: `${own}${API}/stripe/webhook` }],
      log: (line) => log.debug({ line }, 'payment sandbox'),
    }),
  );
}

/**
 * Fetched in the background, so that no request waits for the provider.
 * @throws ConfigError when the provider reports that it cannot be sold
 */
async function watchPrice(payments: Payments, log: Logger) {
  let price: HttpConfig['reportPrice'] = null;
  const refresh = async (): Promise<void> => {
    const { amount, currency } = (await payments.catalogue()).report;
    price = { amount, currency };
  };
  const later = (error: unknown): void => log.warn({ err: error }, 'the prices could not be read; retrying');
  const first = refresh().catch((error: unknown) => {
    if (error instanceof PaymentFault && error.fault === 'REFUSED') return error;
    later(error);
    return null;
  });
  let slow: NodeJS.Timeout | undefined;
  const refused = await Promise.race([
    first,
    new Promise<null>((resolve) => (slow = setTimeout(resolve, FIRST_ANSWER_MS, null))),
  ]);
  clearTimeout(slow);
  if (refused) throw new ConfigError([`BILLING: ${refused.message}`]);
  const timer = setInterval(() => void refresh().catch(later), REFRESH_MS).unref();
  return { current: () => price, stop: () => clearInterval(timer) };
}
