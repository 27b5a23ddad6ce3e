/** API keys: what each opens, what it does not, and that only its owner ever holds it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY_PREFIX } from '../../src/commands/apiKeys/apiKeyTokens.ts';
import { hashToken } from '../../src/commands/tokens.ts';
import { openToKeys } from '../../src/http/auth/keyScope.ts';
import { ROUTES } from '../../src/http/routes/all.ts';
import { listApiKeys } from '../../src/projections/apiKeys.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';

let app: TestApp;
let user: TestUser;
const HOUR = 60 * 60 * 1_000;

beforeEach(async () => {
  app = await startTestApp({ rateLimits: { apiKey: { points: 40, seconds: 60 } } });
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

const make = async (scope: 'read' | 'write', more: object = {}) => {
  const answer = await user.call('POST', '/api/v1/api-keys', { name: `${scope} program`, scope, ...more });
  expect(answer.status).toBe(201);
  return answer.body as { key: string; data: { id: string; hint: string; expires_at: string | null } };
};
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: key, ...(body === undefined ? {} : { body }) });
const lastUse = async () => (await listApiKeys(app.readModels, user.userId))[0]?.last_used_at;
const list = async () => (await user.call('GET', '/api/v1/api-keys')).body.data;

describe('an API key', () => {
  it('is shown once, with 256 random bits after its prefix, and stored as a hash only', async () => {
    const { key, data } = await make('read');
    expect(key).toMatch(new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{43}$`));
    expect(data.hint).toBe(key.slice(-4));
    const shown = await user.call('GET', '/api/v1/api-keys');
    expect(shown.body.data).toEqual([
      { ...data, assistant_calls: [], name: 'read program', scope: 'read', last_used_at: null },
    ]);
    const log = JSON.stringify((await app.store.readAll()).events, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(log).toContain(hashToken(key));
    for (const text of [shown.text, log, app.logLines.join('\n')]) expect(text).not.toContain(key);
    expect(shown.text).not.toContain(hashToken(key));
  });

  it('never appears in the log, even when created with an Idempotency-Key', async () => {
    const { body } = await user.call(
      'POST',
      '/api/v1/api-keys',
      { name: 'CI', scope: 'read' },
      { 'Idempotency-Key': 'one' },
    );
    const log = JSON.stringify((await app.store.readAll()).events, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(body.key).toContain(API_KEY_PREFIX);
    expect(log).not.toContain(body.key);
  });

  it('with the scope read can read, and is refused every write', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { key } = await make('read');
    expect((await withKey(key, 'GET', `/api/v1/jobs/${jobId}`)).body.data.id).toBe(jobId);
    expect((await withKey(key, 'GET', '/api/v1/auth/profile')).body.user.email).toBe(user.email);
    await app.newEvents();
    expect(await withKey(key, 'POST', '/api/v1/process', { url: 'example.com' })).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_READ_ONLY' },
    });
    expect(await withKey(key, 'DELETE', `/api/v1/jobs/${jobId}`)).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_READ_ONLY' },
    });
    expect((await app.newEvents()).filter(({ type }) => type !== 'ApiKeyUsed')).toEqual([]);
  });

  it('with the scope write can submit', async () => {
    const { key } = await make('write');
    const { status, body } = await withKey(key, 'POST', '/api/v1/process', { url: 'example.com' });
    expect(status).toBe(202);
    expect((await user.call('GET', `/api/v1/jobs/${body.data.id}`)).status).toBe(200);
  });

  it('opens only what its owner may see', async () => {
    const other = await app.signUp();
    const { jobId } = await givenAnalysis(app, other.userId);
    const { key } = await make('write');
    expect(await withKey(key, 'GET', `/api/v1/jobs/${jobId}`)).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
  });

  it('cannot manage sessions, keys or the account, whatever its scope', async () => {
    const { key } = await make('write');
    const closed = ROUTES.filter((route) => route.access !== 'public' && !openToKeys(route));
    expect(closed.map((route) => `${route.method} ${route.path}`)).toEqual(
      expect.arrayContaining(['POST /auth/logout', 'GET /api-keys', 'POST /api-keys', 'DELETE /api-keys/{keyId}']),
    );
    for (const route of closed) {
      const answer = await withKey(
        key,
        route.method,
        `/api/v1${route.path.replaceAll(/\{\w+\}/g, 'x')}`,
        route.method === 'GET' ? undefined : {},
      );
      expect([route.path, answer.status, answer.body.code]).toEqual([route.path, 403, 'SESSION_REQUIRED']);
    }
    expect(await withKey(key, 'GET', '/api/v1/auth/session')).toMatchObject({
      status: 403,
      body: { code: 'SESSION_REQUIRED' },
    });
  });

  it('stops working at once when it is revoked, for open sockets too', async () => {
    const { key, data } = await make('read');
    const socket = await openSocket(app.url);
    socket.send({ type: 'auth', token: key });
    await socket.next((message) => message.type === 'ready');
    expect(await user.call('DELETE', `/api/v1/api-keys/${data.id}`)).toMatchObject({
      status: 200,
      body: { message: 'API key revoked' },
    });
    expect(await withKey(key, 'GET', '/api/v1/jobs')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect((await socket.closed).code).toBe(4401);
    expect(await list()).toEqual([]);
    expect((await user.call('DELETE', `/api/v1/api-keys/${data.id}`)).status).toBe(200);
  });

  it('can be revoked only by its owner', async () => {
    const { key, data } = await make('read');
    const other = await app.signUp();
    expect(await other.call('DELETE', `/api/v1/api-keys/${data.id}`)).toMatchObject({
      status: 404,
      body: { code: 'API_KEY_NOT_FOUND' },
    });
    expect((await withKey(key, 'GET', '/api/v1/jobs')).status).toBe(200);
  });

  it('ends with its expiry', async () => {
    const { key, data } = await make('read', { expires_in_days: 1 });
    expect(data.expires_at).toBe('2026-03-11T12:00:00.000Z');
    app.advance(24 * HOUR - 1);
    expect((await withKey(key, 'GET', '/api/v1/jobs')).status).toBe(200);
    app.advance(1);
    expect((await withKey(key, 'GET', '/api/v1/jobs')).status).toBe(401);
  });

  it('shows its last use, with at most one event an hour', async () => {
    const { key } = await make('read');
    await app.newEvents();
    const used = async () => {
      for (let nth = 0; nth < 3; nth += 1) await withKey(key, 'GET', '/api/v1/jobs');
      await expect.poll(lastUse).toBe(app.deps.now());
    };
    await used();
    const first = app.deps.now();
    app.advance(HOUR / 2);
    await withKey(key, 'GET', '/api/v1/jobs');
    expect(await lastUse()).toBe(first);
    app.advance(HOUR / 2);
    await used();
    expect((await app.newEvents()).map(({ type }) => type)).toEqual(['ApiKeyUsed']);
  });

  it('has its own rate limit', async () => {
    const [one, two] = [await make('read'), await make('read')];
    for (let nth = 0; nth < 40; nth += 1) await withKey(one.key, 'GET', '/api/v1/jobs');
    const refused = await withKey(one.key, 'GET', '/api/v1/jobs');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await withKey(two.key, 'GET', '/api/v1/jobs')).status).toBe(200);
    expect((await user.call('GET', '/api/v1/jobs')).status).toBe(200);
  });

  it.each([
    ['without a name', { name: ' ', scope: 'read' }],
    ['with a scope that is none', { name: 'CI', scope: 'admin' }],
  ])('is refused %s', async (_, body) => {
    expect(await user.call('POST', '/api/v1/api-keys', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
  });

  it('that never existed opens nothing', async () => {
    for (const key of [`${API_KEY_PREFIX}${'a'.repeat(43)}`, API_KEY_PREFIX, `${API_KEY_PREFIX}${'a'.repeat(42)}`]) {
      expect((await withKey(key, 'GET', '/api/v1/jobs')).status).toBe(401);
    }
  });
});

describe('the API page', () => {
  it('says how programs authenticate, and which routes keys open', async () => {
    const { body } = await app.call('GET', '/api/openapi.json');
    expect(body.info.description).toContain('seo_live_');
    expect(body.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(body.paths['/api/v1/jobs'].get.security).toEqual([{ session: [] }, { apiKey: [] }]);
    expect(body.paths['/api/v1/api-keys'].post.security).toEqual([{ session: [] }]);
  });
});
