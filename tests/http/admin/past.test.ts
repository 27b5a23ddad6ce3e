import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOBS_COUNTED } from '../../../src/history/past/changes.ts';
import { DELETION_CONFIRMATION } from '../../../src/http/contract/account.ts';
import {
  ChangesResponse,
  PastBillResponse,
  PastFileResponse,
  PastJobResponse,
  PastReportResponse,
  PastSharesResponse,
  StepsResponse,
  UserChangesResponse,
} from '../../../src/http/contract/admin/past.ts';
import { PastJobsResponse, PastUserJobsResponse } from '../../../src/http/contract/admin/pastLists.ts';
import { actionItem, givenAnalysis, givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const MINUTE = 60_000;

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

const get = async (path: string) => (await admin.call('GET', `/api/v1/admin/history/past/${path}`)).body;
const head = () => app.store.head();
const looks = async () =>
  (await app.newEvents())
    .filter(({ type }) => type === 'AdminLooked')
    .map(({ data }) => [data.thing, data.thingId, data.userId]);
/** The page of today. */
const today = async (path: string) => (await admin.call('GET', `/api/v1/admin/${path}`)).body.data;
const regenerated = (jobId: string) =>
  app.given(
    `plan-${jobId}`,
    { type: 'ActionCompleted', data: { jobId, actionId: 'first', completedAt: app.deps.now() } },
    {
      type: 'PlanRegenerated',
      data: {
        jobId,
        by: 'Grok AI',
        count: 1,
        items: [actionItem('third', { impact: 'high' })],
        kept: {},
        regeneratedAt: app.deps.now(),
      },
    },
  );
const summary = (jobId: string, text: string) =>
  app.given(`report-${jobId}`, {
    type: 'ReportPartWritten',
    data: {
      jobId,
      userId: ann.userId,
      file: 'executive-summary.md',
      part: 0,
      parts: 1,
      text,
      writtenAt: app.deps.now(),
    },
  });
const deleted = async (jobId: string) => {
  expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
};

describe('a past job', () => {
  it('is shown as its page was then, at each moment of its life', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    const submitted = await head();
    const then = await today(`jobs/${jobId}`);
    app.advance(MINUTE);
    await app.given(`job-${jobId}`, {
      type: 'JobFailed',
      data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });
    const now = await today(`jobs/${jobId}`);
    const before = PastJobResponse.parse(await get(`jobs/${jobId}?at=${submitted}`));
    const { can: _, work: __, ...told } = then;
    expect(before).toMatchObject({ moment: { position: submitted, now: false }, erased: null });
    expect(before.data).toEqual({ ...told, job: { ...told.job, eta: before.data?.job.eta }, parked: false });
    const last = PastJobResponse.parse(await get(`jobs/${jobId}`));
    expect(last.data?.job).toEqual({ ...now.job, eta: null });
  });

  it('is found by a time, too, and is missing before its submission', async () => {
    const early = app.deps.now();
    app.advance(MINUTE);
    const { jobId } = await givenJob(app, ann.userId);
    const at = app.deps.now();
    app.advance(MINUTE);
    await app.given(`job-${jobId}`, {
      type: 'JobFailed',
      data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });
    expect(PastJobResponse.parse(await get(`jobs/${jobId}?at=${at}`)).data?.job.status).toBe('queued');
    expect(PastJobResponse.parse(await get(`jobs/${jobId}?at=${early}`))).toMatchObject({
      data: null,
      erased: null,
      moment: { time: early },
    });
  });

  it('names the time that was requested beside that of the last event, unless it is yet to come', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    const time = app.deps.now();
    app.advance(2 * MINUTE);
    const requested = new Date(Date.parse(time) + MINUTE).toISOString();
    const momentOf = async (query: string) => PastJobResponse.parse(await get(`jobs/${jobId}${query}`)).moment;
    expect(await momentOf(`?at=${requested}`)).toMatchObject({ time, requested });
    for (const query of ['', `?at=${await head()}`, '?at=2999-01-01T00:00:00Z'])
      expect((await momentOf(query)).requested, query).toBeNull();
  });

  it('refuses an invalid moment, an invalid job, and a time before everything', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    for (const at of ['yesterday', '2026-02-31T00:00:00', '123456789012345678901'])
      expect(await admin.call('GET', `/api/v1/admin/history/past/jobs/${jobId}?at=${at}`), at).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      });
    expect(await get('jobs/unknown')).toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await get(`jobs/${jobId}?at=2020-01-01T00:00:00Z`)).toMatchObject({ code: 'NOTHING_YET' });
    expect((await get(`jobs/${jobId}?at=99999999999999999999`)).moment.now).toBe(true);
  });

  it('refuses a cursor that no log has', async () => {
    for (const path of [`jobs?cursor=${'9'.repeat(20)}`, `changes?after=${'9'.repeat(20)}`, 'jobs?cursor=5'])
      expect(await admin.call('GET', `/api/v1/admin/history/past/${path}`), path).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURSOR' },
      });
  });

  it('records a view once a day, like today’s page; another user’s report is recorded separately', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    await app.newEvents();
    for (const more of ['', '/shares', '/steps', '/report', '/files/pages.csv']) await get(`jobs/${jobId}${more}`);
    expect(await looks()).toEqual([
      ['job', jobId, ann.userId],
      ['report', jobId, ann.userId],
    ]);
  });

  it('shows the links of that moment', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const before = await head();
    const { id } = (await ann.call('POST', '/share/create', { jobId })).body.data;
    const shared = await head();
    app.advance(MINUTE);
    await ann.call('DELETE', `/share/${id}`);
    const shares = async (at: string) =>
      PastSharesResponse.parse(await get(`jobs/${jobId}/shares?at=${at}`)).data?.map((share) => [
        share.id,
        share.is_active,
      ]);
    expect(await shares(before)).toEqual([]);
    expect(await shares(shared)).toEqual([[id, true]]);
    expect(await shares(await head())).toEqual([[id, false]]);
  });
});

