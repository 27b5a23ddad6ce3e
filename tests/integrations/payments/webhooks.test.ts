/** Which webhook requests are accepted as the provider's, and which are not. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookRefused } from '../../../src/integrations/payments/payments.ts';
import { NOON } from '../../given/paymentSandbox.ts';
import { type GivenPayments, givenPayments, paymentsOf, WEBHOOK_SECRET } from '../../given/payments.ts';

const EVENT = {
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: NOON / 1_000,
  livemode: false,
  type: 'payment_intent.succeeded',
  data: {
    object: {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 5_000,
      currency: 'usd',
      description: 'Ünïcode',
      metadata: { user_id: 'u-1' },
    },
  },
};
const BODY = Buffer.from(JSON.stringify(EVENT, null, 2));
const SECONDS = NOON / 1_000;

const signatureOf = (body: Uint8Array, secret = WEBHOOK_SECRET, at = SECONDS): string =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
const header = (body: Uint8Array, secret?: string, at = SECONDS): string =>
  `t=${at},v1=${signatureOf(body, secret, at)}`;
const changed = (change: object): Buffer => Buffer.from(JSON.stringify({ ...EVENT, ...change }));

describe('a webhook', () => {
  let given: GivenPayments;
  beforeAll(async () => {
    given = await givenPayments();
  });
  afterAll(() => given.end());

  const read = (body: Uint8Array, signature: string | undefined, options: Parameters<typeof paymentsOf>[1] = {}) =>
    paymentsOf(given.sandbox, { now: () => new Date(NOON).toISOString(), ...options }).readWebhook(body, signature);

  it('is reduced to its facts, without personal data', () => {
    expect(read(BODY, header(BODY))).toEqual({
      eventId: 'evt_1',
      type: 'payment_intent.succeeded',
      createdAt: '2026-01-31T12:00:00.000Z',
      isLive: false,
      account: null,
      objectId: 'pi_1',
      amount: 5_000,
      currency: 'usd',
      subject: { kind: 'payment', paymentIntentId: 'pi_1' },
    });
  });

  it('has a subject by its type, and none for an unknown type', () => {
    const subject = (type: string, object: object) => {
      const body = changed({ type, data: { object } });
      return read(body, header(body)).subject;
    };
    expect(subject('charge.dispute.created', { id: 'du_1', payment_intent: 'pi_1' })).toEqual({
      kind: 'payment',
      paymentIntentId: 'pi_1',
    });
    expect(
      subject('subscription_schedule.released', { id: 's_1', subscription: null, released_subscription: 'sub_1' }),
    ).toEqual({
      kind: 'subscription',
      subscriptionId: 'sub_1',
    });
    expect(subject('checkout.session.completed', { id: 'cs_1', subscription: { id: 'sub_1' } })).toEqual({
      kind: 'subscription',
      subscriptionId: 'sub_1',
    });
    expect(subject('checkout.session.completed', { id: 'cs_1', subscription: null, payment_intent: 'pi_1' })).toEqual({
      kind: 'payment',
      paymentIntentId: 'pi_1',
    });
    expect(subject('invoice.paid', { id: 'in_1' })).toEqual({ kind: 'invoice', invoiceId: 'in_1' });
    expect(subject('charge.refunded', { id: 'ch_1', payment_intent: null })).toBeNull();
    expect(subject('something.new', { id: 'x_1' })).toBeNull();
    expect(subject('invoice.paid', { id: '../customers?x=\ud800' })).toBeNull();
  });

  it.each<[string, () => unknown]>([
    [
      'several signatures with a good one',
      () => read(BODY, `t=${SECONDS},v1=${'0'.repeat(64)},v0=1,v1=${signatureOf(BODY)}`),
    ],
    [
      'the second of two secrets',
      () => read(BODY, header(BODY, 'whsec_next'), { webhookSecrets: [WEBHOOK_SECRET, 'whsec_next'] }),
    ],
    ['the first of two secrets', () => read(BODY, header(BODY), { webhookSecrets: [WEBHOOK_SECRET, 'whsec_next'] })],
    ['one that took five minutes', () => read(BODY, header(BODY, undefined, SECONDS - 300))],
  ])('is taken with %s', (_, act) => expect(act()).toMatchObject({ eventId: 'evt_1' }));

  const flipped = Buffer.from(BODY);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY]);
  const live = changed({ livemode: true });
  const connected = changed({ account: 'acct_other' });
  const broken = Buffer.from([...BODY.subarray(0, -1), 0xff]);

  it.each<[string, () => unknown]>([
    ['no header', () => read(BODY, undefined)],
    ['an empty header', () => read(BODY, '')],
    ['a header of another form', () => read(BODY, 'signed by me')],
    ['only another scheme', () => read(BODY, `t=${SECONDS},v0=${signatureOf(BODY)}`)],
    ['another secret', () => read(BODY, header(BODY, 'whsec_other'))],
    ['no secret configured', () => read(BODY, header(BODY, ''), { webhookSecrets: [] })],
    ['a blank secret configured', () => read(BODY, header(BODY, ' '), { webhookSecrets: [' '] })],
    ['an old signature', () => read(BODY, header(BODY, undefined, SECONDS - 301))],
    ['a time other than the signed one', () => read(BODY, `t=${SECONDS - 1},v1=${signatureOf(BODY)}`)],
    ['one bit flipped', () => read(flipped, header(BODY))],
    ['its body reformatted', () => read(changed({}), header(BODY))],
    ['a byte order mark before it', () => read(marked, header(BODY))],
    ['a signed byte order mark', () => read(marked, header(marked))],
    ['bytes that are not text', () => read(broken, header(broken))],
    ['an empty body', () => read(Buffer.alloc(0), header(Buffer.alloc(0)))],
    ['a body that is not JSON', () => read(Buffer.from('hello'), header(Buffer.from('hello')))],
    ['something other than an event', () => read(Buffer.from('[]'), header(Buffer.from('[]')))],
    ['null', () => read(Buffer.from('null'), header(Buffer.from('null')))],
    ...(
      [
        ['no time', { created: undefined }],
        ['a time that is none', { created: 1e300 }],
        ['a time in fractions of a second', { created: SECONDS + 0.5 }],
        ['no data', { data: undefined }],
        ['data without an object', { data: { object: null } }],
        ['an id of 3,000 characters', { id: 'e'.repeat(3_000) }],
        ['an id of odd characters', { id: 'evt /\u0000' }],
        ['half of a surrogate pair as its id', { id: '\ud800' }],
      ] as const
    ).map(([name, change]): [string, () => unknown] => [name, () => read(changed(change), header(changed(change)))]),
    ['live mode for a test key', () => read(live, header(live))],
    ['test mode for a live key', () => read(BODY, header(BODY), { sandboxUrl: null, secretKey: 'sk_live_1' })],
    ['another account', () => read(connected, header(connected))],
  ])('is refused with %s', (_, act) => expect(act).toThrow(WebhookRefused));
});
