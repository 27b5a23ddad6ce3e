/** Single sign-on over HTTP, at a real provider. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantAdmin } from '../../src/commands/account/grantAdmin.ts';
import { proveEmail } from '../../src/commands/account/proveEmail.ts';
import { adminsInLog, revokeAdmin } from '../../src/commands/account/revokeAdmin.ts';
import { contextOf } from '../../src/commands/context.ts';
import { loadState } from '../../src/commands/handle.ts';
import { requestSessionsEnd } from '../../src/commands/session/endSessions.ts';
import { logInStream } from '../../src/domain/logIn/events.ts';
import { logInDecider } from '../../src/domain/logIn/logIn.ts';
import { openIdSso } from '../../src/integrations/sso/openIdSso.ts';
import { type SsoProvider, ssoPage } from '../../src/integrations/sso/sso.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { enrolled } from '../given/secondFactor.ts';
import { followLogIn, type OidcPerson, type OidcServer, startOidc } from '../servers/oidc.ts';

type Answer = Awaited<ReturnType<TestApp['call']>>;

const APP_URL = 'https://seo.example.com';
const NO_LIMIT = { points: 1e6, seconds: 60 };
const SSO = '/api/v1/auth/sso';
const IDENTITIES = '/api/v1/auth/identities';

let oidc: OidcServer;
let other: OidcServer;
let app: TestApp;
let providers: SsoProvider[];
/** By how much this server's clock is ahead of the provider's, ms. */
let skew = 0;

const providerAt = (server: OidcServer, id: string, more: Partial<SsoProvider> = {}): SsoProvider => ({
  id,
  label: `The ${id}`,
  issuer: server.issuer,
  clientId: server.clientId,
  clientSecret: server.clientSecret,
  createsAccounts: true,
  domains: [],
  adminGroup: null,
  groupsClaim: 'groups',
  ...more,
});

beforeAll(async () => {
  const pages = ['local', 'admins', 'closed', 'domain', 'gone'].map((id) => ssoPage(APP_URL, id));
  [oidc, other] = await Promise.all([startOidc(pages), startOidc([ssoPage(APP_URL, 'other')])]);
  providers = [
    providerAt(oidc, 'local'),
    providerAt(other, 'other'),
    providerAt(oidc, 'admins', { adminGroup: 'seo-admins' }),
    providerAt(oidc, 'closed', { createsAccounts: false }),
    providerAt(oidc, 'domain', { domains: ['example.org'] }),
  ];
  const sso = { providers, ...openIdSso({ appUrl: APP_URL, now: () => Date.now() + skew }) };
  app = await startTestApp({
    deps: { sso },
    rateLimits: { recovery: NO_LIMIT, signup: NO_LIMIT },
    config: { mail: true },
  });
  // Of the installation: it is nobody’s here.
  await app.signUp();
});
afterAll(async () => {
  await app.close();
  await Promise.all([oidc.close(), other.close()]);
});

const newEmail = (domain = 'example.com'): string => `${randomUUID()}@${domain}`;
const verified = (email: string, more: OidcPerson = {}): OidcPerson => ({ email, email_verified: true, ...more });
const cookiesOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const queryOf = (url: URL): Record<string, string> => Object.fromEntries(url.searchParams);

/** A browser that came back from the provider, and has not finished yet. */
async function cameBack(provider = 'local', at: string = `${SSO}/${provider}`, token?: string, body?: object) {
  const started = await app.call('POST', `${at}/start`, { token, ...(body ? { body } : {}) });
  expect(started).toMatchObject({ status: 200, body: { success: true } });
  const back = await followLogIn(started.body.url, ssoPage(APP_URL, provider));
  const cookie = cookiesOf(started);
  const answer = queryOf(back);
  return {
    cookie,
    answer,
    finish: (more: object = {}, headers: Record<string, string> = { cookie }) =>
      app.call('POST', `${at}/finish`, { token, body: { ...answer, ...more }, headers }),
  };
}

const logIn = async (subject: string, person: OidcPerson, provider = 'local'): Promise<Answer> => {
  (provider === 'other' ? other : oidc).becomes(subject, person);
  return (await cameBack(provider)).finish();
};

const add = async (user: { readonly token: string }, subject: string, person: OidcPerson): Promise<Answer> => {
  oidc.becomes(subject, person);
  const { finish } = await cameBack('local', `${IDENTITIES}/local`, user.token, { password: PASSWORD });
  return finish();
};

