import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idInToken } from '../../src/commands/tokens.ts';
import { createPasswords } from '../../src/integrations/passwords.ts';
import { PASSWORD, startTestApp, type TestApp } from '../given/product/http.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { eventsRead } from '../given/stores/eventsRead.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

/** Real password hashing: elsewhere it is replaced by a cheap one. */
const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ deps: { passwords } });
  await app.signUp({ email: 'first@example.com' });
});
afterAll(() => app.close());

const logIn = (email: string, password = PASSWORD) =>
  app.call('POST', '/api/v1/auth/login', { body: { email, password } });

describe('an internationalized domain', () => {
  const SPELLINGS = [
    'user@bücher.example',
    'user@bu\u0308cher.example',
    'USER@BÜCHER。EXAMPLE',
    'User@XN--BCHER-KVA.example',
  ];
  const STORED = 'user@xn--bcher-kva.example';

  it('is one account in whatever spelling, at sign-up, log-in, reset, change of address, and for admins', async () => {
    const fresh = await startTestApp({ config: { adminEmail: 'boss@bücher.example', mail: false } });
    const post = (path: string, body: object, token?: string) => fresh.call('POST', `/api/v1${path}`, { body, token });
    try {
      const signedUp = await post('/auth/signup-first', { email: SPELLINGS[0], password: PASSWORD });
      expect(signedUp).toMatchObject({ status: 201, body: { email: STORED } });
      const boss = await post('/auth/signup-first', { email: 'boss@xn--bcher-kva.example', password: PASSWORD });
      expect(boss.body.profile.is_admin).toBe(true);
      for (const email of SPELLINGS) {
        expect(await post('/auth/signup-first', { email, password: PASSWORD })).toMatchObject({
          status: 409,
          body: { code: 'EMAIL_TAKEN' },
        });
        expect((await post('/auth/login', { email, password: PASSWORD })).body.user_id).toBe(signedUp.body.user_id);
        expect((await post('/auth/reset-password', { email })).status).toBe(200);
        expect((await post('/auth/change-email', { email, password: PASSWORD }, boss.body.token)).body.code).toBe(
          'EMAIL_TAKEN',
        );
        for (const path of [`/admin/user-progress?search=`, `/admin/all-jobs?search=`, `/admin/history/find?q=`]) {
          const found = await fresh.call('GET', `/api/v1${path}${encodeURIComponent(email)}`, {
            token: boss.body.token,
          });
          expect([path, found.status]).toEqual([path, 200]);
          if (!path.includes('jobs')) expect(found.text).toContain(STORED);
        }
      }
      // A wrong password counts for the same account in every spelling.
      const answers = [];
      for (let nth = 0; nth < 6; nth += 1)
        answers.push(
          (await post('/auth/login', { email: SPELLINGS[nth % SPELLINGS.length], password: 'wrong' })).status,
        );
      expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
      const changed = await post(
        '/auth/change-email',
        { email: 'ann@例え。テスト', password: PASSWORD },
        signedUp.body.token,
      );
      expect(changed.body).toMatchObject({ email: 'ann@xn--r8jz45g.xn--zckzah' });
      const removed = await fresh.call('DELETE', `/api/v1/admin/users/${signedUp.body.user_id}`, {
        token: boss.body.token,
        body: { email: 'ann@例え.テスト' },
      });
      expect(removed.status).toBe(200);
    } finally {
      await fresh.close();
    }
  });

  it('that no host can have is refused with the text of any other mistake', async () => {
    for (const email of [
      'user@bü cher.example',
      'user@bücher.example/x',
      'user@xn--a.example',
      'user@b\u202ebücher.',
      'üser@bücher.example',
    ]) {
      const answer = await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: PASSWORD } });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', error: 'Please enter a valid email address' },
      });
    }
    expect(
      (
        await app.call('POST', '/api/v1/auth/signup-first', {
          body: { email: 'a/b=x@example.com', password: PASSWORD },
        })
      ).status,
    ).toBe(201);
  });
});

