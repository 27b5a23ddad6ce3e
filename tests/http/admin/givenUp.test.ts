/**
 * Given-up work on the admin's page: listed, run again and dropped; with a payment event that fails, is given up, and
 * is done in the end.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import { PROVIDER_EVENT, providerEventKind } from '../../../src/work/kinds/providerEvent.ts';
import { ofPayment, providerEvent, providerStandIn } from '../../given/billing/providerStandIn.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { until } from '../../given/work/toyWork.ts';
import { startRunner } from '../../given/work/work.ts';

let app: TestApp;
let admin: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
});
afterEach(() => app.close());

const path = '/api/v1/admin/system/given-up';
const listed = async (kind: string, more = '') => (await admin.call('GET', `${path}?kind=${kind}${more}`)).body;
const kindOf = async (kind: string) =>
  (await admin.call('GET', '/api/v1/admin/system')).body.data.work.find(
    (each: { readonly kind: string }) => each.kind === kind,
  );
const newest = async () => (await app.store.readAll({ direction: 'backward', limit: 1 })).events[0];

/** Deliveries of a user's messages, each of which was given up. */
async function givenUpDeliveries(userId: string, ...deliveryIds: readonly string[]): Promise<void> {
  for (const deliveryId of deliveryIds) {
    const at = app.deps.now();
    await app.given(
      `webhook-delivery-${deliveryId}`,
      {
        type: 'WebhookQueued',
        data: { deliveryId, endpointId: 'e', userId, event: 'job.completed', body: '{}', queuedAt: at },
      },
      {
        type: 'WebhookTried',
        data: {
          deliveryId,
          endpointId: 'e',
          attempt: 6,
          ok: false,
          status: 500,
          ms: 1,
          error: null,
          triedAt: at,
          nextTryAt: null,
        },
      },
    );
    app.advance(1_000);
  }
  await app.readModels.reached(['givenUpWork'], await app.store.head(), 5_000);
}

it('a payment event that fails until it is given up is seen, retried and done', async () => {
  const context: ContextOf = (cause) =>
    contextOf(
      { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'worker', id: 'payments' } },
      cause,
    );
  const stand = providerStandIn(admin.userId);
  stand.pay('pi_1');
  stand.setAway(true);
  const kind = {
    ...providerEventKind(
      { context, now: app.deps.now, payments: stand.provider, ownerOf: async () => null },
      { random: () => 0 },
    ),
    retryAfterMs: () => null,
  };
  const runner = startRunner({ readModels: app.readModels, now: app.deps.now }, [kind]);
  await receiveProviderEvent(context(null), providerEvent('evt_1', ofPayment('pi_1')), 'webhook');
  await until(async () => (await listed(PROVIDER_EVENT)).items.length === 1);
  expect((await listed(PROVIDER_EVENT)).items).toEqual([
    {
      kind: PROVIDER_EVENT,
      item_id: 'evt_1',
      about: expect.stringMatching(/ \(evt_1\)$/),
      owner: null,
      attempts: null,
      reason: 'Given up after several attempts',
      given_up_at: app.deps.now(),
      stream: 'stripe-evt_1',
    },
  ]);
  expect(await kindOf(PROVIDER_EVENT)).toMatchObject({ depth: 0, given_up: 1, given_up_today: 1 });
  app.advance(25 * 60 * 60_000);
  admin = await app.signUp({ email: 'later@example.com' });
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
  expect(await kindOf(PROVIDER_EVENT)).toMatchObject({ given_up: 1, given_up_today: 0 });

  stand.setAway(false);
  const item = { kind: PROVIDER_EVENT, item_id: 'evt_1' };
  expect((await admin.call('POST', `${path}/retry`, item)).status).toBe(200);
  expect((await listed(PROVIDER_EVENT)).items).toEqual([]);
  const streamNow = async () => {
    const read = await app.store.read('stripe-evt_1');
    return read.status === 'found' ? read.events : [];
  };
  await until(async () => (await streamNow()).at(-1)?.type === 'ProviderEventApplied');
  expect((await streamNow()).map(({ type }) => type)).toEqual([
    'ProviderEventReceived',
    'ProviderEventIgnored',
    'ProviderEventRequeued',
    'ProviderEventApplied',
  ]);
  expect((await streamNow())[2]?.metadata.actor).toEqual({ kind: 'admin', id: admin.userId });
  expect((await admin.call('POST', `${path}/retry`, item)).status).toBe(409);
  await runner.stop();
});

it('a delivery names only the host of its webhook, whose address may hold credentials', async () => {
  const user = await app.signUp();
  const url = 'https://ann:s3cret@hooks.example.com:8443/services/T0/B0/s3cret?key=s3cret';
  const added = {
    endpointId: 'e',
    userId: user.userId,
    url,
    events: ['job.completed' as const],
    addedAt: app.deps.now(),
  };
  await app.given(`webhooks-${user.userId}`, { type: 'WebhookAdded', data: added });
  await givenUpDeliveries(user.userId, 'one');
  await app.readModels.reached(['webhooks', 'webhookDeliveries'], await app.store.head(), 5_000);
  expect((await listed('webhook')).items).toMatchObject([
    { about: 'job.completed to https://hooks.example.com:8443/…' },
  ]);
  const { body } = await admin.call('GET', '/api/v1/admin/system/webhooks');
  expect(body.failed).toMatchObject([{ url: 'https://hooks.example.com:8443/…', event: 'job.completed' }]);
});

