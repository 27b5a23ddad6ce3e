/** Logging in and signing up by email over HTTP, with the email as a real mail server received it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emailStreamOf } from '../../src/commands/account/emailStreamOf.ts';
import { proveEmail } from '../../src/commands/account/proveEmail.ts';
import { contextOf } from '../../src/commands/context.ts';
import { LOG_IN_MAIL_SENT } from '../../src/http/contract/logIn.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { codeOf, enrolled } from '../given/secondFactor.ts';
import { type MailingApp, startMailing } from '../given/work/mails.ts';

type Answer = Awaited<ReturnType<TestApp['call']>>;

const NO_LIMIT = { points: 1e6, seconds: 60 };
let app: TestApp;
let mailing: MailingApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimits: { reset: NO_LIMIT, recovery: NO_LIMIT, signup: NO_LIMIT } });
  mailing = await startMailing(app);
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});
beforeEach(() => app.advance(2 * 60 * 60_000));

const PATH = '/api/v1/auth/log-in-mail';
const cookiesOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** A browser that keeps its cookies. */
function browser() {
  let cookie = '';
  const post = async (path: string, body: object): Promise<Answer> => {
    const answer = await app.call('POST', path, { body, headers: cookie ? { cookie } : {} });
    cookie = [cookie, cookiesOf(answer)].filter((each) => each !== '').join('; ');
    return answer;
  };
  return {
    post,
    ask: (email: string, more: object = {}) => post(PATH, { email, ...more }),
    enter: (email: string, code: string) => post(`${PATH}/code`, { email, code }),
  };
}

const read = new Set<string>();
/** The next email to log in with that has not been read yet. */
async function mailed(
  email: string,
): Promise<{ readonly code: string; readonly token: string; readonly text: string }> {
  const { text } = await mailing.server.next(
    (mail) => mail.to === email && /^Log in to/.test(mail.subject) && !read.has(mail.text),
  );
  read.add(text);
  const link = mailing.link(text, '/email-login');
  return {
    text,
    code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
    token: new URLSearchParams(link.hash.slice(1)).get('token') ?? '',
  };
}
const other = (code: string): string => (code === '000000' ? '111111' : '000000');
const useLink = (token: string) => app.call('POST', `${PATH}/link`, { body: { token } });
const sessionsOf = async (token: string): Promise<readonly object[]> =>
  (await app.call('GET', '/api/v1/auth/sessions', { token })).body.sessions;
const logIn = (email: string, password = PASSWORD) =>
  app.call('POST', '/api/v1/auth/login', { body: { email, password } });
const statusOf = async (token: string): Promise<number> =>
  (await app.call('GET', '/api/v1/auth/profile', { token })).status;
