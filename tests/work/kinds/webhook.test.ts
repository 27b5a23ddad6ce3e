/** Webhook deliveries as work: when each attempt is due, what replaces an attempt, and what ends it. */

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { forgetDelivery, queueDelivery, redeliver } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook, removeWebhook, switchWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import { retryWork } from '../../../src/commands/work/retryWork.ts';
import { MAX_TRIES, RETRY_DELAYS_MS } from '../../../src/domain/webhooks/delivery.ts';
import { deliveryStream } from '../../../src/domain/webhooks/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { WorkKind } from '../../../src/work/kind.ts';
import { WEBHOOK, webhookKind } from '../../../src/work/kinds/webhook.ts';
import type { PostAnswer, WebhookSenderDeps } from '../../../src/workers/webhookSender.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

/** A request that waits for its answer. */
type Asked = {
  readonly url: string;
  readonly deliveryId: string;
  readonly body: string;
  answer(status: number): void;
  fail(message: string): void;
};

let work: Work;
let made: Product;
let ann: string;
let asked: Asked[];
/** Every request so far, in order. */
let requests: string[];
afterEach(() => work.close());

async function open(): Promise<void> {
  made = await withAdmin();
  work = await openWork(made);
  ann = await userOf(made);
  asked = [];
  requests = [];
}

const post: WebhookSenderDeps['post'] = (url, { headers, body, signal }) =>
  new Promise<PostAnswer>((resolve) => {
    const deliveryId = headers['X-SEO-Delivery'] ?? '';
    const end = (answer: PostAnswer): void => {
      asked = asked.filter((each) => each !== own);
      resolve(answer);
    };
    const own: Asked = {
      url,
      deliveryId,
      body,
      answer: (status) => end({ ok: true, status }),
      fail: (message) => end({ ok: false, message }),
    };
    asked.push(own);
    requests.push(deliveryId);
    signal.addEventListener('abort', () => own.fail('The request was stopped.'), { once: true });
  });

function kindOn(store: EventStore = made.store, isAllowed = true): WorkKind {
  const deps: WebhookSenderDeps = {
    store,
    context: () => made.context(randomUUID(), store),
    now: made.now,
    clock: made.clock.now,
    post,
    vetUrl: () => ({ ok: true }),
    isAllowed: async () => isAllowed,
    userAgent: 'Test/1',
  };
  return webhookKind(deps, { random: () => 0.5 });
}

async function endpointOf(userId = ann): Promise<string> {
  const input = { userId, url: 'https://hooks.example.com/', events: ['job.completed'], newToken: randomUUID } as const;
  return (await addWebhook(made.context(), input)).endpointId;
}

async function queued(endpointId: string, userId = ann): Promise<string> {
  const message = { event: 'job.completed', createdAt: made.now(), data: {} } as const;
  return (await queueDelivery(made.context(), { userId, endpointId, causeId: randomUUID(), message })).deliveryId;
}

async function eventsOf(deliveryId: string) {
  const read = await made.store.read(deliveryStream(deliveryId));
  return read.status === 'found' ? read.events : [];
}
const typesOf = async (deliveryId: string) => (await eventsOf(deliveryId)).map(({ type }) => type);
const lastOf = async (deliveryId: string) => (await eventsOf(deliveryId)).at(-1)?.data;
const requested = (count: number) => until(() => asked.length === count, `${count} requests at once`);
const later = (ms: number): string => new Date(made.clock.now() + ms).toISOString();