const identitiesOf = async (token: string) => (await app.call('GET', IDENTITIES, { token })).body.identities;

const context = () =>
  contextOf(
    { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
    null,
  );

async function proven(email?: string): Promise<TestUser> {
  const user = await app.signUp({ confirmed: false, ...(email ? { email } : {}) });
  await proveEmail(context(), { userId: user.userId, email: user.email, by: 'session' });
  return user;
}

describe('logging in at a provider', () => {
  it('makes an account without a password at the first log-in, and opens it at later ones', async () => {
    const [subject, email] = [randomUUID(), newEmail()];
    const first = await logIn(subject, verified(email, { name: 'Ada' }));
    expect(first).toMatchObject({
      status: 200,
      body: { email, profile: { name: 'Ada', email_state: 'confirmed', has_password: false, is_admin: false } },
    });
    const second = await logIn(subject, verified(email));
    expect(second).toMatchObject({ status: 200, body: { user_id: first.body.user_id } });
    const { sessions } = (await app.call('GET', '/api/v1/auth/sessions', { token: second.body.token })).body;
    expect(sessions).toContainEqual(expect.objectContaining({ current: true, logged_in_by: 'provider' }));
    expect(await identitiesOf(second.body.token)).toMatchObject([{ provider: 'local', email, offered: true }]);
    for (const password of [PASSWORD, 'null', 'undefined'])
      expect((await app.call('POST', '/api/v1/auth/login', { body: { email, password } })).status).toBe(401);
  });

  it('opens the account, too, once the provider has another address for the person', async () => {
    const subject = randomUUID();
    const { user_id } = (await logIn(subject, verified(newEmail()))).body;
    const answer = await logIn(subject, { email: newEmail(), email_verified: false });
    expect(answer).toMatchObject({ status: 200, body: { user_id } });
  });

  it('tells its page what is set up, without a secret', async () => {
    const { text, body } = await app.call('GET', '/api/v1/status');
    expect(body.data.log_in.providers).toEqual(providers.map(({ id, label }) => ({ id, label })));
    expect(text).not.toContain(oidc.clientSecret);
    expect((await app.call('POST', `${SSO}/nobody/start`)).body.code).toBe('SSO_PROVIDER_NOT_FOUND');
  });

  it('asks for the second factor as ever', async () => {
    const user = await proven();
    const subject = randomUUID();
    expect((await add(user, subject, verified(user.email))).status).toBe(200);
    await enrolled(app, user);
    const answer = await logIn(subject, verified(user.email));
    expect(answer).toMatchObject({ status: 200, body: { mfa_required: true } });
    expect(answer.body.token).toBeUndefined();
  });

  it('leads back to this installation alone, whatever else is asked for', async () => {
    const started = await app.call('POST', `${SSO}/local/start?redirect_to=https://evil.example`, {});
    const url = new URL(started.body.url);
    expect(url.searchParams.get('redirect_uri')).toBe(`${APP_URL}/login/sso/local`);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.href).not.toContain('evil');
  });

  it('logs out there, too, if the provider opened the session', async () => {
    const { token } = (await logIn(randomUUID(), verified(newEmail()))).body;
    const { body } = await app.call('POST', '/api/v1/auth/logout', { token });
    expect(body.end_session_url).toContain(`${oidc.issuer}/session/end`);
    const user = await app.signUp();
    const other = await app.call('POST', '/api/v1/auth/logout', { token: user.token });
    expect(other.body).toEqual({ success: true, message: 'Logged out' });
  });
});