/** Signed up, and proved the address in that session. */
async function proven(): Promise<TestUser> {
  const user = await app.signUp({ confirmed: false });
  const ctx = contextOf(
    { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
    null,
  );
  await proveEmail(ctx, { userId: user.userId, email: user.email, by: 'session' });
  return user;
}
/** In a new browser, with the code it was sent. */
async function logInByCode(email: string, more: object = {}): Promise<Answer> {
  const { ask, enter } = browser();
  await ask(email, more);
  return enter(email, (await mailed(email)).code);
}

describe('logging in by email', () => {
  it('takes the code in the browser that asked, once, and says so of the session', async () => {
    const user = await proven();
    const { ask, enter } = browser();
    expect(await ask(user.email)).toMatchObject({ status: 200, body: { success: true, message: LOG_IN_MAIL_SENT } });
    const { code } = await mailed(user.email);
    const stranger = browser();
    expect((await stranger.enter(user.email, code)).status).toBe(401);
    const answer = await enter(user.email, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(answer).toMatchObject({ status: 200, body: { success: true, email: user.email } });
    const { token } = answer.body as { token: string };
    expect(await sessionsOf(token)).toContainEqual(expect.objectContaining({ current: true, logged_in_by: 'mail' }));
    expect(await sessionsOf(token)).toHaveLength(2);
    expect(await enter(user.email, code)).toMatchObject({ status: 401, body: { code: 'LOG_IN_CODE_INVALID' } });
    expect(await statusOf(user.token)).toBe(200);
  });

  it('takes the link anywhere, once, after showing whose it is', async () => {
    const user = await proven();
    await browser().ask(user.email);
    const { token } = await mailed(user.email);
    const open = await app.call('POST', `${PATH}/open`, { body: { token } });
    expect(open).toMatchObject({ status: 200, body: { email: user.email } });
    expect(await useLink(token)).toMatchObject({ status: 200, body: { email: user.email } });
    expect(await useLink(token)).toMatchObject({ status: 401, body: { code: 'LOG_IN_LINK_INVALID' } });
    expect((await app.call('GET', `${PATH}/link`)).status).toBe(405);
  });

  it('answers alike whether or not an account has the address', async () => {
    const user = await proven();
    const [known, unknown] = [browser(), browser()];
    const [one, two] = [await known.ask(user.email), await unknown.ask('nobody@example.com')];
    expect(two.body).toEqual(one.body);
    expect(two.status).toBe(one.status);
    await mailed(user.email);
    const wrong = await known.enter(user.email, 'x');
    const none = await unknown.enter('nobody@example.com', 'x');
    expect([none.status, { ...none.body, requestId: '' }]).toEqual([wrong.status, { ...wrong.body, requestId: '' }]);
  });

  it('ends a code after five wrong ones, and nothing of the owner’s', async () => {
    const user = await proven();
    const [owner, stranger] = [browser(), browser()];
    await owner.ask(user.email);
    const own = await mailed(user.email);
    await stranger.ask(user.email);
    const strange = await mailed(user.email);
    for (let nth = 0; nth < 5; nth += 1)
      expect((await stranger.enter(user.email, other(strange.code))).status).toBe(401);
    expect((await stranger.enter(user.email, strange.code)).status).toBe(401);
    expect((await owner.enter(user.email, own.code)).status).toBe(200);
    expect((await logIn(user.email)).status).toBe(200);
  });

  it('takes no code or link that went to an address before', async () => {
    const user = await proven();
    const { ask, enter } = browser();
    await ask(user.email);
    const { code, token } = await mailed(user.email);
    app.advance(1_000);
    const email = `moved-${randomUUID()}@example.com`;
    const at = app.deps.now();
    const { userId, email: formerEmail } = user;
    await app.given(
      `account-${userId}`,
      { type: 'AccountEmailChangeAsked', data: { userId, email, askedAt: at, by: 'session' } },
      { type: 'AccountEmailChanged', data: { userId, formerEmail, email, changedAt: at } },
    );
    await app.given(emailStreamOf(email), { type: 'EmailClaimed', data: { userId, proven: true, claimedAt: at } });
    expect((await enter(email, code)).status).toBe(401);
    expect((await enter(formerEmail, code)).status).toBe(401);
    expect((await useLink(token)).status).toBe(401);
    app.advance(1_000);
    expect((await logInByCode(email)).status).toBe(200);
  });

  it('asks for the second factor as ever', async () => {
    const user = await proven();
    const { secret } = await enrolled(app, user);
    const { ask, enter } = browser();
    await ask(user.email);
    const { code } = await mailed(user.email);
    const challenge = await enter(user.email, code);
    expect(challenge).toMatchObject({ status: 200, body: { mfa_required: true } });
    app.advance(60_000);
    const { mfa_token } = challenge.body as { mfa_token: string };
    const answer = await app.call('POST', '/api/v1/auth/mfa/verify', {
      body: { mfa_token, code: codeOf(secret, app.deps.now()) },
    });
    expect(answer.status).toBe(200);
    expect(await sessionsOf((answer.body as { token: string }).token)).toContainEqual(
      expect.objectContaining({ current: true, logged_in_by: 'mail' }),
    );
  });
});

describe('the first proof of an address', () => {
  const HOOK = { url: 'https://hooks.example.com/', events: ['job.completed'] };

  it('by a code ends what a stranger had set up: sessions, password, key, webhook and second factor', async () => {
    const stranger = await app.signUp({ confirmed: false });
    const { token } = stranger;
    const { key } = (await app.call('POST', '/api/v1/api-keys', { token, body: { name: 'A', scope: 'write' } })).body;
    expect((await app.call('POST', '/api/v1/webhooks', { token, body: HOOK })).status).toBe(201);
    await enrolled(app, stranger);
    const answer = await logInByCode(stranger.email);
    // It was the stranger’s second factor, so it is not asked for.
    expect(answer).toMatchObject({ status: 200, body: { success: true, profile: { mfa: 'off' } } });
    const owner = answer.body.token as string;
    expect(await statusOf(owner)).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect((await app.call('GET', '/api/v1/jobs', { token: key })).status).toBe(401);
    expect((await app.call('GET', '/api/v1/webhooks', { token: owner })).body.data).toMatchObject([{ active: false }]);
    expect((await logIn(stranger.email)).status).toBe(401);
  });

  it('by a code is followed by others that end nothing', async () => {
    const { email } = await app.signUp({ confirmed: false });
    const { token } = (await logInByCode(email)).body;
    const { key } = (await app.call('POST', '/api/v1/api-keys', { token, body: { name: 'A', scope: 'write' } })).body;
    app.advance(60 * 60_000 - 10_000);
    expect((await logInByCode(email)).status).toBe(200);
    expect((await app.call('GET', '/api/v1/jobs', { token: key })).status).toBe(200);
  });
});

describe('signing up by email', () => {
  it('makes an account without a password, which the code opens and a reset gives one', async () => {
    const email = `new-${randomUUID()}@example.com`;
    const answer = await logInByCode(email, { create: true, name: 'Ada' });
    expect(answer).toMatchObject({ status: 200, body: { profile: { name: 'Ada', email_state: 'confirmed' } } });
    for (const password of ['', PASSWORD, 'undefined', 'null'])
      expect((await logIn(email, password)).status).toBeGreaterThanOrEqual(400);
    await app.call('POST', '/api/v1/auth/reset-password', { body: { email } });
    const { text } = await mailing.server.next((mail) => mail.to === email && /^Reset/.test(mail.subject));
    const fragment = new URLSearchParams(mailing.link(text, '/reset-password').hash.slice(1));
    const token = fragment.get('access_token') ?? '';
    expect(
      (await app.call('POST', '/api/v1/auth/update-password', { token, body: { password: PASSWORD } })).status,
    ).toBe(200);
    expect((await logIn(email)).status).toBe(200);
  });

  it('sends one email, and logs in to the account that has the address', async () => {
    const user = await proven();
    expect(await logInByCode(user.email, { create: true })).toMatchObject({
      status: 200,
      body: { user_id: user.userId },
    });
    const email = `one-${randomUUID()}@example.com`;
    await logInByCode(email, { create: true });
    expect(mailing.server.mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
      'Log in to SEO Workbench',
    ]);
  });

  it('gives nothing to a stranger who signed up with a password later', async () => {
    const email = `mine-${randomUUID()}@example.com`;
    await logInByCode(email, { create: true });
    expect(
      (await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: PASSWORD } })).body.code,
    ).toBe('EMAIL_TAKEN');
  });
});
