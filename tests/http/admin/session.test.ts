/** How long a session may administer: 30 minutes without activity, 8 hours since the log-in. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

const MINUTE_MS = 60_000;
const CHECK_MS = 10;
/** Node fires timers of the same length in the order in which they began, so the check comes first. */
const nextCheck = () =>
  new Promise<void>((resolve) => void setTimeout(() => setTimeout(() => setImmediate(resolve), CHECK_MS), CHECK_MS));
const EXPIRED = {
  status: 401,
  body: { code: 'ADMIN_SESSION_EXPIRED', error: 'Your admin access has timed out. Please log in again to continue.' },
};

let app: TestApp;
let admin: TestUser;
let token: string;
let refreshToken: string;
beforeEach(async () => {
  app = await startTestApp({ realtime: { adminCheckMs: CHECK_MS } });
  admin = await app.signUp();
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
  ({ token, refreshToken } = admin);
});
afterEach(() => app.close());

const read = () => app.call('GET', '/api/v1/admin/overview', { token });
const session = (method: 'GET' | 'POST') => app.call(method, '/api/v1/admin/session', { token });
const secondsLeft = async (method: 'GET' | 'POST'): Promise<number> => (await session(method)).body.data.seconds_left;

/** Passes this time with a valid access token at its end. */
async function pass(minutes: number): Promise<void> {
  app.advance(minutes * MINUTE_MS);
  const { body } = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } });
  token = body.session.access_token;
  refreshToken = body.session.refresh_token;
}

describe('admin rights in a session', () => {
  it('end 30 minutes after the log-in if nothing is done with them, and the rest of the session goes on', async () => {
    await pass(29);
    expect(await read()).toMatchObject({ status: 200 });
    await pass(2);
    expect(await read()).toMatchObject(EXPIRED);
    expect(
      await app.call('PUT', `/api/v1/admin/users/${admin.userId}/admin-right`, { token, body: { admin: true } }),
    ).toMatchObject(EXPIRED);
    expect(await app.call('GET', '/api/v1/jobs', { token })).toMatchObject({ status: 200 });
  });

  it('are extended by what the admin does, not by reads, which open pages repeat by themselves', async () => {
    expect(await secondsLeft('GET')).toBe(30 * 60);
    await pass(20);
    expect(await secondsLeft('POST')).toBe(30 * 60);
    await pass(29);
    expect(await read()).toMatchObject({ status: 200 });
    expect(await secondsLeft('GET')).toBe(60);
    await pass(2);
    expect(await read()).toMatchObject(EXPIRED);
    expect(await session('GET')).toMatchObject(EXPIRED);
  });

  it('are not revived by activity that comes too late', async () => {
    await pass(31);
    expect(await session('POST')).toMatchObject(EXPIRED);
    expect(await session('POST')).toMatchObject(EXPIRED);
  });

  it('end 8 hours after the log-in, whatever is done with them, and come back with the next log-in', async () => {
    for (let minutes = 0; minutes < 460; minutes += 20) {
      await pass(20);
      expect(await session('POST')).toMatchObject({ status: 200 });
    }
    await pass(19);
    expect(await secondsLeft('POST')).toBe(60);
    await pass(2);
    expect(await read()).toMatchObject(EXPIRED);
    expect(await session('POST')).toMatchObject(EXPIRED);
    token = (await app.call('POST', '/api/v1/auth/login', { body: { email: admin.email, password: admin.password } }))
      .body.token;
    expect(await read()).toMatchObject({ status: 200 });
  });

  it('leave nothing in the log', async () => {
    const before = await app.store.head();
    for (let minutes = 0; minutes < 40; minutes += 10) {
      app.advance(10 * MINUTE_MS);
      await session('POST');
    }
    expect(await app.store.head()).toBe(before);
  });

  it('are needed to create a key for an analyst', async () => {
    await pass(31);
    const create = (scope: string) => app.call('POST', '/api/v1/api-keys', { token, body: { name: 'A key', scope } });
    expect(await create('reports:read')).toMatchObject(EXPIRED);
    expect(await create('read')).toMatchObject({ status: 201 });
  });
});

describe('admin channels', () => {
  const expired = { type: 'error', code: 'ADMIN_SESSION_EXPIRED', channel: 'admin:jobs' };

  it('end with the limit on open sockets, which go on for the rest, and cannot be opened again', async () => {
    const socket = await (await openSocket(app.url)).logIn(token);
    await socket.subscribe('jobs');
    await socket.subscribe('admin:jobs');
    app.advance(31 * MINUTE_MS);
    expect(await socket.next(({ type }) => type === 'error')).toEqual(expired);
    await expect(socket.subscribe('admin:jobs')).rejects.toThrow('ADMIN_SESSION_EXPIRED');
    await socket.subscribe('jobs');
    await socket.close();
  });

  it('stay open while the admin does something', async () => {
    const socket = await (await openSocket(app.url)).logIn(token);
    await socket.subscribe('admin:jobs');
    await nextCheck();
    // All within the hour for which the access token is valid.
    app.advance(25 * MINUTE_MS);
    await session('POST');
    app.advance(29 * MINUTE_MS);
    // The limit read at first has passed: it is read again, and the channel stays.
    await nextCheck();
    expect(socket.messages.filter(({ type }) => type === 'error')).toEqual([]);
    app.advance(2 * MINUTE_MS);
    expect(await socket.next(({ type }) => type === 'error')).toEqual(expired);
    await socket.close();
  });

  it('are checked every second', async () => {
    const { REALTIME_LIMITS } = await import('../../../src/http/realtime/connection.ts');
    expect(REALTIME_LIMITS.adminCheckMs).toBe(1_000);
  });

  it('are not opened by an API key of an admin', async () => {
    const { body } = await app.call('POST', '/api/v1/api-keys', { token, body: { name: 'A program', scope: 'write' } });
    const socket = await (await openSocket(app.url)).logIn(body.key);
    await expect(socket.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    await socket.close();
  });
});