describe('sign-up', () => {
  it('creates an account with a session', async () => {
    await app.newEvents();
    const answer = await app.call('POST', '/api/v1/auth/signup-first', {
      body: { email: 'Ann@Example.com', password: PASSWORD, name: 'Ann' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      success: true,
      profile: { name: 'Ann', plan: 'free', credits: 0, funds: 0, is_admin: false },
      stripe_customer_id: null,
    });
    expect(answer.body.token).toBe(answer.body.session.access_token);
    expect(Object.keys(answer.body.session).sort()).toEqual(SESSION);
    expect(answer.body.session).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { id: answer.body.user_id, email: 'ann@example.com' },
    });
    expect((await app.newEvents()).map((event) => event.type)).toEqual(
      expect.arrayContaining(['AccountRegistered', 'EmailClaimed', 'SessionStarted']),
    );
    const profile = await app.call('GET', '/api/v1/auth/profile', { token: answer.body.token });
    expect(profile.body).toMatchObject({
      success: true,
      user: { id: answer.body.user_id },
      profile: { id: answer.body.user_id },
    });
  });

  it('names a user without a name User', async () => {
    const user = await app.signUp();
    expect((await user.call('GET', '/api/v1/auth/profile')).body.profile.name).toBe('User');
  });

  it('makes the first account admin, and no other', async () => {
    const fresh = await startTestApp();
    try {
      const [first, second] = [await fresh.signUp(), await fresh.signUp()];
      expect((await first.call('GET', '/api/v1/auth/profile')).body.profile.is_admin).toBe(true);
      expect((await second.call('GET', '/api/v1/auth/profile')).body.profile.is_admin).toBe(false);
    } finally {
      await fresh.close();
    }
  });

  it('makes the configured address an admin where email cannot prove it', async () => {
    const fresh = await startTestApp({ config: { adminEmail: 'boss@example.com', mail: false } });
    try {
      await fresh.signUp();
      const boss = await fresh.signUp({ email: 'boss@example.com' });
      expect((await boss.call('GET', '/api/v1/auth/profile')).body.profile).toMatchObject({
        is_admin: true,
        email_state: 'confirmed',
      });
    } finally {
      await fresh.close();
    }
  });

  it('refuses a taken address, whatever its capitals', async () => {
    const user = await app.signUp({ email: 'taken@example.com' });
    const again = await app.call('POST', '/api/v1/auth/signup-first', {
      body: { email: 'TAKEN@example.com', password: PASSWORD },
    });
    expect(again).toMatchObject({ status: 409, body: { success: false, code: 'EMAIL_TAKEN' } });
    expect(again.body.error).toContain('log in');
    expect(again.text).not.toContain(user.userId);
  });

  it('names every error of the input at once', async () => {
    const answer = await app.call('POST', '/api/v1/auth/signup-first', {
      body: { email: 'no address', password: '12345', extra: 1 },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    const issues = answer.body.issues as { path: string; message: string }[];
    expect(issues.map((issue) => issue.path)).toEqual(expect.arrayContaining(['email', 'password']));
    expect(issues.map((issue) => issue.message)).toContain('Password must be at least 6 characters long');
    expect(answer.text).not.toContain('12345');
  });

  it('gives an address requested by two at once to one of them', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.call('POST', '/api/v1/auth/signup-first', { body: { email: 'race@example.com', password: PASSWORD } }),
      ),
    );
    expect(attempts.map((attempt) => attempt.status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await logIn('race@example.com')).status).toBe(200);
  });
});

describe('log-in', () => {
  it('returns a session with the profile', async () => {
    const user = await app.signUp({ email: 'ben@example.com' });
    const answer = await logIn(' Ben@example.com ');
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, user_id: user.userId, email: 'ben@example.com' },
    });
    expect(answer.body.token).not.toBe(user.token);
    expect(answer.body.session.user).toEqual({ id: user.userId, email: 'ben@example.com' });
  });

  it('answers alike for an unknown address and a wrong password', async () => {
    await app.signUp({ email: 'known@example.com' });
    const [wrong, unknown] = [
      await logIn('known@example.com', 'wrong password'),
      await logIn('unknown@example.com', 'wrong password'),
    ];
    expect(wrong).toMatchObject({
      status: 401,
      body: { success: false, error: 'Invalid email or password', code: 'INVALID_CREDENTIALS' },
    });
    const comparable = ({ status, headers, body }: typeof wrong) => ({
      status,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name)),
      body: { ...body, requestId: '' },
    });
    expect(comparable(unknown)).toEqual(comparable(wrong));
  });

  it('checks a password for unknown addresses too', async () => {
    const asked: (string | null)[] = [];
    const fresh = await startTestApp();
    const spying = await startTestApp({
      deps: { passwords: { hash: fresh.deps.passwords.hash, verify: async (hash) => asked.push(hash) < 0 } },
    });
    try {
      await spying.call('POST', '/api/v1/auth/login', { body: { email: 'nobody@example.com', password: 'x' } });
      expect(asked).toEqual([null]);
    } finally {
      await Promise.all([fresh.close(), spying.close()]);
    }
  });
});

