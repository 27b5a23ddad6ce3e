/** Reports over HTTP: for admins, and for analysts by a key that opens nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/http/routes/all.ts';
import { createReportRuns } from '../../../src/reports/reportRuns.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

let app: TestApp;
let admin: TestUser;
const REPORT = '/api/v1/admin/reports/revenue';
const DAY_MS = 24 * 60 * 60 * 1_000;

beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp({ email: 'admin@example.com' });
  await grant(admin);
});
afterEach(() => app.close());

const grant = ({ userId }: TestUser) =>
  app.given(`account-${userId}`, { type: 'AccountAdminGranted', data: { userId, reason: 'configured' } });
const pay = (paymentIntentId: string, amount: number) => {
  const data = {
    userId: admin.userId,
    paymentIntentId,
    amount,
    currency: 'usd',
    funds: amount,
    balance: amount,
    quantity: 1,
    addedAt: app.deps.now(),
  };
  return app.given(`billing-${admin.userId}`, { type: 'FundsAdded', data });
};
/** After this time the session has expired. */
const signInAgain = async (): Promise<void> => {
  const { body } = await app.call('POST', '/api/v1/auth/login', {
    body: { email: admin.email, password: admin.password },
  });
  admin = {
    ...admin,
    token: body.token,
    call: (method, path, given) =>
      app.call(method, path, { token: body.token, ...(given === undefined ? {} : { body: given }) }),
  };
};
const keyOf = async (user: TestUser): Promise<string> => {
  const { status, body } = await user.call('POST', '/api/v1/api-keys', { name: 'Ann, analyst', scope: 'reports:read' });
  expect(status).toBe(201);
  return body.key;
};
const withKey = (token: string, path: string) => app.call('GET', path, { token });
const netOf = (body: { data: { tables: { name: string; rows: { net: number }[] }[] } }) =>
  body.data.tables[0]?.rows.map(({ net }) => net);

describe('reports', () => {
  it('the reports are listed with their descriptions', async () => {
    const { body } = await admin.call('GET', '/api/v1/admin/reports');
    expect(body.data[0]).toEqual({
      name: 'revenue',
      title: 'Revenue',
      description: expect.stringContaining('recurring revenue'),
    });
  });

  it('are as of now or a past moment, for a range of days, by period', async () => {
    const first = app.deps.now();
    await pay('pi_1', 5_000);
    app.advance(40 * DAY_MS);
    await pay('pi_2', 700);
    await signInAgain();
    const { status, body } = await admin.call('GET', REPORT);
    expect([status, netOf(body), body.data.params, body.data.as_of]).toEqual([
      200,
      [5_000, 700],
      { from: null, to: null, by: 'month' },
      app.deps.now(),
    ]);
    expect(netOf((await admin.call('GET', `${REPORT}?as_of=${first.slice(0, 10)}`)).body)).toEqual([5_000]);
    const range = await admin.call('GET', `${REPORT}?from=${app.deps.now().slice(0, 10)}&by=day`);
    expect([netOf(range.body), range.body.data.params.by]).toEqual([[700], 'day']);
  });

  it('are downloaded as CSV, one file per table', async () => {
    await pay('pi_1', 5_000);
    const answer = await admin.call('GET', `${REPORT}?format=csv`);
    expect(answer.headers.get('content-disposition')).toContain('revenue-over-time.csv');
    expect(answer.text).toBe(
      'From,Payments,Paid,Refunded,Disputed,Net,Currency\r\n2026-03-01,1,50.00,0.00,0.00,50.00,usd\r\n',
    );
    expect((await admin.call('GET', `${REPORT}?format=csv&table=by-plan`)).text).toContain('Reports,,1,50.00');
    expect(await admin.call('GET', `${REPORT}?format=csv&table=nothing`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
  });

  it('are refused with the error in the query', async () => {
    for (const query of ['as_of=yesterday', 'from=2026-02-30', 'to=1', 'by=year', 'format=pdf', 'wait=0'])
      expect([query, (await admin.call('GET', `${REPORT}?${query}`)).body.code]).toEqual([query, 'INVALID_INPUT']);
    const backwards = await admin.call('GET', `${REPORT}?from=2026-03-11&to=2026-03-10`);
    const message = '“to” is a day before “from”, so that nothing lies between them';
    expect(backwards).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', error: message, issues: [{ path: expect.stringMatching(/to$/), message }] },
    });
    expect((await admin.call('GET', `${REPORT}?from=2026-03-11&to=2026-03-11`)).status).toBe(200);
    expect(await admin.call('GET', '/api/v1/admin/reports/nothing')).toMatchObject({
      status: 404,
      body: { code: 'REPORT_NOT_FOUND' },
    });
  });
});

