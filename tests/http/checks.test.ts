/** What the API says about checks, and what it takes to fix an action item. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { FixResponse } from '../../src/http/contract/actions.ts';
import { CheckResponse, ChecksResponse } from '../../src/http/contract/checks.ts';
import { actionItem, givenAnalysis } from '../given/analysis.ts';
import { report } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  await app.signUp();
  user = await app.signUp();
});
afterAll(() => app.close());

describe('checks', () => {
  it('are listed for anybody, by id', async () => {
    const { data } = ChecksResponse.parse((await app.call('GET', '/api/v1/checks')).body);
    expect(data.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id));
  });

  it('are explained one by one: how to fix it, what it looks at, and what limits it', async () => {
    const explained = async (id: string) =>
      CheckResponse.parse((await app.call('GET', `/api/v1/checks/${id}`)).body).data;
    const title = CHECKS.find(({ id }) => id === 'title-missing');
    expect(await explained('title-missing')).toMatchObject({
      title: title?.title,
      risk: title?.risk,
      steps: title?.steps,
      source: title?.source,
      optional: false,
      scope: 'page',
      judgesParts: true,
    });
    expect(await explained('orphan-page')).toMatchObject({ scope: 'site', judgesParts: false });
  });

  it('that do not exist are not found', async () => {
    const { status, body } = await app.call('GET', '/api/v1/checks/no-such-check');
    expect([status, body.code]).toEqual([404, 'CHECK_NOT_FOUND']);
  });
});

describe('what fixes an action item', () => {
  const fixOf = (jobId: string, id: string, more = '', by = user) =>
    by.call('GET', `/api/v1/actions/${id}/fix?jobId=${jobId}${more}`);

  it('is its findings with place and code, its check, and when it counts as fixed', async () => {
    const items = [actionItem('title-missing', { impact: 'high' }), actionItem('not-a-check')];
    const { jobId } = await givenAnalysis(app, user.userId, { items, report: report() });
    const { data, cursor } = FixResponse.parse((await fixOf(jobId, 'title-missing')).body);
    expect(data).toMatchObject({ jobId, action: { id: 'title-missing' }, check: { id: 'title-missing' }, total: 2 });
    expect(data.findings.every(({ checkId, place }) => checkId === 'title-missing' && place !== '')).toBe(true);
    expect(data.acceptance).toContain('/verify');
    expect(cursor).toBeNull();
    expect(FixResponse.parse((await fixOf(jobId, 'not-a-check')).body).data).toMatchObject({
      check: null,
      findings: [],
      total: 0,
    });
  });

  it('comes page by page', async () => {
    const items = [actionItem('title-missing')];
    const { jobId } = await givenAnalysis(app, user.userId, { items, report: report() });
    const first = FixResponse.parse((await fixOf(jobId, 'title-missing', '&limit=1')).body);
    const second = FixResponse.parse((await fixOf(jobId, 'title-missing', `&limit=1&cursor=${first.cursor}`)).body);
    expect([first.data.findings.length, second.data.findings.length, second.cursor]).toEqual([1, 1, null]);
    expect(second.data.findings).not.toEqual(first.data.findings);
  });

  it('is not shown to others', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { status, body } = await fixOf(jobId, 'first', '', await app.signUp());
    expect([status, body.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });
});
