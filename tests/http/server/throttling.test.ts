import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressKey, createRateLimiter, DEFAULT_RATE_LIMITS } from '../../../src/http/request/rateLimits.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

let app: TestApp | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
  app = null;
});

const logIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  app!.call('POST', '/api/v1/auth/login', { body: { email, password }, headers });

describe('log-in', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('is refused after five wrong passwords for one account from one address, the right one too, and not from another', async () => {
    app = await startTestApp({ config: { trustProxy: true } });
    const user = await app.signUp();
    for (let nth = 0; nth < 5; nth += 1)
      expect((await logIn(user.email, 'wrong', from('203.0.113.1'))).status).toBe(401);
    const blocked = await logIn(user.email, user.password, from('203.0.113.1'));
    expect(blocked).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await logIn(user.email, user.password, from('203.0.113.77'))).status).toBe(200);
  });

  it('is refused for one account from anywhere only after many more, until its owner resets the password by email', async () => {
    const limiter = createRateLimiter(DEFAULT_RATE_LIMITS);
    for (let nth = 0; nth < 100; nth += 1) await limiter.attemptLogin('ann@example.com', `203.0.113.${nth}`, 1);
    await expect(limiter.attemptLogin('ann@example.com', '198.51.100.1', 1)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await limiter.forgiveLogins(' Ann@example.com', '198.51.100.1');
    await (await limiter.attemptLogin('ann@example.com', '198.51.100.1', 1)).succeeded();
  });

  it('attempts by strangers do not keep a logged-in owner from confirming the password', async () => {
    app = await startTestApp();
    const user = await app.signUp();
    for (let nth = 0; nth < 5; nth += 1) await logIn(user.email, 'wrong');
    expect((await logIn(user.email, user.password)).status).toBe(429);
    const change = (current_password: string) =>
      user.call('POST', '/api/v1/auth/change-password', { current_password, password: 'another password' });
    for (let nth = 0; nth < 4; nth += 1) expect((await change('wrong')).status).toBe(403);
    expect((await change(user.password)).status).toBe(200);
    // Within the session it is limited all the same.
    for (let nth = 0; nth < 5; nth += 1) expect((await change('wrong')).status).toBe(403);
    expect((await change('another password')).status).toBe(429);
  });

  it('an attempt that succeeds counts, too', async () => {
    app = await startTestApp({ rateLimits: { login: { points: 3, seconds: 300 } } });
    const user = await app.signUp();
    for (let nth = 0; nth < 3; nth += 1) expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await logIn(user.email, user.password)).status).toBe(429);
  });

  it('is refused after thirty failures from one address, whatever it claims to be', async () => {
    app = await startTestApp();
    for (let nth = 0; nth < 30; nth += 1)
      expect(
        (await logIn(`somebody${nth}@example.com`, 'wrong', { 'x-forwarded-for': `203.0.113.${nth}` })).status,
      ).toBe(401);
    expect((await logIn('another@example.com', 'wrong', { 'x-forwarded-for': '198.51.100.1' })).status).toBe(429);
  });

  it('is refused after thirty comparisons from one address: a password with accents may take three', async () => {
    app = await startTestApp();
    const password = `oﬃce ${'Åse'.normalize('NFD')}`;
    for (let nth = 0; nth < 10; nth += 1)
      expect((await logIn(`somebody${nth}@example.com`, password)).status).toBe(401);
    expect((await logIn('another@example.com', 'wrong')).status).toBe(429);
  });

  it('gives all of its comparisons back when it succeeds', async () => {
    app = await startTestApp();
    const password = `oﬃce ${'Åse'.normalize('NFD')}`;
    const email = 'ase@example.com';
    await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password } });
    for (let nth = 0; nth < 12; nth += 1)
      expect((await logIn(email, nth % 2 ? password : password.normalize('NFC'))).status).toBe(200);
    for (let nth = 0; nth < 30; nth += 1) expect((await logIn(`somebody${nth}@example.com`, 'wrong')).status).toBe(401);
    expect((await logIn('another@example.com', 'wrong')).status).toBe(429);
  });

  it('attempts at once get no more through than one after another', async () => {
    app = await startTestApp();
    const user = await app.signUp();
    const answers = await Promise.all(Array.from({ length: 25 }, () => logIn(user.email, 'wrong')));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(6);
  });

  it('that an address may not try any more leaves nothing of the accounts it names', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const limiter = createRateLimiter({
      ...DEFAULT_RATE_LIMITS,
      login: { points: 2, seconds: 300 },
      loginAddress: { points: 1, seconds: 10 },
    });
    await limiter.attemptLogin('ann@example.com', '203.0.113.1', 1);
    for (let nth = 0; nth < 5; nth += 1)
      await expect(limiter.attemptLogin('bob@example.com', '203.0.113.1', 1)).rejects.toMatchObject({
        details: { limit: 'loginAddress' },
      });
    vi.advanceTimersByTime(11_000);
    await expect(limiter.attemptLogin('bob@example.com', '203.0.113.1', 1)).resolves.toBeDefined();
  });

  it('that is refused for the account takes nothing from what the address may try', async () => {
    const limiter = createRateLimiter({
      ...DEFAULT_RATE_LIMITS,
      login: { points: 1, seconds: 300 },
      loginAddress: { points: 2, seconds: 300 },
    });
    await limiter.attemptLogin('ann@example.com', '203.0.113.1', 1);
    for (let nth = 0; nth < 5; nth += 1)
      await expect(limiter.attemptLogin('ann@example.com', '203.0.113.1', 1)).rejects.toMatchObject({
        details: { limit: 'login' },
      });
    await expect(limiter.attemptLogin('bob@example.com', '203.0.113.1', 1)).resolves.toBeDefined();
  });

  it('counts only failures: the right password resets the count', async () => {
    app = await startTestApp();
    const user = await app.signUp();
    for (let round = 0; round < 6; round += 1) {
      for (let nth = 0; nth < 4; nth += 1) await logIn(user.email, 'wrong');
      expect((await logIn(user.email, user.password)).status).toBe(200);
    }
  });
});

