/** The activity that users see of their own accounts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActivityResponse, type ActivityView } from '../../src/http/contract/security.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { trustProxy: true } });
});
afterAll(() => app.close());

async function page(user: TestUser, query = ''): Promise<ActivityResponse> {
  await app.readModels.reached(['activity'], await app.store.head(), 5_000);
  return ActivityResponse.parse((await user.call('GET', `/api/v1/auth/activity${query}`)).body);
}
const activity = async (user: TestUser): Promise<readonly ActivityView[]> => (await page(user)).data;
const lines = async (user: TestUser) => (await activity(user)).map(({ title, detail, by }) => [title, detail, by]);
const FIREFOX = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'x-forwarded-for': '203.0.113.77',
};

async function anAdmin(): Promise<TestUser> {
  const admin = await app.signUp();
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
  return admin;
}

describe('account activity', () => {
  it('begins with the sign-up, and shows log-ins without a full IP address', async () => {
    const user = await app.signUp();
    await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
      headers: FIREFOX,
    });
    const told = await lines(user);
    expect(told[0]).toEqual(['Logged in', 'Firefox on Linux, 203.0.113.x', null]);
    expect(told.map(([title]) => title)).toEqual(
      expect.arrayContaining(['Account created', 'Email address confirmed', 'Logged in']),
    );
    expect(JSON.stringify(told)).not.toContain('203.0.113.77');
  });

  it('shows who created or deleted keys and links, without secrets', async () => {
    const user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    const share = (await user.call('POST', '/share/create', { jobId })).body.data.id;
    await user.call('DELETE', `/share/${share}`);
    const key = (await user.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'write' })).body;
    const program: TestUser = {
      ...user,
      call: (method, path, body) => app.call(method, path, { token: key.key, body }),
    };
    await program.call('DELETE', `/api/v1/jobs/${jobId}`);
    await user.call('DELETE', `/api/v1/api-keys/${key.data.id}`);
    const text = JSON.stringify(await page(user));
    for (const secret of [key.key, 'Hash', 'token']) expect(text).not.toContain(secret);
    // The log of its links is erased with the job.
    expect((await lines(user)).slice(0, 3)).toEqual([
      ['API key revoked', 'CI', 'you'],
      ['Audit deleted', 'shop.example', 'api_key'],
      ['API key created', 'CI, reads and writes', 'you'],
    ]);
    expect(text).not.toContain('Shared link');
  });

  it('names removed webhooks by their host, without the rest of the address', async () => {
    const user = await app.signUp();
    const hook = { url: 'https://hooks.example.com/services/SECRET', events: ['job.completed'] };
    const { id } = (await user.call('POST', '/api/v1/webhooks', hook)).body.data;
    expect((await user.call('DELETE', `/api/v1/webhooks/${id}`)).status).toBe(200);
    expect((await lines(user)).slice(0, 2)).toEqual([
      ['Webhook removed', 'hooks.example.com', 'you'],
      ['Webhook added', 'hooks.example.com', 'you'],
    ]);
    expect(JSON.stringify(await activity(user))).not.toContain('SECRET');
  });

  it('names the first few sites of many audits deleted at once', async () => {
    const user = await app.signUp();
    const jobIds: string[] = [];
    for (const nth of [1, 2, 3, 4])
      jobIds.push((await givenAnalysis(app, user.userId, { host: `site${nth}.example` })).jobId);
    await app.given(`job-deletions-${user.userId}`, {
      type: 'JobsDeleted',
      data: { userId: user.userId, jobIds, deletedAt: app.deps.now() },
    });
    expect((await activity(user))[0]).toMatchObject({
      title: '4 audits deleted',
      detail: 'site1.example, site2.example, site3.example and 1 more',
    });
  });

  it('says that an analyst’s key opens reports only', async () => {
    const admin = await anAdmin();
    expect((await admin.call('POST', '/api/v1/api-keys', { name: 'Ann', scope: 'reports:read' })).status).toBe(201);
    expect((await lines(admin))[0]).toEqual(['API key created', 'Ann, reports only', 'you']);
  });

  it('names the site of a link that was created or revoked', async () => {
    const user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    const { id } = (await user.call('POST', '/share/create', { jobId })).body.data;
    expect((await user.call('DELETE', `/share/${id}`)).status).toBe(200);
    expect((await lines(user)).slice(0, 2)).toEqual([
      ['Shared link revoked', 'shop.example', 'you'],
      ['Shared link created', 'shop.example', 'you'],
    ]);
  });

  it('shows views by an admin and actions on the user’s behalf', async () => {
    const [user, admin] = [await app.signUp(), await anAdmin()];
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    await admin.call('GET', `/api/v1/admin/jobs/${jobId}`);
    await admin.call('POST', `/api/v1/admin/users/${user.userId}/credits`, { credits: 2, reason: 'A gift' });
    expect((await lines(user)).slice(0, 2)).toEqual([
      ['Credits granted', '2 credits', 'admin'],
      ['Viewed by an admin', 'An audit of shop.example', 'admin'],
    ]);
    expect(JSON.stringify(await activity(user))).not.toContain(admin.email);
    expect((await lines(admin)).map(([title]) => title)).not.toContain('Credits granted');
  });

  it('shows the end of all sessions once, however many there were', async () => {
    const user = await app.signUp();
    for (let nth = 0; nth < 3; nth += 1)
      await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } });
    await user.call('POST', '/api/v1/auth/change-password', {
      current_password: user.password,
      password: 'another good password',
    });
    const told = (await lines(user)).map(([title]) => title);
    expect([...told.slice(0, 2)].sort()).toEqual(['All other sessions ended', 'Password changed']);
    expect(told.filter((title) => title === 'Session ended')).toEqual([]);
  });

  it('shows payments and plans with what was bought and for how much', async () => {
    const user = await app.signUp();
    const at = app.deps.now();
    const { userId } = user;
    const paid = { userId, paymentIntentId: 'pi_1', amount: 5_000, currency: 'usd', funds: 5_000, balance: 5_000 };
    await app.given(`billing-${userId}`, { type: 'FundsAdded', data: { ...paid, quantity: 1, addedAt: at } });
    const plan = {
      userId,
      subscriptionId: 'sub_1',
      asOf: at,
      periodStart: at,
      periodEnd: at,
      price: 2_900,
      currency: 'usd',
    };
    const invoice = { invoiceId: 'in_1', paymentIntentId: null, amount: 2_900, currency: 'usd' };
    await app.given(`billing-${userId}`, {
      type: 'SubscriptionStarted',
      data: { ...plan, tier: 'tier1', status: 'active', paid: invoice, startedAt: at },
    });
    expect((await lines(user)).slice(0, 2)).toEqual([
      ['Subscription started', expect.stringMatching(/plan, \$29\.00$/), null],
      ['Reports bought', '1 report, $50.00', null],
    ]);
  });

  it('is paged, and visible to its owner only', async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    for (let nth = 0; nth < 5; nth += 1)
      await user.call('POST', '/api/v1/api-keys', { name: `Key ${nth}`, scope: 'read' });
    const whole = await activity(user);
    const first = await page(user, '?limit=3');
    const second = await page(user, `?limit=500&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect([first.data.length, second.cursor]).toEqual([3, null]);
    expect([...first.data, ...second.data]).toEqual(whole);
    expect(
      (await other.call('GET', `/api/v1/auth/activity?cursor=${encodeURIComponent(first.cursor ?? '')}`)).text,
    ).not.toContain('Key ');
    const key = (await user.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'read' })).body.key;
    expect(await app.call('GET', '/api/v1/auth/activity', { token: key })).toMatchObject({
      status: 403,
      body: { code: 'SESSION_REQUIRED' },
    });
  });

  it('is in the export, and removed with the account', async () => {
    const user = await app.signUp();
    await user.call('POST', '/api/v1/api-keys', { name: 'SECRET NAME', scope: 'read' });
    const exported = (await user.call('GET', '/api/v1/account/export')).body.activity;
    expect(exported).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: 'API key created', detail: 'SECRET NAME, reads only' }),
      ]),
    );
    expect(
      (await user.call('DELETE', '/api/v1/account', { password: user.password, confirmation: 'DELETE' })).status,
    ).toBe(200);
    const { documents } = await app.readModels.find<{ readonly stream: string; readonly revision: number }>(
      'activity',
      { where: { userId: user.userId } },
    );
    const kept = [];
    for (const { data } of documents) {
      const read = await app.store.read(data.stream, { from: BigInt(data.revision), limit: 1 });
      if (read.status === 'found' && read.events[0]?.revision === BigInt(data.revision)) kept.push(read.events[0].type);
    }
    // The remaining entry says only that something ended.
    expect([...new Set(kept)].filter((type) => !['SessionEnded', 'AccountDeleted'].includes(type))).toEqual([]);
    expect(JSON.stringify(documents)).not.toContain('SECRET');
  });
});