describe('a past report', () => {
  it('has its texts, findings and action items of that moment', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const then = await head();
    const found = (await today(`jobs/${jobId}/report`)).found;
    app.advance(10 * MINUTE);
    await regenerated(jobId);
    await summary(jobId, '# Summary\n\nBetter by now.\n');
    const report = async (at: string) => PastReportResponse.parse(await get(`jobs/${jobId}/report?at=${at}`)).data;
    expect(await report(then)).toMatchObject({
      found,
      items_by: 'Built-in analyst',
      items: [{ id: 'first', status: 'todo' }, { id: 'second' }],
    });
    expect(await report(await head())).toMatchObject({ items_by: 'Grok AI', items: [{ id: 'third' }] });
    const text = async (at: string) =>
      PastFileResponse.parse(await get(`jobs/${jobId}/files/executive-summary.md?at=${at}`)).data?.content;
    expect(await text(then)).toContain('All in all.');
    expect(await text(await head())).toContain('Better by now.');
    expect((await get(`jobs/${jobId}/files/other.md`)).code).toBe('FILE_NOT_FOUND');
  });

  it('of a preview shows no more than its owner saw then', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId, { access: 'preview' });
    const own = await ann.call('GET', `/api/v1/jobs/${jobId}/files/seo-audit-report.md`);
    expect(PastFileResponse.parse(await get(`jobs/${jobId}/files/seo-audit-report.md`)).data).toEqual(own.body.data);
  });
});

describe('erased content', () => {
  it('stays erased at every moment, with the time and the actor of the deletion', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const then = await head();
    app.advance(MINUTE);
    const at = app.deps.now();
    await deleted(jobId);
    for (const more of ['', '/report', '/files/pages.csv', '/shares']) {
      for (const moment of [then, await head()]) {
        expect(await get(`jobs/${jobId}${more}?at=${moment}`), more).toMatchObject({
          success: true,
          data: null,
          erased: { at, by: 'its owner' },
        });
      }
    }
    expect(StepsResponse.parse(await get(`jobs/${jobId}/steps`))).toMatchObject({
      data: [],
      erased: { at, by: 'its owner' },
    });
  });

  it('is absent from past lists, which say how many are missing', async () => {
    const [kept, gone] = [
      await givenAnalysis(app, ann.userId, { host: 'kept.example' }),
      await givenAnalysis(app, ann.userId, { host: 'gone.example' }),
    ];
    const then = await head();
    await deleted(gone.jobId);
    const all = PastJobsResponse.parse(await get(`jobs?at=${then}`));
    expect([all.data.map(({ id }) => id), all.erased]).toEqual([[kept.jobId], 1]);
    const own = PastUserJobsResponse.parse(await get(`users/${ann.userId}/jobs?at=${then}`));
    expect([own.data.map(({ id }) => id), own.erased]).toEqual([[kept.jobId], 1]);
    expect(JSON.stringify([all, own])).not.toContain('gone.example');
  });
});

