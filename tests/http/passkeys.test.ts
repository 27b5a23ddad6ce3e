/** Passkeys over HTTP, with an authenticator in software. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOf } from '../../src/commands/context.ts';
import { addPasskey, removePasskey } from '../../src/commands/logIn/passkeys.ts';
import { DELETION_CONFIRMATION } from '../../src/http/contract/account.ts';
import { type Authenticator, deviceFor } from '../given/passkey.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { codeOf, enrolled, turnSecondFactor } from '../given/secondFactor.ts';

type Answer = Awaited<ReturnType<TestApp['call']>>;

const NO_LIMIT = { points: 1e6, seconds: 60 };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimits: { recovery: NO_LIMIT, signup: NO_LIMIT } });
});
afterAll(() => app.close());
beforeEach(() => app.advance(60_000));

const PATH = '/api/v1/auth/passkeys';
const VERIFY = '/api/v1/auth/mfa/verify';
const STEP_UP = '/api/v1/auth/mfa/step-up';
const FOREIGN = 'https://elsewhere.example';

const device = (counts = false): Authenticator => deviceFor(app, counts);

/** A browser that keeps its cookies; time passes with each request. */
function browser(token?: string) {
  const jar = new Map<string, string>();
  return {
    jar,
    post: async (path: string, body: object = {}): Promise<Answer> => {
      app.advance(1);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await app.call('POST', path, { body, token, headers: cookie ? { cookie } : {} });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    },
  };
}
type Browser = ReturnType<typeof browser>;

async function add(user: TestUser, made = device(), { name = 'Phone', from = browser(user.token) } = {}) {
  const { body } = await from.post(`${PATH}/options`, { password: user.password });
  const answer = await from.post(PATH, { name, passkey: made.create(body.options) });
  expect(answer.status, answer.text).toBe(201);
  return { made, id: answer.body.data.id as string };
}
const ask = async (from: Browser, path = `${PATH}/log-in/options`, body: object = {}) =>
  (await from.post(path, body)).body.options as { challenge: string; allowCredentials: { id: string }[] };
