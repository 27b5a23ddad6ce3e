/** The parts that all API calls share: keys, form parsing, idempotency, pagination, errors. */
import type Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/paymentSandbox/server/faults.ts';
import { type GivenSandbox, givenSandbox, refusalOf, SECRET_KEY, stripeOf } from '../given/paymentSandbox.ts';
import { raw } from '../given/product/rawRequest.ts';

let sandbox: GivenSandbox;
afterEach(() => sandbox.end());

describe('authentication', () => {
  it('accepts only its own key', async () => {
    sandbox = await givenSandbox();
    expect((await sandbox.stripe.accounts.retrieveCurrent()).id).toBe('acct_sandbox');
    const refused = await refusalOf(stripeOf(sandbox.url, 'sk_live_of_somebody_else').customers.list());
    expect(refused).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    expect(refused.message).toContain('Invalid API Key provided: sk_live_');
    expect(refused.message).not.toContain('somebody_else');
    expect((await fetch(`${sandbox.url}/v1/customers`)).status).toBe(401);
    expect((await fetch(`${sandbox.url}/control/clock`)).status).toBe(401);
  });

  it('generates keys and keeps them', async () => {
    sandbox = await givenSandbox({ secretKey: undefined as never });
    expect(sandbox.secretKey).toMatch(/^sk_sandbox_.{20,}/);
    expect(sandbox.publishableKey).toMatch(/^pk_sandbox_/);
    await sandbox.close();
    const again = await givenSandbox({ dataDir: sandbox.dataDir, secretKey: undefined as never });
    expect(again.secretKey).toBe(sandbox.secretKey);
    await again.close();
  });

  it('gives a browser access only to the payment whose secret it has', async () => {
    sandbox = await givenSandbox();
    const intent = await sandbox.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' });
    const browser = stripeOf(sandbox.url, sandbox.publishableKey);
    const read = await browser.paymentIntents.retrieve(intent.id, { client_secret: intent.client_secret ?? '' });
    expect(read.status).toBe('requires_payment_method');
    expect(
      await refusalOf(browser.paymentIntents.retrieve(intent.id, { client_secret: `${intent.id}_secret_wrong` })),
    ).toMatchObject({ statusCode: 404 });
    expect(await refusalOf(browser.customers.list())).toMatchObject({ statusCode: 403, code: 'secret_key_required' });
  });

  it('supports a single API version', async () => {
    sandbox = await givenSandbox();
    const old = stripeOf(sandbox.url, SECRET_KEY, { apiVersion: '2020-08-27' as never });
    expect((await refusalOf(old.customers.list())).message).toContain('Invalid Stripe API version: 2020-08-27');
  });
});

describe('a request', () => {
  it('that cannot be read is refused, and the process goes on', async () => {
    sandbox = await givenSandbox();
    for (const target of [
      'http://[::1',
      'http://',
      '/v1/customers/%ff',
      '/control/%E0%A4%A',
      '/checkout/%',
      '/checkout/x?key=%ff',
      '/v1/customers?a=%C3',
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { status } = await raw(sandbox.url, { method, target });
        expect([method, target, status >= 200 && status < 500]).toEqual([method, target, true]);
      }
    }
    expect((await raw(sandbox.url, { target: 'http://[::1' })).status).toBe(400);
    expect((await raw(sandbox.url, { target: `/v1/customers?${'a&'.repeat(1_001)}` })).status).toBe(400);
    expect(await sandbox.stripe.customers.list()).toMatchObject({ data: [] });
  });
});

