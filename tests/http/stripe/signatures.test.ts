/**
 * Webhooks with a wrong or old signature, or of another mode or account, are answered 400 and leave nothing behind.
 * With the real adapter.
 */
import { gzipSync } from 'node:zlib';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GivenPayments, givenPayments, WEBHOOK_SECRET } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

let given: GivenPayments;
let app: TestApp;
beforeAll(async () => {
  given = await givenPayments();
  app = await startTestApp({ deps: { payments: given.payments } });
});
afterAll(async () => {
  await app.close();
  await given.end();
});

const EVENT = {
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  livemode: false,
  api_version: '2026-10-28.endive',
  created: 1_769_860_800,
  data: { object: { id: 'pi_1', object: 'payment_intent', amount: 5_000, currency: 'usd' } },
};
const BODY = JSON.stringify(EVENT, null, 2);
const seconds = (): number => Date.parse(given.now()) / 1_000;
const sign = (payload: string, { secret = WEBHOOK_SECRET, timestamp = seconds(), scheme = 'v1' } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme });

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  signature?: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const signed = signature === undefined ? {} : { 'stripe-signature': signature };
  return (await fetch(`${app.url}/api/v1/stripe/webhook`, { method: 'POST', body, headers: { ...signed, ...headers } }))
    .status;
}

it('refuses each of them, and appends nothing', async () => {
  await app.newEvents();
  const good = sign(BODY);
  const other = (more: object): string => JSON.stringify({ ...EVENT, ...more });
  const cases: readonly (readonly [string, Promise<number>])[] = [
    ['no header', send(BODY)],
    ['an empty one', send(BODY, '')],
    ['no time', send(BODY, good.replace(/t=\d+,/, ''))],
    ['no signature', send(BODY, `t=${seconds()}`)],
    ['another scheme', send(BODY, sign(BODY, { scheme: 'v0' }))],
    ['another secret', send(BODY, sign(BODY, { secret: 'whsec_another' }))],
    ['too old', send(BODY, sign(BODY, { timestamp: seconds() - 301 }))],
    ['another time than was signed', send(BODY, good.replace(/t=\d+/, `t=${seconds() + 1}`))],
    ['one byte changed', send(BODY.replace('5000', '5001'), good)],
    ['written anew', send(JSON.stringify(EVENT), good)],
    ['with a byte order mark', send(`\uFEFF${BODY}`, good)],
    ['compressed', send(new Uint8Array(gzipSync(BODY)), good, { 'content-encoding': 'gzip' })],
    ['live, where nothing is', send(other({ livemode: true }), sign(other({ livemode: true })))],
    ['of another account', send(other({ account: 'acct_other' }), sign(other({ account: 'acct_other' })))],
  ];
  for (const [what, status] of cases) expect([what, await status]).toEqual([what, 400]);
  expect(await app.newEvents()).toEqual([]);
});

it('accepts one valid signature among several', async () => {
  const [time, v1] = sign(BODY).split(',');
  expect(await send(BODY, `${time},v1=${'0'.repeat(64)},${v1}`)).toBe(200);
  expect(await app.newEvents()).toMatchObject([{ stream: 'stripe-evt_1' }]);
});
