/** The list of users and their progress, as an admin sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const PATH = '/api/v1/admin/user-progress';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'zoe@admins.example' });
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
  ann = await app.signUp({ email: 'ann@users.example' });
  await app.signUp({ email: 'andy@users.example' });
});
afterAll(() => app.close());

const emails = (rows: readonly { readonly email: string }[]): readonly string[] => rows.map(({ email }) => email);

describe('GET /admin/user-progress', () => {
  it('lists all users, with zeros where there is nothing', async () => {
    const { status, body } = await admin.call('GET', PATH);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, summary: { users: 3, total_actions: 0, time_saved: 0 }, cursor: null });
    expect(body.data).toContainEqual({
      user_id: ann.userId,
      email: 'ann@users.example',
      domain: '–',
      total_actions: 0,
      completed_actions: 0,
      in_progress_actions: 0,
      completion_percentage: 0,
      time_saved: 0,
      last_activity: null,
    });
  });

  it('follows user activity', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId, { host: 'shop.example' });
    const before = (await admin.call('GET', PATH)).body;
    expect(before.data[0]).toMatchObject({
      email: 'ann@users.example',
      domain: 'shop.example',
      completed_actions: 0,
      completion_percentage: 0,
    });
    const [{ id, time_estimate: minutes }] = (await ann.call('GET', `/api/v1/actions?jobId=${jobId}`)).body.actions;
    expect(
      (await ann.call('PUT', `/api/v1/actions/${id}/progress?jobId=${jobId}`, { status: 'completed' })).status,
    ).toBe(200);
    await app.readModels.reached(['userProgress'], await app.store.head(), 5_000);
    const { data, summary } = (await admin.call('GET', PATH)).body;
    expect(data[0]).toMatchObject({ completed_actions: 1, time_saved: minutes });
    expect(summary).toMatchObject({
      users: 3,
      total_actions: data[0].total_actions,
      completed_actions: 1,
      time_saved: minutes,
    });
  });

  it('is sorted, searched and paged', async () => {
    const byEmail = (await admin.call('GET', `${PATH}?sort=email&order=asc`)).body;
    expect(emails(byEmail.data)).toEqual(['andy@users.example', 'ann@users.example', 'zoe@admins.example']);
    const first = (await admin.call('GET', `${PATH}?sort=email&limit=2`)).body;
    expect(emails(first.data)).toEqual(['zoe@admins.example', 'ann@users.example']);
    const rest = (await admin.call('GET', `${PATH}?sort=email&limit=2&cursor=${first.cursor}`)).body;
    expect([emails(rest.data), rest.cursor]).toEqual([['andy@users.example'], null]);
    expect(emails((await admin.call('GET', `${PATH}?search=%20AN&sort=email&order=asc`)).body.data)).toEqual([
      'andy@users.example',
      'ann@users.example',
    ]);
    await givenAnalysis(app, ann.userId, { host: 'shop.example' });
    await app.readModels.reached(['userProgress'], await app.store.head(), 5_000);
    const searched = async (order: string) =>
      emails((await admin.call('GET', `${PATH}?search=an&sort=total_actions&order=${order}`)).body.data);
    expect([await searched('desc'), await searched('asc')]).toEqual([
      ['ann@users.example', 'andy@users.example'],
      ['andy@users.example', 'ann@users.example'],
    ]);
    expect((await admin.call('GET', `${PATH}?search=nobody`)).body).toMatchObject({ data: [], summary: { users: 3 } });
    expect((await admin.call('GET', `${PATH}?sort=password`)).status).toBe(400);
    expect(await admin.call('GET', `${PATH}?sort=domain&cursor=${first.cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });

  it('is for admins only', async () => {
    expect(await ann.call('GET', PATH)).toMatchObject({
      status: 403,
      body: { success: false, error: 'Access denied. Admin privileges required.' },
    });
  });
});