describe('parameters', () => {
  it('parses nested forms, and returns the values', async () => {
    sandbox = await givenSandbox();
    const customer = await sandbox.stripe.customers.create({
      name: 'Ada & Söhne [=]',
      email: 'ada@example.com',
      address: { line1: '1 Main St', city: 'Portland', state: 'OR', postal_code: '97201', country: 'US' },
      metadata: { userId: 'u-1', 'a[b]': '1' },
    });
    expect(customer).toMatchObject({
      name: 'Ada & Söhne [=]',
      address: { state: 'OR', line2: null },
      metadata: { userId: 'u-1' },
    });
    expect(customer.lastResponse).toMatchObject({ statusCode: 200, apiVersion: '2026-10-28.endive' });
    expect(customer.lastResponse.requestId).toMatch(/^req_/);
  });

  it('merges metadata, and removes keys', async () => {
    sandbox = await givenSandbox();
    const { id } = await sandbox.stripe.customers.create({ metadata: { one: '1', two: '2' } });
    const changed = await sandbox.stripe.customers.update(id, { metadata: { two: '', three: '3' } });
    expect(changed.metadata).toEqual({ one: '1', three: '3' });
    expect((await sandbox.stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
  });

  it.each([
    ['an unknown one', { colour: 'red' }, 'parameter_unknown', 'colour'],
    ['a missing one', {}, 'parameter_missing', 'amount'],
    ['a malformed number', { amount: '12.5', currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [
      'what endive took away',
      { amount: 500, currency: 'usd', payment_method_types: ['card'] },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
    ['too small an amount', { amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
  ])('refuses %s', async (_, params, code, param) => {
    sandbox = await givenSandbox();
    const refused = await refusalOf(
      sandbox.stripe.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams),
    );
    expect(refused).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, code, param });
    expect(refused.requestId).toMatch(/^req_/);
  });

  it('reports missing objects', async () => {
    sandbox = await givenSandbox();
    expect(await refusalOf(sandbox.stripe.customers.retrieve('cus_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_none'",
    });
    const refused = await refusalOf(
      sandbox.stripe.paymentIntents.create({ amount: 500, currency: 'usd', customer: 'cus_none' }),
    );
    expect(refused).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
    expect(
      (await fetch(`${sandbox.url}/v1/nonsense`, { headers: { authorization: `Bearer ${SECRET_KEY}` } })).status,
    ).toBe(404);
  });

  it('prevents prototype pollution', async () => {
    sandbox = await givenSandbox();
    const response = await fetch(`${sandbox.url}/v1/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
      body: '__proto__[polluted]=yes&metadata[__proto__][x]=1',
    });
    expect(response.status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('idempotency', () => {
  const params = { email: 'ada@example.com' };

  it('replays the first response for the same key, and does nothing else', async () => {
    sandbox = await givenSandbox();
    const first = await sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' });
    const second = await sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'original-request': first.lastResponse.requestId,
    });
    expect((await sandbox.stripe.customers.list()).data).toHaveLength(1);
    await sandbox.close();
    const again = await givenSandbox({ dataDir: sandbox.dataDir });
    expect((await again.stripe.customers.create(params, { idempotencyKey: 'key-1' })).id).toBe(first.id);
    await again.close();
  });

  it('refuses the same key with other parameters', async () => {
    sandbox = await givenSandbox();
    await sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' });
    const other = await refusalOf(
      sandbox.stripe.customers.create({ email: 'bob@example.com' }, { idempotencyKey: 'key-1' }),
    );
    expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    expect(await refusalOf(sandbox.stripe.products.create({ name: 'x' }, { idempotencyKey: 'key-1' }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('refuses a duplicate while the first request is in progress', async () => {
    let release: (() => void) | undefined;
    sandbox = await givenSandbox({
      timers: {
        after: (ms, run) => {
          if (ms === 5_000) release = run;
          return () => undefined;
        },
      },
    });
    await sandbox.faults({ effect: 'slow', ms: 5_000, times: 1 });
    const first = sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' });
    await expect.poll(() => release).toBeDefined();
    expect(await refusalOf(sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' }))).toMatchObject({
      statusCode: 409,
    });
    release?.();
    expect((await first).email).toBe('ada@example.com');
  });

  it('does not store the key of an invalid request, but stores that of a declined card', async () => {
    sandbox = await givenSandbox();
    await refusalOf(sandbox.stripe.customers.create({ nonsense: '1' } as never, { idempotencyKey: 'key-1' }));
    expect((await sandbox.stripe.customers.create(params, { idempotencyKey: 'key-1' })).email).toBe('ada@example.com');
    const pay = () =>
      sandbox.stripe.paymentIntents.create(
        { amount: 500, currency: 'usd', confirm: true, payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'key-2' },
      );
    const first = await refusalOf(pay());
    const second = await refusalOf(pay());
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect((await sandbox.stripe.charges.list()).data).toHaveLength(1);
  });
});

describe('lists', () => {
  it('pages forward, backward, and to the end', async () => {
    sandbox = await givenSandbox();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1)
      made.unshift((await sandbox.stripe.customers.create({ name: String(index) })).id);
    const ids = (page: { data: { id: string }[] }): string[] => page.data.map(({ id }) => id);
    const first = await sandbox.stripe.customers.list({ limit: 3 });
    expect([ids(first), first.has_more]).toEqual([made.slice(0, 3), true]);
    const next = await sandbox.stripe.customers.list({ limit: 10, starting_after: made[2] ?? '' });
    expect([ids(next), next.has_more]).toEqual([made.slice(3), false]);
    const back = await sandbox.stripe.customers.list({ limit: 2, ending_before: made[5] ?? '' });
    expect([ids(back), back.has_more]).toEqual([made.slice(3, 5), true]);
    const all: string[] = [];
    for await (const customer of sandbox.stripe.customers.list({ limit: 2 })) all.push(customer.id);
    expect(all).toEqual(made);
    expect(await refusalOf(sandbox.stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await refusalOf(sandbox.stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
      code: 'resource_missing',
    });
  });
});

describe('expand', () => {
  it('expands the named fields, and refuses others', async () => {
    sandbox = await givenSandbox();
    const customer = await sandbox.stripe.customers.create({ name: 'Ada' });
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer: customer.id,
      confirm: true,
      payment_method: 'pm_card_visa',
      expand: ['latest_charge', 'customer'],
    });
    expect(intent.customer).toMatchObject({ name: 'Ada' });
    expect(intent.latest_charge).toMatchObject({ paid: true, amount: 500 });
    const listed = await sandbox.stripe.paymentIntents.list({ expand: ['data.customer'] });
    expect(listed.data[0]?.customer).toMatchObject({ name: 'Ada' });
    expect((await refusalOf(sandbox.stripe.paymentIntents.list({ expand: ['data.amount'] }))).message).toContain(
      'cannot be expanded',
    );
  });
});

describe('faults on demand', () => {
  it('can drop a response after the work is done, and the same key returns it', async () => {
    sandbox = await givenSandbox();
    await sandbox.faults({ effect: 'lose_answer', times: 1, match: 'POST /v1/customers' });
    // By hand: the library itself retries when a connection is closed.
    const headers = { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': 'key-1' };
    await expect(fetch(`${sandbox.url}/v1/customers`, { method: 'POST', headers, body: 'name=Ada' })).rejects.toThrow();
    const found = await sandbox.stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'key-1' });
    expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await sandbox.stripe.customers.list()).data).toHaveLength(1);
  });

  it('can answer 429, which is not stored, or 500, which is repeated for the key', async () => {
    sandbox = await givenSandbox();
    await sandbox.faults({ effect: 'rate_limit', times: 1 });
    expect(await refusalOf(sandbox.stripe.customers.create({}, { idempotencyKey: 'key-1' }))).toMatchObject({
      type: 'StripeRateLimitError',
      statusCode: 429,
    });
    expect((await sandbox.stripe.customers.create({}, { idempotencyKey: 'key-1' })).object).toBe('customer');
    await sandbox.faults({ effect: 'server_error', times: 1 });
    expect(await refusalOf(sandbox.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'key-2' }))).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 500,
    });
    expect(await refusalOf(sandbox.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'key-2' }))).toMatchObject({
      statusCode: 500,
    });
    expect((await sandbox.stripe.customers.list()).data).toHaveLength(1);
  });

  it('are handled by the retries of the library', async () => {
    sandbox = await givenSandbox();
    await sandbox.faults({ effect: 'lose_answer', times: 1 }, { effect: 'rate_limit', times: 1, match: 'GET' });
    const patient = stripeOf(sandbox.url, SECRET_KEY, { maxNetworkRetries: 2 });
    const intent = await patient.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    expect(intent.status).toBe('succeeded');
    await sandbox.faults();
    expect((await sandbox.stripe.charges.list()).data).toHaveLength(1);
  });

  it('hit the same requests for the same seed, and are counted', async () => {
    const struckFor = async (seed: number): Promise<readonly boolean[]> => {
      sandbox = await givenSandbox({ random: seededRandom(seed) });
      await sandbox.faults({ effect: 'rate_limit', share: 0.5 });
      const struck: boolean[] = [];
      for (let nth = 0; nth < 12; nth += 1)
        struck.push(
          await sandbox.stripe.customers.list().then(
            () => false,
            () => true,
          ),
        );
      expect(await sandbox.control('faults')).toMatchObject({ struck: { rate_limit: struck.filter(Boolean).length } });
      await sandbox.end();
      return struck;
    };
    const first = await struckFor(7);
    expect(new Set(first).size).toBe(2);
    expect(await struckFor(7)).toEqual(first);
    expect(await struckFor(8)).not.toEqual(first);
    sandbox = await givenSandbox();
  });
});
