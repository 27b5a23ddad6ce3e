/** How people sign up, stay and pay, as admins see it, with the same figures as other screens. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DELETION_CONFIRMATION } from '../../../src/http/contract/account.ts';
import { AnalyticsResponse } from '../../../src/http/contract/admin/analytics.ts';
import { actionItem, givenAnalysis, givenJob } from '../../given/analysis.ts';
import { report } from '../../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const PATH = '/api/v1/admin/analytics';
/** The clock of the tests begins on that day. */
const DAY = '2026-03-10';

let app: TestApp;
let admin: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
});
afterEach(() => app.close());

async function analytics(query = '') {
  const { status, body } = await admin.call('GET', `${PATH}${query}`);
  expect(status).toBe(200);
  return AnalyticsResponse.parse(body).data;
}
type Analytics = Awaited<ReturnType<typeof analytics>>;

function rowsOf({ sections }: Analytics, name: string, table: string) {
  const found = sections.find((section) => section.name === name)?.tables.find((each) => each.name === table);
  return found?.rows ?? expect.fail(`${name} has no table ${table}`);
}
const funnelOf = (data: Analytics) => rowsOf(data, 'funnel', 'steps').map(({ users }) => users);

describe('GET /admin/analytics', () => {
  it('has its sections in order, each with tables, even with almost no data', async () => {
    const data = await analytics();
    expect(data).toMatchObject({ from: null, to: null, by: 'week', as_of: app.deps.now() });
    expect(data.sections.map(({ name, tables }) => [name, tables.map((table) => table.name)])).toEqual([
      ['funnel', ['steps', 'by-sign-up']],
      ['logins', ['in-range', 'by-period']],
      ['cohorts', ['by-week', 'all-cohorts']],
      ['previews', ['by-kind', 'by-period']],
      ['completion', ['by-category', 'by-period']],
      ['quality', ['by-check']],
      ['revenue', ['over-time', 'by-plan', 'by-plan-over-time']],
    ]);
    expect(funnelOf(data)).toEqual([1, 1, 0, 0, 0, 0]);
    expect(rowsOf(data, 'completion', 'by-category')).toEqual([]);
    expect(data.sections.every(({ progress }) => progress === null)).toBe(true);
  });

  it('follows user activity from one call to the next', async () => {
    await analytics();
    const ann = await app.signUp({ email: 'ann@example.com' });
    const { jobId } = await givenAnalysis(app, ann.userId, { items: [actionItem('title-missing')], report: report() });
    expect(funnelOf(await analytics())).toEqual([2, 2, 1, 0, 0, 0]);
    await ann.call('GET', `/api/v1/jobs/${jobId}/causes`);
    await app.newEvents();
    expect(funnelOf(await analytics())).toEqual([2, 2, 1, 1, 0, 0]);
    expect(
      (await ann.call('PUT', `/api/v1/actions/title-missing/progress?jobId=${jobId}`, { status: 'completed' })).status,
    ).toBe(200);
    await app.given(`billing-${ann.userId}`, {
      type: 'FundsAdded',
      data: {
        userId: ann.userId,
        paymentIntentId: 'pi_1',
        amount: 5_000,
        currency: 'usd',
        funds: 5_000,
        balance: 5_000,
        quantity: 1,
        addedAt: app.deps.now(),
      },
    });
    const data = await analytics();
    expect(funnelOf(data)).toEqual([2, 2, 1, 1, 1, 1]);
    expect(rowsOf(data, 'revenue', 'by-plan')).toMatchObject([
      { kind: 'Reports', currency: 'usd', paid: 5_000, net: 5_000 },
    ]);
    expect(rowsOf(data, 'completion', 'by-category').at(-1)).toMatchObject({ items: 1, completed: 1 });
    expect(rowsOf(data, 'cohorts', 'by-week')).toMatchObject([{ cohort: '2026-03-09', users: 2, week0: 1 }]);
  });

  it('counts visits of previews', async () => {
    const { jobId } = await givenAnalysis(app, admin.userId);
    const { body } = await admin.call('POST', '/api/v1/share/create', { jobId, shareMode: 'preview' });
    const shareToken = new URL(body.data.shareUrl).pathname.split('/').at(-1);
    await app.call('GET', `/api/v1/share/${shareToken}`);
    await app.call('POST', '/api/v1/analytics/preview-viewed', { body: { shareToken } });
    await app.call('POST', '/api/v1/analytics/preview-cta-clicked', { body: { shareToken } });
    await app.readModels.reached(['shares'], await app.store.head(), 5_000);
    expect(rowsOf(await analytics(), 'previews', 'by-kind')).toMatchObject([
      { kind: 'Previews', made: 1, opened: 1, viewed: 1, pressed: 1, signedUp: 0 },
    ]);
  });

  it('answers for days, both inclusive, by day, week or month', async () => {
    expect(funnelOf(await analytics(`?from=${DAY}&to=${DAY}`))).toEqual([1, 1, 0, 0, 0, 0]);
    expect(funnelOf(await analytics('?to=2026-03-09'))).toEqual([]);
    expect(funnelOf(await analytics('?from=2026-03-11'))).toEqual([]);
    expect(rowsOf(await analytics('?by=day'), 'funnel', 'by-sign-up')).toMatchObject([{ period: DAY, signedUp: 1 }]);
    expect(rowsOf(await analytics('?by=month'), 'funnel', 'by-sign-up')).toMatchObject([
      { period: '2026-03-01', signedUp: 1 },
    ]);
  });

  it.each(['from=2026-02-30', 'to=yesterday', 'by=year', 'from=2026-03-11&to=2026-03-10'])(
    'refuses %s',
    async (query) => {
      expect(await admin.call('GET', `${PATH}?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      });
    },
  );

  it('is for admins only', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    expect((await ann.call('GET', PATH)).status).toBe(403);
  });
});

describe('analytics and the read models on the same log', () => {
  it('have equal figures', async () => {
    const users = [admin];
    for (const name of ['ann', 'bob', 'cid', 'dan']) users.push(await app.signUp({ email: `${name}@example.com` }));
    // Three users with audits, one of them with two; one audit is deleted, one is still running.
    const items = [actionItem('a'), actionItem('b', { category: 'content' }), actionItem('c')];
    const jobs: { jobId: string; user: TestUser }[] = [];
    for (const user of [users[1]!, users[1]!, users[2]!, users[3]!])
      jobs.push({ ...(await givenAnalysis(app, user.userId, { items })), user });
    await givenJob(app, users[2]!.userId);
    for (const [nth, { jobId, user }] of jobs.entries()) {
      for (const item of items.slice(0, nth))
        await user.call('PUT', `/api/v1/actions/${item.id}/progress?jobId=${jobId}`, { status: 'completed' });
    }
    const [, second, , last] = jobs;
    await second!.user.call('PUT', `/api/v1/actions/a/progress?jobId=${second!.jobId}`, { status: 'todo' });
    expect((await last!.user.call('DELETE', `/api/v1/jobs/${last!.jobId}`)).status).toBe(200);
    // An account that is deleted, and one that never got its address.
    const gone = users.pop()!;
    expect(
      (await gone.call('DELETE', '/api/v1/account', { password: gone.password, confirmation: DELETION_CONFIRMATION }))
        .status,
    ).toBeLessThan(300);
    const [voidId, at] = [randomUUID(), app.deps.now()];
    await app.given(`account-${voidId}`, {
      type: 'AccountRegistered',
      data: { userId: voidId, email: 'v@example.com', name: 'V', passwordHash: 'h', registeredAt: at },
    });
    await app.given('email-of-v', { type: 'EmailRefused', data: { userId: voidId, refusedAt: at } });
    await app.readModels.reached(['userProgress', 'accounts', 'jobs'], await app.store.head(), 5_000);

    const data = await analytics();
    const { users: accounts } = (await admin.call('GET', '/api/v1/admin/overview')).body.data;
    const { summary } = (await admin.call('GET', '/api/v1/admin/user-progress')).body;
    expect(funnelOf(data)[0]).toBe(accounts);
    expect(rowsOf(data, 'completion', 'by-category').at(-1)).toMatchObject({
      items: summary.total_actions,
      completed: summary.completed_actions,
    });
    // By hand: four accounts are left; of nine items in three audits the two of the third are done.
    expect([accounts, summary.total_actions, summary.completed_actions]).toEqual([4, 9, 2]);
    expect(rowsOf(data, 'cohorts', 'by-week').reduce((sum, row) => sum + Number(row.users), 0)).toBe(accounts);
  });
});