describe('what the provider must say', () => {
  it.each([
    ['an unverified address', (email: string) => ({ email, email_verified: false })],
    ['an address of which it says nothing', (email: string) => ({ email })],
    ['no address', () => ({})],
  ])('opens nothing with %s', async (_name, person) => {
    const email = newEmail();
    expect((await logIn(randomUUID(), person(email))).body.code).toBe('IDENTITY_UNVERIFIED');
    const user = await proven();
    expect((await logIn(randomUUID(), person(user.email))).body.code).toBe('IDENTITY_UNVERIFIED');
    expect((await add(user, randomUUID(), person(user.email))).body.code).toBe('IDENTITY_UNVERIFIED');
  });

  it('never opens an account by its address', async () => {
    const user = await proven();
    const answer = await logIn(randomUUID(), verified(user.email));
    expect(answer).toMatchObject({ status: 409, body: { code: 'IDENTITY_NOT_LINKED' } });
    expect(await identitiesOf(user.token)).toEqual([]);
  });

  it('makes no account where the provider may not', async () => {
    const email = newEmail();
    expect((await logIn(randomUUID(), verified(email), 'closed')).body.code).toBe('IDENTITY_UNKNOWN');
    expect((await app.call('POST', '/api/v1/auth/signup-first', { body: { email, password: PASSWORD } })).status).toBe(
      201,
    );
  });

  it('is of an allowed domain, at each log-in', async () => {
    const subject = randomUUID();
    const of = (email: string, email_verified = true) => logIn(subject, { email, email_verified }, 'domain');
    expect((await of(newEmail('example.com'))).body.code).toBe('IDENTITY_NOT_ALLOWED');
    expect((await of(newEmail('example.org'), false)).body.code).toBe('IDENTITY_NOT_ALLOWED');
    expect((await of('ada@example.com@example.org.evil.example')).body.code).toBe('IDENTITY_NOT_ALLOWED');
    const { token } = (await of(newEmail('EXAMPLE.org'))).body;
    expect(token).toBeDefined();
    expect((await of(newEmail('example.com'))).body.code).toBe('IDENTITY_NOT_ALLOWED');
  });

  it('gives the address to its owner, whoever signed up with it before', async () => {
    const stranger = await app.signUp({ confirmed: false });
    const strangers = await add(stranger, randomUUID(), verified(newEmail()));
    expect(strangers.status).toBe(200);
    const subject = randomUUID();
    const answer = await logIn(subject, verified(stranger.email));
    expect(answer).toMatchObject({ status: 200, body: { email: stranger.email } });
    expect(answer.body.user_id).not.toBe(stranger.userId);
    const body = { email: stranger.email, password: PASSWORD };
    expect((await app.call('POST', '/api/v1/auth/login', { body })).status).toBe(401);
    expect(await identitiesOf(answer.body.token)).toHaveLength(1);
  });
});

describe('answers that are not the browser’s own', () => {
  it('refuses a state without the cookie, with another browser’s, and one for other purposes', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    const [mine, theirs] = [await cameBack(), await cameBack()];
    for (const headers of [{}, { cookie: theirs.cookie }, { cookie: `${mine.cookie}x` }] as Record<string, string>[])
      expect(await mine.finish({}, headers)).toMatchObject({ status: 409, body: { code: 'SSO_REFUSED' } });
    const user = await proven();
    const adding = await app.call('POST', `${IDENTITIES}/local/finish`, {
      token: user.token,
      body: mine.answer,
      headers: { cookie: mine.cookie },
    });
    expect(adding.body.code).toBe('SSO_REFUSED');
    expect((await mine.finish({ state: theirs.answer.state })).body.code).toBe('SSO_REFUSED');
    expect((await mine.finish()).status).toBe(200);
  });

  it('takes a code, a state and a nonce once', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    const back = await cameBack();
    const first = await back.finish();
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie().join()).toMatch(/sso_attempt=;/);
    expect((await back.finish()).body.code).toBe('SSO_REFUSED');
    const next = await cameBack();
    // Another attempt’s code was given for another nonce and verifier.
    expect((await next.finish({ code: back.answer.code })).body.code).toBe('SSO_REFUSED');
    // That attempt is over, also for its own code.
    expect((await next.finish()).body.code).toBe('SSO_REFUSED');
  });

  it('refuses the code of another attempt, before it was used', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    const [mine, theirs] = [await cameBack(), await cameBack()];
    expect((await mine.finish({ code: theirs.answer.code })).body.code).toBe('SSO_REFUSED');
  });

  it('refuses one that names another issuer, or none, and another provider’s code', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    other.becomes(randomUUID(), verified(newEmail()));
    expect((await (await cameBack()).finish({ iss: other.issuer })).body.code).toBe('SSO_REFUSED');
    expect((await (await cameBack()).finish({ iss: undefined })).body.code).toBe('SSO_REFUSED');
    const [mine, theirs] = [await cameBack(), await cameBack('other')];
    expect((await mine.finish({ code: theirs.answer.code })).body.code).toBe('SSO_REFUSED');
    const crossed = await app.call('POST', `${SSO}/other/finish`, {
      body: mine.answer,
      headers: { cookie: mine.cookie },
    });
    expect(crossed.body.code).toBe('SSO_REFUSED');
  });

  it('refuses one that comes after ten minutes', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    const late = await cameBack();
    app.advance(10 * 60_000);
    expect((await late.finish()).body.code).toBe('SSO_REFUSED');
  });

  it('writes no secret and no code to the log', async () => {
    oidc.becomes(randomUUID(), verified(newEmail()));
    const back = await cameBack();
    await back.finish({ iss: other.issuer });
    const lines = app.logLines.join('\n');
    for (const secret of [oidc.clientSecret, `${back.answer.code}`, back.cookie.slice('sso_attempt='.length)])
      expect(lines).not.toContain(secret);
  });
});

