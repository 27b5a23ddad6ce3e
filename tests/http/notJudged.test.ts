/** Audits without a score, and those of shut sites, in every answer: null with the reason, and whether they count. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnalysesResponse } from '../../src/http/contract/analyses.ts';
import { CausesResponse } from '../../src/http/contract/findings.ts';
import { JobResponse } from '../../src/http/contract/jobs.ts';
import { CompareResponse, RunsResponse } from '../../src/http/contract/runs.ts';
import { wholeScore } from '../../src/model/scores.ts';
import { webhookFacts } from '../../src/projections/webhookFacts.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { findingsOf, givenRun } from '../given/audit/runs.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const TITLED =
  '<html lang="en"><head><title>A shop for tea and for cups</title></head><body><h1>Tea</h1><p>Tea and cups.</p></body></html>';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  [admin, user] = [await app.signUp(), await app.signUp()];
});
afterEach(() => app.close());

/** Turned away; its files say so. */
async function refused(): Promise<string> {
  app.advance(60_000);
  const { text } = findingsOf({ pages: [{ status: 403 }] });
  const { jobId } = await givenAnalysis(app, user.userId, {
    items: [],
    score: null,
    verdict: { notJudged: 'refused', pagesAudited: 0 },
    findings: text,
    givenBack: 'not_judged',
  });
  return jobId;
}
const get = async (path: string, by: TestUser = user) => (await by.call('GET', `/api/v1${path}`)).body;
const jobOf = async (jobId: string) => JobResponse.parse(await get(`/jobs/${jobId}`)).data;

describe('an audit that could judge nothing', () => {
  it('has no score, but the reason, and says that it was given back', async () => {
    const jobId = await refused();
    expect(await jobOf(jobId)).toMatchObject({
      status: 'completed',
      score: null,
      score_formula: null,
      not_judged: 'refused',
      shut: false,
      given_back: true,
    });
    expect(CausesResponse.parse(await get(`/jobs/${jobId}/causes`)).data).toMatchObject({
      score: null,
      notJudged: 'refused',
      causes: [],
    });
    const { analyses } = AnalysesResponse.parse(await get('/actions/analyses'));
    expect(analyses).toMatchObject([{ score: null, not_judged: 'refused' }]);
    const exported = await get(`/actions/export?jobId=${jobId}&format=json`);
    expect(JSON.parse(exported.data.content)).toMatchObject({ score: null, not_judged: 'refused' });
    const [completed] = (await app.newEvents()).filter(({ type }) => type === 'JobCompleted');
    const facts = await webhookFacts(app.deps.readModels, 'https://seo.example.com', completed as never);
    expect(facts).toMatchObject({ job: { score: null, not_judged: 'refused', status: 'completed' } });
  });

  it('has a shared page and a picture without a number', async () => {
    const jobId = await refused();
    const body = { jobId, title: 'A link', description: '', sharedContent: ['job_metadata'], shareMode: 'preview' };
    const created = await user.call('POST', '/api/v1/share/create', { ...body, expiresIn: 24 });
    const token = String(created.body.data.shareUrl).split('/').at(-1);
    const { data } = (await app.call('GET', `/api/v1/share/${token}`)).body;
    expect(data.job).toMatchObject({ score: null, not_judged: 'refused' });
  });

  it('stands in the trend, is compared with nothing by itself, and never as a change of the score', async () => {
    const first = await givenRun(app, user.userId, TITLED);
    const jobId = await refused();
    const last = await givenRun(app, user.userId, TITLED);
    const { runs } = RunsResponse.parse(await get(`/jobs/${last.jobId}/runs`)).data;
    expect(runs.map(({ score, notJudged, comparable, because }) => [score, notJudged, comparable, because])).toEqual([
      [first.score, null, true, null],
      [null, 'refused', false, 'one of the audits was not scored'],
      [last.score, null, true, null],
    ]);
    const compared = async (query: string) =>
      CompareResponse.parse(await get(`/jobs/${last.jobId}/compare${query}`)).data;
    expect((await compared('')).before.jobId).toBe(first.jobId);
    const { score, scoreNotComparable, fixed, before } = await compared(`?with=${jobId}`);
    expect([score, scoreNotComparable, before.notJudged]).toEqual([
      null,
      'one of the audits was not scored',
      'refused',
    ]);
    const after = CompareResponse.parse(await get(`/jobs/${jobId}/compare?with=${first.jobId}`)).data;
    // What could not be checked again is not fixed.
    expect([fixed.total, after.fixed.total]).toEqual([0, 0]);
  });

  it('is shown to admins with the reason', async () => {
    const jobId = await refused();
    const { data } = await get(`/admin/users/${user.userId}/jobs`, admin);
    expect(data).toMatchObject([{ id: jobId, score: null, not_judged: 'refused' }]);
    expect(JSON.stringify(await get(`/admin/jobs/${jobId}/events`, admin))).toContain('not scored (refused)');
  });
});