describe('the waits', () => {
  const limits = { ...DEFAULT_RATE_LIMITS, loginAddress: { points: 1e6, seconds: 900 } };

  it('double from one second to fifteen minutes, and let at most forty guesses through in a quarter of an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const limiter = createRateLimiter(limits);
    let through = 0;
    const waits: number[] = [];
    const end = Date.now() + 15 * 60_000;
    while (Date.now() < end) {
      const refused = await limiter.attemptLogin('a@example.com', '203.0.113.1', 1).then(
        () => {
          through += 1;
          return null;
        },
        (error: { headers: Record<string, string> }) => Number(error.headers['Retry-After']),
      );
      if (refused === null) continue;
      waits.push(refused);
      vi.advanceTimersByTime(refused * 1000);
    }
    expect(waits.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(through).toBeLessThanOrEqual(40);
    vi.advanceTimersByTime(60 * 60_000);
    await expect(limiter.attemptLogin('a@example.com', '203.0.113.1', 1)).resolves.toBeDefined();
  });

  it('never exceed the window', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const limiter = createRateLimiter(limits);
    let longest = 0;
    for (let nth = 0; nth < 60; nth += 1) {
      const wait = await limiter.attemptLogin('a@example.com', '203.0.113.1', 1).then(
        () => 0,
        (error: { headers: Record<string, string> }) => Number(error.headers['Retry-After']),
      );
      longest = Math.max(longest, wait);
      vi.advanceTimersByTime(wait * 1000);
    }
    expect(longest).toBe(900);
  });

  describe('of an account, for strangers from many networks', () => {
    let networks = 0;
    const elsewhere = (): string => {
      networks += 1;
      return `2001:db8:${(networks >> 16).toString(16)}:${(networks & 0xffff).toString(16)}::1`;
    };
    const waitOf = (limiter: ReturnType<typeof createRateLimiter>): Promise<number> =>
      limiter.attemptLogin('a@example.com', elsewhere(), 1).then(
        () => 0,
        (error: { headers: Record<string, string> }) => Number(error.headers['Retry-After']),
      );

    it('are never longer than a person waits, however long somebody goes on', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const limiter = createRateLimiter(DEFAULT_RATE_LIMITS);
      let through = 0;
      const waits = new Set<number>();
      const end = Date.now() + 24 * 60 * 60_000;
      while (Date.now() < end) {
        const wait = await waitOf(limiter);
        if (wait === 0) through += 1;
        waits.add(wait);
        vi.advanceTimersByTime(wait * 1000);
      }
      expect([...waits]).toEqual([0, 1, 2, 4, 8, 16, 30]);
      expect(through).toBeLessThan(3_000);
    });

    it.each([0, 1, 2, 5, 10, 20])(
      'let at most 9,800 guesses a day through, also if they pause after %i waits',
      async (most) => {
        vi.useFakeTimers({ toFake: ['Date'] });
        const limiter = createRateLimiter(DEFAULT_RATE_LIMITS);
        let through = 0;
        const end = Date.now() + 24 * 60 * 60_000;
        while (Date.now() < end) {
          let waited = 0;
          // Those that stop before the first wait begin again with the next quarter of an hour.
          for (let nth = 0; nth < (most === 0 ? 99 : 1_000); ) {
            const wait = await waitOf(limiter);
            if (wait > 0 && waited === most) break;
            if (wait === 0) {
              through += 1;
              nth += 1;
            } else {
              waited += 1;
              vi.advanceTimersByTime(wait * 1000);
            }
          }
          vi.advanceTimersByTime((900 + (most === 0 ? 0 : Math.min(30, 2 ** most))) * 1000);
        }
        expect(through).toBeGreaterThan(5_000);
        expect(through).toBeLessThan(9_800);
      },
    );
  });

  it('are per account: capitals in the address do not matter, and others are free', async () => {
    const limiter = createRateLimiter(limits);
    for (let nth = 0; nth < 5; nth += 1) await limiter.attemptLogin('a@example.com', '203.0.113.1', 1);
    await expect(limiter.attemptLogin(' A@Example.com', '203.0.113.1', 1)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await expect(limiter.attemptLogin('b@example.com', '203.0.113.1', 1)).resolves.toBeDefined();
  });
});

