/** The account as a whole: its export, and its deletion, after which nothing of it is left in the files of the stores. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { AccountExport } from '../../src/http/contract/account.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { actionItem, givenAnalysis, givenJob, givenRunning } from '../given/analysis.ts';
import { temporaryData } from '../given/product/builtServer.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

const remove = (who: TestUser, body: object = { password: PASSWORD, confirmation: 'DELETE' }) => who.call('DELETE', '/api/v1/account', body);

describe('the export', () => {
  it('is one JSON file with everything about the user, and no secret', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'mine.example', access: 'full' });
    await givenAnalysis(app, admin.userId, { host: 'theirs.example' });
    await user.call('POST', '/share/create', { jobId, title: 'For the team' });
    const { body: made } = await user.call('POST', '/api/v1/api-keys', { name: 'Nightly build', scope: 'read' });
    const answer = await user.call('GET', '/api/v1/account/export');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="seo-workbench-account-2026-03-10.json"');
    expect(AccountExport.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body.account).toMatchObject({ id: user.userId, email: user.email, is_admin: false });
    expect(answer.body.sessions).toHaveLength(1);
    expect(answer.body.api_keys).toMatchObject([{ name: 'Nightly build', scope: 'read' }]);
    expect(answer.body.shares).toMatchObject([{ job_id: jobId, title: 'For the team' }]);
    expect(answer.body.billing_events.map(({ type }: { type: string }) => type)).toEqual(['AnalysisReserved', 'AnalysisConsumed']);
    expect(answer.body.jobs).toMatchObject([{ id: jobId, host: 'mine.example', files: { 'seo-audit-report.md': '# Report\n' } }]);
    expect(answer.body.jobs[0].action_items.map(({ id }: { id: string }) => id)).toEqual(['first', 'second']);
    for (const secret of [made.key, user.token, user.refreshToken, 'keyHash', 'accessTokenHash', 'tokenHash', '$argon2', 'theirs.example']) {
      expect(answer.text).not.toContain(secret);
    }
  });

  it('contains no more of a preview than its pages show', async () => {
    const items = Array.from({ length: 10 }, (_, nth) => actionItem(`item-${nth}`, { problem: `Problem ${nth}.` }));
    await givenAnalysis(app, user.userId, { access: 'preview', items });
    const { body, text } = await user.call('GET', '/api/v1/account/export');
    expect(body.jobs[0].action_items).toHaveLength(8);
    expect(JSON.stringify(body.jobs[0].action_items)).not.toContain('Problem 9.');
    // The report names every fault; fixes are given for the first eight items only, anywhere.
    expect(text).toContain('Do something about item-7');
    expect(text).not.toContain('Do something about item-9');
  });

  it('of an empty account is complete too', async () => {
    const { body } = await user.call('GET', '/api/v1/account/export');
    expect(body).toMatchObject({ jobs: [], api_keys: [], billing_events: [] });
  });
});

describe('deleting one’s own account', () => {
  it('first shows what will be removed', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    await user.call('POST', '/share/create', { jobId });
    await givenJob(app, user.userId);
    await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'read' });
    expect((await user.call('GET', '/api/v1/account/deletion')).body.data).toEqual({
      ...{
        jobs: 2,
        running_jobs: 1,
        sessions: 1,
        api_keys: 1,
        webhooks: 0,
        shares: 1,
        subscription: null,
        funds: null,
        last_admin: false,
        confirmation: 'DELETE',
      },
    });
    expect((await admin.call('GET', '/api/v1/account/deletion')).body.data.last_admin).toBe(true);
  });

  it('requires the password and the typed word, and limits guesses', async () => {
    await app.newEvents();
    expect(await remove(user, { password: 'wrong', confirmation: 'DELETE' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD', error: 'That is not your current password.' },
    });
    expect(await remove(user, { password: PASSWORD, confirmation: 'delete' })).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(await remove(user, {})).toMatchObject({ status: 400 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 8; nth += 1) statuses.push((await remove(user, { password: 'wrong', confirmation: 'DELETE' })).status);
    expect(statuses).toContain(429);
    expect(await app.newEvents()).toEqual([]);
  });

  it('ends its sessions, keys, sockets and jobs at once, and frees the address', async () => {
    const { jobId } = await givenJob(app, user.userId);
    await givenRunning(app, jobId, 'crawl');
    const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'write' })).body;
    const second = (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })).body;
    const socket = await (await openSocket(app.url)).logIn(second.token);
    await app.newEvents();
    expect(await remove(user)).toMatchObject({ status: 200, body: { success: true } });
    const events = await app.newEvents();
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AccountDeleted', 'ApiKeysClosed', 'EmailReleased', 'JobDeleted', 'AnalysisReleased']),
    );
    for (const token of [user.token, second.token, key]) expect((await app.call('GET', '/api/v1/jobs', { token })).status).toBe(401);
    expect((await socket.closed).code).toBe(4401);
    const refresh = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    expect(refresh.body.code).toBe('SESSION_ENDED');
    expect((await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })).body.code).toBe('INVALID_CREDENTIALS');
    const again = await app.signUp({ email: user.email });
    expect(again.userId).not.toBe(user.userId);
    expect((await again.call('GET', '/api/v1/jobs')).body.data).toEqual({ active: [], completed: [] });
  });

  it('leaves other accounts as they are', async () => {
    const other = await app.signUp();
    const { jobId } = await givenAnalysis(app, other.userId);
    await remove(user);
    expect((await other.call('GET', `/api/v1/jobs/${jobId}/files/seo-audit-report.md`)).status).toBe(200);
  });

  it('is possible for the last admin, and makes nobody else one', async () => {
    expect((await remove(admin)).status).toBe(200);
    const next = await app.signUp();
    expect((await next.call('GET', '/api/v1/auth/profile')).body.profile.is_admin).toBe(false);
  });
});

it('leaves nothing of the account in any file of the stores', async () => {
  const data = temporaryData();
  const stores = {
    store: openSqliteEventStore({ file: join(data.dir, 'events.db') }),
    readModels: openSqliteReadModels({ file: join(data.dir, 'readModels.db') }),
  };
  const planted = await startTestApp({ stores });
  const marker = `PLANTED${randomUUID().replaceAll('-', '')}`.toLowerCase();
  const holders = () =>
    readdirSync(data.dir).filter(
      (name) => existsSync(join(data.dir, name)) && readFileSync(join(data.dir, name)).toString('latin1').toLowerCase().includes(marker),
    );
  try {
    await planted.signUp();
    const ann = await planted.signUp({ email: `${marker}@example.com`, name: marker });
    const { jobId } = await givenAnalysis(planted, ann.userId, {
      host: `${marker}.example`,
      items: [actionItem(marker, { problem: marker })],
      findings: `{"note":"${marker}"}`,
    });
    await givenJob(planted, ann.userId, { host: `${marker}.example` });
    await ann.call('POST', '/api/v1/api-keys', { name: marker, scope: 'read' });
    await ann.call('POST', '/share/create', { jobId, title: marker });
    await ann.call('POST', '/api/v1/process', { url: `${marker}.example` }, { 'Idempotency-Key': 'one' });
    expect(holders()).toEqual(expect.arrayContaining([expect.stringContaining('events.db'), expect.stringContaining('readModels.db')]));
    expect((await remove(ann)).status).toBe(200);
    await planted.close();
    expect(holders()).toEqual([]);
  } finally {
    data.remove();
  }
});
