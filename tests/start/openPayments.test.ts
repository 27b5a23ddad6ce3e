/** The payment provider of a process: the built-in sandbox, a standalone one, or none. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/http/usage/metrics.ts';
import { keysOf } from '../../src/paymentSandbox/paymentSandbox.ts';
import { loadConfig } from '../../src/start/config.ts';
import { type OpenPayments, openPayments } from '../../src/start/openPayments.ts';
import { givenSandbox } from '../given/paymentSandbox.ts';
import { openProxy } from '../servers/stripeMock/portCalls.ts';

const at = {
  log: pino({ level: 'silent' }),
  now: () => new Date().toISOString(),
  url: 'http://127.0.0.1:3000',
  appUrl: 'http://localhost:3000',
};
let dir: string;
const opened: OpenPayments[] = [];
const open = async (env: Record<string, string> = {}, where: Parameters<typeof openPayments>[1] = at) => {
  const payments = await openPayments(loadConfig({ DATA_DIR: dir, PORT: '0', ...env }), where);
  opened.push(payments);
  return payments;
};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'payments-'));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('payments of a process', () => {
  it('use a built-in sandbox, whose keys and books survive a restart', async () => {
    const first = await open();
    expect(first.payments).toMatchObject({
      mode: 'sandbox',
      sandboxUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(first.reportPrice()).toEqual({ amount: 5_000, currency: 'usd' });
    const made = await first.payments?.makeCustomer({
      userId: 'u-1',
      email: 'ada@example.com',
      name: 'Ada',
      key: 'k-1',
    });
    await first.close();
    const again = await open();
    expect(again.payments?.publishableKey).toBe(first.payments?.publishableKey);
    expect(await again.payments?.customer(made?.customerId ?? '')).toMatchObject({ email: 'ada@example.com' });
  });

  it('send webhooks to the address that the server listens on', async () => {
    const server = createServer((_, response) => response.end());
    const asked = once(server, 'request');
    await once(server.listen(0, '127.0.0.2'), 'listening');
    try {
      const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
      const { payments } = await open({ HOST: '127.0.0.2' }, { ...at, url, appUrl: url });
      await payments?.makeCustomer({ userId: 'u-1', email: 'ada@example.com', name: 'Ada', key: 'k-1' });
      const [{ url: path }] = await asked;
      expect(path).toBe('/api/v1/stripe/webhook');
    } finally {
      server.closeAllConnections();
      await once(server.close(), 'close');
    }
  });

  it('can use a shared sandbox', async () => {
    const key = 'sk_sandbox_that_is_shared';
    const sandbox = await givenSandbox({ secretKey: key });
    try {
      const shared = await open({ PAYMENT_SANDBOX_URL: `${sandbox.url}/`, PAYMENT_SANDBOX_KEY: key });
      expect(shared.payments).toMatchObject({
        mode: 'sandbox',
        sandboxUrl: sandbox.url,
        publishableKey: keysOf(key).publishable,
      });
      expect(sandbox.webhookSecret).toBe(keysOf(key).webhook);
    } finally {
      await sandbox.end();
    }
  });

  it('are absent if billing is off', async () => {
    const off = await open({ BILLING: 'off' });
    expect(off.payments).toBeNull();
    expect(off.reportPrice()).toBeNull();
  });

  it('report a subscription with an unknown status', async () => {
    const key = 'sk_sandbox_of_the_future';
    const sandbox = await givenSandbox({ secretKey: key });
    const proxy = await openProxy(
      sandbox.url,
      () => undefined,
      (path, answer) => (path.startsWith('/v1/subscriptions/') ? { ...answer, status: 'on_holiday' } : answer),
    );
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const metrics = createMetrics();
    try {
      const { payments } = await open(
        { PAYMENT_SANDBOX_URL: `http://127.0.0.1:${proxy.port}`, PAYMENT_SANDBOX_KEY: key },
        { ...at, log, metrics },
      );
      const { customerId } = (await payments?.makeCustomer({
        userId: 'u-1',
        email: 'ada@example.com',
        name: 'Ada',
        key: 'k-1',
      })) ?? { customerId: '' };
      const card = await sandbox.stripe.paymentMethods.attach('pm_card_visa', { customer: customerId });
      const { id } = await sandbox.stripe.subscriptions.create({
        customer: customerId,
        items: [{ price: 'price_tier1_monthly' }],
        default_payment_method: card.id,
      });
      expect((await payments?.subscription(id))?.subscription.status).toBe('inactive');
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { level: 50, subscriptionId: id, status: 'on_holiday' },
      ]);
      expect(await metrics.render({})).toContain('stripe_unknown_subscription_status_total 1');
    } finally {
      metrics.close();
      await proxy.close();
      await sandbox.end();
    }
  });

  it('start while the provider is unavailable, but not with an invalid price', async () => {
    const away = await open({
      PAYMENT_SANDBOX_URL: 'http://127.0.0.1:1',
      PAYMENT_SANDBOX_KEY: 'sk_sandbox_that_is_away',
    });
    expect([away.payments?.mode, away.reportPrice()]).toEqual(['sandbox', null]);
    const key = 'sk_sandbox_with_odd_prices';
    const sandbox = await givenSandbox({
      secretKey: key,
      prices: [{ key: 'report', name: 'Report', unitAmount: 5_000, currency: 'usd', every: null }],
    });
    try {
      await expect(open({ PAYMENT_SANDBOX_URL: sandbox.url, PAYMENT_SANDBOX_KEY: key })).rejects.toThrow(
        /BILLING: The price tier1_monthly is not there/,
      );
    } finally {
      await sandbox.end();
    }
  });
});
