/** Which requests leave a line in the security log at the default log level, and what the lines say. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { API_KEY_PREFIX } from '../../src/commands/apiKeys/apiKeyTokens.ts';
import { createDispatch } from '../../src/http/dispatch/dispatch.ts';
import { createRateLimiter, DEFAULT_RATE_LIMITS } from '../../src/http/request/rateLimits.ts';
import { productGroup } from '../../src/http/routes/productGroup.ts';
import { PasswordsBusy } from '../../src/integrations/passwords.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { enrolled } from '../given/secondFactor.ts';

let app: TestApp;
afterEach(() => app.close());

const start = async (options: TestAppOptions = {}): Promise<void> => {
  app = await startTestApp({ logLevel: 'warn', ...options });
};
/** Security events so far, with the counts of flushed ones. */
const events = () => app.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 70);
const eventsOf = (event: string) => events().filter((each) => each.event === event);
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.call('POST', `/api/v1${path}`, { body, headers });

describe('ten thousand refused log-ins', () => {
  const EMAIL = 'ann.smith@example.com';
  const PASSWORD = 'hunter2@secret.example';

  it.each([
    ['from one address', () => '203.0.113.5', () => EMAIL],
    [
      'from ten thousand addresses to as many accounts',
      (nth: number) => `10.0.${nth >> 8}.${nth & 255}`,
      (nth: number) => `nobody${nth}@example.com`,
    ],
    ['with a password in the email field', () => '203.0.113.5', () => PASSWORD.split('@')[0] ?? ''],
  ])(
    '%s leave fewer than fifty lines that count all of them, without a password, token or whole address',
    async (_, addressOf, emailOf) => {
      await start();
      const group = productGroup();
      const dispatch = createDispatch({ deps: app.deps, limiter: createRateLimiter(DEFAULT_RATE_LIMITS) }, group);
      const login = group.routes.find(({ path }) => path === '/auth/login')!;
      for (let nth = 0; nth < 10_000; nth += 1) {
        const body = { email: emailOf(nth), password: `${PASSWORD}${nth}` };
        const request = {
          id: randomUUID(),
          path: '/api/v1/auth/login',
          params: {},
          query: {},
          body,
          headers: {},
          address: addressOf(nth),
        };
        expect([401, 429]).toContain(
          (await dispatch(login, { ...request, signal: new AbortController().signal })).status,
        );
      }
      app.deps.securityLog.flush();
      const lines = events();
      expect(lines.length).toBeGreaterThan(0);
      expect(app.logLines.length).toBeLessThan(50);
      expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
      for (const line of app.logLines) expect(line).not.toMatch(/hunter2|ann\.smith|nobody\d/);
    },
  );
});

it('log-ins refused because too many wait leave few lines, too, and are security events', async () => {
  const busy = async () => {
    throw new PasswordsBusy();
  };
  await start({ config: { trustProxy: true }, deps: { passwords: { hash: busy, verify: busy } } });
  for (let nth = 0; nth < 200; nth += 1) {
    const { status } = await post(
      '/auth/login',
      { email: 'ann@example.com', password: 'wrong' },
      { 'x-forwarded-for': `203.0.113.${nth}` },
    );
    expect(status).toBe(503);
  }
  app.deps.securityLog.flush();
  expect(app.logLines.length).toBeLessThan(20);
  const limited = eventsOf('login_limited');
  expect(limited[0]).toMatchObject({ code: 'BUSY', route: 'POST /auth/login', account: 'a…@example.com' });
  expect(limited.reduce((sum, { count }) => sum + count, 0)).toBe(200);
});

