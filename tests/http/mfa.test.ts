/** Two-factor authentication: setup and removal, codes at log-in, and the requirement for admins. */

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../src/commands/tokens.ts';
import { secondFactorStream } from '../../src/domain/secondFactor/events.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { codeOf, enrolled } from '../given/secondFactor.ts';
import { eventsRead } from '../given/stores/eventsRead.ts';

const STEP_MS = 30_000;

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
async function start(options: TestAppOptions = {}): Promise<void> {
  await app?.close();
  app = await startTestApp(options);
  admin = await app.signUp({ email: 'admin@example.com' });
  ann = await app.signUp({ email: 'ann@example.com' });
}
beforeEach(() => start());
afterEach(() => app.close());

const logIn = (user: TestUser) =>
  app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } });
const verify = (mfa_token: string, by: { readonly code: string } | { readonly recovery_code: string }) =>
  app.call('POST', '/api/v1/auth/mfa/verify', { body: { mfa_token, ...by } });
const tokenOf = async (user: TestUser): Promise<string> => (await logIn(user)).body.mfa_token;
const stateOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/mfa')).body.data;
/** The access token of a session that an earlier version opened. */
async function formerSession({ given, deps }: TestApp, { userId }: TestUser): Promise<string> {
  const sessionId = randomUUID();
  const token = `${sessionId}.${'a'.repeat(43)}`;
  const [at, later] = [deps.now(), new Date(Date.parse(deps.now()) + 3_600_000).toISOString()];
  const hashes = { accessTokenHash: hashToken(token), refreshTokenHash: hashToken('another') };
  const data = { sessionId, userId, ...hashes, startedAt: at, accessExpiresAt: later, refreshExpiresAt: later };
  await given(`session-${sessionId}`, { type: 'SessionStarted', data });
  return token;
}
const profileOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/profile')).body.profile;

describe('turning it on', () => {
  it('requires the password and a first code, and returns ten recovery codes', async () => {
    expect(await stateOf(ann)).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0, available: true });
    expect(await ann.call('POST', '/api/v1/auth/mfa/enrol', { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    const { body } = await ann.call('POST', '/api/v1/auth/mfa/enrol', { password: ann.password });
    expect(body.data.uri).toContain(`secret=${body.data.secret}`);
    // No code is required yet.
    expect((await logIn(ann)).body.token).toBeDefined();
    const confirm = (code: string) => ann.call('POST', '/api/v1/auth/mfa/confirm', { code });
    expect(await confirm(codeOf(body.data.secret, app.deps.now(), 5))).toMatchObject({
      status: 403,
      body: { code: 'MFA_CODE_INVALID' },
    });
    const confirmed = await confirm(codeOf(body.data.secret, app.deps.now()));
    expect(confirmed.body.data.recovery_codes).toHaveLength(10);
    expect(await stateOf(ann)).toEqual({
      enabled: true,
      enabled_at: app.deps.now(),
      recovery_codes_left: 10,
      available: true,
    });
    expect(await profileOf(ann)).toMatchObject({ mfa: 'on' });
    expect(await confirm(codeOf(body.data.secret, app.deps.now(), 1))).toMatchObject({
      status: 409,
      body: { code: 'MFA_SETUP_ENDED' },
    });
    expect(await ann.call('POST', '/api/v1/auth/mfa/enrol', { password: ann.password })).toMatchObject({
      status: 409,
      body: { code: 'MFA_ALREADY_ON' },
    });
  });

  it('ends the other sessions, opened without it, and keeps this one', async () => {
    const { token } = (await logIn(ann)).body;
    await enrolled(app, ann);
    expect(await app.call('GET', '/api/v1/auth/profile', { token })).toMatchObject({ status: 401 });
    expect(await ann.call('GET', '/api/v1/auth/profile')).toMatchObject({ status: 200 });
  });

  it('leaves no secret and no recovery code in the log, the events or the read models', async () => {
    const { secret, recoveryCodes } = await enrolled(app, ann);
    await verify(await tokenOf(ann), { recovery_code: recoveryCodes[0] ?? '' });
    const texts = [app.logLines.join('\n'), JSON.stringify((await app.store.readAll()).events.map(({ data }) => data))];
    texts.push((await ann.call('GET', '/api/v1/account/export')).text);
    for (const text of texts) for (const hidden of [secret, ...recoveryCodes]) expect(text).not.toContain(hidden);
  });

  it('is not offered where the installation has no secret for it', async () => {
    await start({ deps: { mfaKeys: null } });
    expect(await stateOf(ann)).toMatchObject({ available: false });
    expect(await ann.call('POST', '/api/v1/auth/mfa/enrol', { password: ann.password })).toMatchObject({
      status: 503,
      body: { code: 'MFA_UNAVAILABLE' },
    });
  });

  it('is closed to API keys', async () => {
    const { body } = await ann.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'write' });
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/enrol'],
      ['POST', '/confirm'],
      ['POST', '/remove'],
    ] as const)
      expect(
        await app.call(method, `/api/v1/auth/mfa${path}`, { token: body.key, body: method === 'GET' ? undefined : {} }),
      ).toMatchObject({
        status: 403,
        body: { code: 'SESSION_REQUIRED' },
      });
  });
});