describe('an audit of a site that shuts out every crawler', () => {
  const shut = async (givenBack?: 'shut_site'): Promise<string> => {
    const more = givenBack ? { givenBack } : {};
    return (await givenAnalysis(app, user.userId, { score: 0, verdict: { shut: true, formula: 2 }, ...more })).jobId;
  };

  it('has its score, and says whether it was given back or counts', async () => {
    expect(await jobOf(await shut('shut_site'))).toMatchObject({
      score: 0,
      score_formula: 2,
      not_judged: null,
      shut: true,
      given_back: true,
    });
    expect(await jobOf(await shut())).toMatchObject({ shut: true, given_back: false });
  });

  it('says nothing of that for any other audit', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { score: 99.6, verdict: { formula: 2 } });
    expect(await jobOf(jobId)).toMatchObject({ score: 99.6, score_formula: 2, shut: false, given_back: null });
    const old = await givenAnalysis(app, user.userId);
    expect(await jobOf(old.jobId)).toMatchObject({ score: 71, score_formula: 1, given_back: null });
  });
});

describe('a change of the score’s formula', () => {
  it('is said where two runs have different ones, in place of a change', async () => {
    const { text, score } = findingsOf(TITLED);
    const of = async (formula: number) => {
      app.advance(60_000);
      const findings = formula === 1 ? text.replace(/"formula": 2,/, '') : text;
      return (await givenAnalysis(app, user.userId, { score, verdict: { formula }, findings })).jobId;
    };
    const [one, two, three] = [await of(1), await of(2), await of(2)];
    const { runs } = RunsResponse.parse(await get(`/jobs/${three}/runs`)).data;
    expect(runs.map(({ formula, comparable }) => [formula, comparable])).toEqual([
      [1, false],
      [2, true],
      [2, true],
    ]);
    const compared = async (before: string, after: string) =>
      CompareResponse.parse(await get(`/jobs/${after}/compare?with=${before}`)).data;
    expect(await compared(one, two)).toMatchObject({
      score: null,
      scoreNotComparable: 'the score formula changed between the two audits',
    });
    expect((await compared(two, three)).score).toEqual({
      before: wholeScore(score),
      after: wholeScore(score),
      change: 0,
    });
  });
});

describe('the bill', () => {
  it('says why a completed audit was given back', async () => {
    const jobId = 'a-job';
    const { userId } = user;
    const at = app.deps.now();
    const taken = { userId, jobId, from: 'credits', period: at.slice(0, 7) };
    for (const reason of ['shut_site', 'not_judged'])
      await app.given(
        `billing-${userId}`,
        { type: 'AnalysisReserved', data: { ...taken, batchId: 'b', balance: 0, access: 'full', reservedAt: at } },
        { type: 'AnalysisReleased', data: { ...taken, reason, siteMark: 1, balance: 1, releasedAt: at } },
      );
    const { data } = await get('/auth/subscription/history?limit=10');
    const rows = data.transactions.map(({ description, reason }: Record<string, unknown>) => [description, reason]);
    expect(rows).toContainEqual(['Audit returned', 'The site’s robots.txt blocks every crawler']);
    expect(rows).toContainEqual(['Audit returned', 'The site could not be scored']);
  });
});
