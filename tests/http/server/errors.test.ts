import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DomainError } from '../../../src/domain/decider.ts';
import { StoreUnavailable } from '../../../src/eventStore/eventStore.ts';
import { ErrorBody } from '../../../src/http/contract/errors.ts';
import { answerError, HttpError, tooMany, UNEXPECTED_TEXT } from '../../../src/http/request/errors.ts';
import { ROUTES } from '../../../src/http/routes/all.ts';
import { productGroup } from '../../../src/http/routes/productGroup.ts';
import { route } from '../../../src/http/routing/route.ts';
import { ReadModelError } from '../../../src/readModels/readModels.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

const failing = route({
  method: 'GET',
  path: '/failing',
  access: 'public',
  summary: 'Fails',
  query: z.object({ how: z.string() }),
  response: z.object({}),
  handler: async ({ query }) => {
    if (query.how === 'store') throw new StoreUnavailable('disk I/O error at /data/events.db');
    if (query.how === 'domain') throw new DomainError('SOMETHING_FORBIDDEN', 'This is not done.', { secret: 'inside' });
    if (query.how === 'string') throw 'a thrown string';
    throw Object.assign(new Error('secret detail from within'), { code: 'ENOENT', status: 418, expose: true });
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ app: { groups: [productGroup([...ROUTES, failing])] } });
});
afterAll(() => app.close());

/** The server's answer to a request line that no client library would send. */
async function rawly(target: string): Promise<string> {
  const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('a request target', () => {
  it.each(['http://[::1', 'http://', 'http://user@:99999/', '//'])(
    'that cannot be read (%s) is refused without a server error',
    async (target) => {
      const before = app.logLines.filter((line) => JSON.parse(line).level >= 50).length;
      expect(await rawly(target)).toMatch(/^HTTP\/1\.1 (400|404) /);
      expect(app.logLines.filter((line) => JSON.parse(line).level >= 50)).toHaveLength(before);
    },
  );

  it('may include the host', async () => {
    expect(await rawly(`${app.url}/healthz`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an error', () => {
  it('that is unexpected is answered with a fixed text, and logged in one line with the request’s id and the cause', async () => {
    const answer = await app.call('GET', '/api/v1/failing?how=any');
    expect(answer).toMatchObject({ status: 500, body: { success: false, error: UNEXPECTED_TEXT, code: 'UNEXPECTED' } });
    expect(answer.text).not.toContain('secret detail');
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
    const lines = app.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === answer.body.requestId && line.level === 50);
    expect(lines).toHaveLength(1);
    expect(lines[0].err.message).toBe('secret detail from within');
    expect((await app.call('GET', '/api/v1/failing?how=string')).status).toBe(500);
  });

  it('of the domain has its code, its own status or 422, and no internal details', async () => {
    const answer = await app.call('GET', '/api/v1/failing?how=domain');
    expect(answer).toMatchObject({
      status: 422,
      body: { success: false, error: 'This is not done.', code: 'SOMETHING_FORBIDDEN' },
    });
    expect(answer.text).not.toContain('inside');
  });

  it('of the store asks to try again, without internal details', async () => {
    const answer = await app.call('GET', '/api/v1/failing?how=store');
    expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.text).not.toContain('/data');
  });

  it('of the read models does so, too, with either store', () => {
    for (const code of ['READ_MODELS_UNAVAILABLE', 'READ_MODELS_CLOSED']) {
      const answer = answerError(
        new ReadModelError(code, 'MongoDB did not do it: mongo-1.internal:27017 is away'),
        'id',
      );
      expect(answer).toMatchObject({ status: 503, body: { code }, headers: { 'Retry-After': '2' }, unexpected: false });
      expect(answer.body.error).not.toContain('internal');
    }
  });

  it('always has the shape of the contract', () => {
    const errors = [
      new HttpError('NOT_FOUND', 'x'),
      new DomainError('INSUFFICIENT_CREDITS', 'x', { credits_required: 2, credits_available: 1 }),
      new Error('x'),
      null,
      'text',
      Object.create(null),
    ];
    for (const error of errors) expect(ErrorBody.safeParse(answerError(error, 'id').body).success).toBe(true);
    expect(answerError(Object.assign(new Error('x'), { code: 'toString' }), 'id').status).toBe(500);
  });
});

describe('a request', () => {
  it('to an unknown path is a 404 with JSON', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1/jobs/a/b/c', '/api/nothing', '/api', '/api/v1', '/nothing']) {
      expect([path, await app.call('GET', path)]).toMatchObject([
        path,
        { status: 404, body: { success: false, code: 'NOT_FOUND' } },
      ]);
    }
  });

  it('with another method lists the allowed ones', async () => {
    const answer = await app.call('PUT', '/api/v1/jobs');
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD']);
  });

  it('with an invalid JSON body is a 400', async () => {
    const post = (raw: string, type = 'application/json', more: Record<string, string> = {}) =>
      app.call('POST', '/api/v1/auth/login', { raw, headers: { 'content-type': type, ...more } });
    expect(await post('{"email": ')).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
    expect(await post('"text"')).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
    expect(await post('{"__proto__": {"admin": true}}')).toMatchObject({ status: 400 });
    expect(await post('email=a&password=b', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
    expect(await post('{}', 'text/plain')).toMatchObject({ status: 415 });
    expect(await post('{}', 'application/json', { 'content-encoding': 'zstd' })).toMatchObject({ status: 415 });
    expect(await post('', 'application/json')).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });

  it('with more than 100 kB is refused, compressed or not', async () => {
    const large = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(101 * 1024) });
    expect(await app.call('POST', '/api/v1/auth/login', { raw: large })).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
    const { gzipSync } = await import('node:zlib');
    const packed = gzipSync(large);
    expect(packed.length).toBeLessThan(10_000);
    const response = await fetch(`${app.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: packed,
    });
    expect(response.status).toBe(413);
  });

  it('with broken escapes, nulls or very long parts never causes a server error', async () => {
    const { token } = await app.signUp();
    for (const path of [
      '/api/v1/jobs/%E0%A4%A',
      '/api/v1/jobs/%00',
      '/%',
      '/api/v1/jobs/a%2Fb',
      `/api/v1/jobs/${'x'.repeat(5000)}`,
      '/api/v1/jobs?limit=%E0%A4%A',
      '/actions?jobId=%00',
      '//evil.example/',
    ]) {
      const { status } = await rawRequest(path, token);
      expect([path.slice(0, 40), status >= 400 && status < 500]).toEqual([path.slice(0, 40), true]);
    }
  });

  it('that is not HTTP is refused, and the next one works', async () => {
    expect(
      await rawText('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400/);
    expect(await rawText('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await rawText(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431/);
    expect((await app.call('GET', '/healthz')).status).toBe(200);
  });
});

/** Paths that `fetch` would normalize before sending. */
async function rawRequest(path: string, token: string): Promise<{ status: number }> {
  const text = await rawText(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  );
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]) };
}

function rawText(request: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = createConnection(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

it.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [901, '16 minutes'],
])('that has to wait %i s is told so in plain words', (seconds, text) => {
  expect(answerError(tooMany(seconds), 'id')).toMatchObject({
    status: 429,
    body: { error: `Too many requests. Please try again in ${text}.` },
    headers: { 'Retry-After': String(seconds) },
  });
});
