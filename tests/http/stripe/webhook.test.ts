/**
 * Webhooks of the payment provider: only signed ones are stored, each event once, and each is answered before it is
 * processed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpDeps } from '../../../src/http/deps/deps.ts';
import type { Payments, ProviderEvent } from '../../../src/integrations/payments/payments.ts';
import { ofPayment, providerEvent, providerStandIn, SIGNED } from '../../given/billing/providerStandIn.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';

const PATH = '/api/v1/stripe/webhook';
// The routes use this part only.
const payments = { ...providerStandIn('ann').provider, sandboxUrl: null } as Payments;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ deps: { payments }, rateLimits: { address: { points: 5, seconds: 60 } } });
});
afterAll(() => app.close());

const post = (event: ProviderEvent, headers: Record<string, string> = { 'stripe-signature': SIGNED }) =>
  app.call('POST', PATH, { raw: JSON.stringify(event), headers });

describe('a webhook of the payment provider', () => {
  it('is stored without its body, once, and answered', async () => {
    await app.newEvents();
    const event = {
      ...providerEvent('evt_1', ofPayment('pi_1')),
      amount: 5_000,
      currency: 'usd',
      customer_email: 'ann@example.com',
    };
    expect(await post(event)).toMatchObject({ status: 200, body: { received: true } });
    expect(await post(event)).toMatchObject({ status: 200, body: { received: true } });
    const kept = await app.newEvents();
    expect(kept).toMatchObject([
      {
        stream: 'stripe-evt_1',
        type: 'ProviderEventReceived',
        data: { eventId: 'evt_1', source: 'webhook', amount: 5_000, subject: ofPayment('pi_1') },
      },
    ]);
    expect(JSON.stringify(kept)).not.toContain('@');
  });

  it('of an unused type is answered and counted', async () => {
    expect(await post(providerEvent('evt_2', null))).toMatchObject({ status: 200 });
    expect(await app.newEvents()).toEqual([]);
    expect(await app.deps.metrics.render({})).toContain('stripe_webhooks_total{outcome="unused"} 1');
  });

  it('that is unsigned or too large is refused, and nothing is stored', async () => {
    const forged = providerEvent('evt_3', ofPayment('pi_3'));
    expect(await post(forged, {})).toMatchObject({ status: 400, body: { success: false, code: 'WEBHOOK_REFUSED' } });
    expect(await post(forged, { 'stripe-signature': 'forged' })).toMatchObject({ status: 400 });
    expect(
      await app.call('POST', PATH, { raw: 'x'.repeat(256 * 1024 + 1), headers: { 'stripe-signature': SIGNED } }),
    ).toMatchObject({ status: 413 });
    expect(await app.newEvents()).toEqual([]);
    expect(await app.deps.metrics.render({})).toContain('stripe_webhooks_total{outcome="refused"} 2');
  });

  it('is stored in bursts, despite the limits of other requests from one address', async () => {
    const events = Array.from({ length: 200 }, (_, nth) => providerEvent(`evt_burst_${nth}`, ofPayment(`pi_${nth}`)));
    const answers = await Promise.all([...events, ...events.slice(0, 20)].map((event) => post(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await app.newEvents()).toHaveLength(200);
  });
});

describe('the webhook address', () => {
  const within = async (deps: Partial<HttpDeps>, stores?: Parameters<typeof startTestApp>[0]): Promise<number> => {
    const other = await startTestApp({ deps, ...stores });
    try {
      return (
        await other.call('POST', PATH, {
          raw: JSON.stringify(providerEvent('evt_1', ofPayment('pi_1'))),
          headers: { 'stripe-signature': SIGNED },
        })
      ).status;
    } finally {
      await other.close();
    }
  };

  it('does not exist where nothing is sold', async () => {
    expect(await within({ payments: null })).toBe(404);
  });

  it('asks the provider to retry if the event cannot be stored', async () => {
    const broken = Object.assign(Object.create(memoryEventStore()), {
      append: () => Promise.reject(new Error('the disk is full')),
    });
    expect(await within({ payments, store: broken })).toBe(500);
  });
});
