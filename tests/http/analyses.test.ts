/** Audits as a whole: their list, their deletion, and items and summary generated again. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FollowUp } from '../../src/commands/plan/followUp.ts';
import { ActionsResponse, ExportResponse } from '../../src/http/contract/actions.ts';
import { AnalysesResponse, GeneratedResponse, SummaryResponse } from '../../src/http/contract/analyses.ts';
import { ReworksResponse } from '../../src/http/contract/reworks.ts';
import { getReworks } from '../../src/projections/reworks.ts';
import { webhookFacts } from '../../src/projections/webhookFacts.ts';
import { actionItem, givenAnalysis, givenJob, givenRunning } from '../given/analysis.ts';
import { followUpWith } from '../given/followUp.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { metadataAt } from '../given/stores/metadata.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp({ rateLimits: { generate: { points: 20, seconds: 600 } } });
  user = await app.signUp();
});
afterEach(() => app.close());

const TWELVE = Array.from({ length: 12 }, (_, nth) => actionItem(`item${nth}`, { impact: nth < 3 ? 'low' : 'high' }));
const folderPathOf = async (jobId: string): Promise<string> =>
  (await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data.folderPath;
const TOO_OLD = {
  code: 'ANALYSIS_TOO_OLD',
  error: 'This analysis is too old. Please run a new analysis to generate actions.',
};

describe('the list of audits', () => {
  it('names each audit with a report, newest first', async () => {
    const older = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    app.advance(60_000);
    const newer = await givenAnalysis(app, user.userId, { host: 'blog.example', items: [] });
    const running = await givenJob(app, user.userId);
    await givenRunning(app, running.jobId, 'crawl');
    const failed = await givenJob(app, user.userId);
    await app.given(`job-${failed.jobId}`, {
      type: 'JobFailed',
      data: { jobId: failed.jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });
    const { analyses, cursor } = AnalysesResponse.parse((await user.call('GET', '/actions/analyses')).body);
    expect(analyses.map(({ id, domain, actions_count }) => [id, domain, actions_count])).toEqual([
      [newer.jobId, 'blog.example', 0],
      [older.jobId, 'shop.example', 2],
    ]);
    expect(cursor).toBeNull();
    const [, second] = analyses;
    expect(second).toMatchObject({ jobId: older.jobId, created_at: '2026-03-10T12:00:00.000Z' });
    const named = await user.call('GET', `/actions?domain=shop.example&timestamp=${second?.analysis_timestamp}`);
    expect(named.body.jobId).toBe(older.jobId);
  });

  it('is paged, and can be narrowed to one audit', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      app.advance(1_000);
      ids.unshift((await givenAnalysis(app, user.userId)).jobId);
    }
    const first = (await user.call('GET', '/actions/analyses?limit=2')).body;
    const second = (await user.call('GET', `/actions/analyses?limit=2&cursor=${encodeURIComponent(first.cursor)}`))
      .body;
    expect([...first.analyses, ...second.analyses].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await user.call('GET', `/actions/analyses?jobId=${ids[1]}`)).body.analyses).toMatchObject([{ id: ids[1] }]);
    expect(await user.call('GET', '/actions/analyses?cursor=mine')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });
});

describe('what was set for the crawl', () => {
  it.each([{ folder: '/blog/', maxPages: 40 }, undefined])(
    'stands in the list, in exported items and in webhooks, null if nothing was: %j',
    async (settings) => {
      await app.newEvents();
      const { jobId } = await givenAnalysis(app, user.userId, settings ? { settings } : {});
      const shown = settings ?? null;
      const listed = AnalysesResponse.parse((await user.call('GET', '/api/v1/actions/analyses')).body);
      expect(listed.analyses).toMatchObject([{ settings: shown }]);
      const exported = await user.call('GET', `/api/v1/actions/export?jobId=${jobId}&format=json`);
      expect(JSON.parse(exported.body.data.content)).toMatchObject({ settings: shown });
      const completed = (await app.newEvents()).find(({ type }) => type === 'JobCompleted');
      const facts = await webhookFacts(app.deps.readModels, 'https://seo.example.com', completed as never);
      expect(facts).toMatchObject({ job: { settings: shown } });
    },
  );
});

describe('deleting an audit', () => {
  it('removes it everywhere', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const kept = await givenAnalysis(app, user.userId);
    expect(await user.call('DELETE', `/actions/analyses/${jobId}`)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Analysis deleted successfully' },
    });
    expect((await user.call('GET', '/actions/analyses')).body.analyses.map(({ id }: { id: string }) => id)).toEqual([
      kept.jobId,
    ]);
    for (const path of [
      `/actions?jobId=${jobId}`,
      `/actions/export?jobId=${jobId}`,
      `/api/v1/jobs/${jobId}/files/findings.json`,
    ]) {
      expect([path, (await user.call('GET', path)).status]).toEqual([path, 404]);
    }
    expect(await user.call('PUT', `/actions/first/progress?jobId=${jobId}`, { status: 'completed' })).toMatchObject({
      status: 404,
    });
    expect(await user.call('DELETE', `/actions/analyses/${jobId}`)).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
  });

  it('waits for its end', async () => {
    const { jobId } = await givenJob(app, user.userId);
    expect(await user.call('DELETE', `/actions/analyses/${jobId}`)).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_FINISHED' },
    });
  });

  it('is sent to open pages', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const socket = await (await openSocket(app.url)).logIn(user.token);
    await socket.subscribe(`actions:${jobId}`);
    await user.call('DELETE', `/actions/analyses/${jobId}`);
    expect(await socket.next((message) => message.type === 'event' && message.eventType === 'DELETE')).toMatchObject({
      old: { id: 'first', job_id: jobId },
    });
    await socket.close();
  });
});

describe('action items generated again', () => {
  const regenerate = (jobId: string, body: object = { jobId }) =>
    user.call('POST', `/api/v1/jobs/${jobId}/regenerate-actions`, body);

  it('come from the stored findings, and continuing ones keep progress and notes', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    await user.call('PUT', `/actions/first/progress?jobId=${jobId}`, { status: 'in-progress', notes: 'Asked Ada.' });
    const answer = GeneratedResponse.parse((await regenerate(jobId)).body);
    expect(answer).toMatchObject({ actionsCount: 2, message: '2 actions generated' });
    expect(answer.actions.find(({ id }) => id === 'first')).toMatchObject({
      status: 'in-progress',
      notes: 'Asked Ada.',
    });
    expect(answer.actions[0]?.problem).not.toBe('Something is wrong with first');
    expect((await user.call('GET', `/actions?jobId=${jobId}`)).body.actions).toEqual(answer.actions);
    const file = (await user.call('GET', `/api/v1/jobs/${jobId}/files/action-items.md`)).body.data.content;
    for (const { title } of answer.actions) expect(file).toContain(title);
  });

  it('change the count shown in lists', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE.slice(0, 3) });
    const at = app.deps.now();
    await app.given(`plan-${jobId}`, {
      type: 'PlanRegenerated',
      data: { jobId, by: 'AI', count: 1, items: [actionItem('only')], kept: {}, regeneratedAt: at },
    });
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data.action_count).toBe(1);
    await regenerate(jobId);
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data.action_count).toBe(3);
    expect((await user.call('GET', `/api/v1/actions/check-job/${jobId}`)).body).toMatchObject({
      hasActions: true,
      actionCount: 3,
    });
  });

  it('are sent to open pages: which are new, changed or gone', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const socket = await (await openSocket(app.url)).logIn(user.token);
    await socket.subscribe(`actions:${jobId}`);
    const items = [actionItem('second', { title: 'In other words' }), actionItem('third')];
    await app.given(`plan-${jobId}`, {
      type: 'PlanRegenerated',
      data: { jobId, by: 'AI', count: 2, items, kept: {}, regeneratedAt: app.deps.now() },
    });
    await socket.next((message) => message.type === 'event' && message.eventType === 'DELETE');
    const rows = socket.messages
      .filter(({ type }) => type === 'event')
      .map((message) => [message.eventType, (message.new ?? message.old).id]);
    expect(rows).toEqual([
      ['UPDATE', 'second'],
      ['INSERT', 'third'],
      ['DELETE', 'first'],
    ]);
    await socket.close();
  });

  it('of a preview show eight, and count all', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const answer = GeneratedResponse.parse((await regenerate(jobId)).body);
    expect([answer.actions.length, answer.actionsCount]).toEqual([8, 12]);
    expect(ActionsResponse.parse((await user.call('GET', `/actions?jobId=${jobId}`)).body).actions).toEqual(
      answer.actions,
    );
  });

  it('are generated by folderPath for a job that ended without any, and returned as they are otherwise', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const folderPath = await folderPathOf(jobId);
    await app.newEvents();
    const answer = GeneratedResponse.parse((await user.call('POST', '/api/v1/actions/parse', { folderPath })).body);
    expect(answer).toMatchObject({
      actionsCount: 2,
      actions: [{ id: 'first', problem: 'Something is wrong with first' }, { id: 'second' }],
    });
    expect(await app.newEvents()).toEqual([]);
    expect(await user.call('POST', '/api/v1/actions/parse', { folderPath: 'example.com/never' })).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
    const stranger = await app.signUp();
    expect(await stranger.call('POST', '/api/v1/actions/parse', { folderPath })).toMatchObject({ status: 404 });
    expect(await user.call('POST', '/api/v1/actions/parse', {})).toMatchObject({ status: 400 });
  });

  it('are found by folderPath however many newer audits there are', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const folderPath = await folderPathOf(jobId);
    app.advance(60_000);
    const submittedAt = app.deps.now();
    for (let nth = 0; nth < 520; nth += 1) {
      const job = { jobId: randomUUID(), userId: user.userId };
      const submitted = {
        ...job,
        url: 'https://other.example/',
        host: 'other.example',
        bounds: { maxPages: 1, maxMs: 1 },
        access: 'full',
        submittedAt,
      };
      const ended = { ...job, code: 'SITE_DNS', reason: 'Not found.', failedAt: submittedAt };
      const events = [
        { type: 'JobSubmitted', data: submitted },
        { type: 'JobFailed', data: ended },
      ];
      const envelopes = events.map((event) => ({ id: randomUUID(), ...event, metadata: metadataAt(submittedAt) }));
      await app.store.append(`job-${job.jobId}`, envelopes, { expected: 'no_stream' });
    }
    await givenJob(app, user.userId);
    expect((await user.call('POST', '/api/v1/actions/parse', { folderPath })).body).toMatchObject({
      actionsCount: 2,
      actions: [{ id: 'first' }, { id: 'second' }],
    });
    const timestamp = folderPath.split('/')[1];
    expect((await user.call('GET', `/actions?domain=www.example.com&timestamp=${timestamp}`)).body.jobId).toBe(jobId);
  });

  it('require findings, and a job that has ended', async () => {
    const failed = await givenJob(app, user.userId);
    await app.given(`job-${failed.jobId}`, {
      type: 'JobFailed',
      data: { jobId: failed.jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });
    expect(await regenerate(failed.jobId, {})).toMatchObject({
      status: 409,
      body: { code: 'ANALYSIS_WITHOUT_RESULT' },
    });
    const old = await givenAnalysis(app, user.userId, { findings: '{"findings":[]}' });
    expect(await regenerate(old.jobId, {})).toMatchObject({ status: 404, body: TOO_OLD });
    const running = await givenJob(app, user.userId);
    expect(await regenerate(running.jobId, {})).toMatchObject({ status: 409, body: { code: 'JOB_NOT_FINISHED' } });
  });

  it('are limited per user', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: [] });
    const statuses: number[] = [];
    for (let nth = 0; nth < 21; nth += 1) statuses.push((await regenerate(jobId)).status);
    expect([statuses.slice(0, 20).every((status) => status === 200), statuses[20]]).toEqual([true, 429]);
  });
});

describe('work that takes longer than the request waits', () => {
  /** An analyst that answers when the test lets it. */
  function slowApp() {
    const rules = followUpWith();
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let asked = 0;
    const slow = async <T>(write: () => Promise<T>): Promise<T> => {
      asked += 1;
      await gate;
      return write();
    };
    const followUp: FollowUp = {
      ...rules,
      recommend: (findings) => slow(() => rules.recommend(findings)),
      summarise: (findings, items) => slow(() => rules.summarise(findings, items)),
      verify: (findings, ids) => slow(() => rules.verify(findings, ids)),
    };
    return { followUp, goOn: () => goOn(), asked: () => asked };
  }

  it.each([
    [
      'regenerate-actions',
      (jobId: string) => `/api/v1/jobs/${jobId}/regenerate-actions`,
      { actions: [], actionsCount: 0 },
    ],
    [
      'generate-executive-summary',
      (jobId: string) => `/api/jobs/${jobId}/generate-executive-summary`,
      { executive_summary: '', analyst: '' },
    ],
    [
      'verify',
      (jobId: string) => `/actions/first/verify?jobId=${jobId}`,
      { verification: null, results: [], completed: false },
    ],
  ] as const)(
    '%s answers that it is pending, once for all requests, and the socket reports the end',
    async (_name, pathOf, empty) => {
      await app.close();
      const { followUp, goOn, asked } = slowApp();
      app = await startTestApp({ followUp, config: { reworkWaitMs: 50 } });
      user = await app.signUp();
      const { jobId } = await givenAnalysis(app, user.userId);
      const socket = await (await openSocket(app.url)).logIn(user.token);
      await socket.subscribe('reworks');
      const answers = [await user.call('POST', pathOf(jobId), {}), await user.call('POST', pathOf(jobId), {})];
      for (const { status, body } of answers) {
        expect([status, body]).toMatchObject([
          200,
          { success: true, pending: true, ...empty, rework: { job_id: jobId, ask: 1, status: 'pending' } },
        ]);
      }
      expect(answers[1]?.body.rework).toEqual(answers[0]?.body.rework);
      const { id } = answers[0]?.body.rework ?? {};
      goOn();
      const row = await socket.next((message) => message.type === 'event' && message.new?.status === 'done');
      expect(row).toMatchObject({
        channel: 'reworks',
        table: 'reworks',
        new: { id, job_id: jobId, status: 'done', code: null, error: null },
      });
      const { reworks } = ReworksResponse.parse((await user.call('GET', `/api/v1/jobs/${jobId}/reworks`)).body);
      expect(reworks).toEqual([row.new]);
      expect(asked()).toBe(1);
      const stranger = await app.signUp();
      expect(await stranger.call('GET', `/api/v1/jobs/${jobId}/reworks`)).toMatchObject({ status: 404 });
      await socket.close();
    },
  );

  it('is reported after a break, and refused with the reason when it was given up', async () => {
    await app.close();
    app = await startTestApp({ followUp: null, config: { reworkWaitMs: 50 } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const headers = { 'Idempotency-Key': 'k1' };
    const regenerate = () => user.call('POST', `/api/v1/jobs/${jobId}/regenerate-actions`, { jobId }, headers);
    const { rework } = (await regenerate()).body;
    const since = await app.store.head();
    const facts = { reworkId: rework.id, ask: 1, jobId, userId: user.userId };
    await app.given(`rework-${rework.id}`, {
      type: 'ReworkGivenUp',
      data: {
        ...facts,
        code: 'GIVEN_UP',
        reason: 'This was not begun in time. Please try again.',
        givenUpAt: app.deps.now(),
      },
    });
    const socket = await (await openSocket(app.url)).logIn(user.token);
    await socket.subscribe('reworks', since);
    expect((await socket.next((message) => message.type === 'event')).new).toMatchObject({
      id: rework.id,
      status: 'failed',
      code: 'GIVEN_UP',
    });
    await socket.close();
    const refused = {
      status: 503,
      body: { success: false, code: 'GIVEN_UP', error: 'This was not begun in time. Please try again.' },
    };
    expect(await regenerate()).toMatchObject(refused);
    // Without the key it is another request.
    expect((await user.call('POST', `/api/v1/jobs/${jobId}/regenerate-actions`, { jobId })).body).toMatchObject({
      pending: true,
      rework: { ask: 2 },
    });
  });

  it('is removed with its audit', async () => {
    await app.close();
    app = await startTestApp({ followUp: null, config: { reworkWaitMs: 50 } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    await user.call('POST', `/api/v1/jobs/${jobId}/regenerate-actions`, { jobId });
    expect(await user.call('DELETE', `/actions/analyses/${jobId}`)).toMatchObject({ status: 200 });
    expect(await getReworks(app.readModels, jobId)).toBeNull();
  });
});

describe('the executive summary generated again', () => {
  it('is returned, stored and shown, under both paths', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    for (const path of [
      `/api/jobs/${jobId}/generate-executive-summary`,
      `/api/v1/jobs/${jobId}/generate-executive-summary`,
    ]) {
      const answer = SummaryResponse.parse((await user.call('POST', path)).body);
      expect(answer.analyst).toBe('Built-in analyst');
      expect(answer.executive_summary).toMatch(/^# /);
      expect((await user.call('GET', `/actions?jobId=${jobId}`)).body.executiveSummary).toBe(answer.executive_summary);
    }
  });

  it('requires findings, and a job that has ended', async () => {
    const running = await givenJob(app, user.userId);
    expect(await user.call('POST', `/api/jobs/${running.jobId}/generate-executive-summary`)).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_FINISHED' },
    });
    const old = await givenAnalysis(app, user.userId, { findings: 'none' });
    expect(await user.call('POST', `/api/jobs/${old.jobId}/generate-executive-summary`)).toMatchObject({
      status: 404,
      body: TOO_OLD,
    });
  });
});

