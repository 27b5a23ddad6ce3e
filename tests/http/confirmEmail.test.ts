/** Addresses are confirmed by email: the link, its limits, and the owner of an address that two accounts request. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESET_SENT } from '../../src/http/contract/recovery.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { enrolled } from '../given/secondFactor.ts';
import { type MailingApp, startMailing } from '../given/work/mails.ts';

const BOSS = 'boss@example.com';
const MANY = { points: 1e6, seconds: 60 };
const DAYS = 24 * 60 * 60_000;

let app: TestApp;
let mailing: MailingApp;
beforeAll(async () => {
  app = await startTestApp({
    config: { adminEmail: BOSS },
    rateLimits: { reset: MANY, recovery: MANY, loginAddress: MANY },
  });
  mailing = await startMailing(app);
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});

const addressOf = (name: string): string => `${name}-${randomUUID()}@example.com`;
const join = (email: string): Promise<TestUser> => app.signUp({ email, confirmed: false });
const profileOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/profile')).body.profile;
/** With what whoever opens the link has: the account's password by default. */
const confirm = (
  token: string | null,
  { as, password }: { readonly as?: string; readonly password?: string } = { password: PASSWORD },
) =>
  app.call('POST', '/api/v1/auth/confirm-email', {
    token: as,
    body: { token, ...(password === undefined ? {} : { password }) },
  });
const choosePassword = (token: string | null) =>
  app.call('POST', '/api/v1/auth/confirm-email/choose-password', { body: { token } });
const resend = (user: TestUser) => user.call('POST', '/api/v1/auth/resend-confirmation', {});
const logIn = async (email: string, password = PASSWORD) =>
  (await app.call('POST', '/api/v1/auth/login', { body: { email, password } })).body.user_id ?? null;
const tokenIn = (text: string) => new URLSearchParams(mailing.link(text, '/confirm-email').hash.slice(1)).get('token');
/** Of the account's own emails: two may be sent to one address. */
const linkFor = async (user: TestUser, to = user.email) =>
  tokenIn((await mailing.server.next((mail) => mail.to === to && mail.text.includes(user.userId))).text);
/** The access token of a reset link, requested by whoever reads the address's email. */
async function resetLinkFor(email: string): Promise<string> {
  await app.call('POST', '/api/v1/auth/reset-password', { body: { email } });
  return resetLinkIn(email);
}
async function resetLinkIn(email: string): Promise<string> {
  const mail = await mailing.server.next(({ to, subject }) => to === email && subject.startsWith('Reset'));
  return new URLSearchParams(mailing.link(mail.text, '/reset-password').hash.slice(1)).get('access_token') ?? '';
}