it('works right after sign-up, however far behind the read models are', async () => {
  const made = memoryReadModels();
  const get: typeof made.get = async (model, id) =>
    ['accounts', 'sessions'].includes(model) ? null : await made.get(model, id);
  const behind: typeof made = Object.assign(Object.create(made), { reached: async () => false, get });
  const fresh = await startTestApp({
    stores: { store: memoryEventStore(), readModels: made },
    deps: { readModels: behind },
  });
  try {
    const body = { email: 'ann@example.com', password: PASSWORD };
    const signedUp = await fresh.call('POST', '/api/v1/auth/signup-first', { body: { ...body, name: 'Ann' } });
    expect(signedUp).toMatchObject({
      status: 201,
      body: { email: 'ann@example.com', profile: { name: 'Ann', is_admin: true } },
    });
    const loggedIn = await fresh.call('POST', '/api/v1/auth/login', { body });
    expect(loggedIn).toMatchObject({
      status: 200,
      body: { user_id: signedUp.body.user_id, profile: { name: 'Ann', is_admin: true } },
    });
    const { token } = loggedIn.body;
    expect(await fresh.call('GET', '/api/v1/auth/profile', { token })).toMatchObject({
      status: 200,
      body: { user: { email: 'ann@example.com' } },
    });
    expect((await fresh.call('GET', '/api/v1/account/deletion', { token })).status).toBe(200);
    expect((await fresh.call('GET', '/api/v1/auth/mail-preferences', { token })).body).toMatchObject({
      data: { job_done: true },
    });
  } finally {
    await fresh.close();
  }
});

it('a session unknown to the read models is accepted by the log, and ends with it', async () => {
  const made = memoryReadModels();
  const get: typeof made.get = async (model, id) => (model === 'sessions' ? null : await made.get(model, id));
  const behind: typeof made = Object.assign(Object.create(made), { get });
  const fresh = await startTestApp({
    stores: { store: memoryEventStore(), readModels: made },
    deps: { readModels: behind },
  });
  try {
    const user = await fresh.signUp();
    const profile = (token: string) => fresh.call('GET', '/api/v1/auth/profile', { token });
    expect(await profile(user.token)).toMatchObject({ status: 200, body: { user: { email: user.email } } });
    expect((await profile(`${user.token}x`)).status).toBe(401);
    await fresh.call('POST', '/api/v1/auth/logout', { token: user.token });
    expect((await profile(user.token)).status).toBe(401);
  } finally {
    await fresh.close();
  }
});

it('a log-in whose password is changed during the check fails', async () => {
  let during: () => Promise<unknown> = async () => undefined;
  const verify: typeof passwords.verify = async (hash, password) => {
    const right = await passwords.verify(hash, password);
    await during();
    return right;
  };
  const fresh = await startTestApp({ deps: { passwords: { hash: passwords.hash, verify } } });
  try {
    const user = await fresh.signUp();
    during = () =>
      fresh.given(`account-${user.userId}`, {
        type: 'AccountPasswordChanged',
        data: { userId: user.userId, passwordHash: 'new', changedAt: fresh.deps.now() },
      });
    const answer = await fresh.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    expect((await fresh.newEvents()).map(({ type }) => type).slice(-2)).toEqual(['SessionStarted', 'SessionEnded']);
  } finally {
    await fresh.close();
  }
});

const SESSION = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type', 'user'];
const refresh = (refresh_token: string) => app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token } });