describe('a delivery', () => {
  it('is pending until it has arrived', async () => {
    await open();
    const endpointId = await endpointOf();
    work.start([kindOn()]);
    const deliveryId = await queued(endpointId);
    expect(await work.item(WEBHOOK, deliveryId)).toMatchObject({ lane: ann, opener: { type: 'WebhookQueued' } });
    await requested(1);
    expect(asked[0]).toMatchObject({ url: 'https://hooks.example.com/', deliveryId });
    asked[0]?.answer(200);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    expect(await typesOf(deliveryId)).toEqual(['WebhookQueued', 'WebhookTryStarted', 'WebhookTried']);
  });

  it('is retried at the times in its stream, without counting a failure, and given up after the last', async () => {
    await open();
    const endpointId = await endpointOf();
    work.start([kindOn()]);
    const deliveryId = await queued(endpointId);
    for (const [nth, delay] of [...RETRY_DELAYS_MS, null].entries()) {
      await requested(1);
      if (nth % 2 === 0) asked[0]?.answer(503);
      else asked[0]?.fail('It could not be reached.');
      await work.settle();
      if (delay === null) break;
      expect(await work.item(WEBHOOK, deliveryId)).toMatchObject({ dueAt: later(delay) });
      expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({
        holder: null,
        attempts: 0,
        notBefore: later(delay),
      });
      made.clock.advance(delay - 1);
      await work.settle();
      expect(requests).toHaveLength(nth + 1);
      made.clock.advance(1);
    }
    expect(await work.listed(WEBHOOK)).toEqual([]);
    expect(await lastOf(deliveryId)).toMatchObject({ ok: false, attempt: MAX_TRIES, nextTryAt: null });
    expect(requests).toEqual(Array(MAX_TRIES).fill(deliveryId));
  });

  it('is given up unsent while no plan of its owner allows it', async () => {
    await open();
    const endpointId = await endpointOf();
    const deliveryId = await queued(endpointId);
    work.start([kindOn(made.store, false)]);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    expect(requests).toEqual([]);
    expect(await lastOf(deliveryId)).toMatchObject({
      ok: false,
      error: 'No plan of yours includes webhooks at the moment.',
      nextTryAt: null,
    });
  });

  it('is attempted at once on an operator’s request, but not beside an attempt that may still be running', async () => {
    await open();
    const endpointId = await endpointOf();
    work.start([kindOn()]);
    const deliveryId = await queued(endpointId);
    await requested(1);
    asked[0]?.answer(503);
    await work.settle();
    made.clock.advance(1_000);
    await retryWork(made.context(), { kind: WEBHOOK, itemId: deliveryId });
    await requested(1);
    expect(requests).toHaveLength(2);
    await retryWork(made.context(), { kind: WEBHOOK, itemId: deliveryId });
    await work.pass(5);
    expect(requests).toHaveLength(2);
    asked[0]?.answer(200);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    expect(await lastOf(deliveryId)).toMatchObject({ ok: true, attempt: 2 });
  });

  it('starts over when it is sent again', async () => {
    await open();
    const endpointId = await endpointOf();
    work.start([kindOn()]);
    const deliveryId = await queued(endpointId);
    await requested(1);
    const [body, before] = [asked[0]?.body, (await work.item(WEBHOOK, deliveryId))?.opening];
    asked[0]?.answer(200);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    await redeliver(made.context(), { userId: ann, endpointId, deliveryId });
    await requested(1);
    await work.settle();
    const item = await work.item(WEBHOOK, deliveryId);
    expect(item).toMatchObject({ lane: ann, opener: { type: 'WebhookRequeued' } });
    expect(item?.opening).not.toBe(before);
    expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({ opening: item?.opening, number: 1 });
    expect(asked[0]?.body).toBe(body);
    asked[0]?.answer(500);
    await work.settle();
    expect(await lastOf(deliveryId)).toMatchObject({ attempt: 1, nextTryAt: later(RETRY_DELAYS_MS[0] ?? 0) });
  });

  it('of a removed or disabled endpoint ends without a request', async () => {
    await open();
    const [gone, off] = [await endpointOf(), await endpointOf()];
    const deliveries = [await queued(gone), await queued(off)];
    await removeWebhook(made.context(), { userId: ann, endpointId: gone });
    await switchWebhook(made.context(), { userId: ann, endpointId: off, on: false, reason: 'owner' });
    work.start([kindOn()]);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    const ends = await Promise.all(deliveries.map(lastOf));
    expect(ends).toMatchObject([
      { ok: false, error: 'The webhook was removed.', nextTryAt: null },
      { ok: false, error: 'The webhook is disabled.', nextTryAt: null },
    ]);
    expect(requests).toEqual([]);
  });

  it('that is deleted is no longer pending, during an attempt and afterwards', async () => {
    await open();
    const endpointId = await endpointOf();
    work.start([kindOn()]);
    const deliveryId = await queued(endpointId);
    await requested(1);
    await forgetDelivery(made.context(), { deliveryId, endpointId });
    asked[0]?.answer(500);
    await work.settle();
    expect(await work.listed(WEBHOOK)).toEqual([]);
    expect(await typesOf(deliveryId)).toEqual(['WebhookForgotten']);
    await work.pass(120);
    expect(requests).toHaveLength(1);
  });
});