async function logIn(made: Authenticator, fault: Parameters<Authenticator['get']>[1] = {}, from = browser()) {
  return from.post(`${PATH}/log-in`, { passkey: made.get(await ask(from), fault) });
}
const REFUSED = { status: 401, body: { code: 'PASSKEY_INVALID' } };
const listed = async (user: TestUser) => (await user.call('GET', PATH)).body;
const context = () =>
  contextOf(
    { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
    null,
  );

describe('adding passkeys', () => {
  it('lists none, one and many, with their names and uses', async () => {
    const user = await app.signUp();
    expect(await listed(user)).toMatchObject({ data: [], limit: 20, available: true });
    const { made } = await add(user);
    expect((await listed(user)).data).toMatchObject([{ name: 'Phone', last_used_at: null, synced: true }]);
    await add(user, device(true), { name: 'Key' });
    await logIn(made);
    expect((await listed(user)).data).toMatchObject([
      { name: 'Phone', last_used_at: expect.any(String) },
      { name: 'Key', last_used_at: null, synced: false },
    ]);
  });

  it('asks for what this program needs of an authenticator, and names the passkeys that are there', async () => {
    const user = await app.signUp();
    await add(user);
    const { body } = await browser(user.token).post(`${PATH}/options`, { password: user.password });
    expect(body.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(user.userId).toString('base64url'), name: user.email },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
      excludeCredentials: [{ type: 'public-key', transports: ['internal'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
  });

  it('needs the password, and with two-factor authentication a session that has shown it', async () => {
    const user = await app.signUp();
    const asked = (token: string, password: string) => browser(token).post(`${PATH}/options`, { password });
    expect(await asked(user.token, 'not the password')).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await browser(user.token).post(`${PATH}/options`)).toMatchObject({ status: 403 });
    expect((await asked(user.token, user.password)).status).toBe(200);
    await turnSecondFactor(context(), { userId: user.userId, on: true });
    expect(await asked(user.token, user.password)).toMatchObject({ status: 403, body: { code: 'MFA_REQUIRED' } });
    const other = await app.signUp();
    await enrolled(app, other);
    expect((await asked(other.token, other.password)).status).toBe(200);
  });

  it.each([
    ['of another origin', { origin: FOREIGN }],
    ['for another site', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
  ])('refuses one made %s', async (_, fault) => {
    const user = await app.signUp();
    const from = browser(user.token);
    const { body } = await from.post(`${PATH}/options`, { password: user.password });
    expect(await from.post(PATH, { name: 'Phone', passkey: device().create(body.options, fault) })).toMatchObject({
      status: 409,
      body: { code: 'PASSKEY_REFUSED' },
    });
    expect((await listed(user)).data).toEqual([]);
  });

  it('takes it in the session, and the browser, that asked, within five minutes', async () => {
    const [user, stranger] = [await app.signUp(), await app.signUp()];
    const from = browser(user.token);
    const { body } = await from.post(`${PATH}/options`, { password: user.password });
    const added = (other: Browser) => other.post(PATH, { name: 'Phone', passkey: device().create(body.options) });
    expect((await added(browser(user.token))).status).toBe(409);
    const foreign = browser(stranger.token);
    for (const [name, value] of from.jar) foreign.jar.set(name, value);
    expect((await added(foreign)).status).toBe(409);
    app.advance(5 * 60_000);
    expect((await added(from)).status).toBe(409);
    expect((await listed(user)).data).toEqual([]);
  });

  it('refuses one that is there, and more than twenty', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    const again = async (each: Authenticator) => {
      const from = browser(user.token);
      const { body } = await from.post(`${PATH}/options`, { password: user.password });
      return from.post(PATH, { name: 'Phone', passkey: each.create(body.options) });
    };
    expect(await again(made)).toMatchObject({ status: 409, body: { code: 'PASSKEY_EXISTS' } });
    for (let nth = 1; nth < 20; nth += 1) {
      const more = { publicKey: 'AA', counter: 0, isSynced: true, name: 'More' };
      await addPasskey(context(), { userId: user.userId, credentialId: `credential${nth}`, ...more });
    }
    expect(await again(device())).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } });
  });

  it('undoes it if the session ended meanwhile', async () => {
    const user = await app.signUp();
    const from = browser(user.token);
    const { body } = await from.post(`${PATH}/options`, { password: user.password });
    const answer = from.post(PATH, { name: 'Phone', passkey: device().create(body.options) });
    const ended = app.call('POST', '/api/v1/auth/logout-everywhere', { body: {}, token: user.token });
    await Promise.all([answer, ended]);
    const again = await app.call('POST', '/api/v1/auth/login', { body: user });
    const { data } = (await app.call('GET', PATH, { token: again.body.token })).body;
    expect(data).toHaveLength((await answer).status === 201 ? 1 : 0);
  });
});