describe('exports', () => {
  const exported = async (jobId: string, format: string) =>
    ExportResponse.parse((await user.call('GET', `/actions/export?jobId=${jobId}&format=${format}`)).body).data;

  it('contain every visible item as JSON', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const file = await exported(jobId, 'json');
    expect(file).toMatchObject({ name: 'seo-actions-example.com-2026-03-10.json', type: 'application/json' });
    const content = JSON.parse(file.content);
    expect(content).toMatchObject({
      format: 'seo-actions',
      version: 1,
      job_id: jobId,
      host: 'example.com',
      total_actions: 12,
    });
    expect(content.actions).toEqual((await user.call('GET', `/actions?jobId=${jobId}`)).body.actions);
    expect(content.actions).toHaveLength(8);
  });

  it('contain a row per item as CSV without formulas', async () => {
    const items = [
      actionItem('first', { title: '=HYPERLINK("https://evil.example")', tags: ['a', 'b'] }),
      actionItem('second', { problem: 'Two\nlines, "quoted"' }),
    ];
    const { jobId } = await givenAnalysis(app, user.userId, { items });
    await user.call('PUT', `/actions/first/progress?jobId=${jobId}`, {
      status: 'completed',
      notes: '@SUM(A1)',
      effectiveness_rating: 4,
    });
    const file = await exported(jobId, 'csv');
    expect(file).toMatchObject({ name: 'seo-actions-example.com-2026-03-10.csv', type: 'text/csv; charset=utf-8' });
    const [head, ...rows] = file.content.split('\r\n');
    expect(head).toMatch(/^id,title,status,impact,category,/);
    expect(rows[0]).toContain(`"'=HYPERLINK(""https://evil.example"")",completed`);
    expect(rows[0]).toContain("'@SUM(A1),4");
    expect(rows[1]).toContain('"Two\nlines, ""quoted"""');
  });

  it('require an audit and a known format', async () => {
    expect(await user.call('GET', '/actions/export')).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
    expect(await user.call('GET', '/actions/export?format=xls')).toMatchObject({ status: 400 });
  });
});
