/** Routes without a server: plain requests in, plain answers out. */
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createDispatch, type Dispatch } from '../../../src/http/dispatch/dispatch.ts';
import { HttpError } from '../../../src/http/request/errors.ts';
import type { IncomingRequest } from '../../../src/http/request/exchange.ts';
import { createRateLimiter } from '../../../src/http/request/rateLimits.ts';
import { Download, Reply } from '../../../src/http/request/reply.ts';
import { ROUTES } from '../../../src/http/routes/all.ts';
import { productGroup } from '../../../src/http/routes/productGroup.ts';
import { type RouteRequest, route } from '../../../src/http/routing/route.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let user: TestUser;
let dispatch: Dispatch;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.signUp();
  dispatch = dispatchWithin(30_000);
});
afterAll(() => app.close());

const dispatchWithin = (handlerMs: number): Dispatch =>
  createDispatch(
    { deps: app.deps, limiter: createRateLimiter(app.deps.config.rateLimits), handlerMs },
    productGroup([]),
  );

const request = (parts: Partial<IncomingRequest> = {}): IncomingRequest => ({
  id: 'request-1',
  path: '/toy',
  params: {},
  query: {},
  body: undefined,
  headers: {},
  address: '203.0.113.1',
  signal: new AbortController().signal,
  ...parts,
});
const signedIn = (headers: Record<string, string> = {}): Partial<IncomingRequest> => ({
  headers: { authorization: `Bearer ${user.token}`, ...headers },
});

const toy = (handler: (request: RouteRequest) => Promise<{ text: string } | Reply<{ text: string }> | Download>) =>
  route({
    method: 'GET',
    path: '/toy',
    access: 'public',
    summary: 'A toy',
    response: z.object({ text: z.string() }),
    handler,
  });

/** Waits until it is aborted, and then fails as `fetch` does. */
const waitingRoute = (begun: (signal: AbortSignal) => void) =>
  route({
    method: 'POST',
    path: '/toy',
    access: 'user',
    summary: 'Waits',
    response: z.object({}),
    handler: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')), {
          once: true,
        });
        begun(signal);
      }),
  });

describe('dispatch', () => {
  it('answers with data', async () => {
    expect(
      await dispatch(
        toy(async () => ({ text: 'done' })),
        request(),
      ),
    ).toEqual({ status: 200, headers: {}, cookies: [], body: { text: 'done' }, userId: null });
  });

  it('returns cookies and files as data', async () => {
    const cookie = { name: 'toy', value: 'x', maxAgeSeconds: 60 };
    expect(
      await dispatch(
        toy(async () => new Reply({ text: 'done' }, [cookie])),
        request(),
      ),
    ).toMatchObject({ body: { text: 'done' }, cookies: [cookie] });
    const file = new Download('toy.json', (async function* () {})());
    expect(
      (
        await dispatch(
          toy(async () => file),
          request(),
        )
      ).body,
    ).toBe(file);
  });

  it('runs few of the routes that read long at once, and none for those who no longer wait', async () => {
    let [running, most, begun] = [0, 0, 0];
    const long = route({
      ...toy(async () => ({ text: '' })),
      readsLong: true,
      handler: async () => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return { text: 'read' };
      },
    });
    const gone = new AbortController();
    const answers = Array.from({ length: 20 }, (_, nth) =>
      dispatch(long, request(nth === 19 ? { signal: gone.signal } : {})),
    );
    gone.abort();
    expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(19);
    expect([most, begun]).toEqual([2, 19]);
    // An error leaves its place to the next.
    const failing = route({ ...long, handler: () => Promise.reject(new HttpError('FORBIDDEN', 'No')) });
    for (let time = 0; time < 5; time += 1) expect((await dispatch(failing, request())).status).toBe(403);
    expect((await dispatch(long, request())).status).toBe(200);
  });

  it('lets all routes about the past read long', () => {
    const past = ROUTES.filter(({ path }) => path.startsWith('/admin/history/past/'));
    expect(past.length).toBeGreaterThan(10);
    expect(past.filter(({ readsLong }) => !readsLong)).toEqual([]);
  });

  it('passes headers and cookies to the handler', async () => {
    const echo = toy(async ({ headers, cookies }) => ({
      text: `${headers['x-toy']} ${cookies.get('a')} ${cookies.get('b') ?? '-'}`,
    }));
    const { body } = await dispatch(echo, request({ headers: { 'x-toy': 'yes', cookie: 'a=1; b="quoted"; c' } }));
    expect(body).toEqual({ text: 'yes 1 -' });
  });

  it('answers failures as data, too, and names the caller', async () => {
    const failing = route({ ...toyUser(), handler: () => Promise.reject(new HttpError('FORBIDDEN', 'No')) });
    expect(await dispatch(failing, request(signedIn()))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', requestId: 'request-1' },
      userId: user.userId,
    });
    expect(await dispatch(failing, request())).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      userId: null,
    });
    const broken = route({ ...toyUser(), handler: () => Promise.reject(new Error('inside')) });
    expect(await dispatch(broken, request(signedIn()))).toMatchObject({ status: 500, body: { code: 'UNEXPECTED' } });
    expect(app.logLines.filter((line) => line.includes('inside'))).toHaveLength(1);
  });
});