describe('logging in with a passkey', () => {
  it('opens a session that says so, also with two-factor authentication on', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    const sessionsOf = async (token: string) => (await app.call('GET', '/api/v1/auth/sessions', { token })).body;
    const plain = await logIn(made);
    expect(plain).toMatchObject({ status: 200, body: { user_id: user.userId, email: user.email } });
    expect((await sessionsOf(plain.body.token)).sessions[0]).toMatchObject({ current: true, logged_in_by: 'passkey' });
    await enrolled(app, user);
    const both = await logIn(made);
    expect(both).toMatchObject({ status: 200, body: { success: true, profile: { mfa: expect.any(String) } } });
    expect(both.body.mfa_required).toBeUndefined();
  });

  it('leaves open which account it will be', async () => {
    expect(await ask(browser())).toMatchObject({ allowCredentials: [], rpId: 'localhost' });
  });

  it('takes an answer once, also at the same time and with the cookie copied', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    const from = browser();
    const passkey = made.get(await ask(from));
    const copy = browser();
    for (const [name, value] of from.jar) copy.jar.set(name, value);
    const both = await Promise.all([
      from.post(`${PATH}/log-in`, { passkey }),
      copy.post(`${PATH}/log-in`, { passkey }),
    ]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
    expect(await copy.post(`${PATH}/log-in`, { passkey })).toMatchObject(REFUSED);
  });

  it('takes it in the browser that asked alone, for that purpose, within five minutes', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    const from = browser();
    const passkey = made.get(await ask(from));
    expect(await browser().post(`${PATH}/log-in`, { passkey })).toMatchObject(REFUSED);
    const other = browser();
    await ask(other);
    expect(await other.post(`${PATH}/log-in`, { passkey })).toMatchObject(REFUSED);
    const stepping = browser(user.token);
    const forStep = made.get(await ask(stepping, `${STEP_UP}/passkey-options`));
    stepping.jar.set('passkey_log_in', stepping.jar.get('passkey_second_factor') ?? '');
    expect(await stepping.post(`${PATH}/log-in`, { passkey: forStep })).toMatchObject(REFUSED);
    app.advance(5 * 60_000);
    expect(await from.post(`${PATH}/log-in`, { passkey })).toMatchObject(REFUSED);
  });

  it.each([
    ['of another origin', { origin: FOREIGN }],
    ['for another site', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
  ])('refuses an answer %s', async (_, fault) => {
    const { made } = await add(await app.signUp());
    expect(await logIn(made, fault)).toMatchObject(REFUSED);
    expect((await logIn(made)).status).toBe(200);
  });

  it('refuses a counter that went back, and takes one that stays 0', async () => {
    const counting = await add(await app.signUp(), device(true));
    expect((await logIn(counting.made, { counter: 7 })).status).toBe(200);
    expect(await logIn(counting.made, { counter: 7 })).toMatchObject(REFUSED);
    expect(await logIn(counting.made, { counter: 3 })).toMatchObject(REFUSED);
    expect(await logIn(counting.made, { counter: 0 })).toMatchObject(REFUSED);
    expect((await logIn(counting.made, { counter: 8 })).status).toBe(200);
    const synced = await add(await app.signUp());
    for (let times = 0; times < 3; times += 1) expect((await logIn(synced.made)).status).toBe(200);
  });

  it('refuses unknown, removed and foreign ones, and one that names another account', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const { made, id } = await add(user);
    await add(other);
    expect(await logIn(device())).toMatchObject(REFUSED);
    const from = browser();
    const passkey = made.get(await ask(from)) as { response: object };
    for (const userId of [other.userId, randomUUID(), 'x', '../account'])
      expect(
        await from.post(`${PATH}/log-in`, {
          passkey: {
            ...passkey,
            response: { ...passkey.response, userHandle: Buffer.from(userId).toString('base64url') },
          },
        }),
      ).toMatchObject(REFUSED);
    await removePasskey(context(), { userId: user.userId, passkeyId: id, reason: 'owner', hasOtherWay: true });
    expect(await logIn(made)).toMatchObject(REFUSED);
  });

  it('refuses disabled and deleted accounts', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    await app.given(`account-${user.userId}`, {
      type: 'AccountDisabled',
      data: { userId: user.userId, disabledAt: app.deps.now() },
    });
    expect(await logIn(made)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
    const gone = await app.signUp();
    const lost = await add(gone);
    expect(
      (await gone.call('DELETE', '/api/v1/account', { password: gone.password, confirmation: DELETION_CONFIRMATION }))
        .status,
    ).toBe(200);
    expect(await logIn(lost.made)).toMatchObject(REFUSED);
  });

  it('limits the tries of an address, and notes refused ones', async () => {
    const limited = await startTestApp({ rateLimits: { recovery: { points: 2, seconds: 60 } } });
    const tries = Array.from({ length: 3 }, () => limited.call('POST', `${PATH}/log-in/options`, { body: {} }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([200, 200, 429]);
    await limited.close();
    await logIn(device());
    app.deps.securityLog.flush();
    expect(app.logLines.some((line) => line.includes('login_refused') && line.includes('PASSKEY_INVALID'))).toBe(true);
  });

  it('says at an IP address that passkeys need a host name', async () => {
    const bare = await startTestApp({ config: { production: true } });
    const user = await bare.signUp();
    const refused = {
      status: 409,
      body: { code: 'PASSKEYS_UNAVAILABLE', error: expect.stringContaining('host name') },
    };
    expect(await bare.call('POST', `${PATH}/log-in/options`, { body: {} })).toMatchObject(refused);
    expect(await user.call('POST', `${PATH}/options`, { password: user.password })).toMatchObject(refused);
    expect((await user.call('GET', PATH)).body).toMatchObject({ data: [], available: false });
    await bare.close();
  });
});