it('browsers that logged in to an account before have a limit each, and one together, apart from that of others', async () => {
  const limiter = createRateLimiter(DEFAULT_RATE_LIMITS);
  const attempt = (nth: number, browser: string | null) =>
    limiter.attemptLogin('a@example.com', `203.0.113.${nth}`, 1, browser);
  for (let nth = 0; nth < 5; nth += 1) await attempt(nth, 'one');
  await expect(attempt(5, 'one')).rejects.toMatchObject({ details: { limit: 'loginFailures' } });
  for (let nth = 0; nth < 95; nth += 1) await attempt(nth, `browser ${nth}`);
  await expect(attempt(200, 'a new one')).rejects.toMatchObject({ details: { limit: 'loginAccount' } });
  await (await attempt(200, null)).succeeded();
  await limiter.forgiveLogins('a@example.com', '203.0.113.200');
  await expect(attempt(200, 'a new one')).resolves.toBeDefined();
});

describe('requests', () => {
  it('from one address are limited, with the time to wait, and probes are not', async () => {
    app = await startTestApp({ rateLimits: { address: { points: 10, seconds: 60 } } });
    const statuses = [];
    for (let nth = 0; nth < 12; nth += 1)
      statuses.push(
        (await app.call('GET', '/api/v1/status', { headers: { 'x-forwarded-for': `203.0.113.${nth}` } })).status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect((await app.call('GET', '/api/version')).status).toBe(429);
    expect((await app.call('GET', '/healthz')).status).toBe(200);
  });

  it('count for the address that our own proxy saw, if there is one', async () => {
    app = await startTestApp({ config: { trustProxy: true }, rateLimits: { address: { points: 2, seconds: 60 } } });
    const from = async (forwarded: string) =>
      (await app!.call('GET', '/api/v1/status', { headers: { 'x-forwarded-for': forwarded } })).status;
    expect([
      await from('1.1.1.1, 203.0.113.1'),
      await from('2.2.2.2, 203.0.113.1'),
      await from('3.3.3.3, 203.0.113.1'),
    ]).toEqual([200, 200, 429]);
    expect(await from('1.1.1.1, 203.0.113.2')).toBe(200);
  });

  it.each([
    ['X-Forwarded-For with a port that changes', 'x-forwarded-for', (nth: number) => `203.0.113.9:${40_000 + nth}`],
    [
      'X-Forwarded-For with brackets and a port',
      'x-forwarded-for',
      (nth: number) => `192.0.2.${nth}, [2001:db8:1:2::${nth}]:${40_000 + nth}`,
    ],
    [
      'X-Forwarded-For in capitals and long forms',
      'x-forwarded-for',
      (nth: number) => ['::FFFF:203.0.113.9', '::ffff:cb00:7109', '203.0.113.9'][nth % 3] ?? '',
    ],
    [
      'Forwarded',
      'forwarded',
      (nth: number) => `for=192.0.2.${nth};proto=http, For="[2001:db8:1:2::${nth}]:${40_000 + nth}";proto=https`,
    ],
    [
      'an entry without an address',
      'x-forwarded-for',
      (nth: number) => ['unknown', '_hidden', `_${nth}`, `nonsense${nth}`, `203.0.113.${nth + 300}`][nth % 5] ?? '',
    ],
    [
      'a Forwarded without an address',
      'forwarded',
      (nth: number) => ['for=unknown', `for="_${nth}"`, `by=192.0.2.${nth}`, `nonsense${nth}`][nth % 4] ?? '',
    ],
  ])('count for one address where the proxy writes %s', async (_, header, entry) => {
    app = await startTestApp({ config: { trustProxy: true }, rateLimits: { address: { points: 6, seconds: 60 } } });
    const statuses = [];
    for (let nth = 0; nth < 8; nth += 1)
      statuses.push((await app.call('GET', '/api/v1/status', { headers: { [header]: entry(nth) } })).status);
    expect(statuses).toEqual([...Array<number>(6).fill(200), 429, 429]);
    expect((await app.call('GET', '/api/docs/', { headers: { [header]: entry(8) } })).status).toBe(429);
    await expect(openSocket(app.url, { headers: { [header]: entry(9) } })).rejects.toThrow(
      'Unexpected server response: 429',
    );
    const another = header === 'forwarded' ? 'for=198.51.100.1' : '198.51.100.1';
    expect((await app.call('GET', '/api/v1/status', { headers: { [header]: another } })).status).toBe(200);
  });

  it('of one user, submissions and sign-ups have their own limits', async () => {
    app = await startTestApp({
      rateLimits: {
        user: { points: 4, seconds: 60 },
        submit: { points: 1, seconds: 60 },
        signup: { points: 2, seconds: 60 },
      },
    });
    const [user, other] = [await app.signUp(), await app.signUp()];
    expect(
      (
        await app.call('POST', '/api/v1/auth/signup-first', {
          body: { email: 'third@example.com', password: 'a good password' },
        })
      ).status,
    ).toBe(429);
    expect((await user.call('POST', '/api/v1/process', { url: 'a.example' })).status).toBe(202);
    expect((await user.call('POST', '/api/v1/process', { url: 'b.example' })).status).toBe(429);
    for (let nth = 0; nth < 2; nth += 1) expect((await user.call('GET', '/api/v1/jobs')).status).toBe(200);
    expect((await user.call('GET', '/api/v1/jobs')).status).toBe(429);
    expect((await other.call('GET', '/api/v1/jobs')).status).toBe(200);
  });
});

it('refreshes of one session are limited, but not by strangers who know its id; so are email preferences of one user', async () => {
  app = await startTestApp({
    rateLimits: { refresh: { points: 2, seconds: 3600 }, preferences: { points: 2, seconds: 600 } },
  });
  const [user, other] = [await app.signUp(), await app.signUp()];
  const refresh = (refresh_token: string) => app!.call('POST', '/api/v1/auth/refresh', { body: { refresh_token } });
  const forged = `${user.refreshToken.split('.')[0]}.${'A'.repeat(43)}`;
  for (let nth = 0; nth < 5; nth += 1) expect((await refresh(forged)).status).toBe(401);
  const renewed = (await refresh((await refresh(user.refreshToken)).body.session.refresh_token)).body.session;
  const refused = await refresh(renewed.refresh_token);
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await app.call('GET', '/api/v1/auth/profile', { token: renewed.access_token })).status).toBe(200);
  expect((await refresh(other.refreshToken)).status).toBe(200);

  const choose = () =>
    app!.call('PUT', '/api/v1/auth/mail-preferences', { token: renewed.access_token, body: { job_done: false } });
  expect([(await choose()).status, (await choose()).status, (await choose()).status]).toEqual([200, 200, 429]);
});

it.each(['causes', 'findings?page=none', 'pages', 'files/findings.json'])(
  'reads of whole reports of one user are limited, here of %s',
  async (what) => {
    app = await startTestApp({
      rateLimits: { reports: { points: 2, seconds: 60 }, reportRows: { points: 2, seconds: 60 } },
    });
    const user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const read = async () => (await user.call('GET', `/api/v1/jobs/${jobId}/${what}`)).status;
    const first = await read();
    expect(first).toBeLessThan(429);
    expect([await read(), await read()]).toEqual([first, 429]);
  },
);

it('count an address as one machine, or one household', () => {
  expect(addressKey('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(addressKey('203.0.113.7')).toBe('203.0.113.7');
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(addressKey('2001:0db8:0001:0002::1')).toBe('2001:db8:1:2');
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0');
  expect(addressKey('::1')).toBe('0:0:0:0');
  expect(addressKey('64:ff9b::203.0.113.7')).toBe('203.0.113.7');
  expect(addressKey('64:ff9b::cb00:7107')).toBe('203.0.113.7');
  expect(addressKey('64:ff9b:1::cb00:7107')).toBe('64:ff9b:1:0');
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0');
});
