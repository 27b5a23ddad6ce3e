import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ActionsResponse } from '../../src/http/contract/actions.ts';
import { actionItem, givenAnalysis, givenJob } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  user = await app.signUp();
});
afterEach(() => app.close());

const TWELVE = Array.from({ length: 12 }, (_, nth) =>
  actionItem(`item${nth}`, { impact: nth < 3 ? 'low' : nth < 6 ? 'high' : 'medium', timeEstimate: 10 }),
);

describe('action items', () => {
  it('are listed by job, high impact first, with the summary and its author', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE });
    const { body } = await user.call('GET', `/api/v1/actions?jobId=${jobId}`);
    const actions = ActionsResponse.parse(body);
    expect(actions).toMatchObject({
      jobId,
      isFreemiumPreview: false,
      totalActionsAvailable: 12,
      actionsShown: 12,
      analyst: 'Built-in analyst',
    });
    expect(actions.executiveSummary).toContain('All in all.');
    expect(actions.actions.map((action) => action.id)).toEqual(
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2].map((nth) => `item${nth}`),
    );
    expect(actions.actions[0]).toMatchObject({
      status: 'todo',
      time_estimate: 10,
      business_value: 'More visits',
      completed_at: null,
      job_id: jobId,
    });
    expect(Object.keys(body.actions[0]).sort()).toEqual(Object.keys(actions.actions[0]!).sort());
  });

  it('of a preview are the first eight, with nothing of the others in the answer', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const answer = await user.call('GET', `/api/v1/actions?jobId=${jobId}`);
    expect(answer.body).toMatchObject({ isFreemiumPreview: true, totalActionsAvailable: 12, actionsShown: 8 });
    expect(answer.body.actions).toHaveLength(8);
    for (const hidden of ['item11', 'item0', 'item1', 'item2'])
      expect(answer.text).not.toMatch(new RegExp(`\\b${hidden}\\b`));
  });

  it('of a preview stay the same eight while their status changes', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const shown = async () =>
      (await user.call('GET', `/api/v1/actions?jobId=${jobId}`)).body.actions.map(
        (action: { id: string }) => action.id,
      );
    const before = await shown();
    const at = app.deps.now();
    await app.given(
      `plan-${jobId}`,
      { type: 'ActionStarted', data: { jobId, actionId: 'item3', startedAt: at } },
      { type: 'ActionCompleted', data: { jobId, actionId: 'item3', completedAt: at } },
    );
    expect(await shown()).toEqual(before);
    expect((await user.call('GET', `/api/v1/actions?jobId=${jobId}`)).body.actions[0]).toMatchObject({
      id: 'item3',
      status: 'completed',
      started_at: at,
      completed_at: at,
    });
  });

  it('are found by site, with or without www and time, and default to the newest audit', async () => {
    const older = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    app.advance(60_000);
    const newer = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    app.advance(60_000);
    const other = await givenAnalysis(app, user.userId, { host: 'www.blog.example' });
    const jobOf = async (query: string) => (await user.call('GET', `/actions${query}`)).body.jobId;
    expect(await jobOf('?domain=shop.example')).toBe(newer.jobId);
    expect(await jobOf('?domain=www.shop.example')).toBe(newer.jobId);
    expect(await jobOf('?domain=blog.example')).toBe(other.jobId);
    const timestamp = (await user.call('GET', `/api/v1/jobs/${older.jobId}`)).body.data.folderPath.split('/')[1];
    expect(await jobOf(`?domain=shop.example&timestamp=${timestamp}`)).toBe(older.jobId);
    expect(await jobOf('')).toBe(other.jobId);
    expect(await jobOf('?domain=nowhere.example')).toBeNull();
  });

  it('are empty before there are any', async () => {
    expect((await user.call('GET', '/actions')).body).toMatchObject({
      success: true,
      jobId: null,
      actions: [],
      executiveSummary: null,
      totalActionsAvailable: 0,
    });
    const { jobId } = await givenJob(app, user.userId);
    expect((await user.call('GET', `/actions?jobId=${jobId}`)).body).toMatchObject({ jobId, actions: [] });
    expect((await user.call('GET', `/api/v1/actions/check-job/${jobId}`)).body).toEqual({
      success: true,
      hasActions: false,
      actionCount: 0,
    });
  });

  it('are counted as shown: of a preview only the visible ones', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const at = app.deps.now();
    await app.given(
      `plan-${jobId}`,
      { type: 'ActionStarted', data: { jobId, actionId: 'item3', startedAt: at } },
      { type: 'ActionCompleted', data: { jobId, actionId: 'item3', completedAt: at } },
      { type: 'ActionStarted', data: { jobId, actionId: 'item6', startedAt: at } },
    );
    expect((await user.call('GET', `/actions/stats?jobId=${jobId}`)).body.stats).toEqual({
      totalActions: 8,
      completedActions: 1,
      inProgressActions: 1,
      estimatedTimeRemaining: 70,
      highImpactCompleted: 1,
      completionPercentage: 13,
    });
    expect((await user.call('GET', `/api/v1/actions/check-job/${jobId}`)).body).toEqual({
      success: true,
      hasActions: true,
      actionCount: 12,
    });
  });
});
