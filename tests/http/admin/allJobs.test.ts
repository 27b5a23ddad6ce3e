import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AllJobsResponse } from '../../../src/http/contract/admin/jobs.ts';
import { givenAnalysis, givenJob, givenRunning } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  [ann, bob] = [await app.signUp({ email: 'ann@shop.example' }), await app.signUp({ email: 'bob@shop.example' })];
});
afterEach(() => app.close());

const list = async (query = '') => {
  const { status, body } = await admin.call('GET', `/api/v1/admin/all-jobs${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return AllJobsResponse.parse(body);
};
const hosts = async (query = ''): Promise<string[]> => (await list(query)).data.map(({ host }) => host);

/** A second later than the one before. */
async function job(user: TestUser, host: string): Promise<string> {
  app.advance(1_000);
  return (await givenJob(app, user.userId, { host })).jobId;
}
async function failed(user: TestUser, host: string): Promise<string> {
  const jobId = await job(user, host);
  await app.given(`job-${jobId}`, {
    type: 'JobFailed',
    data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
  });
  return jobId;
}
async function completed(user: TestUser, host: string): Promise<string> {
  app.advance(1_000);
  return (await givenAnalysis(app, user.userId, { host, items: [] })).jobId;
}

describe('all users’ jobs', () => {
  it('the list is empty without jobs', async () => {
    expect(await list()).toMatchObject({
      data: [],
      cursor: null,
      under_way: 0,
      truncated: false,
      sorted: { by: 'date', descending: true },
    });
    expect((await list('?search=ann@shop')).data).toEqual([]);
    expect((await list('?search=shop')).data).toEqual([]);
  });

  it('are listed newest first, each with its owner under both names', async () => {
    await job(ann, 'one.example');
    await completed(bob, 'two.example');
    const { data } = await list();
    expect(data.map(({ host, userEmail, user_email }) => [host, userEmail, user_email])).toEqual([
      ['two.example', bob.email, bob.email],
      ['one.example', ann.email, ann.email],
    ]);
  });

  it('are for logged-in admins only', async () => {
    const made = await admin.call('POST', '/api/v1/api-keys', { name: 'Key', scope: 'read' });
    const byKey = await app.call('GET', '/api/v1/admin/all-jobs', { token: made.body.key });
    expect(byKey).toMatchObject({ status: 403, body: { code: 'SESSION_REQUIRED' } });
    expect(await ann.call('GET', '/api/v1/admin/all-jobs')).toMatchObject({
      status: 403,
      body: { error: 'Access denied. Admin privileges required.' },
    });
  });

  it('are paged', async () => {
    for (let nth = 0; nth < 5; nth += 1) await job(ann, `site${nth}.example`);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    const third = await list(`?limit=2&cursor=${encodeURIComponent(second.cursor ?? '')}`);
    expect([first, second, third].map(({ data }) => data.map(({ host }) => host))).toEqual([
      ['site4.example', 'site3.example'],
      ['site2.example', 'site1.example'],
      ['site0.example'],
    ]);
    expect(third.cursor).toBeNull();
    expect((await admin.call('GET', '/api/v1/admin/all-jobs?limit=501')).status).toBe(400);
    expect((await admin.call('GET', '/api/v1/admin/all-jobs?cursor=nonsense')).body.code).toBe('INVALID_CURSOR');
  });

  it('are filtered by outcome, and open ones are counted', async () => {
    const running = await job(ann, 'running.example');
    await givenRunning(app, running, 'crawl');
    await job(bob, 'waiting.example');
    await failed(ann, 'failed.example');
    await completed(bob, 'done.example');
    expect(await hosts('?status=processing')).toEqual(['waiting.example', 'running.example']);
    expect(await hosts('?status=failed')).toEqual(['failed.example']);
    expect(await hosts('?status=completed')).toEqual(['done.example']);
    expect(await hosts('?status=all')).toHaveLength(4);
    expect((await list('?status=failed')).under_way).toBe(2);
  });

  it('are sorted by date, site and status, in both directions', async () => {
    await job(ann, 'c.example');
    await failed(ann, 'www.a.example');
    await completed(bob, 'b.example');
    expect(await hosts('?sort=date&order=asc')).toEqual(['c.example', 'www.a.example', 'b.example']);
    expect(await hosts('?sort=website&order=asc')).toEqual(['www.a.example', 'b.example', 'c.example']);
    expect(await hosts('?sort=website')).toEqual(['c.example', 'b.example', 'www.a.example']);
    expect(await hosts('?sort=status')).toEqual(['c.example', 'www.a.example', 'b.example']);
    expect(await hosts('?sort=status&order=asc')).toEqual(['b.example', 'www.a.example', 'c.example']);
    expect(await hosts('?sort=status&status=failed')).toEqual(['www.a.example']);
    expect((await list('?sort=website&order=asc')).sorted).toEqual({ by: 'website', descending: false });
  });

  it('are found by the beginning of their site, with or without www, sorted by site', async () => {
    for (const host of ['www.shop.example', 'shop.example', 'shopping.example', 'other.example', 'myshop.example'])
      await job(ann, host);
    const found = await list('?search=WWW.Shop');
    expect(found.data.map(({ host }) => host)).toEqual(['shopping.example', 'shop.example', 'www.shop.example']);
    expect(found.sorted).toEqual({ by: 'website', descending: true });
    expect(await hosts('?search=shop.example&order=asc')).toEqual(['www.shop.example', 'shop.example']);
    await failed(bob, 'shop.example');
    expect(await hosts('?search=shop&status=failed')).toEqual(['shop.example']);
  });

  it('are found by the beginning of their owner’s email, newest first', async () => {
    const third = await app.signUp({ email: 'ann@shop2.example' });
    await job(ann, 'one.example');
    await job(bob, 'two.example');
    await failed(third, 'three.example');
    expect(await hosts('?search=Ann%40shop.')).toEqual(['one.example']);
    expect(await hosts('?search=ann@')).toEqual(['three.example', 'one.example']);
    expect(await hosts('?search=ann@&status=failed')).toEqual(['three.example']);
    expect(await hosts('?search=nobody@')).toEqual([]);
    expect((await list('?search=ann@&sort=website')).sorted).toEqual({ by: 'date', descending: true });
  });

  it('say when more accounts match an email than are searched', async () => {
    for (let nth = 0; nth < 21; nth += 1) {
      const userId = `many-${nth}`;
      await app.given(`account-${userId}`, {
        type: 'AccountRegistered',
        data: { userId, email: `x@many${nth}.example`, name: '', passwordHash: 'hash', registeredAt: app.deps.now() },
      });
    }
    expect((await list('?search=x@many')).truncated).toBe(true);
    expect((await list('?search=x@many1')).truncated).toBe(false);
  });
});

describe('the dashboard figures', () => {
  const overview = async () => (await admin.call('GET', '/api/v1/admin/overview')).body.data;

  it('count open jobs, today’s failures without canceled jobs, users and pending emails', async () => {
    await failed(ann, 'yesterday.example');
    app.advance(24 * 60 * 60_000);
    // Yesterday's session has expired.
    const { body } = await app.call('POST', '/api/v1/auth/login', {
      body: { email: admin.email, password: admin.password },
    });
    await failed(ann, 'failed.example');
    const canceled = await job(ann, 'canceled.example');
    await app.given(`job-${canceled}`, {
      type: 'JobCancelled',
      data: { jobId: canceled, by: `user:${ann.userId}`, cancelledAt: app.deps.now() },
    });
    await job(bob, 'waiting.example');
    const { data } = (await app.call('GET', '/api/v1/admin/overview', { token: body.token })).body;
    expect(data).toMatchObject({
      jobs: { under_way: 1, failed_today: 1 },
      users: 3,
      services_not_up: 0,
      prompts_changed: 0,
    });
  });

  it('count an email while it waits', async () => {
    const before = (await overview()).mails_due;
    await app.signUp({ confirmed: false });
    await expect.poll(async () => (await overview()).mails_due).toBe(before + 1);
  });
});
