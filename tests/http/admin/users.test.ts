/** One user, as an admin sees them, and what an admin can do for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await givenAdmin('zoe@admins.example');
});
afterAll(() => app.close());

async function givenAdmin(email: string): Promise<TestUser> {
  const user = await app.signUp({ email });
  await app.given(`account-${user.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: user.userId, reason: 'configured' },
  });
  return user;
}
const pathOf = ({ userId }: Pick<TestUser, 'userId'>, below = ''): string => `/api/v1/admin/users/${userId}${below}`;
/** The newest event of a type, with its actor. */
async function lastOf(type: string) {
  const { events } = await app.store.readAll({ limit: 5_000, filter: { types: [type] } });
  return events.at(-1);
}
const byAdmin = (user: TestUser) => ({ kind: 'admin', id: admin.userId, onBehalfOf: user.userId });

describe('a user’s page', () => {
  it('has the account, plan and balance, sessions and shared links, without secrets', async () => {
    const ann = await app.signUp({ name: 'Ann' });
    const { jobId } = await givenAnalysis(app, ann.userId, { host: 'shop.example' });
    expect((await ann.call('POST', '/share/create', { jobId })).status).toBe(201);
    const { status, body, text } = await admin.call('GET', pathOf(ann));
    expect(status).toBe(200);
    expect(body.data.account).toMatchObject({
      id: ann.userId,
      email: ann.email,
      name: 'Ann',
      email_state: 'confirmed',
      is_admin: false,
      sign_in_enabled: true,
    });
    expect(body.data).toMatchObject({
      billing: { balance: { plan: 'free', credits: 0, funds: 0 }, usage: { limit: 3 } },
      sessions: [{ current: false }],
      shares: [{ is_active: true, view_count: 0, job_id: jobId }],
    });
    for (const secret of ['shareUrl', 'Hash', ann.token]) expect(text).not.toContain(secret);
    expect((await admin.call('GET', pathOf(ann, '/jobs'))).body).toMatchObject({
      data: [{ id: jobId, host: 'shop.example', status: 'completed' }],
      cursor: null,
    });
  });

  it('records one view event a day, and none for one’s own page', async () => {
    const ann = await app.signUp();
    await app.newEvents();
    for (const below of ['', '', '/history', '/jobs', '/mails']) await admin.call('GET', pathOf(ann, below));
    await admin.call('GET', pathOf(admin));
    const looks = (await app.newEvents()).filter(({ type }) => type === 'AdminLooked').map(({ data }) => data);
    expect(looks).toMatchObject([
      { adminId: admin.userId, userId: ann.userId, thing: 'account', thingId: ann.userId },
      { adminId: admin.userId, userId: ann.userId, thing: 'bill', thingId: ann.userId },
    ]);
  });

  it('pages jobs and history, and is a 404 for an unknown user', async () => {
    const ann = await app.signUp();
    for (const host of ['one.example', 'two.example', 'three.example']) await givenAnalysis(app, ann.userId, { host });
    const first = (await admin.call('GET', `${pathOf(ann, '/jobs')}?limit=2`)).body;
    const rest = (await admin.call('GET', `${pathOf(ann, '/jobs')}?limit=2&cursor=${first.cursor}`)).body;
    expect([first.data.length, rest.data.length, rest.cursor]).toEqual([2, 1, null]);
    for (const below of ['', '/history', '/jobs', '/mails'])
      expect(await admin.call('GET', pathOf({ userId: 'nobody' }, below))).toMatchObject({
        status: 404,
        body: { code: 'ACCOUNT_NOT_FOUND' },
      });
  });
});

describe('the emails of a user', () => {
  it('are listed by kind, time and outcome, paged, and removed with the account', async () => {
    const ann = await app.signUp();
    const at = app.deps.now();
    const given = async (mailId: string, over: object = {}) =>
      app.given(`mail-${mailId}`, {
        type: 'MailDropped',
        data: { mailId, userId: ann.userId, kind: 'job_done', reason: 'refused', droppedAt: at, ...over },
      });
    const list = async (query = '') => (await admin.call('GET', `${pathOf(ann, '/mails')}${query}`)).body;
    expect((await list()).data).toEqual([]);
    await given('one');
    await given('two', { kind: 'receipt', reason: 'not_wanted' });
    await given('three');
    await app.given('mail-other', {
      type: 'MailDropped',
      data: { mailId: 'other', userId: admin.userId, kind: 'receipt', reason: 'refused', droppedAt: at },
    });
    const first = await list('?limit=2');
    expect(first).toEqual({
      success: true,
      data: [
        { id: 'three', kind: 'job_done', outcome: 'refused', at },
        { id: 'two', kind: 'receipt', outcome: 'not_wanted', at },
      ],
      cursor: 'two',
    });
    expect(await list('?limit=2&cursor=two')).toEqual({
      success: true,
      data: [{ id: 'one', kind: 'job_done', outcome: 'refused', at }],
      cursor: null,
    });
    expect((await list('?cursor=other')).code).toBe('INVALID_CURSOR');
    await admin.call('DELETE', pathOf(ann), { email: ann.email });
    expect((await list()).code).toBe('ACCOUNT_NOT_FOUND');
    expect(await app.readModels.get('userMails', ann.userId)).toBeNull();
  });
});