describe('a log-in', () => {
  it('requires a code after the right password, and none after a wrong one', async () => {
    const { secret } = await enrolled(app, ann);
    app.advance(STEP_MS);
    const answer = await logIn(ann);
    expect(answer).toMatchObject({ status: 200, body: { success: true, mfa_required: true, expires_in: 300 } });
    expect(answer.text).not.toMatch(/"token"|session|user_id/);
    expect(
      await app.call('POST', '/api/v1/auth/login', { body: { email: ann.email, password: 'wrong' } }),
    ).toMatchObject({ status: 401 });
    const opened = await verify(answer.body.mfa_token, { code: codeOf(secret, app.deps.now()) });
    expect(opened).toMatchObject({
      status: 200,
      body: { user_id: ann.userId, email: ann.email, profile: { mfa: 'on' } },
    });
    expect(await app.call('GET', '/api/v1/auth/profile', { token: opened.body.token })).toMatchObject({ status: 200 });
    expect(
      (await stateOf({ ...ann, call: (method, path) => app.call(method, path, { token: opened.body.token }) })).enabled,
    ).toBe(true);
  });

  it('accepts a code once, even when used twice at the same moment', async () => {
    const { secret } = await enrolled(app, ann);
    // The one that turned it on.
    expect(await verify(await tokenOf(ann), { code: codeOf(secret, app.deps.now()) })).toMatchObject({
      status: 403,
      body: { code: 'MFA_CODE_USED' },
    });
    app.advance(STEP_MS);
    const code = codeOf(secret, app.deps.now());
    const tokens = [await tokenOf(ann), await tokenOf(ann)];
    const answers = await Promise.all(tokens.map((token) => verify(token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('accepts a recovery code once', async () => {
    const { recoveryCodes } = await enrolled(app, ann);
    const [code = ''] = recoveryCodes;
    expect(await verify(await tokenOf(ann), { recovery_code: code.toUpperCase() })).toMatchObject({ status: 200 });
    expect(await verify(await tokenOf(ann), { recovery_code: code })).toMatchObject({
      status: 403,
      body: { code: 'MFA_CODE_INVALID' },
    });
  });

  it('takes at most five minutes, and ends if the password changes', async () => {
    const { secret, recoveryCodes } = await enrolled(app, ann);
    const late = await tokenOf(ann);
    app.advance(5 * 60_000);
    const ended = { status: 401, body: { code: 'MFA_CHALLENGE_ENDED' } };
    expect(await verify(late, { code: codeOf(secret, app.deps.now()) })).toMatchObject(ended);
    const before = await tokenOf(ann);
    await ann.call('POST', '/api/v1/auth/change-password', {
      current_password: ann.password,
      password: 'another good password',
    });
    expect(await verify(before, { recovery_code: recoveryCodes[0] ?? '' })).toMatchObject(ended);
    expect(await verify('nonsense', { code: '123456' })).toMatchObject(ended);
    expect(await verify(before, { code: '', recovery_code: '' } as never)).toMatchObject({ status: 400 });
  });

  it('reads no account for a forged token', async () => {
    await enrolled(app, ann);
    const [userId, expires, ...signatures] = (await tokenOf(ann)).split('.');
    const forged = [userId, expires, ...signatures.map(() => 'A'.repeat(43))].join('.');
    const read = await eventsRead(app.store, async () =>
      expect((await verify(forged, { code: '123456' })).body.code).toBe('MFA_CHALLENGE_ENDED'),
    );
    expect(read).toBe(0);
  });

  it('requires a code after a password reset, too', async () => {
    await enrolled(app, ann);
    await ann.call('POST', '/api/v1/auth/change-password', {
      current_password: ann.password,
      password: 'another good password',
    });
    expect((await logIn({ ...ann, password: 'another good password' })).body).toMatchObject({ mfa_required: true });
  });

  it('waits longer and longer after wrong codes, for that account only', async () => {
    await start({ rateLimits: { mfa: { points: 3, seconds: 900 } } });
    const { secret } = await enrolled(app, ann);
    const other = await enrolled(app, admin);
    app.advance(STEP_MS);
    const token = await tokenOf(ann);
    const statuses: number[] = [];
    for (let nth = 0; nth < 5; nth += 1) statuses.push((await verify(token, { code: '000000' })).status);
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
    const refused = await verify(token, { code: codeOf(secret, app.deps.now()) });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 1]);
    expect(await verify(await tokenOf(admin), { code: codeOf(other.secret, app.deps.now()) })).toMatchObject({
      status: 200,
    });
  });
});

describe('turning it off', () => {
  it('requires the password, and log-ins need no code any more', async () => {
    const { recoveryCodes } = await enrolled(app, ann);
    const other = (await verify(await tokenOf(ann), { recovery_code: recoveryCodes[0] ?? '' })).body.token;
    expect(await ann.call('POST', '/api/v1/auth/mfa/remove', { password: 'wrong' })).toMatchObject({ status: 403 });
    expect(await ann.call('POST', '/api/v1/auth/mfa/remove', { password: ann.password })).toMatchObject({
      status: 200,
    });
    // What another session has shown proves nothing any more.
    expect(await app.call('GET', '/api/v1/auth/profile', { token: other })).toMatchObject({ status: 401 });
    expect(await stateOf(ann)).toMatchObject({ enabled: false });
    expect((await logIn(ann)).body.token).toBeDefined();
  });

  it('happens with the account, leaving nothing behind', async () => {
    await enrolled(app, ann);
    const { body } = await ann.call('GET', '/api/v1/account/deletion');
    await ann.call('DELETE', '/api/v1/account', { password: ann.password, confirmation: body.data.confirmation });
    const left = await app.store.read(secondFactorStream(ann.userId));
    expect(left.status === 'found' && left.events.map(({ type, data }) => [type, data])).toMatchObject([
      ['SecondFactorRemoved', { reason: 'account_deleted' }],
    ]);
  });
});

describe('an admin where it is required', () => {
  const administer = (user: TestUser, token = user.token) =>
    app.call('PUT', `/api/v1/admin/users/${ann.userId}/admin-right`, { token, body: { admin: false } });
  const missing = {
    status: 403,
    body: { code: 'MFA_REQUIRED', error: expect.stringContaining('two-factor authentication') },
  };
  beforeEach(() => start({ config: { adminMfa: true } }));

  it('can log in, but not administer until it is on', async () => {
    expect(await profileOf(admin)).toMatchObject({ is_admin: true, mfa: 'required' });
    expect(await profileOf(ann)).toMatchObject({ mfa: 'off' });
    expect(await administer(admin)).toMatchObject(missing);
    expect(await administer(ann)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const socket = await (await openSocket(app.url)).logIn(admin.token);
    await expect(socket.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    await enrolled(app, admin);
    expect(await profileOf(admin)).toMatchObject({ mfa: 'on' });
    expect(await administer(admin)).toMatchObject({ status: 200 });
    await socket.subscribe('admin:jobs');
    await socket.close();
  });

  it('administers by what was shown in the session, not by what the account has', async () => {
    const before = (await logIn(admin)).body.token;
    const { secret, recoveryCodes } = await enrolled(app, admin);
    // Turning it on ended that session; the one that did it has shown a code.
    expect(await administer(admin, before)).toMatchObject({ status: 401 });
    expect(await administer(admin)).toMatchObject({ status: 200 });
    app.advance(STEP_MS);
    const byCode = (await verify(await tokenOf(admin), { code: codeOf(secret, app.deps.now()) })).body.token;
    const byRecovery = (await verify(await tokenOf(admin), { recovery_code: recoveryCodes[0] ?? '' })).body.token;
    for (const token of [byCode, byRecovery]) expect(await administer(admin, token)).toMatchObject({ status: 200 });
  });

  it('in a session from before proofs were recorded enters a code once and goes on', async () => {
    const { secret, recoveryCodes } = await enrolled(app, admin);
    const [token, other] = [await formerSession(app, admin), await formerSession(app, admin)];
    expect(await administer(admin, token)).toMatchObject(missing);
    const socket = await (await openSocket(app.url)).logIn(token);
    await expect(socket.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
    app.advance(STEP_MS);
    const stepUp = (body: object, as = token) => app.call('POST', '/api/v1/auth/mfa/step-up', { token: as, body });
    expect(await stepUp({ code: '000000' })).toMatchObject({ status: 403, body: { code: 'MFA_CODE_INVALID' } });
    expect(await administer(admin, token)).toMatchObject(missing);
    const code = codeOf(secret, app.deps.now());
    expect(await stepUp({ code })).toMatchObject({ status: 200, body: { success: true } });
    expect(await stepUp({ code })).toMatchObject({ status: 403, body: { code: 'MFA_CODE_USED' } });
    expect(await administer(admin, token)).toMatchObject({ status: 200 });
    await socket.subscribe('admin:jobs');
    await socket.close();
    // For that session alone.
    expect(await administer(admin, other)).toMatchObject(missing);
    expect(await stepUp({ recovery_code: recoveryCodes[0] }, other)).toMatchObject({ status: 200 });
    expect(await administer(admin, other)).toMatchObject({ status: 200 });
    expect(await stepUp({})).toMatchObject({ status: 400 });
    expect(await stepUp({ code: '000000' }, ann.token)).toMatchObject({ status: 409, body: { code: 'MFA_NOT_ON' } });
  });

  it('waits after wrong codes in an open session as at the log-in', async () => {
    await start({ config: { adminMfa: true }, rateLimits: { mfa: { points: 3, seconds: 900 } } });
    const { secret } = await enrolled(app, admin);
    app.advance(STEP_MS);
    const statuses: number[] = [];
    for (let nth = 0; nth < 4; nth += 1)
      statuses.push((await admin.call('POST', '/api/v1/auth/mfa/step-up', { code: '000000' })).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
    expect((await verify(await tokenOf(admin), { code: codeOf(secret, app.deps.now()) })).status).toBe(429);
  });

  it('keeps a key for reports, which shows no code and is judged by the account', async () => {
    await enrolled(app, admin);
    const { body } = await admin.call('POST', '/api/v1/api-keys', { name: 'analyst', scope: 'reports:read' });
    const read = () => app.call('GET', '/api/v1/admin/reports', { token: body.key });
    expect(await read()).toMatchObject({ status: 200 });
    await admin.call('POST', '/api/v1/auth/mfa/remove', { password: admin.password });
    expect(await read()).toMatchObject(missing);
  });

  it('cannot administer once it is off again, on open sockets too', async () => {
    await enrolled(app, admin);
    const socket = await (await openSocket(app.url)).logIn(admin.token);
    await socket.subscribe('admin:jobs');
    await admin.call('POST', '/api/v1/auth/mfa/remove', { password: admin.password });
    expect(await administer(admin)).toMatchObject(missing);
    expect(await socket.next(({ type }) => type === 'error')).toMatchObject({
      code: 'FORBIDDEN',
      channel: 'admin:jobs',
    });
    await socket.close();
  });
});
