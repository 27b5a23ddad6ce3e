/**
 * The account as a whole: its export, and its deletion, after which nothing of it is left in the files of the stores.
 */
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
import { metadataAt } from '../given/stores/metadata.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

const remove = (who: TestUser, body: object = { password: PASSWORD, confirmation: 'DELETE' }) =>
  who.call('DELETE', '/api/v1/account', body);

describe('the export', () => {
  it('is one JSON file with everything about the user, and no secret', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'mine.example', access: 'full' });
    await givenAnalysis(app, admin.userId, { host: 'theirs.example' });
    await user.call('POST', '/share/create', { jobId, title: 'For the team' });
    const { body: made } = await user.call('POST', '/api/v1/api-keys', { name: 'Nightly build', scope: 'read' });
    const answer = await user.call('GET', '/api/v1/account/export');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="seo-workbench-account-2026-03-10.json"',
    );
    expect(AccountExport.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body.account).toMatchObject({ id: user.userId, email: user.email, is_admin: false });
    expect(answer.body.sessions).toHaveLength(1);
    expect(answer.body.api_keys).toMatchObject([{ name: 'Nightly build', scope: 'read' }]);
    expect(answer.body.shares).toMatchObject([{ job_id: jobId, title: 'For the team' }]);
    expect(answer.body.billing_events.map(({ type }: { type: string }) => type)).toEqual([
      'AnalysisReserved',
      'AnalysisConsumed',
    ]);
    expect(answer.body.jobs).toMatchObject([
      { id: jobId, host: 'mine.example', files: { 'seo-audit-report.md': '# Report\n' } },
    ]);
    expect(answer.body.jobs[0].action_items.map(({ id }: { id: string }) => id)).toEqual(['first', 'second']);
    for (const secret of [
      made.key,
      user.token,
      user.refreshToken,
      'keyHash',
      'accessTokenHash',
      'tokenHash',
      '$argon2',
      'theirs.example',
    ]) {
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

describe('the export in the background', () => {
  const STATE = '/api/v1/account/export/state';
  const file = (id: string): string => `/api/v1/account/export/files/${id}`;
  const request = (who: TestUser = user) => who.call('POST', '/api/v1/account/export');

  it.each([0, 1, 5])('is the same file as at once, with %i audits', async (audits) => {
    for (let nth = 0; nth < audits; nth += 1)
      await givenAnalysis(app, user.userId, { host: `site${nth}.example`, access: 'full' });
    expect((await user.call('GET', STATE)).body).toEqual({ success: true, export: null });
    const requested = (await request()).body.export;
    expect(requested).toMatchObject({
      id: user.userId,
      ask: 1,
      status: 'ready',
      percent: 100,
      expires_at: '2026-03-17T12:00:00.000Z',
      error: null,
    });
    expect((await user.call('GET', STATE)).body.export).toEqual(requested);
    const saved = await user.call('GET', file(requested.file_id));
    expect(saved.headers.get('content-disposition')).toBe(
      'attachment; filename="seo-workbench-account-2026-03-10.json"',
    );
    expect(AccountExport.safeParse(saved.body).error).toBeUndefined();
    expect(saved.body.jobs).toHaveLength(audits);
    expect(Buffer.byteLength(saved.text)).toBe(requested.bytes);
    const atOnce = await user.call('GET', '/api/v1/account/export');
    expect(atOnce.text).toBe(saved.text);
  });

  it('is the only one with more than 100 audits', async () => {
    const at = app.deps.now();
    const job = {
      userId: user.userId,
      url: 'https://a.example/',
      host: 'a.example',
      bounds: { maxPages: 1, maxMs: 1 },
      access: 'full',
      submittedAt: at,
    };
    for (let nth = 0; nth < 101; nth += 1) {
      const submitted = {
        id: randomUUID(),
        type: 'JobSubmitted',
        data: { ...job, jobId: `job-${nth}` },
        metadata: metadataAt(at),
      };
      await app.store.append(`job-job-${nth}`, [submitted], { expected: 'no_stream' });
    }
    await app.readModels.reached(['jobs'], await app.store.head(), 30_000);
    expect(await user.call('GET', '/api/v1/account/export')).toMatchObject({
      status: 409,
      body: { code: 'EXPORT_TOO_LARGE' },
    });
    const { file_id: fileId } = (await request()).body.export;
    expect((await user.call('GET', file(fileId))).body.jobs).toHaveLength(101);
  });

  it('is of the account alone: to others it is not there', async () => {
    const path = file((await request()).body.export.file_id);
    await request(admin);
    for (const call of [admin.call, (await app.signUp()).call])
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 'EXPORT_NOT_FOUND' } });
    expect((await admin.call('GET', STATE)).body.export.file_id).not.toBe(
      (await user.call('GET', STATE)).body.export.file_id,
    );
    const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'write' })).body;
    for (const [method, target] of [
      ['GET', path],
      ['GET', STATE],
      ['POST', '/api/v1/account/export'],
    ] as const)
      expect(await app.call(method, target, { token: key })).toMatchObject({
        status: 403,
        body: { code: 'SESSION_REQUIRED' },
      });
  });

  it('can be downloaded for seven days', async () => {
    const path = file((await request()).body.export.file_id);
    app.advance(7 * 24 * 60 * 60 * 1_000);
    const { token } = (
      await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })
    ).body;
    expect(await app.call('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'EXPORT_NOT_FOUND' } });
    expect((await app.call('GET', STATE, { token })).body.export).toBeNull();
  });

  it('is pending where no worker takes it, and is requested once', async () => {
    await app.close();
    app = await startTestApp({ followUp: null, config: { reworkWaitMs: 0 } });
    user = await app.signUp();
    await app.newEvents();
    const first = (await request()).body.export;
    expect(first).toMatchObject({ ask: 1, status: 'pending', percent: 0, bytes: null, expires_at: null });
    expect((await request()).body.export).toEqual(first);
    const written = await app.newEvents();
    expect(written.map(({ type }) => type)).toEqual(['AccountExportRequested']);
    expect((await user.call('GET', file(String(written[0]?.data.fileId)))).status).toBe(404);
  });

  it('that failed says so, and can be requested again', async () => {
    await app.close();
    app = await startTestApp({ followUp: null, config: { reworkWaitMs: 0 } });
    user = await app.signUp();
    await request();
    const { fileId } = (await app.newEvents()).find(({ type }) => type === 'AccountExportRequested')?.data ?? {};
    const failed = {
      userId: user.userId,
      ask: 1,
      fileId,
      code: 'GIVEN_UP',
      reason: 'Please try again later.',
      failedAt: app.deps.now(),
    };
    await app.given(`exports-${user.userId}`, { type: 'AccountExportFailed', data: failed });
    expect((await user.call('GET', STATE)).body.export).toMatchObject({
      status: 'failed',
      error: 'Please try again later.',
    });
    expect((await request()).body.export).toMatchObject({ ask: 2, status: 'pending', error: null });
  });

  it('goes with the account', async () => {
    await request();
    await remove(user);
    const left = (await app.store.readAll({ limit: 1_000 })).events.map(({ stream, type }) => `${stream} ${type}`);
    expect(left.filter((each) => each.startsWith('export'))).toEqual([`exports-${user.userId} AccountExportRemoved`]);
    expect(await app.readModels.get('accountExports', user.userId)).toBeNull();
  });
});