describe('a passkey as second factor', () => {
  const challengeOf = async (user: TestUser): Promise<string> =>
    (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })).body
      .mfa_token;

  it('stands in for the code at log-in, and says so', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    await enrolled(app, user);
    const mfa_token = await challengeOf(user);
    const from = browser();
    const options = await ask(from, `${VERIFY}/passkey-options`, { mfa_token });
    expect(options.allowCredentials).toHaveLength(1);
    const body = { mfa_token, passkey: made.get(options) };
    const answer = await from.post(VERIFY, body);
    expect(answer).toMatchObject({ status: 200, body: { user_id: user.userId } });
    expect(await from.post(VERIFY, body)).toMatchObject({ status: 403, body: { code: 'MFA_CODE_INVALID' } });
  });

  it('steps up an open session', async () => {
    const user = await app.signUp();
    const { made } = await add(user);
    const from = browser(user.token);
    const passkey = made.get(await ask(from, `${STEP_UP}/passkey-options`));
    expect(await from.post(STEP_UP, { passkey })).toMatchObject({ status: 409, body: { code: 'MFA_NOT_ON' } });
    await enrolled(app, user);
    expect((await from.post(STEP_UP, { passkey })).status).toBe(200);
    expect(await from.post(STEP_UP, { passkey })).toMatchObject({ status: 403 });
  });

  it('refuses somebody else’s passkey, and one asked for by another log-in', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const { made } = await add(user);
    const foreign = await add(other);
    await enrolled(app, user);
    const from = browser();
    const [first, second] = [await challengeOf(user), await challengeOf(user)];
    const options = await ask(from, `${VERIFY}/passkey-options`, { mfa_token: first });
    const refused = { status: 403, body: { code: 'MFA_CODE_INVALID' } };
    expect(await from.post(VERIFY, { mfa_token: first, passkey: foreign.made.get(options) })).toMatchObject(refused);
    if (first !== second)
      expect(await from.post(VERIFY, { mfa_token: second, passkey: made.get(options) })).toMatchObject(refused);
    expect((await from.post(VERIFY, { mfa_token: first, passkey: made.get(options) })).status).toBe(200);
  });

  it('is offered to accounts that have one, and takes one of three', async () => {
    const user = await app.signUp();
    const { secret } = await enrolled(app, user);
    const mfa_token = await challengeOf(user);
    expect(await browser().post(`${VERIFY}/passkey-options`, { mfa_token })).toMatchObject({
      status: 409,
      body: { code: 'PASSKEYS_UNAVAILABLE' },
    });
    expect(await browser().post(`${VERIFY}/passkey-options`, { mfa_token: 'x' })).toMatchObject({ status: 401 });
    const code = codeOf(secret, app.deps.now(), 1);
    const passkey = device().get({ challenge: 'AA' });
    expect((await browser().post(VERIFY, { mfa_token, code, passkey })).status).toBe(400);
  });

  it('limits tries of an account from one address and from many', async () => {
    const user = await app.signUp();
    await add(user);
    await enrolled(app, user);
    const mfa_token = await challengeOf(user);
    const answers: number[] = [];
    for (let nth = 0; nth < 7; nth += 1)
      answers.push((await browser().post(VERIFY, { mfa_token, passkey: device().get({ challenge: 'AA' }) })).status);
    expect(answers).toContain(403);
    expect(answers.at(-1)).toBe(429);
  });
});

describe('managing passkeys', () => {
  it('renames and removes one’s own, nobody else’s', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const { id } = await add(user);
    expect((await user.call('PUT', `${PATH}/${id}`, { name: ' Key ' })).body.data).toMatchObject({ id, name: 'Key' });
    for (const call of [
      other.call('PUT', `${PATH}/${id}`, { name: 'Mine' }),
      other.call('DELETE', `${PATH}/${id}`, { password: other.password }),
      user.call('DELETE', `${PATH}/x`, { password: user.password }),
    ])
      expect(await call).toMatchObject({ status: 404, body: { code: 'PASSKEY_NOT_FOUND' } });
    for (const body of [{}, { password: 'another password' }])
      expect(await user.call('DELETE', `${PATH}/${id}`, body)).toMatchObject({ status: 403 });
    expect((await user.call('DELETE', `${PATH}/${id}`, { password: user.password })).status).toBe(200);
    expect((await listed(user)).data).toEqual([]);
  });

  it('keeps the last way to log in', async () => {
    const silent = await startTestApp({ config: { mail: false } });
    const user = await silent.signUp();
    const ctx = contextOf(
      { store: silent.store, now: silent.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
      null,
    );
    const more = { publicKey: 'AA', counter: 0, isSynced: true, name: 'Phone' };
    const { passkeyId } = await addPasskey(ctx, { userId: user.userId, credentialId: 'credential', ...more });
    await silent.given(`account-${user.userId}`, {
      type: 'AccountPasswordRemoved',
      data: { userId: user.userId, removedAt: silent.deps.now() },
    });
    expect(await user.call('DELETE', `${PATH}/${passkeyId}`, {})).toMatchObject({
      status: 409,
      body: { code: 'LAST_WAY_IN' },
    });
    await silent.close();
  });
});