it('a delivery is retried on behalf of its owner, or dropped from the list by an event', async () => {
  const user = await app.signUp();
  await givenUpDeliveries(user.userId, 'one', 'two');
  const { items } = await listed('webhook');
  expect(items.map(({ item_id }: { item_id: string }) => item_id)).toEqual(['two', 'one']);
  expect(items[0]).toMatchObject({
    about: 'job.completed to a removed webhook',
    owner: { id: user.userId, email: user.email },
    attempts: 6,
    reason: 'Answered 500',
  });
  expect((await admin.call('POST', `${path}/retry`, { kind: 'webhook', item_id: 'one' })).status).toBe(200);
  expect(await newest()).toMatchObject({
    type: 'WebhookRequeued',
    metadata: { actor: { kind: 'admin', id: admin.userId, onBehalfOf: user.userId } },
  });
  expect((await admin.call('POST', `${path}/drop`, { kind: 'webhook', item_id: 'two' })).status).toBe(200);
  expect(await newest()).toMatchObject({
    type: 'GivenUpWorkDropped',
    stream: 'work-webhook-two',
    data: { kind: 'webhook', itemId: 'two' },
  });
  expect((await listed('webhook')).items).toEqual([]);
  expect((await admin.call('POST', `${path}/drop`, { kind: 'webhook', item_id: 'one' })).body).toMatchObject({
    code: 'NO_SUCH_WORK',
  });
});

it('an audit is run again as one new job, whoever asks, and leaves the list', async () => {
  const user = await app.signUp();
  const { id } = (await user.call('POST', '/api/v1/process', { url: 'one.example' })).body.data;
  await app.given(`job-${id}`, {
    type: 'JobFailed',
    data: { jobId: id, userId: user.userId, code: 'INTERNAL', reason: 'Ours.', failedAt: app.deps.now() },
  });
  expect((await listed('audit')).items).toMatchObject([
    { item_id: id, about: 'one.example', owner: { email: user.email } },
  ]);
  await app.newEvents();
  expect((await admin.call('POST', `${path}/retry`, { kind: 'audit', item_id: id })).status).toBe(200);
  expect((await app.newEvents()).filter(({ type }) => type === 'JobSubmitted')).toMatchObject([
    { data: { userId: user.userId, retryOf: id } },
  ]);
  expect((await listed('audit')).items).toEqual([]);
});

it('what cannot be run again says why, and stays', async () => {
  const data = {
    mailId: 'm',
    userId: admin.userId,
    kind: 'password_reset',
    reason: 'too_old',
    droppedAt: app.deps.now(),
  };
  await app.given('mail-m', { type: 'MailDropped', data });
  expect((await admin.call('POST', `${path}/retry`, { kind: 'mail', item_id: 'm' })).body).toMatchObject({
    code: 'MAIL_NOT_RESENDABLE',
    error: expect.stringContaining('link is too old'),
  });
  expect((await admin.call('POST', `${path}/retry-all`, { kind: 'mail' })).body).toEqual({
    success: true,
    retried: 0,
    refused: 1,
    cursor: null,
  });
  expect((await listed('mail')).items).toMatchObject([
    { about: 'Password reset to admin@example.com', reason: 'Too late to send' },
  ]);
});

it('what cannot be run again does not stand in the way of the rest', async () => {
  const data = { userId: admin.userId, kind: 'password_reset', reason: 'too_old', droppedAt: app.deps.now() };
  for (let nth = 0; nth < 130; nth += 1)
    await app.given(`mail-m${nth}`, { type: 'MailDropped', data: { ...data, mailId: `m${nth}` } });
  const all = async (cursor?: string) => (await admin.call('POST', `${path}/retry-all`, { kind: 'mail', cursor })).body;
  const once = await all();
  expect(once).toMatchObject({ retried: 0, refused: 100, cursor: expect.any(String) });
  expect(await all(once.cursor)).toMatchObject({ retried: 0, refused: 30, cursor: null });
});

it('none and very many are listed a page at a time, and retried a hundred at a time', async () => {
  expect(await listed('webhook')).toEqual({ success: true, items: [], cursor: null });
  const { userId } = await app.signUp();
  await givenUpDeliveries(userId, ...Array.from({ length: 120 }, (_, nth) => `d${nth}`));
  const first = await listed('webhook', '&limit=100');
  const second = await listed('webhook', `&limit=100&cursor=${encodeURIComponent(first.cursor)}`);
  expect([first.items.length, second.items.length, second.cursor]).toEqual([100, 20, null]);
  expect(new Set([...first.items, ...second.items].map(({ item_id }) => item_id)).size).toBe(120);
  const all = async (cursor?: string) =>
    (await admin.call('POST', `${path}/retry-all`, { kind: 'webhook', cursor })).body;
  const once = await all();
  expect(once).toMatchObject({ retried: 100, refused: 0, cursor: expect.any(String) });
  expect(await all(once.cursor)).toMatchObject({ retried: 20, refused: 0, cursor: null });
  expect((await listed('webhook')).items).toEqual([]);
  expect(await kindOf('webhook')).toMatchObject({ depth: 120, given_up: 0 });
});