describe('granting credits', () => {
  it('happens once however often it is sent, names the admin, and shows in the history', async () => {
    const ann = await app.signUp();
    const grant = () =>
      admin.call(
        'POST',
        pathOf(ann, '/credits'),
        { credits: 5, reason: 'An outage' },
        { 'idempotency-key': 'one-grant' },
      );
    const answers = [await grant(), await grant()];
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true, credits: 5 } });
    expect((await lastOf('CreditsGranted'))?.metadata).toMatchObject({ actor: byAdmin(ann) });
    const history = [
      (await admin.call('GET', pathOf(ann, '/history'))).body.data,
      (await ann.call('GET', '/api/v1/auth/subscription/history')).body.data.transactions,
    ];
    for (const rows of history) expect(rows).toMatchObject([{ amount: 5, reason: 'An outage', balance_after: 5 }]);
  });

  it('requires a number and a reason', async () => {
    const ann = await app.signUp();
    for (const wrong of [
      { credits: 0, reason: 'x' },
      { credits: 10_001, reason: 'x' },
      { credits: 1.5, reason: 'x' },
      { credits: 1, reason: ' ' },
      { credits: 1 },
    ])
      expect([wrong, (await admin.call('POST', pathOf(ann, '/credits'), wrong)).status]).toEqual([wrong, 400]);
    expect((await admin.call('GET', pathOf(ann))).body.data.billing.balance.credits).toBe(0);
  });
});

describe('disabling log-in', () => {
  it('refuses password, refresh token and API key with a clear message, closes sockets within 2 s, and can be undone', async () => {
    // Admins may create keys, too.
    const other = await givenAdmin('max@admins.example');
    const { key } = (await other.call('POST', '/api/v1/api-keys', { name: 'Script', scope: 'read' })).body;
    const socket = await (await openSocket(app.url)).logIn(other.token);
    const ofKey = await (await openSocket(app.url)).logIn(key);
    const begin = performance.now();
    expect((await admin.call('PUT', pathOf(other, '/sign-in'), { enabled: false })).status).toBe(200);
    expect([(await socket.closed).code, (await ofKey.closed).code]).toEqual([4401, 4401]);
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect((await lastOf('AccountDisabled'))?.metadata).toMatchObject({ actor: byAdmin(other) });

    const refused = {
      status: 403,
      body: { code: 'ACCOUNT_DISABLED', error: 'This account has been disabled. Please contact support.' },
    };
    const logIn = (password: string) =>
      app.call('POST', '/api/v1/auth/login', { body: { email: other.email, password } });
    expect(await logIn(other.password)).toMatchObject(refused);
    expect(
      await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: other.refreshToken } }),
    ).toMatchObject(refused);
    expect(await app.call('GET', '/api/v1/jobs', { token: key })).toMatchObject(refused);
    const late = await openSocket(app.url);
    late.send({ type: 'auth', token: key });
    expect((await late.closed).code).toBe(4401);
    expect((await other.call('GET', '/api/v1/auth/profile')).status).toBe(401);
    // Nobody learns of it without the password.
    expect(await logIn('another password')).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    expect((await admin.call('GET', pathOf(other))).body.data).toMatchObject({
      account: { sign_in_enabled: false },
      sessions: [],
    });

    expect((await admin.call('PUT', pathOf(other, '/sign-in'), { enabled: true })).status).toBe(200);
    expect((await logIn(other.password)).status).toBe(200);
    expect((await app.call('GET', '/api/v1/jobs', { token: key })).status).toBe(200);
  });

  it('is refused for oneself and for the last admin', async () => {
    expect(await admin.call('PUT', pathOf(admin, '/sign-in'), { enabled: false })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await admin.call('GET', '/api/v1/auth/profile')).status).toBe(200);
  });
});

describe('a user’s sessions', () => {
  it('are ended one by one, or all', async () => {
    const ann = await app.signUp();
    const again = (await app.call('POST', '/api/v1/auth/login', { body: { email: ann.email, password: ann.password } }))
      .body.token;
    const [{ id }] = (await admin.call('GET', pathOf(ann))).body.data.sessions;
    expect((await admin.call('DELETE', pathOf(ann, `/sessions/${id}`))).status).toBe(200);
    expect((await lastOf('SessionEnded'))?.metadata).toMatchObject({ actor: byAdmin(ann) });
    expect((await admin.call('GET', pathOf(ann))).body.data.sessions).toHaveLength(1);
    expect((await admin.call('DELETE', pathOf(ann, '/sessions'))).status).toBe(200);
    for (const token of [again, ann.token])
      expect((await app.call('GET', '/api/v1/auth/profile', { token })).status).toBe(401);
    const [own] = (await admin.call('GET', pathOf(admin))).body.data.sessions;
    expect(await admin.call('DELETE', pathOf(ann, `/sessions/${own.id}`))).toMatchObject({
      status: 404,
      body: { code: 'SESSION_NOT_FOUND' },
    });
  });
});

describe('deleting a user', () => {
  it('requires the right address, and erases everything', async () => {
    const ann = await app.signUp();
    await givenAnalysis(app, ann.userId);
    expect(await admin.call('DELETE', pathOf(ann), { email: 'other@example.com' })).toMatchObject({ status: 409 });
    expect((await admin.call('DELETE', pathOf(ann), { email: ann.email.toUpperCase() })).status).toBe(200);
    expect((await lastOf('AccountDeleted'))?.metadata).toMatchObject({ actor: byAdmin(ann) });
    expect((await admin.call('GET', pathOf(ann))).status).toBe(404);
    expect(
      (await app.call('POST', '/api/v1/auth/login', { body: { email: ann.email, password: ann.password } })).status,
    ).toBe(401);
    expect((await admin.call('GET', `/api/v1/admin/user-progress?search=${ann.email}`)).body.data).toEqual([]);
    expect((await admin.call('DELETE', pathOf(admin), { email: admin.email })).status).toBe(409);
  });
});
