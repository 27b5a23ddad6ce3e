import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompareResponse, RunsResponse } from '../../src/http/contract/runs.ts';
import { wholeScore } from '../../src/model/scores.ts';
import { actionItem, givenAnalysis, givenJob } from '../given/analysis.ts';
import { givenRun } from '../given/audit/runs.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const UNTITLED = '<html lang="en"><head></head><body><h1>Tea</h1><p>Tea and cups.</p></body></html>';
const TITLED =
  '<html lang="en"><head><title>A shop for tea and for cups</title></head><body><h1>Tea</h1><p>Tea and cups.</p></body></html>';

let app: TestApp;
let user: TestUser;
let stranger: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  [user, stranger] = [await app.signUp(), await app.signUp()];
});
afterEach(() => app.close());

const runsOf = async (jobId: string) =>
  RunsResponse.parse((await user.call('GET', `/api/v1/jobs/${jobId}/runs`)).body).data;
const compare = (jobId: string, other?: string) =>
  user.call('GET', `/api/v1/jobs/${jobId}/compare${other ? `?with=${other}` : ''}`);
const compared = async (jobId: string, other?: string) =>
  CompareResponse.parse((await compare(jobId, other)).body).data;
const checksOf = (group: { readonly findings: readonly { readonly checkId: string }[] }) => [
  ...new Set(group.findings.map(({ checkId }) => checkId)),
];

