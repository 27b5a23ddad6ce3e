/**
 * Many forged deliveries from one address: they cost little, and a genuine one among them still gets through. With the
 * real adapter.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { paymentsOf, WEBHOOK_SECRET } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { raw, rawBytes } from '../../given/product/rawRequest.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const SECONDS = NOW / 1_000;
const PATH = '/api/v1/stripe/webhook';
/** Refused deliveries before an address is over the limit. */
const POINTS = 4;

const payments = paymentsOf(
  { url: 'http://127.0.0.1:1', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' },
  { now: () => new Date(NOW).toISOString() },
);

let app: TestApp;
/** Appends that have begun and not ended: at this moment, and the most so far. */
let [appending, mostAppending] = [0, 0];
let held: (() => void)[] | null;
const sockets: Socket[] = [];

function watchedStore(): EventStore {
  const store = memoryEventStore();
  const append: EventStore['append'] = async (...given) => {
    appending += 1;
    mostAppending = Math.max(mostAppending, appending);
    if (held) await new Promise<void>((resolve) => held?.push(resolve));
    try {
      return await store.append(...given);
    } finally {
      appending -= 1;
    }
  };
  return Object.assign(Object.create(store), { append });
}

beforeEach(async () => {
  [appending, mostAppending, held] = [0, 0, null];
  app = await startTestApp({
    deps: { payments, store: watchedStore() },
    rateLimits: { delivery: { points: POINTS, seconds: 600 } },
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

const eventOf = (id: string, more = ''): string =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    api_version: '2026-10-28.endive',
    created: 1_769_860_800,
    data: { object: { id: 'pi_1', object: 'payment_intent', amount: 5_000, currency: 'usd', description: more } },
  });
const sign = (payload: string): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp: SECONDS });
const post = (body: string, signature: string) =>
  app.call('POST', PATH, { raw: body, headers: { 'stripe-signature': signature } });
const genuine = (id: string, more = '') => post(eventOf(id, more), sign(eventOf(id, more)));
const forged = () => post('{}', `t=${SECONDS},v1=${'0'.repeat(64)}`);

async function beyondTheLimit(): Promise<void> {
  for (let nth = 0; nth <= POINTS; nth += 1) expect((await forged()).status).toBe(400);
}

/** Sends the beginning of a delivery with a well-formed head, and no more. */
async function begin(bytes: number, signature = `t=${SECONDS},v1=${'0'.repeat(64)}`): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const head = rawBytes({
    method: 'POST',
    target: PATH,
    headers: [`Stripe-Signature: ${signature}`, 'Content-Length: 200000'],
  });
  await new Promise((sent) => socket.write(head + 'x'.repeat(bytes), sent));
  return socket;
}

