import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelUse } from '../../../src/domain/modelUse.ts';
import { AdminJobResponse, AdminReportResponse, JobEventsResponse } from '../../../src/http/contract/admin/jobs.ts';
import type { WorkItem } from '../../../src/work/kind.ts';
import { givenAnalysis, givenJob, givenRunning } from '../../given/analysis.ts';
import { modelUse } from '../../given/modelUse.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  [admin, ann] = [
    await app.signUp({ email: 'admin@example.com' }),
    await app.signUp({ email: 'ann@example.com', name: 'Ann' }),
  ];
});
afterEach(() => app.close());

const path = (jobId: string, more = ''): string => `/api/v1/admin/jobs/${jobId}${more}`;
const shown = async (jobId: string) => AdminJobResponse.parse((await admin.call('GET', path(jobId))).body).data;
const looks = async () =>
  (await app.newEvents())
    .filter(({ type }) => type === 'AdminLooked')
    .map(({ data }) => [data.thing, data.thingId, data.userId]);
const fail = (jobId: string) =>
  app.given(`job-${jobId}`, {
    type: 'JobFailed',
    data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
  });

describe('another user’s job', () => {
  it('is shown with its owner and its source of payment, and the view is recorded once a day', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    await givenRunning(app, jobId, 'checks');
    await app.newEvents();
    const data = await shown(jobId);
    expect(data).toMatchObject({
      job: { id: jobId, status: 'executing_step1', userEmail: ann.email, user_email: ann.email },
      own: false,
      owner: { id: ann.userId, email: ann.email, name: 'Ann' },
      can: { cancel: true, retry: false },
      paid: { source: 'free_allowance', amount: null, currency: null, access: 'full', state: 'reserved', unlock: null },
      shares: { total: 0, revoked: 0 },
      report: false,
    });
    await shown(jobId);
    expect(await looks()).toEqual([['job', jobId, ann.userId]]);
  });

  it('shows what its work waits for, and which worker has it', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    expect((await shown(jobId)).work).toMatchObject([
      { kind: 'audit', attempts: 0, failure: null, holder: null, vanishings: 0 },
    ]);
    const opening = (await app.readModels.get<WorkItem>('workItems', `audit/${jobId}`))?.data.opening ?? '';
    const { claims } = app.readModels;
    const item = { kind: 'audit', itemId: jobId, opening, lane: ann.userId };
    const first = await claims.take({ item, seen: null, holder: 'process-1/1', laneLimit: 2 });
    if (typeof first === 'string') throw new Error(first);
    await claims.letGo(first, { attempts: 1, failure: 'The site hung up.', notBefore: '2026-03-10T13:00:00.000Z' });
    expect((await shown(jobId)).work).toMatchObject([
      { attempts: 1, failure: 'The site hung up.', holder: null, due_at: '2026-03-10T13:00:00.000Z' },
    ]);
    const [seen = null] = await claims.read('audit', [jobId]);
    await claims.take({ item, seen, holder: 'process-2/1', laneLimit: 2 });
    expect((await shown(jobId)).work).toMatchObject([{ attempts: 1, holder: 'process-2/1' }]);
    await fail(jobId);
    expect((await shown(jobId)).work).toEqual([]);
  });

  it('shows an admin’s own job without a record', async () => {
    const { jobId } = await givenJob(app, admin.userId);
    await app.newEvents();
    expect((await shown(jobId)).own).toBe(true);
    expect(await looks()).toEqual([]);
  });

  it('answers 404 if it is unknown, for its history and its report, too', async () => {
    for (const more of ['', '/events', '/report', '/files/findings.json'])
      expect(await admin.call('GET', path('unknown', more))).toMatchObject({
        status: 404,
        body: { code: 'JOB_NOT_FOUND' },
      });
    for (const more of ['/cancel', '/retry'])
      expect(await admin.call('POST', path('unknown', more), {})).toMatchObject({
        status: 404,
        body: { code: 'JOB_NOT_FOUND' },
      });
  });

  it('shows its history in plain words, page by page', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    await givenRunning(app, jobId, 'crawl');
    await fail(jobId);
    const read = async (query: string) =>
      JobEventsResponse.parse((await admin.call('GET', path(jobId, `/events${query}`))).body);
    const all = await read('');
    expect(all.cursor).toBeNull();
    expect(all.data.map(({ number, title }) => [number, title])).toEqual([
      [0, 'Job submitted: https://example.com/'],
      [1, 'Job queued'],
      [2, 'Job started'],
      [3, 'Step started: discover'],
      [4, 'Step finished: discover'],
      [5, 'Step started: crawl'],
      [6, 'Job failed: Not found.'],
    ]);
    const first = await read('?limit=4');
    const second = await read(`?limit=4&cursor=${first.cursor}`);
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect((await admin.call('GET', path(jobId, '/events?cursor=-1'))).status).toBe(400);
  });

  it('shows the cost of its texts', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    await givenRunning(app, jobId, 'recommendations');
    const asked = (use: ModelUse) =>
      app.given(`job-${jobId}`, { type: 'ModelAsked', data: { jobId, ...use, recordedAt: app.deps.now() } });
    await asked(modelUse({ key: 'seo_actions', used: false, inputTokens: 24_000 }));
    await asked(modelUse({ costMicros: null }));
    await asked(modelUse({ answers: 0, used: false, inputTokens: null, outputTokens: null, costMicros: null }));
    const { data } = JobEventsResponse.parse((await admin.call('GET', path(jobId, '/events'))).body);
    expect(data.slice(-3).map(({ title }) => title)).toEqual([
      'Language model asked: model-x for the action items: 24,000 tokens in, 300 out, $0.008100; not used',
      'Language model asked: model-x for the summary: 1,200 tokens in, 300 out',
      'Language model asked: model-x for the summary: no answer',
    ]);
    expect(data.at(-1)?.data).toMatchObject({ key: 'summary', version: 1, model: 'model-x' });
  });

  it('shows its report and files as its owner sees them, recorded as a separate view', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    await app.newEvents();
    const { data } = AdminReportResponse.parse((await admin.call('GET', path(jobId, '/report'))).body);
    expect(data.files).toContain('seo-audit-report.md');
    expect(data.found?.causes.map(({ checkId }) => checkId).sort()).toEqual(['first', 'second']);
    expect((await admin.call('GET', path(jobId, '/files/seo-audit-report.md'))).body.data.content).toBe('# Report\n');
    expect((await admin.call('GET', path(jobId, '/files/other.md'))).body.code).toBe('FILE_NOT_FOUND');
    expect(await looks()).toEqual([['report', jobId, ann.userId]]);
    expect((await shown(jobId)).report).toBe(true);
  });

  it('shows no more of a preview than its owner sees', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId, { access: 'preview' });
    const own = await ann.call('GET', `/api/v1/jobs/${jobId}/files/seo-audit-report.md`);
    expect((await admin.call('GET', path(jobId, '/files/seo-audit-report.md'))).body).toEqual(own.body);
  });
});