describe('the provider’s clock and keys', () => {
  it('forgives a minute, and no more', async () => {
    const HOUR = 3_600_000;
    try {
      // Its ID tokens are valid for an hour.
      skew = HOUR + 40_000;
      expect((await logIn(randomUUID(), verified(newEmail()))).status).toBe(200);
      skew = HOUR + 90_000;
      expect((await logIn(randomUUID(), verified(newEmail()))).body.code).toBe('SSO_REFUSED');
    } finally {
      skew = 0;
    }
  });

  it('follows new keys at once', async () => {
    expect((await logIn(randomUUID(), verified(newEmail()))).status).toBe(200);
    oidc.rotateKeys();
    expect((await logIn(randomUUID(), verified(newEmail()))).status).toBe(200);
  });

  it('says so when the provider is away', async () => {
    const gone = await startOidc([ssoPage(APP_URL, 'gone')]);
    providers.push(providerAt(gone, 'gone'));
    await gone.close();
    expect(await app.call('POST', `${SSO}/gone/start`)).toMatchObject({
      status: 503,
      body: { code: 'SSO_UNAVAILABLE' },
    });
    providers.pop();
  });
});

describe('the admin right from a group', () => {
  const MEMBER = { groups: ['staff', 'seo-admins'] };
  const isAdmin = (answer: Answer): boolean => answer.body.profile.is_admin;

  it('is given and taken at each log-in', async () => {
    const [subject, email] = [randomUUID(), newEmail()];
    expect(isAdmin(await logIn(subject, verified(email, MEMBER), 'admins'))).toBe(true);
    // Another provider has no say in it.
    expect(isAdmin(await logIn(subject, verified(email), 'local'))).toBe(true);
    expect(isAdmin(await logIn(subject, verified(email, { groups: ['staff'] }), 'admins'))).toBe(false);
    expect(isAdmin(await logIn(subject, verified(email, MEMBER), 'admins'))).toBe(true);
    expect(isAdmin(await logIn(subject, verified(email, { groups: [] }), 'admins'))).toBe(false);
    const given = await app.newEvents();
    expect(given.filter(({ type }) => type === 'AccountAdminGranted').at(-1)?.data).toMatchObject({
      reason: 'provider',
      provider: 'admins',
    });
  });

  it('goes with the identity that it came by', async () => {
    const [subject, email] = [randomUUID(), newEmail()];
    const { token } = (await logIn(subject, verified(email, MEMBER), 'admins')).body;
    const [{ id }] = await identitiesOf(token);
    expect((await app.call('DELETE', `${IDENTITIES}/${id}`, { token, body: {} })).status).toBe(200);
    expect((await app.call('GET', '/api/v1/auth/profile', { token })).body.profile.is_admin).toBe(false);
  });

  it('is not taken if somebody else gave it', async () => {
    const user = await proven();
    await grantAdmin(context(), { userId: user.userId, reason: 'operator' });
    const subject = randomUUID();
    expect((await add(user, subject, verified(user.email))).status).toBe(200);
    expect(isAdmin(await logIn(subject, verified(user.email, { groups: [] }), 'admins'))).toBe(true);
  });

  it('is not given back to somebody from whom a person took it', async () => {
    const [subject, email] = [randomUUID(), newEmail()];
    const { user_id: userId } = (await logIn(subject, verified(email, MEMBER), 'admins')).body;
    const listAdmins = () => adminsInLog(app.store);
    await revokeAdmin(context(), { userId, reason: 'admin', adminEmail: null, listAdmins });
    expect(isAdmin(await logIn(subject, verified(email, MEMBER), 'admins'))).toBe(false);
  });
});

