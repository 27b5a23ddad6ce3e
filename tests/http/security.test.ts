/** A user's own sessions, password, address and email preferences. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_SESSIONS } from '../../src/commands/session/endOldestSessions.ts';
import { DELETION_CONFIRMATION } from '../../src/http/contract/account.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { type MailingApp, startMailing } from '../given/work/mails.ts';

let app: TestApp;
let mailing: MailingApp;
beforeAll(async () => {
  app = await startTestApp({ config: { trustProxy: true } });
  mailing = await startMailing(app);
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const logIn = async (user: Pick<TestUser, 'email'>, password = PASSWORD, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password }, headers });
const profile = async (token: string) => (await app.call('GET', '/api/v1/auth/profile', { token })).status;
const sessionsOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/sessions')).body.sessions;

describe('a password with accents', () => {
  const composed = 'Pässwörter-für-Åse'.normalize('NFC');
  const decomposed = composed.normalize('NFD');

  it.each([
    ['composed', composed, decomposed],
    ['decomposed', decomposed, composed],
  ])('that was set %s is accepted from any keyboard, wherever it is asked for', async (_, set, typed) => {
    const email = `ase-${randomUUID()}@example.com`;
    const signUp = await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: set } });
    const confirm = (path: string, body: object) => app.call('POST', path, { token: signUp.body.token, body });
    expect((await logIn({ email }, typed)).status).toBe(200);
    expect((await confirm('/api/v1/auth/mfa/enrol', { password: typed })).status).toBe(200);
    expect((await confirm('/api/v1/auth/change-email', { email: `new-${email}`, password: typed })).status).toBe(200);
    expect(
      (await confirm('/api/v1/auth/change-password', { current_password: typed, password: `new ${typed}` })).status,
    ).toBe(200);
    expect((await logIn({ email }, `new ${set}`)).status).toBe(200);
    expect((await logIn({ email }, 'Passworter-fur-Ase')).status).toBe(401);
    const remove = await app.call('DELETE', '/api/v1/account', {
      token: signUp.body.token,
      body: { password: `new ${set}`, confirmation: DELETION_CONFIRMATION },
    });
    expect(remove.status).toBe(200);
  });
});

describe('the list of sessions', () => {
  it('shows one’s own, newest first, marks the current one, and shortens addresses', async () => {
    const user = await app.signUp();
    await app.signUp();
    app.advance(60_000);
    await logIn(user, PASSWORD, { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.77' });
    const answer = await user.call('GET', '/api/v1/auth/sessions');
    expect(answer.body.sessions).toMatchObject([
      { agent: 'Firefox on Linux', network: '203.0.113.x', current: false },
      { current: true },
    ]);
    expect(answer.body.sessions[0].created_at).toBe(answer.body.sessions[0].last_used_at);
    for (const part of ['203.0.113.77', 'Gecko', 'Hash', 'position']) expect(answer.text).not.toContain(part);
    const kept = JSON.stringify((await app.store.readAll({ limit: 5_000 })).events.map(({ data }) => data));
    expect(kept).not.toContain('203.0.113.77');
  });

  it('shows when each was last used, and no expired ones', async () => {
    const user = await app.signUp();
    app.advance(30 * 60_000);
    const { body } = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    const [only] = (await app.call('GET', '/api/v1/auth/sessions', { token: body.token })).body.sessions;
    expect(Date.parse(only.last_used_at) - Date.parse(only.created_at)).toBe(30 * 60_000);
  });
});

describe('ending sessions', () => {
  it('applies to the oldest of many, never to the one just opened', async () => {
    const many = await app.signUp();
    const log = async (): Promise<string> => {
      app.advance(1_000);
      return (await app.call('POST', '/api/v1/auth/login', { body: { email: many.email, password: many.password } }))
        .body.token;
    };
    const tokens: string[] = [];
    for (let nth = 0; nth < MOST_SESSIONS + 1; nth += 1) tokens.push(await log());
    const opens = async (token: string | undefined) =>
      (await app.call('GET', '/api/v1/auth/profile', { token })).status;
    // Of the sign-up, and the first log-in.
    expect([await opens(many.token), await opens(tokens[0])]).toEqual([401, 401]);
    expect([await opens(tokens[1]), await opens(tokens.at(-1))]).toEqual([200, 200]);
    expect((await app.call('GET', '/api/v1/auth/sessions', { token: tokens.at(-1) })).body.sessions).toHaveLength(
      MOST_SESSIONS,
    );
  });

  it('of one’s own closes its socket', async () => {
    const user = await app.signUp();
    const other = (await logIn(user)).body.token;
    const socket = await (await openSocket(app.url)).logIn(other);
    const { id } = (await sessionsOf(user)).find(({ current }: { current: boolean }) => !current);
    expect((await user.call('DELETE', `/api/v1/auth/sessions/${id}`)).status).toBe(200);
    const begin = performance.now();
    expect((await socket.closed).code).toBe(4401);
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect([await profile(other), await profile(user.token)]).toEqual([401, 200]);
    expect((await user.call('DELETE', `/api/v1/auth/sessions/${id}`)).status).toBe(200);
  });

  it('of another user answers 404', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const [{ id }] = await sessionsOf(other);
    const foreign = await user.call('DELETE', `/api/v1/auth/sessions/${id}`);
    const unknown = await user.call('DELETE', '/api/v1/auth/sessions/00000000-0000-4000-8000-000000000000');
    expect(foreign).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' });
    expect(await profile(other.token)).toBe(200);
  });

  it('everywhere closes all with their sockets, and no other user’s', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const tokens = [user.token, ...(await Promise.all([logIn(user), logIn(user)])).map(({ body }) => body.token)];
    const sockets = await Promise.all(tokens.map(async (token) => (await openSocket(app.url)).logIn(token)));
    expect((await user.call('POST', '/api/v1/auth/logout-everywhere')).body).toEqual({
      success: true,
      message: 'Logged out everywhere',
    });
    expect(await Promise.all(tokens.map(profile))).toEqual([401, 401, 401]);
    for (const { closed } of sockets) expect((await closed).code).toBe(4401);
    expect(await profile(other.token)).toBe(200);
    expect((await logIn(user)).status).toBe(200);
  });
});

describe('a new password', () => {
  const change = (user: TestUser, current_password: string, password: string) =>
    user.call('POST', '/api/v1/auth/change-password', { current_password, password });

  it('requires the current one, keeps this session and ends the others', async () => {
    const user = await app.signUp();
    const other = (await logIn(user)).body.token;
    expect(await change(user, 'wrong', 'new password')).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD', error: 'That is not your current password.' },
    });
    expect(await change(user, PASSWORD, '12345')).toMatchObject({
      status: 400,
      body: { error: 'Password must be at least 6 characters long' },
    });
    expect((await change(user, PASSWORD, 'new password')).status).toBe(200);
    expect([await profile(user.token), await profile(other)]).toEqual([200, 401]);
    expect([(await logIn(user)).status, (await logIn(user, 'new password')).status]).toEqual([401, 200]);
    await mailing.server.next(
      ({ to, subject }) => to === user.email && subject === 'Your SEO Workbench password was changed',
    );
  });

  it('cannot be used to guess passwords', async () => {
    const user = await app.signUp();
    for (let nth = 0; nth < 5; nth += 1) expect((await change(user, 'wrong', 'new password')).status).toBe(403);
    const refused = await change(user, PASSWORD, 'new password');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('changing the address', () => {
  const change = (user: TestUser, email: string, password = PASSWORD) =>
    user.call('POST', '/api/v1/auth/change-email', { email, password });

  it('requires the password and the emailed link, applies from then on, and notifies the former address', async () => {
    const user = await app.signUp({ email: 'former@example.com' });
    expect((await change(user, 'next@example.com', 'wrong')).body).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await change(user, ' Next@Example.com ')).toMatchObject({
      status: 200,
      body: { email: 'next@example.com', pending: true },
    });
    const profileOf = async () => (await user.call('GET', '/api/v1/auth/profile')).body;
    expect(await profileOf()).toMatchObject({
      user: { email: 'former@example.com' },
      profile: { email_state: 'confirmed', pending_email: 'next@example.com' },
    });
    const asked = await mailing.server.next(({ to }) => to === 'next@example.com');
    const token = new URLSearchParams(mailing.link(asked.text, '/confirm-email').hash.slice(1)).get('token');
    expect(
      (await app.call('POST', '/api/v1/auth/confirm-email', { body: { token, password: PASSWORD } })).body,
    ).toMatchObject({
      success: true,
      email: 'next@example.com',
    });
    expect(await profileOf()).toMatchObject({
      user: { email: 'next@example.com' },
      profile: { email_state: 'confirmed', pending_email: null },
    });
    expect([(await logIn(user)).status, (await logIn({ email: 'next@example.com' })).status]).toEqual([401, 200]);
    const mail = await mailing.server.next(
      ({ to, subject }) => to === 'former@example.com' && subject.includes('was changed'),
    );
    expect(mail.text).toContain('n…@example.com');
    expect(mail.text).not.toContain('next@example.com');
    expect((await app.signUp({ email: 'former@example.com' })).userId).not.toBe(user.userId);
  });

  it('is refused when it is taken or invalid', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    expect(await change(user, other.email)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await change(user, 'none')).status).toBe(400);
    expect((await logIn(user)).status).toBe(200);
  });
});

describe('email preferences', () => {
  it('are saved', async () => {
    const user = await app.signUp();
    const wishes = async () => (await user.call('GET', '/api/v1/auth/mail-preferences')).body;
    expect(await wishes()).toEqual({
      success: true,
      data: { job_done: true, subscription_ends: true, sequence: true },
    });
    expect((await user.call('PUT', '/api/v1/auth/mail-preferences', { job_done: false })).body.data).toEqual({
      job_done: false,
      subscription_ends: true,
      sequence: true,
    });
    expect((await user.call('PUT', '/api/v1/auth/mail-preferences', { subscription_ends: false })).body.data).toEqual({
      job_done: false,
      subscription_ends: false,
      sequence: true,
    });
    expect(await wishes()).toEqual({
      success: true,
      data: { job_done: false, subscription_ends: false, sequence: true },
    });
    expect((await user.call('PUT', '/api/v1/auth/mail-preferences', { job_done: 'no' })).status).toBe(400);
  });
});

it('on sign-up record its origin, and of a link’s token only the hash', async () => {
  await app.newEvents();
  const token = 'T'.repeat(43);
  const body = {
    email: 'campaign@example.com',
    password: PASSWORD,
    source: 'preview',
    utm_campaign: 'shared_preview',
    utm_content: token,
  };
  await app.call('POST', '/api/v1/auth/signup-first', { body });
  const events = await app.newEvents();
  const campaign = events.find(({ type }) => type === 'AccountRegistered')?.data.campaign as { contentHash: string };
  expect(campaign).toMatchObject({ source: 'preview', name: 'shared_preview' });
  expect(campaign.contentHash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(events)).not.toContain(token);
});

describe('unsubscribing by the link in an email', () => {
  const token = async (user: TestUser): Promise<string> => {
    await givenAnalysis(app, user.userId, { host: 'www.example.org' });
    const mail = await mailing.server.next(
      ({ to, subject }) => to === user.email && subject.includes('your SEO report is ready'),
    );
    return (
      mailing
        .link(mail.header('list-unsubscribe') ?? '', '/unsubscribe')
        .searchParams.get('token')
        ?.replace(/>$/, '') ?? ''
    );
  };
  const wanted = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/mail-preferences')).body.data.job_done;

  it('takes one click in an email client, without logging in', async () => {
    const user = await app.signUp();
    const link = `/unsubscribe?token=${await token(user)}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await app.call('POST', link, { raw: 'List-Unsubscribe=One-Click', headers: form })).status).toBe(200);
    expect(await wanted(user)).toBe(false);
    expect((await app.call('POST', link, { raw: 'List-Unsubscribe=One-Click', headers: form })).status).toBe(200);
  });

  it('works by the page’s button, and refuses an invalid link', async () => {
    const user = await app.signUp();
    const good = await token(user);
    const wrong = await app.call('POST', '/api/v1/mail/unsubscribe', { body: { token: `${good}x` } });
    expect(wrong).toMatchObject({ status: 404, body: { code: 'UNSUBSCRIBE_INVALID' } });
    expect((await app.call('POST', '/api/v1/mail/unsubscribe', { body: {} })).status).toBe(404);
    expect(await wanted(user)).toBe(true);
    const done = await app.call('POST', '/api/v1/mail/unsubscribe', { body: { token: good } });
    expect(done).toMatchObject({ status: 200, body: { message: 'You’ll get no more emails about finished audits.' } });
    expect(await wanted(user)).toBe(false);
  });
});
