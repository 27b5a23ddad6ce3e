/** Strangers who try an account's password from many networks keep no browser out that logged in to it before. */
import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../given/product/http.ts';
import { codeOf, enrolled } from '../given/secondFactor.ts';

let app: TestApp;
afterEach(() => app.close());

/** Failures of an account from any address before the first wait. */
const POINTS = 3;
const PASSWORD = 'a good password';

const start = async (config: { readonly mail?: boolean } = {}): Promise<void> => {
  app = await startTestApp({
    config: { trustProxy: true, ...config },
    rateLimits: { loginAccount: { points: POINTS, seconds: 900, longestWait: 30 } },
  });
};
let networks = 0;
function elsewhere(): Record<string, string> {
  networks += 1;
  return { 'x-forwarded-for': `198.51.100.${networks}` };
}
const post = (path: string, body: object, cookie?: string) =>
  app.call('POST', `/api/v1/auth${path}`, { body, headers: { ...elsewhere(), ...(cookie ? { cookie } : {}) } });
const logIn = (email: string, password: string, cookie?: string) => post('/login', { email, password }, cookie);
const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('known_browser='))
    ?.split(';')[0] ?? '';

const signUp = (email: string) => post('/signup-first', { email, password: PASSWORD });
/** Signs up, proves the address, and logs in; the browser's cookie. */
async function knownTo(email: string): Promise<string> {
  await app.signUp({ email });
  return cookieOf(await logIn(email, PASSWORD));
}
async function lockOut(email: string, cookie?: string): Promise<void> {
  for (let nth = 0; nth < POINTS; nth += 1) expect((await logIn(email, 'wrong', cookie)).status).toBe(401);
  expect((await logIn(email, 'wrong', cookie)).status).toBe(429);
}

describe('while strangers try the password of an account', () => {
  it('a browser that logged in to it still can, from any network; others wait', async () => {
    await start();
    const loggedIn = await knownTo('ann@example.com');
    await lockOut('ann@example.com');
    expect((await logIn('ann@example.com', PASSWORD)).status).toBe(429);
    expect((await logIn(' Ann@Example.com', PASSWORD, loggedIn)).status).toBe(200);
    // Their own log-in gives strangers no new tries.
    expect((await logIn('ann@example.com', PASSWORD)).status).toBe(429);
  });

  it('so can the one that signed up where no emails are sent, since signing up proves the address there', async () => {
    await start({ mail: false });
    const signedUp = cookieOf(await signUp('ann@example.com'));
    await lockOut('ann@example.com');
    expect((await logIn('ann@example.com', PASSWORD)).status).toBe(429);
    expect((await logIn('ann@example.com', PASSWORD, signedUp)).status).toBe(200);
  });

  it('the cookie of another account, a changed one and one from long ago are worth nothing', async () => {
    await start();
    const own = await knownTo('ann@example.com');
    const anothers = await knownTo('bob@example.com');
    await lockOut('ann@example.com');
    const [ends = '', id = '', signature = ''] = own.replace('known_browser=', '').split('.');
    for (const cookie of [
      anothers,
      'known_browser=nonsense',
      `known_browser=${Number(ends) + 1}.${id}.${signature}`,
      `known_browser=${ends}.${'A'.repeat(43)}.${signature}`,
      `known_browser=${ends}.${id}.${'A'.repeat(43)}`,
    ])
      expect((await logIn('ann@example.com', PASSWORD, cookie)).status).toBe(429);
    expect((await logIn('ann@example.com', PASSWORD, own)).status).toBe(200);
    app.advance(181 * 24 * 60 * 60_000);
    expect((await logIn('ann@example.com', PASSWORD, own)).status).toBe(429);
  });
});

describe('a copy of the cookie', () => {
  it('allows no more guesses than a network has, from however many networks they come', async () => {
    await start();
    const cookie = await knownTo('ann@example.com');
    for (let nth = 0; nth < POINTS; nth += 1)
      expect((await logIn('ann@example.com', 'wrong', cookie)).status).toBe(401);
    expect((await logIn('ann@example.com', PASSWORD, cookie)).status).toBe(429);
    // It keeps nobody else out.
    expect((await logIn('ann@example.com', PASSWORD)).status).toBe(200);
  });

  it('says nothing about the account, and is not to be read by scripts or sent by other sites', async () => {
    await start();
    await app.signUp({ email: 'ann@example.com' });
    const answer = await logIn('ann@example.com', PASSWORD);
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('known_browser='));
    expect(cookie).toMatch(
      /^known_browser=\d{13}\.[\w-]{43}\.[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    );
    expect(cookieOf(await logIn('ann@example.com', 'wrong'))).toBe('');
  });
});

it('an address that is not proven makes no browser known: whoever signed up with it may be a stranger', async () => {
  await start();
  const signedUp = await signUp('ann@example.com');
  const loggedIn = await logIn('ann@example.com', PASSWORD);
  expect([signedUp.status, cookieOf(signedUp)]).toEqual([201, '']);
  expect([loggedIn.status, cookieOf(loggedIn)]).toEqual([200, '']);
  const { secret } = await enrolled(app, await app.signUp({ email: 'bob@example.com', confirmed: false }));
  const asked = await logIn('bob@example.com', PASSWORD);
  const code = codeOf(secret, app.deps.now(), 1);
  const shown = await post('/mfa/verify', { mfa_token: asked.body.mfa_token, code });
  expect([shown.status, cookieOf(shown)]).toEqual([200, '']);
});

it('an account with two-factor authentication gives the cookie with the code, not with the password alone', async () => {
  await start();
  const user = await app.signUp();
  const { secret } = await enrolled(app, user);
  const asked = await logIn(user.email, user.password);
  expect([asked.status, cookieOf(asked)]).toEqual([200, '']);
  const code = codeOf(secret, app.deps.now(), 1);
  const cookie = cookieOf(await post('/mfa/verify', { mfa_token: asked.body.mfa_token, code }));
  await lockOut(user.email);
  expect((await logIn(user.email, user.password, cookie)).status).toBe(200);
});

it('an account that does not exist is limited just like one that does', async () => {
  await start();
  await signUp('ann@example.com');
  const statusesOf = async (email: string) => {
    const statuses = [];
    for (let nth = 0; nth < POINTS + 2; nth += 1) statuses.push((await logIn(email, 'wrong')).status);
    return statuses;
  };
  expect(await statusesOf('nobody@example.com')).toEqual(await statusesOf('ann@example.com'));
});
