/**
 * Answers with a secret that is shown once: with an Idempotency-Key it is made once, and a repeat says how to replace
 * it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookSecretsOf } from '../../src/commands/webhooks/webhooks.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { preparedReadModels } from '../given/stores/readModels.ts';

let app: TestApp;
let user: TestUser;
/** Appends to a stream that begins so fail while it is set. */
let failing: string | null;

beforeEach(async () => {
  failing = null;
  const store = memoryEventStore();
  const append: EventStore['append'] = async (stream, events, options) => {
    const isMet = failing !== null && (stream.startsWith(failing) || events.some(({ type }) => type === failing));
    if (isMet) throw Object.assign(new Error('the store is away'), { code: 'STORE_UNAVAILABLE' });
    return store.append(stream, events, options);
  };
  app = await startTestApp({
    deps: { store: Object.assign(Object.create(store), { append }) },
    stores: { store, readModels: await preparedReadModels() },
  });
  user = await app.signUp();
  await app.given(`account-${user.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: user.userId, reason: 'configured' },
  });
});
afterEach(() => app.close());

const KINDS = [
  {
    what: 'an API key',
    made: 'ApiKeyCreated',
    call: async (key: string, name = 'A program') =>
      user.call('POST', '/api/v1/api-keys', { name, scope: 'read' }, { 'Idempotency-Key': key }),
    secretIn: (body: { key: string }) => body.key,
    prepare: async () => undefined,
    replaced: /DELETE \/api\/v1\/api-keys\/[0-9a-f]{32}/,
  },
  {
    what: 'a webhook',
    made: 'WebhookAdded',
    call: async (key: string, name = 'hooks') =>
      user.call(
        'POST',
        '/api/v1/webhooks',
        { url: `https://${name.replace(' ', '-')}.example.com/`, events: ['job.completed'] },
        { 'Idempotency-Key': key },
      ),
    secretIn: (body: { secret: string }) => body.secret,
    prepare: async () => undefined,
    replaced: /POST \/api\/v1\/webhooks\/[0-9a-f-]{36}\/secret/,
  },
  {
    what: 'a webhook’s new secret',
    made: 'WebhookSecretRotated',
    call: async (key: string, name = 'a_day') =>
      user.call(
        'POST',
        `/api/v1/webhooks/${endpointId}/secret`,
        { former: name === 'a_day' ? name : 'stop' },
        { 'Idempotency-Key': key },
      ),
    secretIn: (body: { secret: string }) => body.secret,
    prepare: async () => {
      endpointId = (
        await user.call('POST', '/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] })
      ).body.data.id;
      await app.newEvents();
    },
    replaced: /POST \/api\/v1\/webhooks\/[0-9a-f-]{36}\/secret/,
  },
];
let endpointId: string;

describe.each(KINDS)('$what', ({ call, made, secretIn, prepare, replaced }) => {
  const madeOnes = async () => (await app.newEvents()).filter(({ type }) => type === made);
  beforeEach(async () => {
    await prepare();
    await app.newEvents();
  });

  it('is made once, and a repeat says how to replace it', async () => {
    const first = await call('k1');
    expect(first.status).toBeLessThan(202);
    const secret = secretIn(first.body);
    expect(secret).toMatch(/^(?:seo_live_|whsec_)[A-Za-z0-9_-]{43}$/);
    for (let nth = 0; nth < 2; nth += 1) {
      const again = await call('k1');
      expect(again).toMatchObject({
        status: 409,
        body: { success: false, code: 'ALREADY_SHOWN', error: expect.stringMatching(replaced) },
      });
      expect(again.text).not.toContain(secret);
    }
    expect(await madeOnes()).toHaveLength(1);
    const kept = (await app.store.readAll()).events.filter(({ stream }) => stream.startsWith('request-'));
    expect(JSON.stringify(kept.map(({ data }) => data))).not.toContain(secret);
    expect(secretIn((await call('k2')).body)).not.toBe(secret);
  });

  it('is refused under a key of another request', async () => {
    await call('k1');
    expect(await call('k1', 'Another')).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is made once of two requests at the same moment', async () => {
    const answers = await Promise.all([call('k1'), call('k1'), call('k1')]);
    expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'ALREADY_SHOWN')).toHaveLength(2);
    expect(await madeOnes()).toHaveLength(1);
  });

  it('is shown even if the key cannot be marked as used, and made once all the same', async () => {
    failing = 'RequestAnswered';
    const first = await call('k1');
    failing = null;
    expect(secretIn(first.body)).toMatch(/[A-Za-z0-9_-]{43}$/);
    expect(await call('k1')).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SHOWN', error: expect.stringMatching(replaced) },
    });
    expect(await madeOnes()).toHaveLength(1);
  });

  it('is made by the repeat if the first request could not make it', async () => {
    failing = made;
    expect((await call('k1')).status).toBe(503);
    failing = null;
    expect(secretIn((await call('k1')).body)).toMatch(/[A-Za-z0-9_-]{43}$/);
    expect(await madeOnes()).toHaveLength(1);
  });
});

it('shows the secret that signs after a webhook was made in two attempts', async () => {
  failing = 'WebhookAdded';
  const add = () =>
    user.call(
      'POST',
      '/api/v1/webhooks',
      { url: 'https://hooks.example.com/', events: ['job.completed'] },
      { 'Idempotency-Key': 'k1' },
    );
  expect((await add()).status).toBe(503);
  failing = null;
  const { secret, data } = (await add()).body;
  expect(await webhookSecretsOf(app.store, data.id, app.deps.now())).toEqual([secret]);
});

it('adds a webhook by a repeat whose first attempt was refused for too many and could not say so', async () => {
  const add = (key: string) =>
    user.call(
      'POST',
      '/api/v1/webhooks',
      { url: 'https://hooks.example.com/', events: ['job.completed'] },
      { 'Idempotency-Key': key },
    );
  const { data: first } = (await add('w0')).body;
  for (let nth = 1; nth < 10; nth += 1) await add(`w${nth}`);
  failing = 'RequestAnswered';
  expect((await add('k1')).status).toBe(503);
  failing = null;
  await user.call('DELETE', `/api/v1/webhooks/${first.id}`);
  const { secret, data } = (await add('k1')).body;
  expect(await webhookSecretsOf(app.store, data.id, app.deps.now())).toEqual([secret]);
});

it('says that a webhook was added, though it has been removed', async () => {
  const add = () =>
    user.call(
      'POST',
      '/api/v1/webhooks',
      { url: 'https://hooks.example.com/', events: ['job.completed'] },
      { 'Idempotency-Key': 'k1' },
    );
  failing = 'RequestAnswered';
  const { data } = (await add()).body;
  failing = null;
  expect((await user.call('DELETE', `/api/v1/webhooks/${data.id}`)).status).toBe(200);
  expect(await add()).toMatchObject({ status: 409, body: { code: 'ALREADY_SHOWN' } });
  expect((await user.call('GET', '/api/v1/webhooks')).body.data).toEqual([]);
});
