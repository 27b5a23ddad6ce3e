/** Recovering an account over HTTP, with the email as a real mail server received it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RESET_SENT } from '../../src/http/contract/recovery.ts';
import { PASSWORD, startTestApp, type TestApp } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { type MailingApp, startMailing } from '../given/work/mails.ts';

let app: TestApp;
let mailing: MailingApp;
beforeAll(async () => {
  app = await startTestApp({
    rateLimits: { reset: { points: 1e6, seconds: 60 }, recovery: { points: 1e6, seconds: 60 } },
  });
  mailing = await startMailing(app);
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});
beforeEach(() => app.advance(2 * 60 * 60_000));

const ask = (email: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/v1/auth/reset-password', { body: { email }, headers });
const logIn = (email: string, password: string) =>
  app.call('POST', '/api/v1/auth/login', { body: { email, password } });

/** The tokens of the link in the email to an address. */
async function mailedTokens(email: string) {
  const mail = await mailing.server.next((each) => each.to === email && /Reset your/.test(each.subject));
  const link = mailing.link(mail.text, '/reset-password');
  const fragment = new URLSearchParams(link.hash.slice(1));
  return {
    mail,
    link,
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  };
}
const verify = (tokens: { access_token: string; refresh_token: string }) =>
  app.call('POST', '/api/v1/auth/verify-recovery-token', {
    body: { access_token: tokens.access_token, refresh_token: tokens.refresh_token },
  });
const cookieOf = (answer: { readonly headers: Headers }) => answer.headers.get('set-cookie') ?? '';

