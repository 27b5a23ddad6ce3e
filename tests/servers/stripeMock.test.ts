/**
 * Checks the calls of a shop, including those of our adapter, and the sandbox's responses against Stripe's own schema.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenSandbox, givenSandbox, SECRET_KEY } from '../given/paymentSandbox.ts';
import { givenPayments } from '../given/payments.ts';
import { available } from '../given/requirements.ts';
import { callAll } from './stripeMock/calls.ts';
import { callMock } from './stripeMock/mockCalls.ts';
import { type Call, callPort } from './stripeMock/portCalls.ts';
import { refuseAll } from './stripeMock/refusals.ts';
import { errorSchemaOf, faultsOf, type OpenApi, schemaOf } from './stripeMock/schema.ts';

const folder = fileURLToPath(new URL('./stripeMock/bin/', import.meta.url));
const isThere = available('stripe-mock (scripts/buildStripeMock.sh)', `${folder}spec3.json`);

/**
 * Fields that the library's types (*endive*) require and the document (*dahlia*) does not have. docs/payments.md has
 * the same list.
 */
const DIFFERENCES: readonly string[] = [
  'billing_portal.configuration.features.subscription_pause: not known',
  'charge.payment_method_details.card.electronic_commerce_indicator: not known',
  'charge.source: not known',
  'checkout.session.allowed_payment_method_types: not known',
  'dispute.evidence_details.submission_method: not known',
  'dispute.intended_submission_method: not known',
  'dispute.network_reason_code: not known',
  'payment_intent.payment_record: not known',
  'payment_intent.source: not known',
  'price.recurring.trial_period_days: not known',
  'product.tax_details: not known',
  'product.type: not known',
  'subscription.trial_settings.end_behavior.billing_cycle_anchor: not known',
  'subscription_item.current_trial: not known',
  'subscription_item.plan: not known',
  'subscription_schedule.pause_schedules: not known',
  'subscription_schedule.phases[].items[].plan: not known',
];