describe('a delivery', () => {
  it.each<[string, string | null]>([
    ['no signature', null],
    ['an empty one', ''],
    ['no time', 'v1=00'],
    ['an empty time', 't=,v1=00'],
    ['no number', 't=NaN,v1=00'],
    ['a number with more', `t=${SECONDS}x,v1=00`],
    ['a fraction', `t=${SECONDS}.5,v1=00`],
    ['a negative number', `t=-${SECONDS},v1=00`],
    ['another base', 't=0x69b00000,v1=00'],
    ['infinity', 't=Infinity,v1=00'],
    ['two times', `t=${SECONDS},t=${SECONDS},v1=00`],
    ['a stale time', `t=${SECONDS - 301},v1=00`],
    ['a future time', `t=${SECONDS + 301},v1=00`],
    ['milliseconds', `t=${NOW},v1=00`],
  ])('with %s is refused before its body is read', async (_, signature) => {
    const headers = ['Content-Length: 200000', ...(signature === null ? [] : [`Stripe-Signature: ${signature}`])];
    // The body never comes.
    const answer = await raw(app.url, { method: 'POST', target: PATH, headers });
    expect(answer).toMatchObject({ status: 400, body: { success: false, code: 'WEBHOOK_REFUSED' } });
    expect(appending).toBe(0);
  });

  it('is asked for its body only once that is to be read', async () => {
    const body = eventOf('evt_1');
    const asking = (signature: string) =>
      raw(app.url, {
        method: 'POST',
        target: PATH,
        body,
        headers: ['Expect: 100-continue', `Stripe-Signature: ${signature}`],
      });
    expect((await asking('t=1,v1=00')).head).toMatch(/^HTTP\/1\.1 400 /);
    const accepted = await asking(sign(body));
    expect(accepted.head).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(accepted.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([-300, 0, 300])('signed %i seconds from now is accepted', async (offset) => {
    const body = eventOf('evt_1');
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: WEBHOOK_SECRET,
      timestamp: SECONDS + offset,
    });
    expect((await post(body, signature)).status).toBe(200);
  });

  it('that is genuine may hold what no other body may', async () => {
    const odd = eventOf('evt_1').replace(
      '"description":""',
      String.raw`"description":"\ud800",${Array.from({ length: 5_000 }, (_, nth) => `"k${nth}":0`).join(',')}`,
    );
    expect((await post(odd, sign(odd))).status).toBe(200);
    const deep = eventOf('evt_2').replace('"description":""', `"description":${'['.repeat(100)}${']'.repeat(100)}`);
    expect(await post(deep, sign(deep))).toMatchObject({ status: 400, body: { code: 'BODY_TOO_COMPLEX' } });
  });
});

describe('beyond the limit', () => {
  it('those that need not be read are refused for the count, and genuine ones are not', async () => {
    await beyondTheLimit();
    const refused = await post('{}', 'none');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await forged()).status).toBe(400);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, nth) => (nth % 3 === 0 ? genuine(`evt_${nth}`) : forged())),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 60 }, (_, nth) => (nth % 3 === 0 ? 200 : 400)),
    );
  });

  it('deliveries are read one at a time, and before it together', async () => {
    held = [];
    const together = Promise.all(Array.from({ length: POINTS }, (_, nth) => genuine(`evt_${nth}`)));
    while (held.length < POINTS) await new Promise(setImmediate);
    for (const release of held.splice(0)) release();
    held = null;
    expect((await together).map(({ status }) => status)).toEqual(Array(POINTS).fill(200));

    await beyondTheLimit();
    mostAppending = 0;
    const one = await Promise.all(Array.from({ length: 20 }, (_, nth) => genuine(`evt_later_${nth}`)));
    expect(one.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(mostAppending).toBe(1);
  });

  it('counts what is under way, and forgets what was genuine', async () => {
    for (let nth = 0; nth < POINTS; nth += 1) await begin(10);
    // They are judged in the order of their connections, so the server has seen them by now.
    expect((await post('{}', 'none')).status).toBe(429);
    for (const socket of sockets.splice(0)) socket.destroy();
    for (let nth = 0; nth < 3 * POINTS; nth += 1) expect((await genuine(`evt_${nth}`)).status).toBe(200);
  });

  it('those that never arrive keep no other waiting, small or large', async () => {
    await beyondTheLimit();
    for (let nth = 0; nth < 20; nth += 1) await begin(10);
    expect((await genuine('evt_small')).status).toBe(200);
    expect((await genuine('evt_large', 'x'.repeat(150_000))).status).toBe(200);
  });

  it('one whose sender waits for permission to send is asked for its body', async () => {
    await beyondTheLimit();
    const body = eventOf('evt_1');
    const head = rawBytes({
      method: 'POST',
      target: PATH,
      headers: ['Expect: 100-continue', `Stripe-Signature: ${sign(body)}`],
      body,
    }).slice(0, -body.length);
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(head));
    sockets.push(socket);
    let answered = '';
    socket.on('data', (chunk) => {
      if (answered === '') socket.write(body);
      answered += String(chunk);
    });
    await vi.waitFor(() => expect(answered).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /));
  });

  it('one that stops in its turn loses it', async () => {
    await beyondTheLimit();
    const stuck = await begin(150_000);
    let answered = '';
    stuck.on('data', (chunk) => {
      answered += String(chunk);
    });
    const closed = once(stuck, 'close');
    expect((await genuine('evt_small')).status).toBe(200);
    expect((await genuine('evt_large', 'x'.repeat(150_000))).status).toBe(200);
    await closed;
    expect(answered).toMatch(/^HTTP\/1\.1 408 [\s\S]*REQUEST_TIMED_OUT/);
  });

  it('one whose sender goes away while it waits is forgotten', async () => {
    await beyondTheLimit();
    held = [];
    const first = genuine('evt_first');
    while (held.length === 0) await new Promise(setImmediate);
    const body = eventOf('evt_gone');
    const waiting = connect(Number(new URL(app.url).port), '127.0.0.1');
    await new Promise((sent) =>
      waiting.write(
        rawBytes({ method: 'POST', target: PATH, headers: [`Stripe-Signature: ${sign(body)}`], body }),
        () => sent(null),
      ),
    );
    const second = genuine('evt_second');
    waiting.destroy();
    for (const release of held.splice(0)) release();
    held = null;
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
  });

  it('is counted per address, and other requests have limits of their own', async () => {
    await beyondTheLimit();
    expect((await app.call('GET', '/api/v1/status')).status).toBe(200);
    expect(await app.call('GET', PATH)).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect((await app.call('POST', `${PATH}/x`)).status).toBe(404);
  });
});
