/** Events and their delivery to webhook endpoints. */
import { afterEach, describe, expect, it } from 'vitest';
import { type GivenReceiver, type GivenSandbox, givenReceiver, givenSandbox, NOON } from '../given/paymentSandbox.ts';

const SECRET = 'whsec_of_the_tests';
let sandbox: GivenSandbox;
let receiver: GivenReceiver;
let time = NOON;
afterEach(async () => {
  await sandbox.end();
  await receiver.close();
  time = NOON;
});

async function given(options: Parameters<typeof givenSandbox>[0] = {}): Promise<void> {
  receiver = await givenReceiver(SECRET);
  sandbox = await givenSandbox({
    webhooks: [{ url: receiver.url, secret: SECRET }],
    clock: () => time,
    timers: { after: () => () => undefined },
    ...options,
  });
}

const names = (): string[] => receiver.events.map((event) => (event.data.object as { name?: string }).name ?? '');

describe('webhooks', () => {
  it('are signed for the library, and contain the events', async () => {
    await given();
    await sandbox.stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'key-1' });
    await sandbox.control('deliver', {});
    expect(receiver.forged).toEqual([]);
    const [listed] = (await sandbox.stripe.events.list({ type: 'customer.created' })).data;
    expect(receiver.events[0]).toMatchObject({
      id: listed?.id,
      type: 'customer.created',
      api_version: '2026-10-28.endive',
      livemode: false,
      request: { idempotency_key: 'key-1' },
      data: { object: { name: 'Ada' } },
    });
    expect(listed?.pending_webhooks).toBe(0);
  });

  it('are retried with back-off, and then given up', async () => {
    await given();
    receiver.answerWith(500);
    await sandbox.stripe.customers.create({ name: 'Ada' });
    await sandbox.control('deliver', {});
    expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
    time += 4_999;
    receiver.answerWith(200);
    await sandbox.control('deliver', {});
    expect(names()).toEqual([]);
    time += 1;
    await sandbox.control('deliver', {});
    expect(names()).toEqual(['Ada']);
    receiver.answerWith(302);
    await sandbox.stripe.customers.create({ name: 'Bob' });
    for (let tries = 0; tries < 10; tries += 1) {
      await sandbox.control('deliver', {});
      time += 24 * 3_600_000;
    }
    expect(sandbox.logged.at(-1)).toContain('given up');
    expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  });

  it('continue where they were after a restart', async () => {
    await given();
    receiver.answerWith(503);
    await sandbox.stripe.customers.create({ name: 'Ada' });
    await sandbox.control('deliver', {});
    await sandbox.close();
    receiver.answerWith(200);
    time += 60_000;
    const again = await givenSandbox({ dataDir: sandbox.dataDir, clock: () => time });
    await again.control('deliver', {});
    expect(names()).toEqual(['Ada']);
    await again.close();
  });

  it('can be duplicated, delayed, reordered or dropped on demand', async () => {
    const values = [0.9, 0.1];
    await given({ random: () => values.shift() ?? 0.5 });
    await sandbox.faults({ effect: 'webhook_double', times: 1 });
    await sandbox.stripe.customers.create({ name: 'Twice' });
    await sandbox.control('deliver', {});
    expect(names()).toEqual(['Twice', 'Twice']);
    await sandbox.faults({ effect: 'webhook_lose', times: 1, match: 'customer.' });
    await sandbox.stripe.customers.create({ name: 'Lost' });
    await sandbox.faults({ effect: 'webhook_delay', ms: 60_000, times: 1 });
    await sandbox.stripe.customers.create({ name: 'Late' });
    await sandbox.faults({ effect: 'webhook_shuffle', ms: 10_000, times: 2 });
    await sandbox.stripe.customers.create({ name: 'First' });
    await sandbox.stripe.customers.create({ name: 'Second' });
    time += 10_000;
    await sandbox.control('deliver', {});
    expect(names().slice(2).sort()).toEqual(['First', 'Second']);
    time += 50_000;
    await sandbox.control('deliver', {});
    expect(names().slice(4)).toEqual(['Late']);
    const missed = (await sandbox.stripe.events.list({ delivery_success: false })).data;
    expect(missed.map((event) => (event.data.object as { name?: string }).name)).toEqual(['Lost']);
  });

  it('go to endpoints created through the API, limited to their event types', async () => {
    await given({ webhooks: [] });
    const endpoint = await sandbox.stripe.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['payment_intent.succeeded'],
      api_version: '2026-10-28.endive',
    });
    expect(endpoint.secret).toMatch(/^whsec_/);
    expect((await sandbox.stripe.webhookEndpoints.list()).data[0]?.secret).toBeUndefined();
    await sandbox.stripe.customers.create();
    await sandbox.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    await sandbox.control('deliver', {});
    // Its secret differs from the receiver's: it was delivered and rejected.
    expect([receiver.forged.length, receiver.events.length]).toEqual([1, 0]);
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    expect((await sandbox.stripe.webhookEndpoints.list()).data).toEqual([]);
  });
});