describe('deleting one’s own account', () => {
  it('first shows what will be removed', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    await user.call('POST', '/share/create', { jobId });
    await givenJob(app, user.userId);
    await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'read' });
    expect((await user.call('GET', '/api/v1/account/deletion')).body.data).toEqual({
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
    });
    expect((await admin.call('GET', '/api/v1/account/deletion')).body.data.last_admin).toBe(true);
  });

  it('requires the password and the typed word, and limits guesses', async () => {
    await app.newEvents();
    expect(await remove(user, { password: 'wrong', confirmation: 'DELETE' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD', error: 'That is not your current password.' },
    });
    expect(await remove(user, { password: PASSWORD, confirmation: 'delete' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
    expect(await remove(user, {})).toMatchObject({ status: 400 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 8; nth += 1)
      statuses.push((await remove(user, { password: 'wrong', confirmation: 'DELETE' })).status);
    expect(statuses).toContain(429);
    expect(await app.newEvents()).toEqual([]);
  });

  it('ends its sessions, keys, sockets and jobs at once, and frees the address', async () => {
    const { jobId } = await givenJob(app, user.userId);
    await givenRunning(app, jobId, 'crawl');
    const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'write' })).body;
    const second = (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } }))
      .body;
    const socket = await (await openSocket(app.url)).logIn(second.token);
    await app.newEvents();
    expect(await remove(user)).toMatchObject({ status: 200, body: { success: true } });
    const events = await app.newEvents();
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AccountDeleted', 'ApiKeysClosed', 'EmailReleased', 'JobDeleted', 'AnalysisReleased']),
    );
    for (const token of [user.token, second.token, key])
      expect((await app.call('GET', '/api/v1/jobs', { token })).status).toBe(401);
    expect((await socket.closed).code).toBe(4401);
    const refresh = await app.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: user.refreshToken } });
    expect(refresh.body.code).toBe('SESSION_ENDED');
    expect(
      (await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: PASSWORD } })).body.code,
    ).toBe('INVALID_CREDENTIALS');
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
      (name) =>
        existsSync(join(data.dir, name)) &&
        readFileSync(join(data.dir, name)).toString('latin1').toLowerCase().includes(marker),
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
    expect(holders()).toEqual(
      expect.arrayContaining([expect.stringContaining('events.db'), expect.stringContaining('readModels.db')]),
    );
    expect((await remove(ann)).status).toBe(200);
    await planted.close();
    expect(holders()).toEqual([]);
  } finally {
    data.remove();
  }
});
