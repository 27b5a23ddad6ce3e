/** The built server set up for Stripe, in test mode. A payment sandbox answers its requests to Stripe's address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PaymentSandbox, startPaymentSandbox } from '../../../src/paymentSandbox/paymentSandbox.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../product/builtServer.ts';
import { freePort } from '../product/freePort.ts';

export const PUBLISHABLE_KEY = 'pk_test_of_the_browser_tests';
const SECRET_KEY = 'sk_test_of_the_browser_tests';
const WEBHOOK_SECRET = 'whsec_of_the_browser_tests';

const STRIPE = {
  BILLING: 'stripe',
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PRICE_ID: 'report',
  STRIPE_TIER1_PRICE_ID: 'tier1_monthly',
  STRIPE_TIER2_PRICE_ID: 'tier2_monthly',
  STRIPE_TIER3_PRICE_ID: 'tier3_monthly',
  STRIPE_TIER4_PRICE_ID: 'tier4_monthly',
};

/** Preloaded before the server's own code: the program has no setting for an address other than Stripe's. */
const elsewhere = (port: number): string => `
  import http from 'node:http';
  import https from 'node:https';
  const ask = https.request;
  https.request = (options, ...rest) => options.host === 'api.stripe.com'
    ? http.request({ ...options, host: '127.0.0.1', port: ${port}, agent: undefined }, ...rest)
    : ask(options, ...rest);`;

export type BuiltStripeShop = {
  readonly server: BuiltServer;
  readonly sandbox: PaymentSandbox;
  close(): Promise<void>;
};

export async function openBuiltStripeShop(): Promise<BuiltStripeShop> {
  const [data, booksDir, port] = [
    temporaryData(),
    mkdtempSync(join(tmpdir(), 'seo-workbench-books-')),
    await freePort(),
  ];
  const webhooks = [{ url: `http://127.0.0.1:${port}/api/v1/stripe/webhook`, secret: WEBHOOK_SECRET }];
  const sandbox = await startPaymentSandbox({ dataDir: booksDir, port: 0, secretKey: SECRET_KEY, webhooks });
  const loader = `--import=data:text/javascript,${encodeURIComponent(elsewhere(Number(new URL(sandbox.url).port)))}`;
  const server = await startBuiltServer(data.dir, { ...STRIPE, PORT: String(port), NODE_OPTIONS: loader });
  return {
    server,
    sandbox,
    close: async () => {
      await server.stop();
      await sandbox.close();
      data.remove();
      rmSync(booksDir, { recursive: true, force: true });
    },
  };
}
