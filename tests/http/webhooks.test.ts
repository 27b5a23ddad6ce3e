/**
 * Webhooks from end to end: a real receiver on loopback that checks signatures, retries across restarts, and forbidden
 * addresses.
 */

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookSecretStream } from '../../src/domain/webhooks/events.ts';
import { followerMark } from '../../src/work/runFollowers.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { rest } from '../given/work/toyWork.ts';
import { forgetOldDeliveries, type RunningWebhooks, startWebhooks } from '../given/work/webhookApp.ts';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

let app: TestApp;
let user: TestUser;
let receiver: Server;
let url: string;
let received: Received[];
/** The receiver's answers, one after another; the last repeats. */
let answers: (number | 'nothing' | 'without end')[];
let worker: RunningWebhooks | null;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(async () => {
  received = [];
  answers = [200];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const status = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
      if (status === 'nothing') return;
      if (status === 'without end') return void flood(response.writeHead(200));
      response.writeHead(status, status >= 300 && status < 400 ? { location: `${url}elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  url = `http://${host}/hook`;
  app = await startTestApp({ allowHosts: [host] });
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
  worker = null;
});
afterEach(async () => {
  await worker?.stop();
  await app.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const start = (allowHosts: readonly string[] = [new URL(url).host]): void => {
  worker = startWebhooks(app, { allowHosts, appUrl: 'https://seo.example.com/' });
};
const add = async (events = ['job.completed', 'action.completed'], to = url) => {
  const answer = await user.call('POST', '/api/v1/webhooks', { url: to, events });
  expect(answer.status, answer.text).toBe(201);
  return { id: answer.body.data.id as string, secret: answer.body.secret as string };
};
const log = async (id: string) =>
  (await app.call('GET', `/api/v1/webhooks/${id}/deliveries`, { token: await token() })).body.data;
/** The first one ends while the clock moves. */
const token = async () =>
  (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })).body
    .token as string;
const POLLING = { timeout: 10_000 };
const arrived = (count: number) => expect.poll(() => received.length, POLLING).toBe(count);
const tries = (id: string, count: number) =>
  expect.poll(async () => (await log(id))[0]?.tries.length, POLLING).toBe(count);

/** Writes until the other side closes. */
function flood(response: ServerResponse): void {
  while (response.writable && response.write('x'.repeat(16_384)));
  if (response.writable) response.once('drain', () => flood(response));
}

/** As the docs describe it for receivers. */
function isGenuine({ headers, body }: Received, secret: string, now: string): boolean {
  const [, time = '', signatures = ''] =
    /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(String(headers['x-seo-signature'])) ?? [];
  const fresh = Math.abs(Date.parse(now) / 1000 - Number(time)) <= 300;
  return (
    fresh && signatures.split(',v1=').includes(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
  );
}

describe('a webhook', () => {
  it('is notified of a finished audit and a completed item, signed', async () => {
    const { id, secret } = await add();
    start();
    const { jobId } = await givenAnalysis(app, user.userId);
    await arrived(1);
    await app.given(`plan-${jobId}`, {
      type: 'ActionStarted',
      data: { jobId, actionId: 'first', startedAt: app.deps.now() },
    });
    await app.given(`plan-${jobId}`, {
      type: 'ActionCompleted',
      data: { jobId, actionId: 'first', completedAt: app.deps.now() },
    });
    await arrived(2);
    const [job, action] = received.map(({ body }) => JSON.parse(body));
    expect(job).toMatchObject({
      type: 'job.completed',
      data: { job: { id: jobId, status: 'completed', reason: null, score: 71, action_count: 2 } },
    });
    expect(job.data.job.link).toBe(`https://seo.example.com/dashboard/actions?jobId=${jobId}`);
    expect(action).toMatchObject({
      type: 'action.completed',
      data: { action: { id: 'first', impact: 'high' }, job: { id: jobId } },
    });
    for (const message of received) expect(isGenuine(message, secret, app.deps.now())).toBe(true);
    expect(isGenuine(received[0]!, `${secret}x`, app.deps.now())).toBe(false);
    expect(
      isGenuine({ ...received[0]!, body: received[0]!.body.replace('completed', 'failed') }, secret, app.deps.now()),
    ).toBe(false);
    expect(received[0]!.headers).toMatchObject({
      'x-seo-delivery': job.id,
      'x-seo-event': 'job.completed',
      'content-type': 'application/json; charset=utf-8',
    });
    await tries(id, 1);
    expect(
      (await log(id)).map(({ event, status }: { event: string; status: string }) => `${event} ${status}`).sort(),
    ).toEqual(['action.completed delivered', 'job.completed delivered']);
  });

  it('is not notified of earlier events, of events not subscribed, nor of other users’', async () => {
    await givenAnalysis(app, user.userId);
    app.advance(1_000);
    const { id } = await add(['action.completed']);
    start();
    await givenAnalysis(app, (await app.signUp()).userId);
    await givenAnalysis(app, user.userId);
    await user.call('POST', `/api/v1/webhooks/${id}/test`);
    await arrived(1);
    expect(JSON.parse(received[0]!.body).type).toBe('test');
    expect(await log(id)).toHaveLength(1);
  });

  it('is retried with back-off, across restarts, with the same id and body', async () => {
    const { id } = await add();
    answers = [500, 503, 200];
    start();
    await givenAnalysis(app, user.userId);
    await tries(id, 1);
    expect((await log(id))[0]).toMatchObject({
      status: 'waiting',
      next_try_at: new Date(Date.parse(app.deps.now()) + MINUTE).toISOString(),
    });
    await worker!.stop();
    start();
    await rest();
    expect(received).toHaveLength(1);
    app.advance(MINUTE);
    worker!.wake();
    await tries(id, 2);
    await worker!.stop();
    app.advance(10 * MINUTE);
    start();
    await tries(id, 3);
    expect((await log(id))[0]).toMatchObject({
      status: 'delivered',
      next_try_at: null,
      tries: [
        { ok: false, status: 500, error: 'The receiver answered 500.' },
        { status: 503 },
        { ok: true, status: 200 },
      ],
    });
    expect(new Set(received.map(({ headers }) => headers['x-seo-delivery'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('is given up after six attempts in a day, disabled, and says so; its owner enables it again', async () => {
    const { id } = await add();
    answers = [500];
    start();
    await givenAnalysis(app, user.userId);
    await tries(id, 1);
    for (const [nth, delay] of [MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR].entries()) {
      app.advance(delay);
      worker!.wake();
      await tries(id, nth + 2);
    }
    expect((await log(id))[0]).toMatchObject({ status: 'failed', next_try_at: null });
    const own = { token: await token() };
    await expect
      .poll(async () => (await app.call('GET', '/api/v1/webhooks', own)).body.data[0], POLLING)
      .toMatchObject({ active: false, disabled_reason: 'failing' });
    await givenAnalysis(app, user.userId);
    answers = [200];
    const again = await app.call('PUT', `/api/v1/webhooks/${id}`, { ...own, body: { active: true } });
    expect(again.body.data).toMatchObject({ active: true, disabled_reason: null, failing_since: null });
    app.advance(1_000);
    await givenAnalysis(app, user.userId);
    await arrived(7);
  });

  it('stays enabled when only one message is refused', async () => {
    const { id } = await add();
    answers = [500];
    start();
    await givenAnalysis(app, user.userId);
    await tries(id, 1);
    const [poison] = await log(id);
    const own = async () => (await log(id)).find((delivery: { id: string }) => delivery.id === poison.id);
    for (const [nth, delay] of [MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR].entries()) {
      if (nth === 2) {
        answers = [200, 500];
        await givenAnalysis(app, user.userId);
        await expect
          .poll(async () => (await log(id)).map(({ status }: { status: string }) => status).sort(), POLLING)
          .toEqual(['delivered', 'waiting']);
      }
      app.advance(delay);
      worker!.wake();
      await expect.poll(async () => (await own()).tries.length, POLLING).toBe(nth + 2);
    }
    expect(await own()).toMatchObject({ status: 'failed' });
    const { position } = (await app.store.readAll({ filter: { types: ['WebhookTried'] } })).events.at(-1)!;
    await expect
      .poll(async () => ((await app.readModels.marks.read(followerMark('failingWebhooks'))) ?? '') >= position, POLLING)
      .toBe(true);
    expect((await app.call('GET', '/api/v1/webhooks', { token: await token() })).body.data[0]).toMatchObject({
      active: true,
      disabled_reason: null,
    });
  });

  it('that hangs delays no other user’s', async () => {
    const other = await app.signUp();
    for (let nth = 0; nth < 8; nth += 1) {
      const { id } = await add();
      for (let test = 0; test < 5; test += 1) await user.call('POST', `/api/v1/webhooks/${id}/test`);
    }
    const theirs = (await other.call('POST', '/api/v1/webhooks', { url, events: ['job.completed'] })).body.data
      .id as string;
    expect((await other.call('POST', `/api/v1/webhooks/${theirs}/test`)).status).toBe(202);
    answers = ['nothing'];
    start();
    await expect
      .poll(async () => received.filter(({ headers }) => headers['x-seo-event'] === 'test').length, POLLING)
      .toBe(5);
    const deliveries = (await other.call('GET', `/api/v1/webhooks/${theirs}/deliveries`)).body.data;
    expect(received.map(({ headers }) => headers['x-seo-delivery'])).toContain(deliveries[0].id);
  });

  it('that answers without end is cut off', async () => {
    const { id } = await add();
    answers = ['without end'];
    start();
    await user.call('POST', `/api/v1/webhooks/${id}/test`);
    await tries(id, 1);
    expect((await log(id))[0]).toMatchObject({ status: 'delivered', tries: [{ ok: true, status: 200 }] });
  });

  it('gets a new secret; the former one also signs for a day', async () => {
    const { id, secret } = await add();
    start();
    const rotate = async (former: string) => {
      const own = { token: await token() };
      return (await app.call('POST', `/api/v1/webhooks/${id}/secret`, { ...own, body: { former } })).body;
    };
    const sent = async () => {
      const before = received.length;
      await app.call('POST', `/api/v1/webhooks/${id}/test`, { token: await token() });
      await arrived(before + 1);
      return (which: string) => isGenuine(received.at(-1)!, which, app.deps.now());
    };
    const second = await rotate('a_day');
    expect(second).toEqual({
      success: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
      former_until: expect.any(String),
    });
    expect(Date.parse(second.former_until) - Date.parse(app.deps.now())).toBe(24 * HOUR);
    const now = await sent();
    expect([now(second.secret), now(secret)]).toEqual([true, true]);
    app.advance(24 * HOUR);
    const later = await sent();
    expect([later(second.secret), later(secret)]).toEqual([true, false]);
    const third = await rotate('stop');
    expect(third.former_until).toBeNull();
    const last = await sent();
    expect([last(third.secret), last(second.secret)]).toEqual([true, false]);
    const left = JSON.stringify((await app.store.readAll()).events.map(({ data }) => data));
    for (const old of [secret, second.secret]) expect(left).not.toContain(old);
    expect(app.logLines.join('')).not.toMatch(/whsec_/);
  });

  it('that was removed gets no new secret', async () => {
    const { id } = await add();
    await user.call('DELETE', `/api/v1/webhooks/${id}`);
    expect(await user.call('POST', `/api/v1/webhooks/${id}/secret`, { former: 'stop' })).toMatchObject({
      status: 404,
      body: { code: 'WEBHOOK_NOT_FOUND' },
    });
  });

  it('sends a finished delivery again on request', async () => {
    const { id } = await add();
    start();
    await givenAnalysis(app, user.userId);
    await tries(id, 1);
    const [delivery] = await log(id);
    expect((await user.call('POST', `/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`)).status).toBe(202);
    await arrived(2);
    expect(received[1]!.body).toBe(received[0]!.body);
  });

  it('follows no redirect', async () => {
    const { id } = await add();
    answers = [302];
    start();
    await user.call('POST', `/api/v1/webhooks/${id}/test`);
    await tries(id, 1);
    expect((await log(id))[0].tries[0]).toMatchObject({
      ok: false,
      status: 302,
      error: 'The receiver redirects; redirects are not followed.',
    });
    expect(received).toHaveLength(1);
  });

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://10.0.0.8/',
    'https://hooks.internal/',
    'https://user:pass@hooks.example.com/',
    'ftp://hooks.example.com/',
    'https://hooks.example.com:22/',
    'nonsense',
  ])('is refused at %s', async (to) => {
    expect(await user.call('POST', '/api/v1/webhooks', { url: to, events: ['job.completed'] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
  });

  it('is never called inside the network, even if that was allowed once', async () => {
    const { id } = await add();
    start([]);
    await user.call('POST', `/api/v1/webhooks/${id}/test`);
    await tries(id, 1);
    expect((await log(id))[0]).toMatchObject({ status: 'failed', tries: [{ ok: false, status: null }] });
    expect(received).toEqual([]);
  });

  it('keeps its secret where it signs, and erases it with its end', async () => {
    const { id, secret } = await add();
    start();
    await givenAnalysis(app, user.userId);
    await tries(id, 1);
    const holders = async () =>
      (await app.store.readAll()).events
        .filter((event) => JSON.stringify(event.data).includes(secret))
        .map(({ stream }) => stream);
    expect(await holders()).toEqual([webhookSecretStream(id)]);
    for (const path of ['/api/v1/webhooks', `/api/v1/webhooks/${id}/deliveries`, '/api/v1/account/export'])
      expect((await user.call('GET', path)).text).not.toContain(secret);
    expect(app.logLines.join('')).not.toContain(secret);
    expect((await user.call('DELETE', `/api/v1/webhooks/${id}`)).status).toBe(200);
    expect(await holders()).toEqual([]);
    expect(await app.store.read(webhookSecretStream(id))).toEqual({ status: 'deleted' });
    expect((await user.call('GET', `/api/v1/webhooks/${id}/deliveries`)).status).toBe(404);
    expect((await app.store.readAll({ filter: { types: ['WebhookQueued'] } })).events).toEqual([]);
  });

  it('is visible to its owner only', async () => {
    const { id } = await add();
    const other = await app.signUp();
    for (const [method, path, body] of [
      ['GET', `/${id}/deliveries`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/secret`, { former: 'stop' }],
      ['PUT', `/${id}`, { active: false }],
      ['DELETE', `/${id}`],
    ] as const) {
      expect(await other.call(method, `/api/v1/webhooks${path}`, body)).toMatchObject({
        status: 404,
        body: { code: 'WEBHOOK_NOT_FOUND' },
      });
    }
  });

  it('is limited in number', async () => {
    for (let nth = 0; nth < 10; nth += 1) await add();
    expect(await user.call('POST', '/api/v1/webhooks', { url, events: ['job.completed'] })).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_WEBHOOKS' },
    });
  });

  it('is removed with its account', async () => {
    const { id, secret } = await add();
    start();
    await givenAnalysis(app, user.userId, { host: 'planted.example' });
    await tries(id, 1);
    expect((await user.call('DELETE', '/api/v1/account', { password: PASSWORD, confirmation: 'DELETE' })).status).toBe(
      200,
    );
    const left = JSON.stringify((await app.store.readAll()).events.map(({ data }) => data));
    for (const trace of [secret, url, 'planted.example']) expect(left).not.toContain(trace);
  });

  it('has a log of thirty days', async () => {
    const { id } = await add();
    start();
    await user.call('POST', `/api/v1/webhooks/${id}/test`);
    await tries(id, 1);
    expect(await forgetOldDeliveries(app)).toBe(0);
    app.advance(31 * 24 * HOUR);
    expect(await forgetOldDeliveries(app)).toBe(1);
    await expect.poll(() => log(id), POLLING).toEqual([]);
  });
});