describe('sign-up', () => {
  it('logs in at once without restrictions; the emailed link confirms the address once', async () => {
    const ann = await join(addressOf('ann'));
    expect(await profileOf(ann)).toMatchObject({ email_state: 'unconfirmed', pending_email: null });
    expect((await ann.call('POST', '/api/v1/process', { url: 'https://www.example.org/' })).status).toBeLessThan(300);
    expect(await logIn(ann.email)).toBe(ann.userId);
    const token = await linkFor(ann);
    expect(await confirm(`${token}x`)).toMatchObject({ status: 404, body: { code: 'CONFIRMATION_INVALID' } });
    const confirmed = await confirm(token);
    expect(confirmed.body).toEqual({
      success: true,
      message: 'Your email address is confirmed.',
      email: ann.email,
    });
    // From now on strangers cannot keep this browser out.
    expect(confirmed.headers.getSetCookie()).toEqual([expect.stringMatching(/^known_browser=/)]);
    expect(await profileOf(ann)).toMatchObject({ email_state: 'confirmed' });
    expect((await confirm(token)).status).toBe(404);
    expect((await resend(ann)).body).toEqual({ success: true, sent_to: null });
  });

  it('resends the link on request, within a limit, and keeps no token in logs or read models', async () => {
    const ann = await join(addressOf('ann'));
    for (let nth = 0; nth < 4; nth += 1)
      expect((await resend(ann)).body).toEqual({ success: true, sent_to: ann.email });
    expect(await resend(ann)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_CONFIRMATIONS' } });
    const secret = (await linkFor(ann))?.split('.')[1] ?? '';
    const { events } = await app.store.readAll({ limit: 5_000 });
    expect(JSON.stringify(events.map(({ data }) => data)) + app.logLines.join('')).not.toContain(secret);
    expect((await app.call('POST', '/api/v1/auth/resend-confirmation', { body: {} })).status).toBe(401);
  });
});

describe('the link to the own address', () => {
  const eventsOf = async (userId: string) =>
    (await app.store.readAll({ limit: 20_000 })).events
      .filter(({ data }) => (data as { userId?: string }).userId === userId)
      .map(({ type }) => type)
      // A wrong password is counted.
      .filter((type) => type !== 'LogInsRefused');

  it.each<[string, (user: TestUser) => Promise<{ readonly as?: string }>]>([
    ['without a session', async () => ({})],
    ['in the session of another account', async () => ({ as: (await app.signUp()).token })],
    [
      'with an API key of the account',
      async (user) => ({ as: (await user.call('POST', '/api/v1/api-keys', { name: 'A', scope: 'write' })).body.key }),
    ],
    [
      'in a session that has ended',
      async (user) => {
        const { token } = (
          await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })
        ).body;
        await app.call('POST', '/api/v1/auth/logout', { token, body: {} });
        return { as: token };
      },
    ],
  ])('changes nothing %s until the password is typed', async (_, given) => {
    const ann = await join(addressOf('ann'));
    const token = await linkFor(ann);
    const by = await given(ann);
    const before = await eventsOf(ann.userId);
    expect(await confirm(token, by)).toMatchObject({
      status: 403,
      body: { code: 'PASSWORD_REQUIRED', reason: 'own_address' },
    });
    expect(await confirm(token, { ...by, password: 'wrong' })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    });
    expect((await eventsOf(ann.userId)).filter((type) => !type.startsWith('Mail'))).toEqual(
      before.filter((type) => !type.startsWith('Mail')),
    );
    expect(await profileOf(ann)).toMatchObject({ email_state: 'unconfirmed' });
    expect(await confirm(token, { ...by, password: PASSWORD })).toMatchObject({
      status: 200,
      body: { email: ann.email },
    });
    expect(await profileOf(ann)).toMatchObject({ email_state: 'confirmed' });
  });

  it('counts in a session of the account, and ends nothing', async () => {
    const ann = await join(addressOf('ann'));
    const { body: key } = await ann.call('POST', '/api/v1/api-keys', { name: 'mine', scope: 'read' });
    await enrolled(app, ann);
    expect(await confirm(await linkFor(ann), { as: ann.token })).toMatchObject({ status: 200 });
    expect(await profileOf(ann)).toMatchObject({ email_state: 'confirmed', mfa: 'on' });
    expect((await app.call('GET', '/api/v1/jobs', { token: key.key })).status).toBe(200);
  });

  it('counts wrong passwords as log-ins: the same wait, for both, and the same line in the log', async () => {
    const ann = await join(addressOf('ann'));
    const token = await linkFor(ann);
    const refused = (): number => {
      app.deps.securityLog.flush();
      const lines = app.logLines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'login_refused');
      return lines.reduce((sum, { count }) => sum + count, 0);
    };
    const before = refused();
    const statuses = [];
    for (let nth = 0; nth < 6; nth += 1) statuses.push((await confirm(token, { password: `wrong ${nth}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(refused() - before).toBe(5);
    const late = await confirm(token);
    expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    expect(
      (await app.call('POST', '/api/v1/auth/login', { body: { email: ann.email, password: PASSWORD } })).status,
    ).toBe(429);
  });

  it('is not opened by the password of a disabled account', async () => {
    const ann = await join(addressOf('ann'));
    const token = await linkFor(ann);
    await app.given(`account-${ann.userId}`, {
      type: 'AccountDisabled',
      data: { userId: ann.userId, disabledAt: app.deps.now() },
    });
    expect(await confirm(token)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
    expect(await confirm(token, { as: ann.token })).toMatchObject({ status: 403 });
    expect(await eventsOf(ann.userId)).not.toContain('AccountEmailConfirmed');
  });

  it('offers a password of one’s own: the ordinary reset email, within its limits, and the link stays', async () => {
    const ann = await join(addressOf('ann'));
    const token = await linkFor(ann);
    expect(await choosePassword(token)).toMatchObject({ status: 200, body: { success: true, message: RESET_SENT } });
    const access = await resetLinkIn(ann.email);
    expect(await profileOf(ann)).toMatchObject({ email_state: 'unconfirmed' });
    for (let nth = 0; nth < 4; nth += 1) expect((await choosePassword(token)).status).toBe(200);
    expect((await eventsOf(ann.userId)).filter((type) => type === 'PasswordResetAsked')).toHaveLength(3);
    for (const wrong of ['', 'x', `${ann.userId}.${'A'.repeat(43)}`])
      expect((await choosePassword(wrong)).status).toBeGreaterThanOrEqual(400);
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token: access, body: { password: 'my own password' } }))
        .status,
    ).toBe(200);
    expect((await choosePassword(token)).status).toBe(404);
    expect(await logIn(ann.email, 'my own password')).toBe(ann.userId);
  });

  it('is not used up or followed by HEAD or GET', async () => {
    const ann = await join(addressOf('ann'));
    const token = await linkFor(ann);
    for (const method of ['GET', 'HEAD']) {
      await app.call(method, `/confirm-email?token=${token}`);
      expect((await app.call(method, `/api/v1/auth/confirm-email?token=${token}`)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await confirm(token)).status).toBe(200);
  });
});

describe('the link to a new address', () => {
  const moving = async () => {
    const [ann, next] = [await app.signUp({ email: addressOf('ann') }), addressOf('next')];
    await ann.call('POST', '/api/v1/auth/change-email', { email: next, password: PASSWORD });
    return { ann, next, token: await linkFor(ann, next) };
  };

  it('moves nobody who is neither logged in to the account nor knows its password, and offers them nothing', async () => {
    const { ann, next, token } = await moving();
    const other = await app.signUp();
    for (const by of [{}, { as: other.token }]) {
      const answer = await confirm(token, by);
      expect(answer).toMatchObject({ status: 403, body: { code: 'PASSWORD_REQUIRED', reason: 'new_address' } });
      expect(answer.body.error).toContain('This link belongs to another account');
    }
    expect(await confirm(token, { as: other.token, password: 'wrong' })).toMatchObject({ status: 401 });
    await app.newEvents();
    expect(await choosePassword(token)).toMatchObject({ status: 404, body: { code: 'CONFIRMATION_INVALID' } });
    expect(await app.newEvents()).toEqual([]);
    expect([await logIn(ann.email), await logIn(next)]).toEqual([ann.userId, null]);
  });

  it.each<[string, (user: TestUser) => { readonly as?: string; readonly password?: string }]>([
    ['in a session of the account', ({ token }) => ({ as: token })],
    ['with its password', () => ({ password: PASSWORD })],
  ])('moves it %s', async (_, by) => {
    const { ann, next, token } = await moving();
    expect(await confirm(token, by(ann))).toMatchObject({ status: 200, body: { email: next } });
    expect([await logIn(ann.email), await logIn(next)]).toEqual([null, ann.userId]);
  });
});

describe('an address that a stranger signed up with', () => {
  it('goes to its owner after a sign-up and the link; the stranger stays logged in without it', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    expect(
      (await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: PASSWORD } })).body.code,
    ).toBe('EMAIL_TAKEN');
    app.advance(2 * DAYS);
    // Sessions expire meanwhile.
    const strangersToken = (await app.call('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })).body
      .token;
    const owner = await join(email);
    expect(await profileOf(owner)).toMatchObject({ email_state: 'contended' });
    expect(await logIn(email)).toBe(stranger.userId);
    expect((await confirm(await linkFor(owner))).status).toBe(200);
    expect(await profileOf(owner)).toMatchObject({ email_state: 'confirmed' });
    expect(await logIn(email)).toBe(owner.userId);
    const { body } = await app.call('GET', '/api/v1/auth/profile', { token: strangersToken });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'lost' });
  });

  it('goes to its owner at once by a password reset, after which nothing of the stranger’s opens the account', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    const { body: made } = await stranger.call('POST', '/api/v1/api-keys', { name: 'mine', scope: 'read' });
    const keyOpens = async () => (await app.call('GET', '/api/v1/jobs', { token: made.key })).status;
    expect(await keyOpens()).toBe(200);
    const token = await resetLinkFor(email);
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: 'a new password' } })).status,
    ).toBe(200);
    expect([await keyOpens(), (await stranger.call('GET', '/api/v1/auth/profile')).status]).toEqual([401, 401]);
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password: 'a new password' } });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'confirmed' });
  });

  it('asks its owner for no code of the stranger’s once a reset has proven it', async () => {
    const email = addressOf('ann');
    const stranger = await join(email);
    await enrolled(app, stranger);
    const password = 'a new password';
    await app.call('POST', '/api/v1/auth/update-password', { token: await resetLinkFor(email), body: { password } });
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password } });
    expect(body.profile).toMatchObject({ id: stranger.userId, email_state: 'confirmed', mfa: 'off' });
    await mailing.server.next(
      ({ to, subject }) => to === email && subject.startsWith('Two-factor authentication was turned off'),
    );
    await app.readModels.reached(['activity'], await app.store.head(), 5_000);
    expect((await app.call('GET', '/api/v1/auth/activity', { token: body.token })).text).toContain(
      'Two-factor authentication turned off',
    );
  });

  it('is not moved away by a link from before the reset', async () => {
    const [email, away] = [addressOf('ann'), addressOf('away')];
    const stranger = await join(email);
    await stranger.call('POST', '/api/v1/auth/change-email', { email: away, password: PASSWORD });
    const link = await linkFor(stranger, away);
    await app.call('POST', '/api/v1/auth/update-password', {
      token: await resetLinkFor(email),
      body: { password: 'a new password' },
    });
    const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password: 'a new password' } });
    expect(body.profile).toMatchObject({ email_state: 'confirmed', pending_email: null });
    expect(await confirm(link)).toMatchObject({ status: 404, body: { code: 'CONFIRMATION_INVALID' } });
    expect([await logIn(email, 'a new password'), await logIn(away, 'a new password')]).toEqual([
      stranger.userId,
      null,
    ]);
  });

  it('does not block a change to it', async () => {
    const email = addressOf('next');
    await join(email);
    const ann = await app.signUp();
    expect((await ann.call('POST', '/api/v1/auth/change-email', { email, password: PASSWORD })).body).toMatchObject({
      pending: true,
    });
    expect((await confirm(await linkFor(ann, email))).status).toBe(200);
    expect(await logIn(email)).toBe(ann.userId);
  });
});

it('an address gets only a few links a day, however many accounts ask for it; its owner can sign up all the same', async () => {
  const email = addressOf('third');
  const ask = async (user: TestUser) =>
    (await user.call('POST', '/api/v1/auth/change-email', { email, password: PASSWORD })).body;
  const [ann, bob] = [await app.signUp(), await app.signUp()];
  for (const user of [ann, bob, ann, bob]) expect(await ask(user)).toMatchObject({ pending: true });
  expect((await resend(ann)).body).toEqual({ success: true, sent_to: email });
  const refusal = {
    code: 'TOO_MANY_CONFIRMATIONS',
    error: 'We can’t send more links to this address today. Please try again tomorrow.',
  };
  expect(await ask(await app.signUp())).toMatchObject(refusal);
  expect((await resend(bob)).body).toMatchObject(refusal);
  const owner = await join(email);
  expect((await confirm(await linkFor(owner))).status).toBe(200);
});

describe('a link to another address, requested by somebody who has the password', () => {
  it.each<[string, (owner: TestUser) => Promise<unknown>, string]>([
    [
      'a new password',
      (owner) =>
        owner.call('POST', '/api/v1/auth/change-password', { current_password: PASSWORD, password: 'a new password' }),
      'a new password',
    ],
    ['logging out everywhere', (owner) => owner.call('POST', '/api/v1/auth/logout-everywhere', {}), PASSWORD],
  ])('leads nowhere after %s; the one to its own address still works', async (_, end, password) => {
    const [ann, away] = [await join(addressOf('ann')), addressOf('away')];
    await ann.call('POST', '/api/v1/auth/change-email', { email: away, password: PASSWORD });
    const [own, link] = [await linkFor(ann), await linkFor(ann, away)];
    await end(ann);
    expect((await confirm(link)).status).toBe(404);
    expect((await confirm(own, { password })).status).toBe(200);
  });
});

it('a reset keeps the second factor of an account whose address was proven before', async () => {
  const ann = await app.signUp({ email: addressOf('ann') });
  await enrolled(app, ann);
  const body = { password: 'a new password' };
  expect(
    (await app.call('POST', '/api/v1/auth/update-password', { token: await resetLinkFor(ann.email), body })).status,
  ).toBe(200);
  const answer = await app.call('POST', '/api/v1/auth/login', { body: { ...body, email: ann.email } });
  expect(answer.body).toMatchObject({ mfa_required: true });
});

it('the configured administrator is the account that confirms that address, from the first log-in after', async () => {
  const boss = await join(BOSS);
  const early = (await app.call('POST', '/api/v1/auth/login', { body: { email: BOSS, password: PASSWORD } })).body;
  expect([await profileOf(boss), early.profile]).toMatchObject([{ is_admin: false }, { is_admin: false }]);
  await confirm(await linkFor(boss), { as: boss.token });
  expect(await profileOf(boss)).toMatchObject({ is_admin: false });
  expect((await boss.call('GET', '/api/v1/admin/overview')).status).toBe(403);
  // Renewing a session is no log-in.
  const renewed = (
    await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: early.session.refresh_token } })
  ).body.token;
  expect((await app.call('GET', '/api/v1/admin/overview', { token: renewed })).status).toBe(403);
  const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email: BOSS, password: PASSWORD } });
  expect(body.profile).toMatchObject({ is_admin: true });
  expect((await app.call('GET', '/api/v1/admin/overview', { token: body.token })).status).toBe(200);
});

it('where no email is sent, no confirmation is required', async () => {
  const silent = await startTestApp({ config: { mail: false } });
  try {
    const user = await silent.signUp({ confirmed: false });
    const profile = async () => (await user.call('GET', '/api/v1/auth/profile')).body;
    expect((await profile()).profile).toMatchObject({ email_state: 'confirmed', pending_email: null });
    expect(
      (await user.call('POST', '/api/v1/auth/change-email', { email: 'next@example.com', password: PASSWORD })).body,
    ).toMatchObject({ pending: false });
    expect(await profile()).toMatchObject({
      user: { email: 'next@example.com' },
      profile: { email_state: 'confirmed' },
    });
    expect((await user.call('POST', '/api/v1/auth/resend-confirmation', {})).body).toEqual({
      success: true,
      sent_to: null,
    });
  } finally {
    await silent.close();
  }
});