describe('past job lists', () => {
  it('equal those of today’s pages at their moment', async () => {
    const first = await givenJob(app, ann.userId, { host: 'one.example' });
    app.advance(MINUTE);
    await givenAnalysis(app, admin.userId, { host: 'two.example' });
    const then = await head();
    const listed = await today('all-jobs');
    app.advance(MINUTE);
    await givenJob(app, ann.userId, { host: 'three.example' });
    await app.given(`job-${first.jobId}`, {
      type: 'JobFailed',
      data: { jobId: first.jobId, code: 'X', reason: 'Not found.', failedAt: app.deps.now() },
    });
    const past = PastJobsResponse.parse(await get(`jobs?at=${then}`));
    // No list shows files, and remaining time is estimated as of then.
    const rows = (jobs: readonly object[]) => jobs.map((job) => ({ ...job, files: [], eta: null, position: '' }));
    expect(rows(past.data)).toEqual(rows(listed));
    expect(past.cursor).toBeNull();
    const processing = PastJobsResponse.parse(await get(`jobs?at=${then}&status=processing`));
    expect(processing.data.map(({ host }) => host)).toEqual(['one.example']);
    const own = PastUserJobsResponse.parse(await get(`users/${ann.userId}/jobs?at=${then}`));
    expect([own.email, own.data.map(({ host, status }) => [host, status])]).toEqual([
      'ann@example.com',
      [['one.example', 'queued']],
    ]);
  });

  it('are paged', async () => {
    for (let nth = 0; nth < 5; nth += 1) await givenJob(app, ann.userId, { host: `site${nth}.example` });
    for (const path of ['jobs', `users/${ann.userId}/jobs`]) {
      const hosts: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { data: { host: string }[]; cursor: string | null } = await get(
          `${path}?limit=2${cursor && `&cursor=${cursor}`}`,
        );
        hosts.push(...page.data.map(({ host }) => host));
        cursor = page.cursor;
      }
      expect(hosts).toEqual([4, 3, 2, 1, 0].map((nth) => `site${nth}.example`));
      expect(await get(`${path}?cursor=nonsense`)).toMatchObject({ code: 'INVALID_CURSOR' });
    }
  });

  it('without jobs are empty, and of an unknown user a 404', async () => {
    expect(PastJobsResponse.parse(await get('jobs')).data).toEqual([]);
    expect(await get('users/unknown/jobs')).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

const funds = (amount: number, balance: number) => ({
  type: 'FundsAdded',
  data: {
    userId: ann.userId,
    paymentIntentId: `pi_${balance}`,
    amount,
    currency: 'usd',
    funds: amount,
    balance,
    quantity: 1,
    addedAt: app.deps.now(),
  },
});

describe('a past bill', () => {
  it('shows the balance and the payments of then, of a deleted account too', async () => {
    await app.given(`billing-${ann.userId}`, funds(5_000, 5_000));
    const then = await head();
    const shown = (await today(`users/${ann.userId}`)).billing;
    app.advance(MINUTE);
    await app.given(`billing-${ann.userId}`, funds(10_000, 15_000));
    const bill = async (at: string) => PastBillResponse.parse(await get(`bills/${ann.userId}?at=${at}`));
    expect(await bill(then)).toMatchObject({
      data: { email: 'ann@example.com', billing: shown, history: [{ amount: 5_000 }], more: false },
    });
    expect((await bill(await head())).data.history.map(({ amount }) => amount)).toEqual([10_000, 5_000]);
    expect(
      (await ann.call('DELETE', '/api/v1/account', { password: ann.password, confirmation: DELETION_CONFIRMATION }))
        .status,
    ).toBe(200);
    expect((await bill(then)).data).toMatchObject({ email: null, billing: { balance: { funds: 5_000 } } });
    expect(await get('bills/unknown')).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

describe('the steps of a job', () => {
  it('are its events in order, each a moment that shows the job after it', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const { data, earlier } = StepsResponse.parse(await get(`jobs/${jobId}/steps`));
    expect(earlier).toBe(false);
    expect(data[0]).toMatchObject({ title: 'Job submitted: https://example.com/' });
    expect(data.at(-1)).toMatchObject({ title: 'Job completed' });
    expect(data.map(({ position }) => position)).toEqual(data.map(({ position }) => position).sort());
    const queued = data.find(({ title }) => title === 'Job queued');
    expect(PastJobResponse.parse(await get(`jobs/${jobId}?at=${queued?.position}`)).data?.job.status).toBe('queued');
    await app.given(`billing-${ann.userId}`, funds(5_000, 5_000));
    expect(
      StepsResponse.parse(await get(`bills/${ann.userId}/steps`))
        .data.map(({ title }) => title)
        .slice(-1),
    ).toEqual(['Reports bought']);
  });
});

describe('comparing two moments', () => {
  it('counts events of the whole installation by type, with the money that changed hands', async () => {
    const from = await head();
    await givenJob(app, ann.userId);
    await app.given(`billing-${ann.userId}`, funds(5_000, 5_000), {
      type: 'PaymentRefunded',
      data: {
        userId: ann.userId,
        paymentIntentId: 'pi_5000',
        refundId: 're_1',
        amount: 2_000,
        currency: 'usd',
        funds: 2_000,
        balance: 3_000,
        refundedAt: app.deps.now(),
      },
    });
    const to = await head();
    await givenJob(app, ann.userId);
    const changes = ChangesResponse.parse(await get(`changes?from=${from}&to=${to}`));
    expect(changes).toMatchObject({ events: 5, next: null, money: [{ currency: 'usd', in: 5_000, out: 2_000 }] });
    expect(Object.fromEntries(changes.counts.map(({ type, count }) => [type, count]))).toEqual({
      AnalysisReserved: 1,
      FundsAdded: 1,
      JobQueued: 1,
      JobSubmitted: 1,
      PaymentRefunded: 1,
    });
    // The reverse is the same, and a moment does not differ from itself.
    expect((await get(`changes?from=${to}&to=${from}`)).events).toBe(5);
    expect((await get(`changes?from=${to}&to=${to}`)).events).toBe(0);
    expect((await get('changes')).events).toBeGreaterThan(5);
  });

  it('describes changes of a user and their bill in plain words', async () => {
    const from = await head();
    await app.given(`account-${ann.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: ann.userId, reason: 'configured' },
    });
    await app.given(`billing-${ann.userId}`, funds(5_000, 5_000));
    const user = UserChangesResponse.parse(await get(`changes/${ann.userId}?from=${from}`));
    expect(user.differences).toEqual([
      { what: 'Administers', before: 'No', after: 'Yes' },
      { what: 'Funds', before: 'None', after: '$50.00' },
    ]);
    expect(user).toMatchObject({ email: 'ann@example.com', events: 2, money: [{ in: 5_000, out: 0 }] });
    const bill = UserChangesResponse.parse(await get(`changes/${ann.userId}?from=${from}&of=bill`));
    expect([bill.events, bill.differences.map(({ what }) => what)]).toEqual([1, ['Funds']]);
  });

  it('counts changes of a user’s jobs: their plans, reports and links, of earlier jobs, too', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const other = await givenAnalysis(app, admin.userId, { host: 'other.example' });
    const from = await head();
    await regenerated(jobId);
    await regenerated(other.jobId);
    await summary(jobId, '# Summary');
    await ann.call('POST', '/share/create', { jobId });
    const to = await head();
    await regenerated(jobId);
    const counted = UserChangesResponse.parse(await get(`changes/${ann.userId}?from=${from}&to=${to}`));
    expect(Object.fromEntries(counted.counts.map(({ type, count }) => [type, count]))).toEqual({
      ActionCompleted: 1,
      PlanRegenerated: 1,
      ReportPartWritten: 1,
      ShareCreated: 1,
    });
    expect(counted.jobs).toEqual({ counted: 1, more: false });
    expect(UserChangesResponse.parse(await get(`changes/${ann.userId}?from=${from}&to=${to}&of=bill`))).toMatchObject({
      events: 0,
      jobs: null,
    });
  });

  it('covers a user’s newest jobs, and says when there are more', async () => {
    const from = await head();
    const reserved = {
      userId: ann.userId,
      from: 'admin',
      period: '2026-11',
      access: 'full',
      reservedAt: app.deps.now(),
    };
    for (let nth = 0; nth <= JOBS_COUNTED; nth += 1)
      await app.given(`billing-${ann.userId}`, {
        type: 'AnalysisReserved',
        data: { ...reserved, jobId: `job-${nth}` },
      });
    await app.given('job-job-0', { type: 'JobQueued', data: { jobId: 'job-0', queuedAt: app.deps.now() } });
    await app.given('job-job-1', { type: 'JobQueued', data: { jobId: 'job-1', queuedAt: app.deps.now() } });
    const counted = UserChangesResponse.parse(await get(`changes/${ann.userId}?from=${from}`));
    expect(counted.jobs).toEqual({ counted: JOBS_COUNTED, more: true });
    expect(counted.counts.find(({ type }) => type === 'JobQueued')?.count).toBe(1);
  });
});