describe('a forgotten password', () => {
  it('unblocks the log-in after wrong passwords of others', async () => {
    const user = await app.signUp();
    for (let nth = 0; nth < 5; nth += 1) await logIn(user.email, 'wrong');
    expect((await logIn(user.email, PASSWORD)).status).toBe(429);
    await ask(user.email);
    const { access_token: token } = await mailedTokens(user.email);
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: 'another password' } }))
        .status,
    ).toBe(200);
    expect((await logIn(user.email, 'another password')).status).toBe(200);
  });

  it('set again makes the browser one that strangers cannot keep out', async () => {
    const user = await app.signUp();
    await ask(user.email);
    const { access_token: token } = await mailedTokens(user.email);
    const password = 'another password';
    const changed = await app.call('POST', '/api/v1/auth/update-password', { token, body: { password } });
    const cookie = changed.headers.getSetCookie().find((each) => each.startsWith('known_browser=')) ?? '';
    for (let nth = 0; nth < 5; nth += 1) await logIn(user.email, 'wrong');
    expect((await logIn(user.email, password)).status).toBe(429);
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    expect(
      (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password }, headers })).status,
    ).toBe(200);
  });

  it('is replaced once by the emailed link, which ends every session and its socket', async () => {
    const user = await app.signUp({ email: 'ada@example.com' });
    const socket = await (await openSocket(app.url)).logIn(user.token);
    expect(await ask(' Ada@Example.com ')).toMatchObject({ status: 200, body: { success: true, message: RESET_SENT } });
    const { mail, link, ...tokens } = await mailedTokens(user.email);
    expect(mail.subject).toBe('Reset your SEO Workbench password');
    expect(mail.html).toContain(link.href.replaceAll('&', '&amp;'));
    expect([link.search, link.origin]).toEqual(['', app.url]);

    const verified = await verify(tokens);
    expect(verified).toMatchObject({ status: 200, body: { success: true, user: { email: user.email } } });
    expect(cookieOf(verified)).toMatch(
      /^recovery_session=\S+; Path=\/api\/v1\/auth; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const cookie = cookieOf(verified).split(';')[0]!;
    const session = await app.call('GET', '/api/v1/auth/session', { headers: { cookie } });
    expect(session.body).toEqual({ success: true, user: { id: user.userId, email: user.email }, recovery: true });

    await app.newEvents();
    const done = await app.call('POST', '/api/v1/auth/update-password', {
      body: { password: 'another password' },
      headers: { cookie },
    });
    expect(done).toMatchObject({ status: 200, body: { success: true, data: { redirect: '/login' } } });
    expect(done.body.message).toBeTruthy();
    expect(cookieOf(done)).toContain('Max-Age=0');
    expect((await app.newEvents()).filter(({ type }) => !type.startsWith('Mail')).map(({ type }) => type)).toEqual([
      'PasswordResetUsed',
      'AccountPasswordChanged',
      'AccountSessionsEnded',
      'SessionEnded',
    ]);
    expect((await user.call('GET', '/api/v1/auth/profile')).status).toBe(401);
    expect((await socket.closed).code).toBe(4401);
    expect((await logIn(user.email, PASSWORD)).status).toBe(401);
    expect((await logIn(user.email, 'another password')).status).toBe(200);
    await mailing.server.next(
      ({ to, subject }) => to === user.email && subject === 'Your SEO Workbench password was changed',
    );

    expect(await verify(tokens)).toMatchObject({
      status: 401,
      body: { code: 'RESET_INVALID', error: 'Invalid or expired reset link. Please request a new password reset.' },
    });
    expect(
      (
        await app.call('POST', '/api/v1/auth/update-password', {
          body: { password: 'a third one' },
          headers: { cookie },
        })
      ).status,
    ).toBe(401);
    expect((await app.call('GET', '/api/v1/auth/session', { headers: { cookie } })).body).toEqual({
      success: true,
      user: null,
      recovery: false,
    });
  });

  it('accepts the access token as bearer too', async () => {
    const user = await app.signUp({ email: 'bearer@example.com' });
    await ask(user.email);
    const { access_token: token, refresh_token } = await mailedTokens(user.email);
    expect(
      (
        await app.call('POST', '/api/v1/auth/update-password', {
          token: refresh_token,
          body: { password: 'another password' },
        })
      ).status,
    ).toBe(401);
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: 'short' } })).body.issues[0]
        .message,
    ).toBe('Password must be at least 6 characters long');
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: 'another password' } }))
        .status,
    ).toBe(200);
  });

  it('is reset once by concurrent uses of one link', async () => {
    const user = await app.signUp({ email: 'race@example.com' });
    await ask(user.email);
    const { access_token: token } = await mailedTokens(user.email);
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        app.call('POST', '/api/v1/auth/update-password', { token, body: { password: `password ${nth}` } }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    const winner = tries.findIndex(({ status }) => status === 200);
    expect((await logIn(user.email, `password ${winner}`)).status).toBe(200);
  });

  it('must be reset within an hour', async () => {
    const user = await app.signUp({ email: 'late@example.com' });
    await ask(user.email);
    const tokens = await mailedTokens(user.email);
    app.advance(59 * 60_000);
    expect((await verify(tokens)).status).toBe(200);
    app.advance(60_000);
    expect((await verify(tokens)).status).toBe(401);
    expect(
      (
        await app.call('POST', '/api/v1/auth/update-password', {
          token: tokens.access_token,
          body: { password: 'another password' },
        })
      ).status,
    ).toBe(401);
  });

  it('requires both tokens of one link', async () => {
    const [one, two] = [await app.signUp({ email: 'one@example.com' }), await app.signUp({ email: 'two@example.com' })];
    await Promise.all([ask(one.email), ask(two.email)]);
    const [first, second] = [await mailedTokens(one.email), await mailedTokens(two.email)];
    for (const tokens of [
      { access_token: first.access_token, refresh_token: second.refresh_token },
      { access_token: second.access_token, refresh_token: first.refresh_token },
      { access_token: first.refresh_token, refresh_token: first.access_token },
      { access_token: `${one.userId}.${'A'.repeat(43)}`, refresh_token: first.refresh_token },
      { access_token: one.token, refresh_token: one.refreshToken },
      { access_token: '__proto__', refresh_token: 'x' },
    ]) {
      expect(await verify(tokens)).toMatchObject({ status: 401, body: { code: 'RESET_INVALID' } });
    }
  });

  it('answers alike for an unknown address, and sends and writes nothing', async () => {
    const user = await app.signUp({ email: 'known@example.com' });
    await app.newEvents();
    const [known, unknown] = [await ask(user.email), await ask('unknown@example.com')];
    const comparable = ({ status, headers, body }: typeof known) => ({
      status,
      body,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name)),
    });
    expect(comparable(unknown)).toEqual(comparable(known));
    await mailedTokens(user.email);
    const events = await app.newEvents();
    expect(new Set(events.map(({ data }) => data.userId))).toEqual(new Set([user.userId]));
    expect(mailing.server.mails.filter(({ to }) => to === 'unknown@example.com')).toEqual([]);
  });

  it('takes as long for an unknown address as for a known one', async () => {
    const user = await app.signUp({ email: 'timed@example.com' });
    for (const email of [user.email, 'nobody-timed@example.com']) {
      const begin = performance.now();
      await ask(email);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(245);
    }
  });

  it('sends at most three emails an hour, without saying so', async () => {
    const user = await app.signUp({ email: 'often@example.com' });
    const answers = [];
    for (let nth = 0; nth < 5; nth += 1) answers.push((await ask(user.email)).body.message);
    expect(answers).toEqual(Array(5).fill(RESET_SENT));
    const events = (await app.store.readAll({ limit: 5_000 })).events.filter(
      ({ data }) => (data as { userId?: string }).userId === user.userId,
    );
    expect(events.filter(({ type }) => type === 'PasswordResetAsked')).toHaveLength(3);
  });

  it('names an invalid address', async () => {
    expect(await ask('no address')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', error: 'Please enter a valid email address' },
    });
    expect((await app.call('POST', '/api/v1/auth/verify-recovery-token', { body: {} })).status).toBe(400);
  });

  it('leaves no token in the log, the events or the read models', async () => {
    const user = await app.signUp({ email: 'secret@example.com' });
    await ask(user.email);
    const tokens = await mailedTokens(user.email);
    await verify(tokens);
    await app.call('POST', '/api/v1/auth/update-password', {
      token: tokens.access_token,
      body: { password: 'another password' },
    });
    const events = await app.store.readAll({ limit: 5_000 });
    const kept = [
      ...app.logLines,
      JSON.stringify(events.events.map(({ data, stream, metadata }) => ({ data, stream, metadata }))),
    ].join('\n');
    for (const secret of [tokens.access_token, tokens.refresh_token, 'another password'])
      expect(kept).not.toContain(secret);
    expect(app.logLines.join('\n')).not.toContain(user.email);
  });
});

it('is limited per IP address, with the time to wait', async () => {
  const fresh = await startTestApp({ rateLimits: { reset: { points: 2, seconds: 3600 } } });
  try {
    const answers = [];
    for (let nth = 0; nth < 3; nth += 1)
      answers.push(await fresh.call('POST', '/api/v1/auth/reset-password', { body: { email: `n${nth}@example.com` } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
  } finally {
    await fresh.close();
  }
});

describe('the current user', () => {
  it('is returned for a session, and is empty without one', async () => {
    const user = await app.signUp();
    expect((await user.call('GET', '/api/v1/auth/session')).body).toEqual({
      success: true,
      user: { id: user.userId, email: user.email },
      recovery: false,
    });
    for (const headers of [
      {},
      { cookie: 'recovery_session=nonsense' },
      { cookie: `recovery_session=${user.token}` },
      { authorization: 'Bearer x' },
    ])
      expect((await app.call('GET', '/api/v1/auth/session', { headers })).body).toEqual({
        success: true,
        user: null,
        recovery: false,
      });
  });
});