describe('the audits of a site', () => {
  it('are one’s own with a result, oldest first, each with its figures', async () => {
    const first = await givenRun(app, user.userId, UNTITLED);
    const second = await givenRun(app, user.userId, TITLED);
    await givenRun(app, user.userId, TITLED, { host: 'other.example' });
    await givenRun(app, stranger.userId, TITLED);
    await givenJob(app, user.userId);
    const failed = await givenJob(app, user.userId);
    await app.given(`job-${failed.jobId}`, {
      type: 'JobFailed',
      data: { jobId: failed.jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });
    const { host, runs, truncated } = await runsOf(second.jobId);
    expect([host, truncated]).toEqual(['example.com', false]);
    expect(runs.map(({ jobId, score }) => [jobId, score])).toEqual([
      [first.jobId, first.score],
      [second.jobId, second.score],
    ]);
    expect(runs[0]).toMatchObject({
      status: 'completed',
      pages: 12,
      comparable: true,
      because: null,
      at: '2026-03-10T12:01:00.000Z',
    });
  });

  it('say why a score may not be compared', async () => {
    const small = await givenRun(app, user.userId, TITLED);
    const large = await givenRun(app, user.userId, {
      pages: [{ html: TITLED }, ...[1, 2, 3].map((n) => ({ url: `/${n}`, html: TITLED }))],
    });
    app.advance(60_000);
    await givenAnalysis(app, user.userId, { findings: '{}' });
    const { runs } = await runsOf(large.jobId);
    expect(runs.map(({ comparable, because }) => [comparable, because])).toEqual([
      [false, 'the audits read different pages: 1 of 4 are the same'],
      [true, null],
      [false, 'its findings are not stored in a form that can be compared'],
    ]);
    expect((await runsOf(small.jobId)).runs[0]?.comparable).toBe(true);
  });

  it('say what was set for each, and compare no scores of different parts', async () => {
    const pages = [{ html: TITLED }, { url: '/blog/a', html: TITLED }];
    const settings = { folder: '/blog/', maxPages: 40 };
    const whole = await givenRun(app, user.userId, { pages });
    const part = await givenRun(app, user.userId, { pages }, { settings });
    const again = await givenRun(app, user.userId, { pages }, { settings: { folder: '/blog/' } });
    const { runs } = await runsOf(again.jobId);
    expect(runs.map(({ settings: set, comparable, because }) => [set, comparable, because])).toEqual([
      [null, false, 'the audits cover different parts of the site'],
      [settings, true, null],
      [{ folder: '/blog/' }, true, null],
    ]);
    const data = await compared(part.jobId, whole.jobId);
    expect([data.score, data.scoreNotComparable]).toEqual([null, 'the audits cover different parts of the site']);
    expect([data.before.settings, data.after.settings]).toEqual([null, settings]);
    expect(data.fixed.total).toBe(0);
  });

  it('are the newest thirty', async () => {
    for (let nth = 0; nth < 31; nth += 1) await givenAnalysis(app, user.userId, { items: [], score: nth });
    const { jobId } = await givenRun(app, user.userId, TITLED);
    const { runs, truncated } = await runsOf(jobId);
    expect([runs.length, truncated, runs.at(-1)?.jobId]).toEqual([30, true, jobId]);
  });
});

describe('comparing two audits', () => {
  it('shows new, fixed and remaining issues, in either order of the two', async () => {
    const first = await givenRun(app, user.userId, UNTITLED);
    const second = await givenRun(app, user.userId, TITLED);
    const data = await compared(second.jobId, first.jobId);
    expect([data.before.jobId, data.after.jobId, data.preview]).toEqual([first.jobId, second.jobId, false]);
    expect(checksOf(data.fixed)).toContain('title-missing');
    const [earlier, later] = [first.score, second.score].map(wholeScore) as [number, number];
    expect(data.score).toEqual({ before: earlier, after: later, change: later - earlier });
    expect(data.remaining.total + data.fixed.total + data.notComparable.total).toBe(first.findings.length);
    expect(data.remaining.total + data.new.total + data.notSeenBefore.total).toBe(second.findings.length);
    expect(data.fixed.findings.find(({ checkId }) => checkId === 'title-missing')).toMatchObject({
      url: 'https://example.com/',
      impact: 'high',
      because: null,
    });
    expect(await compared(first.jobId, second.jobId)).toEqual(data);
    expect(await compared(second.jobId)).toEqual(data);
  });

  it('counts nothing as fixed whose page was not fetched again', async () => {
    const both = { pages: [{ html: TITLED }, { url: '/cups', html: UNTITLED }] };
    const first = await givenRun(app, user.userId, both);
    const second = await givenRun(app, user.userId, TITLED);
    const data = await compared(second.jobId, first.jobId);
    expect(checksOf(data.fixed)).not.toContain('title-missing');
    expect(data.notComparable.findings.find(({ checkId }) => checkId === 'title-missing')?.because).toBe(
      'the page was not requested this time',
    );
    expect([data.score, data.scoreNotComparable]).toEqual([
      null,
      'the audits read different pages: 1 of 2 are the same',
    ]);
  });

  it('hides what a preview hides, and still counts it', async () => {
    const full = await givenRun(app, user.userId, UNTITLED);
    const missing = full.findings.find(({ checkId }) => checkId === 'title-missing');
    const items = [actionItem('title-missing', { findingIds: [missing?.id ?? ''] })];
    const first = await givenRun(app, user.userId, UNTITLED, { access: 'preview', items });
    const second = await givenRun(app, user.userId, TITLED, { access: 'preview', items: [] });
    const answer = await compare(second.jobId, first.jobId);
    const data = CompareResponse.parse(answer.body).data;
    expect(data.preview).toBe(true);
    expect(checksOf(data.fixed)).toEqual(['title-missing']);
    expect([data.remaining.findings, data.remaining.total > 0]).toEqual([[], true]);
    expect(answer.text).not.toMatch(/"(?:fix|code|codeExample)"/);
  });

  it.each([
    ['itself', 'A run cannot be compared with itself.', (own: string) => own],
    [
      'a run of another site',
      'The two audits are of different sites.',
      async () => (await givenRun(app, user.userId, TITLED, { host: 'other.example' })).jobId,
    ],
    [
      'a run under way',
      'One of the audits has no findings to compare.',
      async () => (await givenJob(app, user.userId)).jobId,
    ],
    [
      'one in another format',
      'One of the audits cannot be read. These are not the findings of an audit.',
      async () => (await givenAnalysis(app, user.userId, { findings: '{}' })).jobId,
    ],
    ['none, where there is none before', 'There is no earlier audit of this site.', async () => undefined],
  ])('refuses %s', async (_, error, otherOf) => {
    const { jobId } = await givenRun(app, user.userId, TITLED);
    const other = await otherOf(jobId);
    expect(await compare(jobId, other)).toMatchObject({ status: 409, body: { code: 'NOT_COMPARABLE', error } });
  });

  it('answers 404 for another user’s audit', async () => {
    const { jobId } = await givenRun(app, user.userId, TITLED);
    const foreign = await givenRun(app, stranger.userId, UNTITLED);
    const answer = await compare(jobId, foreign.jobId);
    expect(answer).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
    const unknown = await compare(jobId, 'no-such-job');
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...answer.body, requestId: '' });
  });
});