describe('a slow report', () => {
  /** Half way, until it is released. */
  async function slowApp(mostMs: number): Promise<void> {
    await app.close();
    const kept = {
      read: ({
        signal,
        onProgress,
      }: {
        signal: AbortSignal;
        onProgress?: (progress: { done: number; events: number; secondsLeft: number }) => void;
      }) => {
        onProgress?.({ done: 0.5, events: 1, secondsLeft: 7 });
        return new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    };
    app = await startTestApp({ deps: { reportRuns: createReportRuns({ kept, mostMs }) } });
    admin = await app.signUp({ email: 'admin@example.com' });
    await grant(admin);
  }

  it('reports its progress to clients that wait', async () => {
    await slowApp(20_000);
    expect((await admin.call('GET', `${REPORT}?wait=1`)).body).toEqual({
      success: true,
      data: null,
      progress: { done: 0.5, seconds_left: 7 },
    });
  });

  it('is an error that points to the terminal for clients that do not', async () => {
    await slowApp(10);
    const { status, body } = await admin.call('GET', REPORT);
    expect([status, body.code]).toEqual([503, 'REPORT_TOO_LONG']);
    expect(body.error).toContain('npm run replay');
  });

  it('runs once per query', async () => {
    await slowApp(20_000);
    const [one, other] = [await keyOf(admin), await keyOf(admin)];
    const first = withKey(one, `${REPORT}?wait=2`);
    await expect.poll(() => withKey(one, `${REPORT}?wait=1`).then(({ body }) => body.code)).toBe('REPORT_RUNNING');
    expect((await withKey(other, `${REPORT}?wait=1`)).status).toBe(200);
    expect((await first).status).toBe(200);
    expect((await withKey(one, `${REPORT}?wait=1`)).status).toBe(200);
  });
});

describe('an analyst’s key', () => {
  it('can be created by admins only', async () => {
    const user = await app.signUp();
    expect(await user.call('POST', '/api/v1/api-keys', { name: 'Mine', scope: 'reports:read' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await user.call('GET', '/api/v1/api-keys')).body.data).toEqual([]);
  });

  it('opens reports, and no other route that requires a caller', async () => {
    const key = await keyOf(admin);
    expect((await withKey(key, '/api/v1/admin/reports')).status).toBe(200);
    expect(netOf((await withKey(key, REPORT)).body)).toEqual([]);
    for (const route of ROUTES.filter(
      ({ access, openToAnalysts }) => access !== 'public' && access !== 'signed' && !openToAnalysts,
    )) {
      const path = `/api/v1${route.path.replaceAll(/\{\w+\}/g, 'x')}`;
      const { status, body } = await app.call(route.method, path, {
        token: key,
        ...(route.method === 'GET' ? {} : { body: {} }),
      });
      const refused = [403, 'API_KEY_REPORTS_ONLY', 'This API key only opens reports.'];
      expect([route.method, route.path, status, body.code, body.error]).toEqual([route.method, route.path, ...refused]);
    }
  });

  it('opens no socket', async () => {
    const socket = await openSocket(app.url);
    socket.send({ type: 'auth', token: await keyOf(admin) });
    expect((await socket.closed).code).toBe(4401);
  });

  it('opens nothing once the right to administer is withdrawn', async () => {
    const key = await keyOf(admin);
    const { userId } = admin;
    await app.given(`account-${userId}`, {
      type: 'AccountAdminRevoked',
      data: { userId, reason: 'operator', revokedAt: app.deps.now() },
    });
    expect(await withKey(key, REPORT)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('differs from keys of other scopes, which open no report', async () => {
    const { body } = await admin.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'write' });
    expect(await withKey(body.key, REPORT)).toMatchObject({ status: 403, body: { code: 'SESSION_REQUIRED' } });
  });
});
