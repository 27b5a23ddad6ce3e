/** What comes before money: counted over HTTP, by account. */
import { afterEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { createTallies, type Tally } from '../../src/http/usage/tallies.ts';
import { product } from '../given/commands.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { openShop, type Shop } from '../given/product/shop.ts';

let open: TestApp | Shop | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function shop(options: Parameters<typeof openShop>[0] = {}): Promise<{ app: Shop; user: TestUser }> {
  const app = await openShop(options);
  open = app;
  return { app, user: await app.signUp({ email: 'ann@example.com' }) };
}

const counted = async (app: TestApp) =>
  (await app.tallied()).map(({ type, data: { since: _, until: __, userId: ___, ...data } }) => ({ type, ...data }));
const submit = (user: TestUser, url = 'https://example.com/') => user.call('POST', '/api/v1/process', { url });
const logIn = (app: TestApp, email: string, password: string) =>
  app.call('POST', '/api/v1/auth/login', { body: { email, password } });
const begin = (user: TestUser, more: object = {}) =>
  user.call('POST', '/api/v1/auth/create-checkout-session', {
    priceId: 'price_report',
    quantity: 1,
    billingEmail: 'bills@example.com',
    ...more,
  });
const plan = (user: TestUser, more: object = {}) =>
  user.call('POST', '/api/v1/subscription/create-checkout', {
    tier: 'tier2',
    successUrl: '/account/subscription-success',
    cancelUrl: '/account/upgrade',
    ...more,
  });

describe('refused submissions', () => {
  it('are counted by reason, the first at once and the others together', async () => {
    const { app, user } = await shop({ config: { freeAnalysesPerMonth: 1 } });
    expect((await submit(user)).status).toBe(202);
    for (let nth = 0; nth < 5; nth += 1) expect((await submit(user)).status).toBe(402);
    expect((await submit(user, 'not a url')).status).toBe(400);
    const batch = await user.call('POST', '/api/v1/process/batch', { urls: ['a.example', 'b.example'] });
    expect(batch.status).toBe(402);
    expect(await counted(app)).toEqual([
      { type: 'SubmissionsRefused', reason: 'INSUFFICIENT_CREDITS', count: 1 },
      { type: 'SubmissionsRefused', reason: 'INVALID_URL', count: 1 },
      { type: 'SubmissionsRefused', reason: 'INSUFFICIENT_CREDITS', count: 5 },
    ]);
  });

  it('for want of a confirmed email are, too', async () => {
    const app = await startTestApp({ config: { mail: true } });
    open = app;
    await app.signUp();
    const user = await app.signUp({ confirmed: false });
    const first = await submit(user);
    const second = await submit(user, 'https://other.example/');
    expect([first.status, second.body.code]).toEqual([202, 'EMAIL_NOT_CONFIRMED']);
    expect(await counted(app)).toEqual([{ type: 'SubmissionsRefused', reason: 'EMAIL_NOT_CONFIRMED', count: 1 }]);
  });
});

describe('checkouts', () => {
  const dialog = (user: TestUser) => user.call('POST', '/api/v1/auth/customer-session');

  it('are counted when they are opened, and when a payment is given up', async () => {
    const { app, user } = await shop();
    expect((await dialog(user)).status).toBe(200);
    const { paymentIntentId } = (await begin(user)).body;
    const leave = (by: TestUser) => by.call('POST', '/api/v1/auth/leave-purchase', { paymentIntentId });
    // Another user's is not found; the second time, it is over already.
    expect((await leave(await app.signUp())).status).toBe(404);
    for (let nth = 0; nth < 2; nth += 1) expect((await leave(user)).status).toBe(200);
    expect((await plan(user)).status).toBe(200);
    expect(await counted(app)).toEqual([
      { type: 'CheckoutsOpened', purchase: 'reports', count: 1 },
      { type: 'CheckoutsLeft', purchase: 'reports', count: 1 },
      { type: 'CheckoutsOpened', purchase: 'plan', count: 1 },
    ]);
  });

  it('that are paid are not left', async () => {
    const { app, user } = await shop();
    const { paymentIntentId, clientSecret } = (await begin(user)).body;
    await app.provider.confirm(clientSecret);
    await user.call('POST', '/api/v1/auth/leave-purchase', { paymentIntentId });
    expect(await counted(app)).toEqual([]);
  });

  it('that are refused are not opened', async () => {
    const { app, user } = await shop();
    await begin(user);
    await app.breakDown();
    expect([(await dialog(user)).status, (await plan(user)).status]).toEqual([503, 503]);
    expect(await counted(app)).toEqual([]);
  });
});

describe('tried codes', () => {
  it('are counted by outcome, and named if the provider knows them', async () => {
    const { app, user } = await shop();
    await app.coupon('FIFTEEN', { percent_off: 15 });
    await app.coupon('TWENTY', { percent_off: 20 });
    const validate = (code: string) => user.call('POST', '/api/v1/auth/validate-discount', { code });
    for (const code of ['FIFTEEN', 'fifteen', 'TWENTY', 'TWENTY', 'my password', 'GUESS']) await validate(code);
    expect(await counted(app)).toEqual([
      { type: 'CodesTried', outcome: 'valid', codes: ['FIFTEEN'], count: 1 },
      { type: 'CodesTried', outcome: 'invalid', codes: [], count: 1 },
      { type: 'CodesTried', outcome: 'valid', codes: ['FIFTEEN', 'TWENTY'], count: 3 },
      { type: 'CodesTried', outcome: 'invalid', codes: [], count: 1 },
    ]);
  });

  it('are counted in a checkout for a plan, and where a checkout refuses them', async () => {
    const { app, user } = await shop();
    await app.coupon('FIFTEEN', { percent_off: 15 });
    expect((await plan(user, { promotionCode: 'FIFTEEN' })).status).toBe(200);
    expect((await plan(user, { promotionCode: 'GUESS' })).status).toBe(400);
    expect((await begin(user, { discountCode: 'GUESS' })).status).toBe(400);
    expect(await counted(app)).toEqual([
      { type: 'CodesTried', outcome: 'valid', codes: ['FIFTEEN'], count: 1 },
      { type: 'CheckoutsOpened', purchase: 'plan', count: 1 },
      { type: 'CodesTried', outcome: 'invalid', codes: [], count: 1 },
      { type: 'CodesTried', outcome: 'invalid', codes: [], count: 1 },
    ]);
  });

  it('of nobody who is logged in are only a metric', async () => {
    const { app } = await shop();
    await app.call('POST', '/api/v1/auth/validate-discount', { body: { code: 'GUESS' } });
    expect(await counted(app)).toEqual([]);
    const metrics = await app.deps.metrics.render({});
    expect(metrics).toContain('tallied_total{what="CodesTried",reason="invalid",account="unknown"} 1');
  });
});

describe('refused log-ins', () => {
  it('are counted of known accounts only, whatever was wrong', async () => {
    const app = await startTestApp();
    open = app;
    const { userId, email } = await app.signUp();
    await logIn(app, email, PASSWORD);
    await logIn(app, email, 'wrong');
    await logIn(app, email, 'wrong again');
    await logIn(app, 'nobody@example.com', 'wrong');
    expect(await counted(app)).toEqual([
      { type: 'LogInsRefused', count: 1 },
      { type: 'LogInsRefused', count: 1 },
    ]);
    expect((await app.tallied()).every(({ data }) => data.userId === userId)).toBe(true);
    const metrics = await app.deps.metrics.render({});
    expect(metrics).toContain('tallied_total{what="LogInsRefused",reason="",account="known"} 2');
    expect(metrics).toContain('tallied_total{what="LogInsRefused",reason="",account="unknown"} 1');
  });

  it('of one address, ten thousand of them, add at most fifty events', async () => {
    const many = { points: 1e6, seconds: 60 };
    const app = await startTestApp({
      logLevel: 'silent',
      rateLimits: { login: many, loginFailures: many, loginAccount: many, loginAddress: many },
    });
    open = app;
    const { email } = await app.signUp();
    const before = await app.deps.store.head();
    let refused = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let nth = 0; nth < 500; nth += 1) {
          const { status } = await logIn(app, email, 'wrong');
          if (status === 401) refused += 1;
        }
      }),
    );
    expect(refused).toBe(10_000);
    const tallies = await app.tallied();
    const added = (await app.deps.store.readAll({ after: before, limit: 1_000 })).events.length;
    expect(added).toBeLessThanOrEqual(50);
    expect(tallies.reduce((sum, { data }) => sum + data.count, 0)).toBe(10_000);
  });
});