describe('identities of an account', () => {
  it('are not added by a session that was ordered to end meanwhile', async () => {
    const user = await proven();
    oidc.becomes(randomUUID(), verified(newEmail()));
    const { finish } = await cameBack('local', `${IDENTITIES}/local`, user.token, { password: PASSWORD });
    await app.projector.pause();
    try {
      await requestSessionsEnd(context(), { userId: user.userId, keptSessionId: null });
      expect((await finish()).body.code).toBe('SESSION_ENDED');
    } finally {
      await app.projector.resume();
    }
    const { state } = await loadState(app.store, logInDecider, logInStream(user.userId));
    expect(state.identities).toEqual({});
  });

  it('are added by whoever is logged in and gives the password, and open the account', async () => {
    const user = await proven();
    for (const body of [{}, { password: 'wrong password' }])
      expect((await app.call('POST', `${IDENTITIES}/local/start`, { token: user.token, body })).body.code).toBe(
        'WRONG_PASSWORD',
      );
    const subject = randomUUID();
    const elsewhere = newEmail();
    expect(await add(user, subject, verified(elsewhere))).toMatchObject({
      status: 200,
      body: { identity: { provider: 'local', label: 'The local', email: elsewhere, offered: true } },
    });
    expect((await logIn(subject, verified(elsewhere))).body.user_id).toBe(user.userId);
    expect((await add(user, subject, verified(elsewhere))).status).toBe(200);
    expect(await identitiesOf(user.token)).toHaveLength(1);
  });

  it('belong to one account', async () => {
    const [one, two] = [await proven(), await proven()];
    const subject = randomUUID();
    await add(one, subject, verified(one.email));
    expect(await add(two, subject, verified(one.email))).toMatchObject({
      status: 409,
      body: { code: 'identity_already_exists' },
    });
    expect((await logIn(subject, verified(one.email))).body.user_id).toBe(one.userId);
  });

  it('are added by the user who began alone', async () => {
    const [one, two] = [await proven(), await proven()];
    oidc.becomes(randomUUID(), verified(one.email));
    const { answer, cookie } = await cameBack('local', `${IDENTITIES}/local`, one.token, { password: PASSWORD });
    const call = { token: two.token, body: answer, headers: { cookie } };
    expect((await app.call('POST', `${IDENTITIES}/local/finish`, call)).body.code).toBe('SSO_REFUSED');
    expect(await identitiesOf(two.token)).toEqual([]);
  });

  it('are removed, and then open nothing', async () => {
    const user = await proven();
    const subject = randomUUID();
    const { id } = (await add(user, subject, verified(user.email))).body.identity;
    const path = `${IDENTITIES}/${id}`;
    const stranger = await proven();
    const remove = (token: string, body: object = { password: PASSWORD }) => app.call('DELETE', path, { token, body });
    expect((await remove(stranger.token)).body.code).toBe('identity_not_found');
    expect((await remove(user.token, {})).body.code).toBe('WRONG_PASSWORD');
    expect((await remove(user.token)).status).toBe(200);
    expect((await remove(user.token)).body.code).toBe('identity_not_found');
    expect((await logIn(subject, verified(user.email))).body.code).toBe('IDENTITY_NOT_LINKED');
  });

  it('need a recent log-in where there is no password, and leave a way by email', async () => {
    const subject = randomUUID();
    const email = newEmail();
    const { token } = (await logIn(subject, verified(email))).body;
    const [{ id }] = await identitiesOf(token);
    app.advance(16 * 60_000);
    const path = `${IDENTITIES}/${id}`;
    expect((await app.call('DELETE', path, { token, body: {} })).body.code).toBe('RECENT_LOGIN_REQUIRED');
    const again = (await logIn(subject, verified(email))).body.token;
    expect((await app.call('DELETE', path, { token: again, body: {} })).status).toBe(200);
  });

  it('are no longer offered once the provider is removed', async () => {
    const { token } = (await logIn(randomUUID(), verified(newEmail()), 'other')).body;
    const [removed] = providers.splice(1, 1);
    expect(await identitiesOf(token)).toMatchObject([{ provider: 'other', label: 'other', offered: false }]);
    if (removed) providers.splice(1, 0, removed);
  });
});