describe('the security log', () => {
  const password = 'a good password';

  it('has log-ins, accepted, refused and limited, with the masked address', async () => {
    await start({ config: { trustProxy: true } });
    const user = await app.signUp({ email: 'ann.smith@example.com' });
    const from = (address: string) => ({ 'x-forwarded-for': `${address}:40001` });
    for (let nth = 0; nth < 5; nth += 1)
      await post('/auth/login', { email: user.email, password: 'wrong' }, from('203.0.113.5'));
    await post('/auth/login', { email: user.email, password }, from('203.0.113.5'));
    await post('/auth/login', { email: user.email, password }, from('203.0.113.6'));
    const said = {
      address: '203.0.113.5',
      count: 1,
      account: 'a…@example.com',
      route: 'POST /auth/login',
      requestId: expect.any(String),
    };
    expect(eventsOf('login_refused')).toMatchObject([{ ...said, code: 'INVALID_CREDENTIALS' }]);
    expect(eventsOf('login_limited')).toMatchObject([{ ...said, code: 'RATE_LIMITED', limit: 'loginFailures' }]);
    expect(eventsOf('login')).toMatchObject([{ address: '203.0.113.6', userId: user.userId, count: 1 }]);
    expect(eventsOf('signup')).toMatchObject([{ userId: user.userId }]);
    app.deps.securityLog.flush();
    expect(eventsOf('login_refused').map(({ count }) => count)).toEqual([1, 4]);
    expect(app.logLines.join('\n')).not.toMatch(/ann\.smith|good password/);
  });

  it('has every refused request to a route for admins, whoever sent it', async () => {
    await start();
    const [admin, user] = [await app.signUp(), await app.signUp()];
    const routes = productGroup().routes.filter(({ access }) => access === 'admin');
    expect(routes.length).toBeGreaterThan(40);
    let refused = 0;
    for (const { method, path } of routes) {
      const at = `/api/v1${path.replaceAll(/\{\w+\}/g, 'some-id')}`;
      for (const token of [user.token, 'x.'.padEnd(40, 'x'), undefined]) {
        expect([401, 403]).toContain(
          (await app.call(method, at, { token, ...(method === 'GET' ? {} : { body: {} }) })).status,
        );
        refused += 1;
      }
    }
    expect(eventsOf('admin_refused')).toMatchObject([
      { count: 1, userId: user.userId, code: 'FORBIDDEN', route: expect.stringContaining('/admin/') },
    ]);
    const socket = await openSocket(app.url);
    await socket.logIn(user.token);
    socket.send({ type: 'subscribe', channel: 'admin:jobs' });
    await socket.next(({ code }) => code === 'FORBIDDEN');
    await socket.close();
    app.deps.securityLog.flush();
    expect(eventsOf('admin_refused').reduce((sum, { count }) => sum + count, 0)).toBe(refused + 1);

    await admin.call('PUT', `/api/v1/admin/users/${user.userId}/sign-in`, { enabled: false });
    expect(eventsOf('account_disabled')).toMatchObject([{ userId: user.userId, adminId: admin.userId }]);
    await post('/auth/login', { email: user.email, password });
    expect(eventsOf('disabled_account_refused')).toMatchObject([{ code: 'ACCOUNT_DISABLED' }]);
  });

  it.each<readonly [event: string, act: (user: TestUser, other: TestUser) => Promise<unknown>]>([
    ['login_refused', (user) => post('/auth/log-in-mail/code', { email: user.email, code: '123456' })],
    ['login_refused', () => post('/auth/log-in-mail/open', { token: 'x'.repeat(50) })],
    ['login_refused', () => post('/auth/log-in-mail/link', { token: 'x'.repeat(50) })],
    ['second_factor_refused', () => post('/auth/mfa/verify', { mfa_token: 'x.'.repeat(40), code: '123456' })],
    ['second_factor_on', async (user) => enrolled(app, user)],
    [
      'password_refused',
      (user) =>
        user.call('POST', '/api/v1/auth/change-password', { current_password: 'wrong', password: 'another password' }),
    ],
    [
      'password_changed',
      (user) =>
        user.call('POST', '/api/v1/auth/change-password', { current_password: password, password: 'another password' }),
    ],
    ['reset_requested', (user) => post('/auth/reset-password', { email: user.email })],
    [
      'reset_refused',
      () => post('/auth/verify-recovery-token', { access_token: 'x'.repeat(50), refresh_token: 'x'.repeat(50) }),
    ],
    ['reset_refused', () => post('/auth/update-password', { password: 'another password' })],
    ['confirmation_refused', () => post('/auth/confirm-email', { token: 'x'.repeat(50) })],
    ['access_refused', (user, other) => user.call('DELETE', `/api/v1/auth/sessions/${other.token.split('.')[0]}`)],
    ['api_key_refused', () => app.call('GET', '/api/v1/jobs', { token: `${API_KEY_PREFIX}${'x'.repeat(43)}` })],
    ['logout', (user) => user.call('POST', '/api/v1/auth/logout', {})],
    ['logout_everywhere', (user) => user.call('POST', '/api/v1/auth/logout-everywhere', {})],
    ['origin_refused', () => openSocket(app.url, { origin: 'https://evil.example' }).catch(() => null)],
    [
      'session_reused',
      async (user) => {
        const refresh = async (refresh_token: string) =>
          (await post('/auth/refresh', { refresh_token })).body.session?.refresh_token;
        await refresh(await refresh(user.refreshToken));
        app.advance(10 * 60_000);
        return refresh(user.refreshToken);
      },
    ],
  ])('has %s', async (event, act) => {
    await start();
    const [, user, other] = [await app.signUp(), await app.signUp(), await app.signUp()];
    await act(user, other);
    expect(eventsOf(event)).toMatchObject([{ count: 1, address: '127.0.0.1' }]);
    expect(app.logLines.join('\n')).not.toMatch(/another password|good password|wrong|x{20}/);
    expect(app.logLines.join('\n')).not.toContain(user.email);
  });

  it('has every limit that is reached: of an address, a user, a socket and the pages about the API', async () => {
    await start({ rateLimits: { address: { points: 3, seconds: 60 } } });
    for (let nth = 0; nth < 4; nth += 1) await app.call('GET', '/api/v1/status');
    expect((await app.call('GET', '/api/docs/')).status).toBe(429);
    await expect(openSocket(app.url)).rejects.toThrow('429');
    app.deps.securityLog.flush();
    expect(eventsOf('rate_limited').map(({ count }) => count)).toEqual([1, 2]);
  });

  it('has sockets that are refused because too many wait to be logged in', async () => {
    await start({ realtime: { unauthenticated: 1 } });
    const waiting = await openSocket(app.url);
    await expect(openSocket(app.url)).rejects.toThrow('503');
    expect(eventsOf('rate_limited')).toMatchObject([{ count: 1, code: 'BUSY', route: 'socket' }]);
    await waiting.close();
  });

  it('has API keys that open no socket, unknown ones and those not meant for it, and disabled accounts', async () => {
    await start();
    const [admin, user] = [await app.signUp(), await app.signUp()];
    const keyOf = async (owner: TestUser, scope: string) =>
      (await owner.call('POST', '/api/v1/api-keys', { name: 'Key', scope })).body.key;
    const refused = async (token: string) => {
      const socket = await openSocket(app.url);
      socket.send({ type: 'auth', token });
      await socket.closed;
    };
    await refused('no token');
    expect(eventsOf('api_key_refused')).toEqual([]);
    await refused(`${API_KEY_PREFIX}${'x'.repeat(43)}`);
    await refused(await keyOf(admin, 'reports:read'));
    app.deps.securityLog.flush();
    expect(eventsOf('api_key_refused')).toMatchObject([{ count: 1, route: 'socket' }, { count: 1 }]);
    const ofUser = await keyOf(user, 'read');
    await admin.call('PUT', `/api/v1/admin/users/${user.userId}/sign-in`, { enabled: false });
    await refused(ofUser);
    expect(eventsOf('disabled_account_refused')).toMatchObject([{ userId: user.userId, route: 'socket' }]);
    expect(app.logLines.join('\n')).not.toMatch(/x{20}/);
  });

  it('has nothing of wrong inputs, missing things and expired sessions', async () => {
    await start();
    const user = await app.signUp();
    await post('/auth/signup-first', { email: 'none', password: 'x' });
    await user.call('GET', '/api/v1/jobs/none');
    await app.call('GET', '/api/v1/jobs');
    app.advance(2 * 60 * 60_000);
    expect((await user.call('GET', '/api/v1/jobs')).status).toBe(401);
    expect(events().map(({ event }) => event)).toEqual(['signup']);
  });
});
