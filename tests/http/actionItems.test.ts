/** Working on one action item over HTTP, and what other clients see of it on the socket. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ActionResponse, type ActionView, VerifyResponse } from '../../src/http/contract/actions.ts';
import { actionItem, givenAnalysis } from '../given/analysis.ts';
import { type AuditedSite, auditedSite } from '../given/audit/audited.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../given/product/http.ts';
import { openSocket, type TestSocket } from '../given/product/socket.ts';

let app: TestApp;
let user: TestUser;
const closers: (() => Promise<unknown>)[] = [];
async function start(options: TestAppOptions = {}): Promise<void> {
  app = await startTestApp(options);
  closers.push(() => app.close());
  user = await app.signUp();
}
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const TWELVE = Array.from({ length: 12 }, (_, nth) => actionItem(`item${nth}`, { impact: nth < 3 ? 'low' : 'high' }));

describe('an action item', () => {
  beforeEach(() => start());
  const put = (jobId: string | null, body: object, id = 'first') =>
    user.call('PUT', `/actions/${id}/progress${jobId === null ? '' : `?jobId=${jobId}`}`, body);

  it('is moved, and the answer has the progress', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const started = ActionResponse.parse((await put(jobId, { status: 'in-progress' })).body);
    const at = app.deps.now();
    expect(started.action).toMatchObject({
      id: 'first',
      job_id: jobId,
      status: 'in-progress',
      started_at: at,
      completed_at: null,
      previous_status: 'todo',
    });
    app.advance(1_000);
    const done = ActionResponse.parse((await put(jobId, { status: 'completed' })).body);
    expect(done.action).toMatchObject({
      status: 'completed',
      started_at: at,
      completed_at: app.deps.now(),
      previous_status: 'in-progress',
    });
    expect(done.stats).toMatchObject({
      totalActions: 2,
      completedActions: 1,
      inProgressActions: 0,
      highImpactCompleted: 1,
      completionPercentage: 50,
      estimatedTimeRemaining: 30,
    });
    const reopened = ActionResponse.parse((await put(jobId, { status: 'todo' })).body);
    expect(reopened.action).toMatchObject({ status: 'todo', started_at: null, completed_at: null });
    expect((await user.call('GET', `/actions?jobId=${jobId}`)).body.actions[0]).toEqual(reopened.action);
    expect((await user.call('GET', `/actions/stats?jobId=${jobId}`)).body.stats).toEqual(reopened.stats);
  });

  it('that is optional is last, and counts nowhere until it is made a task', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, {
      items: [
        actionItem('marked', { impact: 'high', optional: true, timeEstimate: 40 }),
        actionItem('first', { impact: 'low', optional: false, timeEstimate: 15 }),
        // As earlier versions wrote it, before items were marked.
        actionItem('before', { impact: 'medium', reason: 'A suggestion that costs no points, for about 20 minutes.' }),
      ],
    });
    const list = async () => (await user.call('GET', `/actions?jobId=${jobId}`)).body;
    expect((await list()).actions.map(({ id, optional }: ActionView) => [id, optional])).toEqual([
      ['first', false],
      ['marked', true],
      ['before', true],
    ]);
    expect(await list()).toMatchObject({ totalActionsAvailable: 1, actionsShown: 1 });
    expect((await user.call('GET', `/actions/check-job/${jobId}`)).body.actionCount).toBe(1);
    const stats = async () => (await user.call('GET', `/actions/stats?jobId=${jobId}`)).body.stats;
    expect(await stats()).toMatchObject({ totalActions: 1, estimatedTimeRemaining: 15 });

    const added = ActionResponse.parse((await put(jobId, { optional: false }, 'marked')).body);
    expect(added.action).toMatchObject({ optional: false, status: 'todo' });
    expect(added.stats).toMatchObject({ totalActions: 2, estimatedTimeRemaining: 55 });
    expect(await stats()).toEqual(added.stats);
    const back = ActionResponse.parse((await put(jobId, { optional: true }, 'marked')).body);
    expect(back.action.optional).toBe(true);
    expect(back.stats.totalActions).toBe(1);

    const noted = ActionResponse.parse((await put(jobId, { notes: 'Asked Ada.' }, 'before')).body);
    expect(noted.action.optional).toBe(false);
    expect(noted.stats.totalActions).toBe(2);
    expect((await put(jobId, { optional: true }, 'first')).body.code).toBe('NOT_OPTIONAL');
    expect((await put(jobId, { status: 'in-progress' }, 'marked')).body.action.optional).toBe(false);
    expect((await put(jobId, { optional: true }, 'marked')).status).toBe(409);
  });

  it('has notes and a rating, which stay until they are cleared', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    expect((await put(jobId, { notes: 'Asked Ada.', effectiveness_rating: 4 })).body.action).toMatchObject({
      status: 'todo',
      notes: 'Asked Ada.',
      effectiveness_rating: 4,
    });
    expect((await put(jobId, { status: 'completed' })).body.action).toMatchObject({
      notes: 'Asked Ada.',
      effectiveness_rating: 4,
    });
    expect((await put(jobId, { notes: null, effectiveness_rating: null })).body.action).toMatchObject({
      status: 'completed',
      notes: null,
      effectiveness_rating: null,
    });
  });

  it('refuses an empty change, an unknown status and an invalid note', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    await app.newEvents();
    for (const body of [
      {},
      { status: 'done' },
      { status: null },
      { notes: 'x'.repeat(5_001) },
      { notes: 7 },
      { effectiveness_rating: 0 },
      { effectiveness_rating: 6 },
      { effectiveness_rating: 2.5 },
      { started_at: '2020-01-01' },
    ]) {
      expect([body, (await put(jobId, body)).status]).toEqual([body, 400]);
    }
    expect((await put(jobId, { notes: 'x'.repeat(5_001) })).body.error).toBe('Notes may have 5,000 characters at most');
    expect(await app.newEvents()).toEqual([]);
  });

  it('is undone by one step', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const undo = () => user.call('POST', `/actions/first/undo?jobId=${jobId}`);
    expect((await undo()).body).toMatchObject({ success: false, code: 'NOTHING_TO_UNDO' });
    await put(jobId, { status: 'in-progress' });
    const before = (await put(jobId, { status: 'completed' })).body.action;
    await put(jobId, { status: 'todo', notes: 'Not yet.' });
    const undone = ActionResponse.parse((await undo()).body);
    expect(undone.action).toEqual({ ...before, notes: 'Not yet.', previous_status: null });
    expect((await undo()).status).toBe(409);
  });

  it('is found in the newest audit that has it when none is named, and in the one that the body names', async () => {
    const older = await givenAnalysis(app, user.userId, { items: [actionItem('first'), actionItem('old')] });
    app.advance(60_000);
    const newer = await givenAnalysis(app, user.userId);
    expect((await put(null, { status: 'in-progress' })).body.action.job_id).toBe(newer.jobId);
    expect((await put(null, { status: 'in-progress' }, 'old')).body.action.job_id).toBe(older.jobId);
    expect((await put(null, { status: 'in-progress', jobId: older.jobId })).body.action.job_id).toBe(older.jobId);
    expect((await put(null, { status: 'in-progress' }, 'nowhere')).body).toMatchObject({
      success: false,
      error: 'Action not found',
      code: 'ACTION_NOT_FOUND',
    });
  });

  it('of another user is not found, whether the query, the body or neither names it', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const stranger = await app.signUp();
    await app.newEvents();
    for (const [path, body, code] of [
      [`/actions/first/progress?jobId=${jobId}`, { status: 'completed' }, 'JOB_NOT_FOUND'],
      ['/actions/first/progress', { status: 'completed', jobId }, 'JOB_NOT_FOUND'],
      ['/actions/first/progress', { status: 'completed' }, 'ACTION_NOT_FOUND'],
    ] as const) {
      expect(await stranger.call('PUT', path, body)).toMatchObject({ status: 404, body: { code } });
    }
    expect(await stranger.call('POST', '/actions/first/undo')).toMatchObject({ status: 404 });
    expect(await stranger.call('POST', '/actions/first/verify')).toMatchObject({ status: 404 });
    expect(await app.newEvents()).toEqual([]);
  });

  it('hidden by a preview is not found', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const shown = (await user.call('GET', `/actions?jobId=${jobId}`)).body.actions.map(
      (action: { id: string }) => action.id,
    );
    await app.newEvents();
    for (const { id } of TWELVE.filter((item) => !shown.includes(item.id))) {
      expect(await put(jobId, { status: 'completed' }, id)).toMatchObject({
        status: 404,
        body: { code: 'ACTION_NOT_FOUND' },
      });
      expect(await put(null, { status: 'completed' }, id)).toMatchObject({ status: 404 });
      expect(await user.call('POST', `/actions/${id}/verify?jobId=${jobId}`)).toMatchObject({ status: 404 });
      expect(await user.call('POST', `/actions/${id}/undo?jobId=${jobId}`)).toMatchObject({ status: 404 });
    }
    expect(await app.newEvents()).toEqual([]);
    expect((await put(jobId, { status: 'completed' }, shown[0])).status).toBe(200);
  });

  it('is changed once per Idempotency-Key, and its text is stored only with its plan', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const call = () =>
      user.call(
        'PUT',
        `/actions/first/progress?jobId=${jobId}`,
        { status: 'completed', notes: 'a planted note' },
        { 'Idempotency-Key': 'k1' },
      );
    const answers = [await call(), await call()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const { events } = await app.store.readAll({ limit: 500 });
    expect(events.filter(({ type }) => type === 'ActionCompleted')).toHaveLength(1);
    expect(
      events.filter((event) => JSON.stringify(event.data).includes('a planted note')).map(({ stream }) => stream),
    ).toEqual([`plan-${jobId}`]);
  });
});

describe('other browsers of the same account', () => {
  beforeEach(() => start());

  async function browser(channel: string, token = user.token): Promise<TestSocket> {
    const socket = await (await openSocket(app.url)).logIn(token);
    closers.push(() => socket.close());
    await socket.subscribe(channel);
    return socket;
  }
  const isUpdate = (id: string) => (message: { type: string; new?: { id: string } }) =>
    message.type === 'event' && message.new?.id === id;

  it('see each change as it is made, with the same rows as HTTP', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { channel, table, filter } = (await user.call('POST', `/actions/subscribe?jobId=${jobId}`)).body;
    expect([channel, table, filter]).toEqual([`actions:${jobId}`, 'actions', `job_id=eq.${jobId}`]);
    const [one, two] = [await browser(channel), await browser(channel)];
    const { action } = (
      await user.call('PUT', `/actions/first/progress?jobId=${jobId}`, {
        status: 'completed',
        notes: 'ok',
        effectiveness_rating: 5,
      })
    ).body;
    for (const socket of [one, two]) {
      const message = await socket.next(
        (each) => isUpdate('first')(each) && each.new.status === 'completed' && each.new.effectiveness_rating === 5,
      );
      expect(message).toMatchObject({ channel, table: 'actions', eventType: 'UPDATE', old: null });
      expect(message.new).toEqual(action);
      expect(socket.messages.some(isUpdate('second'))).toBe(false);
    }
  });

  it('receive what they missed since their list', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { position } = (await user.call('GET', `/actions?jobId=${jobId}`)).body;
    await user.call('PUT', `/actions/second/progress?jobId=${jobId}`, { status: 'in-progress' });
    const socket = await (await openSocket(app.url)).logIn(user.token);
    closers.push(() => socket.close());
    await socket.subscribe(`actions:${jobId}`, position);
    expect((await socket.next(isUpdate('second'))).new).toMatchObject({ status: 'in-progress' });
  });

  it('of a preview receive only visible items', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const socket = await browser(`actions:${jobId}`);
    const at = app.deps.now();
    const [hidden, shown] = ['item0', 'item3'];
    await app.given(
      `plan-${jobId}`,
      ...[hidden, shown].map((actionId) => ({ type: 'ActionStarted', data: { jobId, actionId, startedAt: at } })),
    );
    await socket.next(isUpdate('item3'));
    expect(JSON.stringify(socket.messages)).not.toMatch(/\bitem0\b/);
  });

  it('of another account receive nothing', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const stranger = await app.signUp();
    await expect(browser(`actions:${jobId}`, stranger.token)).rejects.toThrow('JOB_NOT_FOUND');
    expect(await stranger.call('POST', `/actions/subscribe?jobId=${jobId}`)).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
    expect(await stranger.call('POST', '/actions/subscribe')).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
  });
});

describe('verifying an item', () => {
  const page = (head: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1></main></body></html>`;
  let audited: AuditedSite;
  let jobId: string;
  beforeEach(async () => {
    audited = await auditedSite({ '/': page('') });
    closers.push(audited.close);
    await start({ followUp: audited.followUp, rateLimits: { verify: { points: 3, seconds: 600 } } });
    ({ jobId } = await givenAnalysis(app, user.userId, { items: audited.items, findings: audited.findings }));
  });
  const verify = () => user.call('POST', `/actions/title-missing/verify?jobId=${jobId}`);

  it('completes it when it is fixed on the site', async () => {
    audited.site.pages['/'] = page('<title>Green tea from the hills of Uji</title>');
    const answer = VerifyResponse.parse((await verify()).body);
    expect(answer).toMatchObject({
      completed: true,
      verification: { outcome: 'fixed', text: 'Fixed: rechecked, and nothing is left of it.' },
    });
    expect(answer.results).toMatchObject([{ url: `${audited.site.origin}/`, state: 'fixed', because: null }]);
    expect(answer.action).toMatchObject({
      status: 'completed',
      completed_at: app.deps.now(),
      last_verification: answer.verification,
    });
    expect(answer.stats.completedActions).toBe(1);
    const kept = (await user.call('GET', `/actions?jobId=${jobId}`)).body.actions.find(
      ({ id }: { id: string }) => id === 'title-missing',
    );
    expect(kept).toEqual(answer.action);
  });

  it('reports what still fails, and does not change its status', async () => {
    const answer = VerifyResponse.parse((await verify()).body);
    expect(answer).toMatchObject({
      completed: false,
      verification: { outcome: 'still_failing', still_there: 1, fixed: 0 },
      action: { status: 'todo' },
    });
    expect(answer.verification?.text).toMatch(/^Still there: .*title/);
    expect(answer.verification?.still_there_at[0]?.url).toBe(`${audited.site.origin}/`);
  });

  it('reports why it could not be checked', async () => {
    audited.site.pages['/'] = { status: 500, body: 'no' };
    const answer = VerifyResponse.parse((await verify()).body);
    expect(answer).toMatchObject({
      completed: false,
      verification: { outcome: 'not_checked', not_checked: 1 },
      action: { status: 'todo' },
    });
    expect(answer.verification?.text).toBe(
      'Not verified: 1 place could not be checked: the page now answers with status 500.',
    );
  });

  it('is limited per user', async () => {
    for (let nth = 0; nth < 3; nth += 1) expect((await verify()).status).toBe(200);
    const refused = await verify();
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('requires findings in the current format', async () => {
    const old = await givenAnalysis(app, user.userId, { findings: '{}' });
    expect(await user.call('POST', `/actions/first/verify?jobId=${old.jobId}`)).toMatchObject({
      status: 404,
      body: {
        code: 'ANALYSIS_TOO_OLD',
        error: 'This analysis is too old. Please run a new analysis to generate actions.',
      },
    });
  });
});