describe('on behalf of its owner, an admin', () => {
  const written = async () => {
    const { events } = await app.store.readAll({ limit: 10_000 });
    return events
      .filter(({ metadata }) => metadata.actor.kind === 'admin')
      .map(({ type, metadata }) => [type, metadata.actor]);
  };

  it('can cancel a job, and the events record the admin and the owner', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    const answer = await admin.call('POST', path(jobId, '/cancel'), {});
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'failed', reason_code: 'CANCELLED', userEmail: ann.email } },
    });
    const actor = { kind: 'admin', id: admin.userId, onBehalfOf: ann.userId };
    expect(await written()).toEqual([
      ['JobCancelled', actor],
      ['AnalysisReleased', actor],
    ]);
    expect((await shown(jobId)).paid?.state).toBe('released');
    const { data } = (await admin.call('GET', path(jobId, '/events'))).body;
    expect(data.at(-1)).toMatchObject({ title: 'Job canceled', by: 'admin@example.com, as an administrator' });
    const done = await givenAnalysis(app, ann.userId);
    expect(await admin.call('POST', path(done.jobId, '/cancel'), {})).toMatchObject({
      status: 409,
      body: { code: 'JOB_ALREADY_FINISHED' },
    });
  });

  it('can retry a failed job as a new one, free of charge', async () => {
    const { jobId } = await givenJob(app, ann.userId, { access: 'preview', maxPages: 7 });
    await fail(jobId);
    await app.given(`billing-${ann.userId}`, {
      type: 'AnalysisReleased',
      data: { userId: ann.userId, jobId, reason: 'job_failed', releasedAt: app.deps.now() },
    });
    expect((await shown(jobId)).can).toEqual({ cancel: false, retry: true });
    const answer = await admin.call('POST', path(jobId, '/retry'), {});
    expect(answer).toMatchObject({
      status: 201,
      body: { data: { user_id: ann.userId, url: 'https://example.com/', max_pages: 7, access: 'full' } },
    });
    const again = answer.body.data.id;
    expect(again).not.toBe(jobId);
    expect((await shown(again)).paid).toMatchObject({ source: 'admin', state: 'reserved', access: 'full' });
    expect((await ann.call('GET', '/api/v1/subscription/status')).body.data.usage.used).toBe(0);
    expect((await ann.call('GET', '/api/v1/jobs')).body.data.active.map(({ id }: { id: string }) => id)).toEqual([
      again,
    ]);
    expect((await written()).filter(([type]) => type === 'JobSubmitted')).toHaveLength(1);
  });

  it('creates one job for the same request sent twice', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    await fail(jobId);
    const ask = () => admin.call('POST', path(jobId, '/retry'), {}, { 'idempotency-key': 'once' });
    const [one, two] = [await ask(), await ask()];
    expect(two.body.data.id).toBe(one.body.data.id);
  });

  it('cannot retry a running job, or one with a result', async () => {
    const running = await givenJob(app, ann.userId);
    const done = await givenAnalysis(app, ann.userId);
    for (const { jobId } of [running, done])
      expect(await admin.call('POST', path(jobId, '/retry'), {})).toMatchObject({
        status: 409,
        body: { code: 'JOB_NOT_FAILED' },
      });
  });

  it('can do what others may not', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    for (const more of ['/cancel', '/retry']) expect((await ann.call('POST', path(jobId, more), {})).status).toBe(403);
  });
});