describe('tallies', () => {
  const LOG_IN: Tally = { type: 'LogInsRefused', userId: 'ann' };
  const lost: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lost.push(line) } as never;
  const metrics = { tallied: () => undefined };

  it('are one event per user, reason and window', async () => {
    const made = product();
    const tallies = createTallies({ context: () => made.context(), log, metrics });
    for (let nth = 0; nth < 1_000; nth += 1) {
      tallies.note(LOG_IN);
      tallies.note({ type: 'LogInsRefused', userId: 'bea' });
      tallies.note({ type: 'SubmissionsRefused', userId: 'ann', reason: 'INVALID_URL' });
      tallies.note({ type: 'SubmissionsRefused', userId: 'ann', reason: 'INSUFFICIENT_CREDITS' });
    }
    await tallies.close();
    expect(await made.types('')).toHaveLength(8);
  });

  it('are written once the store answers again, and once only', async () => {
    const made = product();
    let tries = 0;
    const store = Object.assign(Object.create(made.store), {
      append: async (...input: Parameters<typeof made.store.append>) => {
        tries += 1;
        const written = await made.store.append(...input);
        if (tries === 1) throw new StoreUnavailable('the answer was lost');
        return written;
      },
    });
    const tallies = createTallies({ context: () => made.context(undefined, store), log, metrics, waitsMs: [1] });
    tallies.note(LOG_IN);
    await expect.poll(() => tries).toBe(2);
    await tallies.close();
    expect(await made.types('')).toEqual(['LogInsRefused']);
    expect(lost).toEqual([]);
  });

  it('are lost with a line in the log if it does not', async () => {
    const made = product();
    const store = Object.assign(Object.create(made.store), {
      append: async () => {
        throw new StoreUnavailable('no');
      },
    });
    const tallies = createTallies({ context: () => made.context(undefined, store), log, metrics, waitsMs: [1, 1] });
    tallies.note(LOG_IN);
    await tallies.close();
    expect(lost).toHaveLength(1);
  });
});
