import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepRenewed, renewSession } from '../../../web/api/renewal.ts';
import { accessToken, clearTokens, refreshToken, storeTokens } from '../../../web/api/tokens.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';

let server: FakeServer;
let issued = 0;

beforeEach(() => {
  vi.useFakeTimers();
  server = fakeServer();
  issued = 0;
  server.on('POST /api/v1/auth/refresh', answer);
  storeTokens({ access_token: 'access-0', refresh_token: 'refresh-0', expires_in: 3600 });
});

afterEach(() => setHidden(false));

function answer(): unknown {
  issued += 1;
  const session = {
    access_token: `access-${issued}`,
    refresh_token: `refresh-${issued}`,
    expires_at: 0,
    expires_in: 3600,
    token_type: 'bearer',
  };
  return { success: true, token: session.access_token, session };
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
}

const asked = (): number => server.asked('POST /api/v1/auth/refresh').length;
const down = (): never => {
  throw new NetworkDown();
};

describe('renewing a session', () => {
  it('happens once for concurrent callers', async () => {
    expect(await Promise.all([renewSession('access-0'), renewSession('access-0'), renewSession('access-0')])).toEqual([
      'renewed',
      'renewed',
      'renewed',
    ]);
    expect(asked()).toBe(1);
    expect([accessToken(), refreshToken()]).toEqual(['access-1', 'refresh-1']);
  });

  it('is skipped when another tab has done it, since a refresh token must not be used twice', async () => {
    storeTokens({ access_token: 'access-9', refresh_token: 'refresh-9', expires_in: 3600 });
    expect(await renewSession('access-0')).toBe('renewed');
    expect(asked()).toBe(0);
  });

  it('clears the session when the server has ended it', async () => {
    server.on('POST /api/v1/auth/refresh', refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
    expect(await renewSession('access-0')).toBe('ended');
    expect({ ...localStorage }).toEqual({});
  });

  it.each([
    ['no answer', down],
    ['an overloaded server', refusal(503, 'busy')],
    ['a rate limit', refusal(429, 'later')],
  ])('keeps the tokens after %s', async (_, reply) => {
    server.on('POST /api/v1/auth/refresh', reply);
    expect(await renewSession('access-0')).toBe('unreachable');
    expect(refreshToken()).toBe('refresh-0');
  });

  it('does not restore a session that was logged out meanwhile', async () => {
    server.on('POST /api/v1/auth/refresh', () => {
      clearTokens();
      return answer();
    });
    expect(await renewSession('access-0')).toBe('ended');
    expect(accessToken()).toBeNull();
  });
});

describe('in the background', () => {
  it('happens before the token expires', async () => {
    const stop = keepRenewed(() => undefined);
    await vi.advanceTimersByTimeAsync(54 * 60_000);
    expect(asked()).toBe(0);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(56 * 60_000);
    expect(asked()).toBe(2);
    stop();
    await vi.advanceTimersByTimeAsync(120 * 60_000);
    expect(asked()).toBe(2);
  });

  it('is retried after 200 ms, 400 ms, 800 ms', async () => {
    server.on('POST /api/v1/auth/refresh', down);
    storeTokens({ access_token: 'access-0', refresh_token: 'refresh-0', expires_in: 0 });
    const stop = keepRenewed(() => undefined);
    const counts: number[] = [];
    for (const wait of [200, 199, 1, 399, 1, 799, 1]) {
      await vi.advanceTimersByTimeAsync(wait);
      counts.push(asked());
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4]);
    stop();
  });

  it('pauses while the tab is hidden', async () => {
    setHidden(true);
    const stop = keepRenewed(() => undefined);
    await vi.advanceTimersByTimeAsync(120 * 60_000);
    expect(asked()).toBe(0);
    setHidden(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(200);
    expect(asked()).toBe(1);
    stop();
  });

  it('reports when the session has ended', async () => {
    server.on('POST /api/v1/auth/refresh', refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
    let ended = 0;
    const stop = keepRenewed(() => (ended += 1));
    await vi.advanceTimersByTimeAsync(120 * 60_000);
    expect([ended, asked()]).toEqual([1, 1]);
    stop();
  });
});