describe('a session', () => {
  it('names its user after a refresh, too, as the profile does, also when the address has changed', async () => {
    const user = await app.signUp();
    const named = await refresh(user.refreshToken);
    const profile = await app.call('GET', '/api/v1/auth/profile', { token: named.body.token });
    expect(Object.keys(named.body.session).sort()).toEqual(SESSION);
    expect(named.body.session.user).toEqual(profile.body.user);
    await app.given(`account-${user.userId}`, {
      type: 'AccountEmailChanged',
      data: {
        userId: user.userId,
        email: 'moved@example.com',
        formerEmail: user.email,
        changedAt: app.deps.now(),
      },
    });
    const again = await refresh(named.body.session.refresh_token);
    expect(again.body.session.user).toEqual({ id: user.userId, email: 'moved@example.com' });
  });

  it('ends at once on log-out, for every later request', async () => {
    const user = await app.signUp();
    await app.newEvents();
    expect((await user.call('POST', '/api/v1/auth/logout')).body).toEqual({ success: true, message: 'Logged out' });
    expect((await app.newEvents()).map((event) => event.type)).toEqual(['SessionEnded']);
    expect(await user.call('GET', '/api/v1/auth/profile')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', error: 'Authentication required' },
    });
    expect(
      (await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } })).status,
    ).toBe(401);
  });

  it('leaves other sessions of the user open', async () => {
    const user = await app.signUp();
    const other = await logIn(user.email);
    await user.call('POST', '/api/v1/auth/logout');
    expect((await app.call('GET', '/api/v1/auth/profile', { token: other.body.token })).status).toBe(200);
  });

  it('survives a lost response: the used token gives new ones for half a minute, and the lost ones open nothing', async () => {
    const user = await app.signUp();
    const lost = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    app.advance(20_000);
    const again = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    expect(again.status).toBe(200);
    expect((await app.call('GET', '/api/v1/auth/profile', { token: again.body.token })).status).toBe(200);
    expect((await app.call('GET', '/api/v1/auth/profile', { token: lost.body.token })).status).toBe(401);
  });

  it('continues with new tokens, and ends when a used one comes again', async () => {
    const user = await app.signUp();
    const first = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    expect(first.status).toBe(200);
    expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(401);
    expect((await app.call('GET', '/api/v1/auth/profile', { token: first.body.token })).status).toBe(200);
    app.advance(31_000);
    const reused = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    expect(reused).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    await app.given('anything', { type: 'JobQueued', data: { jobId: 'any', queuedAt: app.deps.now() } });
    await app.readModels.reached(['sessions'], await app.store.head(), 2_000);
    expect((await app.call('GET', '/api/v1/auth/profile', { token: first.body.token })).status).toBe(401);
  });

  it('expires after an hour', async () => {
    const fresh = await startTestApp();
    try {
      const user = await fresh.signUp();
      fresh.advance(59 * 60_000);
      expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(200);
      fresh.advance(60_000);
      expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(401);
      expect(
        (await fresh.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } })).status,
      ).toBe(200);
    } finally {
      await fresh.close();
    }
  });

  it('costs no fold when a forged token names it, open or ended', async () => {
    const user = await app.signUp();
    let { access_token: token, refresh_token } = (await logIn(user.email)).body.session;
    for (let nth = 0; nth < 5; nth += 1)
      ({ refresh_token, access_token: token } = (await refresh(refresh_token)).body.session);
    const forged = `${idInToken(token)}.${'A'.repeat(43)}`;
    const cost = () =>
      eventsRead(app.store, async () =>
        expect((await app.call('GET', '/api/v1/auth/profile', { token: forged })).status).toBe(401),
      );
    expect(await cost()).toBe(1);
    await app.call('POST', '/api/v1/auth/logout', { token });
    expect(await cost()).toBe(1);
  });

  it('accepts only its current access token', async () => {
    const user = await app.signUp();
    const [id = '', secret = ''] = user.token.split('.');
    const wrong = [
      user.refreshToken,
      `${id}.${'A'.repeat(43)}`,
      id,
      `${id}.`,
      `.${secret}`,
      `${user.token}x`,
      ` ${user.token}`,
      '',
      'null',
      `${id}%00.${secret}`,
      `__proto__.${secret}`,
    ];
    for (const token of wrong)
      expect(
        (await app.call('GET', '/api/v1/auth/profile', { headers: { authorization: `Bearer ${token}` } })).status,
        token,
      ).toBe(401);
    for (const authorization of [user.token, `Basic ${user.token}`, 'Bearer', `bearer`]) {
      expect(
        (await app.call('GET', '/api/v1/auth/profile', { headers: { authorization } })).status,
        authorization,
      ).toBe(401);
    }
    expect((await app.call('GET', `/api/v1/auth/profile?token=${user.token}`)).status).toBe(401);
  });
});

it('no secret appears in the log, the events or the read models', async () => {
  const fresh = await startTestApp();
  try {
    const secret = 'planted-password-77';
    const email = 'planted-address@example.com';
    const answer = await fresh.call('POST', '/api/v1/auth/signup-first', { body: { email, password: secret } });
    await fresh.call('POST', '/api/v1/auth/login', { body: { email, password: `${secret}-wrong` } });
    await fresh.call('GET', `/api/v1/auth/profile?token=${answer.body.token}`, { token: answer.body.token });
    await fresh.call('POST', '/api/v1/auth/signup-first', { raw: `{"email":"${email}","password":"${secret}` });
    await fresh.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: answer.body.session.refresh_token } });
    const events = await fresh.store.readAll();
    const sessions = await fresh.readModels.find('sessions', {});
    const kept = [
      ...fresh.logLines,
      JSON.stringify(events.events.map(({ data, stream, metadata }) => ({ data, stream, metadata }))),
      JSON.stringify(sessions),
    ].join('\n');
    expect(fresh.logLines.length).toBeGreaterThan(4);
    for (const planted of [secret, answer.body.token, answer.body.session.refresh_token])
      expect(kept).not.toContain(planted);
    expect(fresh.logLines.join('\n')).not.toContain(email);
  } finally {
    await fresh.close();
  }
});