describe('a handler’s signal', () => {
  it('aborts when its time limit is reached', async () => {
    let signal: AbortSignal | undefined;
    const slow = waitingRoute((given) => {
      signal = given;
    });
    expect(await dispatchWithin(5)(slow, request(signedIn()))).toMatchObject({
      status: 503,
      body: { code: 'TIMED_OUT' },
      headers: { 'Retry-After': '5' },
    });
    expect(signal?.aborted).toBe(true);
  });

  it('gives up its command, too, with and without a key', async () => {
    for (const headers of [{}, { 'idempotency-key': 'late' }]) {
      let signal: AbortSignal | undefined;
      const slow = route({
        method: 'POST',
        path: '/toy',
        access: 'user',
        summary: 'Never ends',
        response: z.object({}),
        handler: ({ command }) => {
          signal = command.signal;
          return new Promise(() => undefined);
        },
      });
      expect((await dispatchWithin(50)(slow, request(signedIn(headers)))).status).toBe(503);
      expect(signal?.reason).toMatchObject({ code: 'TIMED_OUT' });
    }
  });

  it('aborts when the client disconnects, which is not an error and is not kept with a key', async () => {
    const gone = new AbortController();
    const left = waitingRoute(() => gone.abort(new HttpError('CLIENT_GONE', 'The client went away')));
    const keyed = signedIn({ 'idempotency-key': 'left' });
    const before = app.logLines.length;
    expect(await dispatch(left, request({ ...keyed, signal: gone.signal }))).toMatchObject({ status: 499 });
    expect(app.logLines.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    const again = route({ ...left, handler: async () => ({}) });
    expect(await dispatch(again, request(keyed))).toMatchObject({ status: 200, headers: {} });
  });

  it('aborts when a connection breaks', async () => {
    const news = new EventEmitter();
    const [begun, ended] = [once(news, 'begun'), once(news, 'ended')];
    const left = waitingRoute((signal) => {
      signal.addEventListener('abort', () => news.emit('ended', signal.reason), { once: true });
      news.emit('begun');
    });
    const served = await startTestApp({ app: { groups: [productGroup([left, ...productGroup().routes])] } });
    const { token } = await served.signUp();
    const leaving = new AbortController();
    const call = fetch(`${served.url}/api/v1/toy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    });
    await begun;
    leaving.abort();
    await expect(call).rejects.toThrow();
    expect(await ended).toMatchObject([{ code: 'CLIENT_GONE' }]);
    await served.close();
  });
});

const toyUser = () =>
  ({ method: 'GET', path: '/toy', access: 'user', summary: 'A toy', response: z.object({}) }) as const;
