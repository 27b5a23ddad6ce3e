/** A payment sandbox with a stopped clock, the `stripe` library that talks to it, and a receiver of its webhooks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { type PaymentSandboxOptions, startPaymentSandbox } from '../../src/paymentSandbox/paymentSandbox.ts';

export const NOON = Date.UTC(2026, 0, 31, 12);
export const DAY = 86_400;
export const SECRET_KEY = 'sk_sandbox_of_the_tests';

export type GivenSandbox = Awaited<ReturnType<typeof givenSandbox>>;

/** Timers that run immediate callbacks at once, and no recurring ones. */
const AT_ONCE = {
  after: (ms: number, run: () => void) => {
    if (ms > 0) return () => undefined;
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  },
};

export async function givenSandbox(options: Partial<PaymentSandboxOptions> = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sandbox-'));
  const started: { close(): Promise<void> }[] = [];
  let count = 0;
  const logged: string[] = [];
  const sandbox = await startPaymentSandbox({
    dataDir,
    port: 0,
    secretKey: SECRET_KEY,
    clock: () => NOON,
    timers: AT_ONCE,
    ids: (prefix) => {
      count += 1;
      return `${prefix.replaceAll('_', '')}${String(count).padStart(6, '0')}`;
    },
    random: () => 0.5,
    log: (line) => logged.push(line),
    ...options,
  });
  started.push(sandbox);
  const stripe = stripeOf(sandbox.url, options.secretKey ?? SECRET_KEY);

  async function control<T = Record<string, unknown>>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${sandbox.url}/control/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  }

  return {
    ...sandbox,
    dataDir,
    stripe,
    logged,
    control,
    advance: (days: number) => control<{ now: number }>('clock', { by: days * DAY }),
    now: async () => (await control<{ now: number }>('clock')).now,
    faults: (...faults: object[]) => control('faults', { faults }),
    /** Types of all events, oldest first. */
    eventTypes: async () =>
      (await stripe.events.list({ limit: 100 })).data.map((event) => event.type as string).reverse(),
    end: async () => {
      await sandbox.close();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The library, by default without its own retries. */
export function stripeOf(url: string, key: string, config: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0, ...config });
}

export type GivenReceiver = Awaited<ReturnType<typeof givenReceiver>>;

/** Receives webhooks, and verifies them as the product does. */
export async function givenReceiver(secret: string) {
  const events: Stripe.Event[] = [];
  const forged: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      try {
        const event = Stripe.webhooks.constructEvent(
          Buffer.concat(parts),
          request.headers['stripe-signature'] ?? '',
          secret,
          300,
          undefined,
          NOON,
        );
        if (status === 200) events.push(event);
      } catch (error) {
        forged.push(String(error));
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    forged,
    answerWith: (next: number) => {
      status = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The refusal of a call that the library rejected. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