describe('a delivery attempt', () => {
  it('of a vanished process times out before the next, whoever checks', async () => {
    await open();
    const endpointId = await endpointOf();
    const dying = work.startMortal((store) => [kindOn(store)], 'one');
    const deliveryId = await queued(endpointId);
    await requested(1);
    await dying.vanish();
    work.start([kindOn()], { holder: 'two' });
    await work.settle();
    expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({
      holder: null,
      attempts: 0,
      vanishings: 1,
      notBefore: later(60_000),
    });
    await work.pass(59);
    expect(requests).toHaveLength(1);
    await work.pass(1);
    await requested(1);
    asked[0]?.answer(200);
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    expect(
      (await eventsOf(deliveryId)).map(({ type, data }) => [type, (data as { attempt?: number }).attempt]),
    ).toEqual([
      ['WebhookQueued', undefined],
      ['WebhookTryStarted', 1],
      ['WebhookTryStarted', 2],
      ['WebhookTried', 2],
    ]);
  });

  it('that has an answer clears earlier vanished processes', async () => {
    await open();
    const endpointId = await endpointOf();
    const deliveryId = await queued(endpointId);
    for (let vanished = 1; vanished <= 2; vanished += 1) {
      const dying = work.startMortal((store) => [kindOn(store)], `holder ${vanished}`);
      await requested(1);
      await dying.vanish();
      await requested(0);
      made.pass(1);
    }
    work.start([kindOn()], { holder: 'last' });
    await requested(1);
    expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({ vanishings: 2, steps: 0 });
    asked[0]?.answer(500);
    await work.settle();
    made.clock.advance(RETRY_DELAYS_MS[2] ?? 0);
    await requested(1);
    expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({ vanishings: 0, steps: 1 });
  });

  it('that was stopped in order is repeated after its timeout', async () => {
    await open();
    const endpointId = await endpointOf();
    const first = work.start([kindOn()], { holder: 'one' });
    const deliveryId = await queued(endpointId);
    await requested(1);
    await first.stop();
    work.start([kindOn()], { holder: 'two' });
    await work.pass(59);
    expect(requests).toHaveLength(1);
    await work.pass(1);
    await requested(1);
    expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({ attempts: 0, vanishings: 0 });
  });

  it('that fails on our side is repeated, and given up by an event if that continues', async () => {
    await open();
    const endpointId = await endpointOf();
    const broken: EventStore = Object.create(made.store);
    broken.append = async (stream, ...rest) => {
      const [events] = rest;
      if (events.some(({ type }) => type === 'WebhookTryStarted')) throw new Error('the disk is full');
      return made.store.append(stream, ...rest);
    };
    work.start([kindOn(broken)]);
    const deliveryId = await queued(endpointId);
    for (let tries = 1; tries < 12; tries += 1) {
      await work.settle();
      expect(await work.claim(WEBHOOK, deliveryId)).toMatchObject({ attempts: tries });
      made.pass(60);
    }
    await until(async () => (await work.listed(WEBHOOK)).length === 0);
    expect(await lastOf(deliveryId)).toMatchObject({
      ok: false,
      status: null,
      error: 'It could not be sent.',
      nextTryAt: null,
    });
    expect(requests).toEqual([]);
  });
});

describe('many deliveries', () => {
  it('of one user run four at a time, and delay nobody else', async () => {
    await open();
    const ben = await userOf(made, 'ben@example.com');
    const own = await endpointOf();
    const first: string[] = [];
    for (let nth = 0; nth < 40; nth += 1) first.push(await queued(own));
    const other = await queued(await endpointOf(ben), ben);
    work.start([kindOn()], { holder: 'one' });
    work.start([kindOn()], { holder: 'two' });
    await requested(5);
    await work.settle();
    expect(asked.map(({ deliveryId }) => deliveryId).sort()).toEqual([...first.slice(0, 4), other].sort());
    asked.find(({ deliveryId }) => deliveryId === first[0])?.answer(200);
    await until(() => requests.includes(first[4] ?? ''));
    expect(asked).toHaveLength(5);
  });
});