describe.skipIf(!isThere)('the sandbox and Stripe’s schema', () => {
  const calls: Call[] = [];
  let api: OpenApi;
  let sandbox: GivenSandbox;
  let mock: ChildProcess;
  let mockUrl: string;

  beforeAll(async () => {
    api = JSON.parse(readFileSync(`${folder}spec3.json`, 'utf8')) as OpenApi;
    sandbox = await givenSandbox();
    const { hostname, port } = new URL(sandbox.url);
    const record: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const url = new URL(String(input));
      const answer = (await response.clone().json()) as Record<string, unknown>;
      calls.push({
        method: init?.method ?? 'GET',
        path: url.pathname,
        query: url.search,
        body: String(init?.body ?? ''),
        status: response.status,
        answer,
      });
      return response;
    };
    const stripe = new Stripe(SECRET_KEY, {
      host: hostname,
      port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(record),
    });
    await callAll(stripe, sandbox);
    const shop = await givenPayments();
    await callPort(shop, (call) => calls.push(call)).finally(() => shop.end());
    mock = spawn(`${folder}stripe-mock`, ['-http-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    mockUrl = await new Promise<string>((resolve, reject) => {
      let said = '';
      mock.once('exit', () => reject(new Error(said)));
      mock.stdout?.on('data', (part: Buffer) => {
        said += part.toString();
        const found = /Listening for HTTP at address: (\S+)/.exec(said)?.[1];
        if (found) resolve(`http://${found}`);
      });
    });
  });

  afterAll(async () => {
    await sandbox.end();
    mock.kill();
    await once(mock, 'exit');
  });

  it('sends only requests that Stripe accepts', async () => {
    expect(calls.length).toBeGreaterThan(50);
    const refused: string[] = [];
    for (const { method, path, query, body, status } of calls) {
      const response = await fetch(`${mockUrl}${path}${query}`, {
        method,
        headers: { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body } : {}),
      });
      const answer = (await response.json()) as { error?: { message?: string } };
      if (response.status !== 200)
        refused.push(`${method} ${path} (${status} here): ${answer.error?.message ?? response.status}`);
    }
    expect(refused).toEqual([]);
  });

  it('sends responses that match Stripe’s schema', () => {
    const faults = calls
      .filter(({ status }) => status === 200)
      .flatMap(({ method, path, answer }) => {
        const found = schemaOf(api, method, path);
        if (!found) return [`${method} ${path}: not known`];
        return faultsOf(api, found.schema, answer, typeof answer.object === 'string' ? answer.object : path);
      });
    const events = calls
      .filter(({ path }) => path === '/v1/events')
      .flatMap(({ answer }) => answer.data as { type: string; data: { object: { object: string } } }[]);
    expect(events.length).toBeGreaterThan(50);
    const inEvents = events.flatMap(({ data }) => {
      const schema = api.components.schemas[data.object.object];
      return schema ? faultsOf(api, schema, data.object, data.object.object) : [`${data.object.object}: not known`];
    });
    const found = [...new Set([...faults, ...inEvents])].sort();
    expect(found).toEqual(DIFFERENCES);
    const listed = readFileSync(fileURLToPath(new URL('../../docs/payments.md', import.meta.url)), 'utf8');
    expect(
      DIFFERENCES.filter((difference) => !listed.includes(`\`${difference.replace(': not known', '')}\``)),
    ).toEqual([]);
  });

  it('sends errors that match Stripe’s schema', async () => {
    const refusals = await refuseAll(sandbox);
    expect(refusals.map(({ status }) => status)).toEqual([401, 404, 404, 400, 400, 402, 400, 429, 500]);
    const declined = calls
      .filter(({ status }) => status !== 200)
      .map(({ path, status, answer }) => ({ name: `${status} ${path}`, answer }));
    expect(declined.length).toBeGreaterThan(0);
    const schema = errorSchemaOf(api);
    const faults = [...refusals, ...declined].flatMap(({ name, answer }) =>
      faultsOf(api, schema, answer, 'error').map((fault) => `${name}: ${fault}`),
    );
    // The objects in errors are checked against the schema above, with the same known differences.
    expect(faults.filter((fault) => !DIFFERENCES.some((known) => fault.endsWith(known)))).toEqual([]);
  });

  it('has examples that our own code can read', async () => {
    const {
      catalogue,
      makeCustomer,
      startPayment,
      subscriptionsOf,
      startCheckout,
      openPortal,
      eventsSince,
      ...others
    } = await callMock(mockUrl);
    const subscription = {
      tier: 'tier1',
      status: 'active',
      price: 2_000,
      currency: 'usd',
      pending: null,
      invoice: null,
    };
    expect(catalogue).toMatchObject({
      returned: {
        report: { priceId: 'price_report', amount: 2_000 },
        tiers: [{ tier: 'tier1', amount: 2_000 }, {}, {}, {}],
      },
    });
    expect(makeCustomer).toMatchObject({ returned: { customerId: expect.stringMatching(/^cus_/) } });
    expect(startPayment).toMatchObject({ returned: { clientSecret: expect.stringContaining('_secret_') } });
    expect(subscriptionsOf).toMatchObject({ returned: [{ subscription }] });
    for (const page of [startCheckout, openPortal])
      expect(page).toMatchObject({ returned: { url: expect.stringMatching(/^https:/) } });
    expect(eventsSince).toMatchObject({
      returned: [{ eventId: expect.stringMatching(/^evt_/), isLive: false, subject: null }],
    });
    expect(others).toMatchObject({
      // Its example coupon has conditions, and its example invoice is for no plan.
      promotionCode: { returned: null },
      invoice: { returned: { invoice: { invoiceId: 'in_1' }, tier: null } },
      planCode: { returned: { promotionCodeId: expect.stringMatching(/^promo_/) } },
      customer: { returned: { customerId: 'cus_1', email: null } },
      openCustomerSession: { returned: { clientSecret: expect.any(String) } },
      forgetCustomer: {},
      payment: {
        returned: {
          paymentIntentId: 'pi_1',
          status: 'open',
          amount: 1_099,
          currency: 'usd',
          refunds: [],
          disputes: [],
        },
      },
      subscription: { returned: { subscription: { ...subscription, subscriptionId: 'sub_1' } } },
      upgradeCost: { returned: { amount: expect.any(Number), currency: 'usd' } },
      // Its example has a change with a pending payment.
      upgrade: { fault: 'DECLINED' },
      scheduleDowngrade: {},
      'cancel, later': {},
      'cancel, now': {},
      reactivate: {},
      books: { returned: [] },
      plans: { returned: [{ status: 'active' }] },
      'catalogue, of prices that do not fit': { fault: 'REFUSED' },
    });
  });
});
