/** The ledger over HTTP: its list, its sums, and its files. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerResponse, type LedgerRowView, LedgerSumsResponse } from '../../../src/http/contract/admin/ledger.ts';
import { LEDGER_FILTER_NAMES, LEDGER_FILTERS } from '../../../src/model/ledger.ts';
import type { ReportRow } from '../../../src/model/reports.ts';
import { getBilling } from '../../../src/projections/billing.ts';
import { type LedgerDocument, ledger } from '../../../src/projections/ledger.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { ledgerLog } from '../../given/billing/ledgerLog.ts';
import { FULL } from '../../given/fullForm.ts';
import { roundsDuring } from '../../given/loopRounds.ts';
import { slowly } from '../../given/product/eventExport.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const LEDGER = '/api/v1/admin/ledger';
const MINUTE = 60_000;
const NOBODY = 'user-of-nobody';

let app: TestApp;
let admin: TestUser;
beforeEach(async () => {
  app = await startTestApp({ rateLimits: { report: { points: 10_000, seconds: 60 } } });
  admin = await app.signUp({ email: 'admin@example.com' });
});
afterEach(() => app.close());

const list = async (query: Record<string, string> = {}) => {
  const { status, body } = await admin.call('GET', `${LEDGER}?${new URLSearchParams(query)}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return LedgerResponse.parse(body);
};
const sums = async (query: Record<string, string> = {}) => {
  const { status, body } = await admin.call('GET', `${LEDGER}/sums?${new URLSearchParams(query)}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return LedgerSumsResponse.parse(body).data;
};
const exported = (format: string, query: Record<string, string> = {}, as: TestUser = admin) =>
  as.call('GET', `${LEDGER}/export?${new URLSearchParams({ format, ...query })}`);
const idsOf = (rows: readonly LedgerRowView[]): readonly string[] => rows.map(({ id }) => id);
async function all(query: Record<string, string> = {}, limit = '100'): Promise<readonly LedgerRowView[]> {
  const rows: LedgerRowView[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: LedgerResponse = await list({ ...query, limit, ...(cursor === '' ? {} : { cursor }) });
    rows.push(...page.data);
    cursor = page.cursor;
  }
  return rows;
}

/** Each a minute after the one before. */
async function bill(userId: string, type: string, data: object): Promise<void> {
  app.advance(MINUTE);
  await app.given(`billing-${userId}`, { type, data: { userId, ...data } });
}
const bought = (userId: string, more: object = {}) =>
  bill(userId, 'FundsAdded', {
    paymentIntentId: `pi_${userId}`,
    amount: 9_000,
    currency: 'usd',
    funds: 10_000,
    balance: 10_000,
    quantity: 2,
    addedAt: app.deps.now(),
    ...more,
  });
const refunded = (userId: string) =>
  bill(userId, 'PaymentRefunded', {
    paymentIntentId: `pi_${userId}`,
    refundId: `re_${userId}`,
    amount: 4_500,
    currency: 'usd',
    funds: 5_000,
    balance: 5_000,
    refundedAt: app.deps.now(),
  });
const started = (userId: string, number: string, more: object = {}) =>
  bill(userId, 'SubscriptionStarted', {
    subscriptionId: `sub_${userId}`,
    asOf: app.deps.now(),
    periodStart: app.deps.now(),
    periodEnd: '2026-04-30T10:00:00.000Z',
    price: 2_900,
    currency: 'eur',
    tier: 'tier1',
    status: 'active',
    paid: {
      invoiceId: `in_${userId}`,
      number,
      paymentIntentId: `pi_plan_${userId}`,
      amount: 2_900,
      currency: 'eur',
      discounts: [{ code: 'Save20', amount: 100 }],
    },
    startedAt: app.deps.now(),
    ...more,
  });
const granted = (userId: string) =>
  bill(userId, 'CreditsGranted', {
    grantId: `grant-${userId}`,
    credits: 3,
    reason: 'planted by Zoe',
    balance: 3,
    grantedAt: app.deps.now(),
  });
const reserved = (userId: string, jobId: string, from: 'credits' | 'plan') =>
  bill(userId, 'AnalysisReserved', {
    jobId,
    from,
    period: '2026-03',
    ...(from === 'credits' ? { balance: 2 } : { subscriptionId: `sub_${userId}`, periodStart: app.deps.now() }),
    access: 'full',
    reservedAt: app.deps.now(),
  });

/** Sessions have expired after a day. */
async function logInAgain(): Promise<void> {
  const { email, password } = admin;
  const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email, password } });
  admin = { ...admin, call: (method, path) => app.call(method, path, { token: body.token }) };
}

describe('the list', () => {
  it('is empty without payments', async () => {
    expect(await list()).toEqual({ success: true, data: [], cursor: null, searched: null });
    expect(await sums()).toEqual({
      rows: 0,
      currencies: [],
      credits: { granted: 0, used: 0 },
      kinds: [],
      all_currencies: [],
    });
  });

  it('has a row for each event, newest first, with its place in the log and the email of its user', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    await bought(ann.userId, { discountCode: 'ten' });
    await granted(ann.userId);
    const { data } = await list();
    expect(data.map(({ kind }) => kind)).toEqual(['credit', 'purchase']);
    const { events } = await app.store.readAll({ filter: { types: ['FundsAdded'] } });
    expect(data[1]).toEqual({
      id: events[0]?.id,
      at: events[0]?.metadata.at,
      position: events[0]?.position,
      stream: `billing-${ann.userId}`,
      revision: Number(events[0]?.revision),
      type: 'FundsAdded',
      kind: 'purchase',
      user_id: ann.userId,
      user_email: 'ann@example.com',
      amount: 9_000,
      currency: 'usd',
      funds: 10_000,
      credits: 0,
      plan: null,
      former_plan: null,
      code: 'TEN',
      invoice_number: null,
      payment_id: `pi_${ann.userId}`,
      subscription_id: null,
      object_id: null,
      job_id: null,
    });
  });

  it('is paged, also with a filter', async () => {
    const ann = await app.signUp();
    for (let nth = 0; nth < 5; nth += 1) {
      await bought(ann.userId, { paymentIntentId: `pi_${nth}` });
      await granted(ann.userId);
    }
    const whole = idsOf((await list()).data);
    expect(whole).toHaveLength(10);
    expect(idsOf(await all({}, '3'))).toEqual(whole);
    expect(idsOf(await all({ kind: 'payments' }, '2'))).toEqual(whole.filter((_, at) => at % 2 === 1));
  });

  it('is filtered by kind, currency, and days, both included', async () => {
    const ann = await app.signUp();
    await bought(ann.userId);
    app.advance(24 * 60 * MINUTE);
    await started(ann.userId, 'INV-1');
    app.advance(24 * 60 * MINUTE);
    await refunded(ann.userId);
    await logInAgain();
    const kinds = async (query: Record<string, string>) => (await list(query)).data.map(({ kind }) => kind);
    expect(await kinds({})).toEqual(['refund', 'plan_invoice', 'purchase']);
    expect(await kinds({ kind: 'invoices' })).toEqual(['plan_invoice']);
    expect(await kinds({ kind: 'payments', currency: 'USD' })).toEqual(['purchase']);
    expect(await kinds({ from: '2026-03-11' })).toEqual(['refund', 'plan_invoice']);
    expect(await kinds({ from: '2026-03-11', to: '2026-03-11' })).toEqual(['plan_invoice']);
    expect(await kinds({ to: '2026-03-10' })).toEqual(['purchase']);
    expect(await kinds({ to: '9999-12-31' })).toHaveLength(3);
  });

  it('is for logged-in admins only', async () => {
    const ann = await app.signUp();
    const made = await admin.call('POST', '/api/v1/api-keys', { name: 'Key', scope: 'reports:read' });
    for (const path of ['', '/sums', '/export']) {
      expect(await app.call('GET', `${LEDGER}${path}`)).toMatchObject({ status: 401 });
      expect(await ann.call('GET', `${LEDGER}${path}`)).toMatchObject({ status: 403 });
      expect(await app.call('GET', `${LEDGER}${path}`, { token: made.body.key })).toMatchObject({ status: 403 });
    }
  });
});

describe('a search', () => {
  it('finds by email, user, invoice number, code, customer, and each id of the provider', async () => {
    const [ann, bob] = [await app.signUp({ email: 'ann@example.com' }), await app.signUp({ email: 'bob@example.com' })];
    await bought(ann.userId);
    await refunded(ann.userId);
    await started(bob.userId, 'INV-77');
    await bill(bob.userId, 'CustomerLinked', { customerId: 'cus_bob', mode: 'test', linkedAt: app.deps.now() });
    const found = async (search: string) => {
      const { data, searched } = await list({ search });
      return [searched, ...data.map(({ kind }) => kind)];
    };
    expect(await found('ann@')).toEqual(['email', 'refund', 'purchase']);
    expect(await found('BOB@example.com')).toEqual(['email', 'plan_invoice']);
    expect(await found(ann.userId)).toEqual(['user', 'refund', 'purchase']);
    expect(await found('INV-77')).toEqual(['value', 'plan_invoice']);
    expect(await found('save20')).toEqual(['value', 'plan_invoice']);
    expect(await found(`pi_${ann.userId}`)).toEqual(['value', 'refund', 'purchase']);
    expect(await found(`re_${ann.userId}`)).toEqual(['value', 'refund']);
    expect(await found(`in_${bob.userId}`)).toEqual(['value', 'plan_invoice']);
    expect(await found(`sub_${bob.userId}`)).toEqual(['value', 'plan_invoice']);
    expect(await found('cus_bob')).toEqual(['customer', 'plan_invoice']);
    expect(await found(` ${admin.userId} `)).toEqual(['user']);
    expect((await sums({ search: 'ann@' })).rows).toBe(2);
  });

  it('finds what paid for a deleted job, or else the rows of who submitted it', async () => {
    const ann = await app.signUp();
    await granted(ann.userId);
    const [paid, free] = [await givenAnalysis(app, ann.userId), await givenAnalysis(app, ann.userId)];
    await reserved(ann.userId, paid.jobId, 'credits');
    await reserved(ann.userId, free.jobId, 'plan');
    for (const { jobId } of [paid, free]) expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    const of = async (search: string) => {
      const { data, searched } = await list({ search });
      return [searched, ...data.map(({ kind, job_id }) => [kind, job_id])];
    };
    expect(await of(paid.jobId)).toEqual(['value', ['credit_use', paid.jobId]]);
    expect(await of(free.jobId)).toEqual(['payer', ['credit_use', paid.jobId], ['credit', null]]);
  });

  it('for a user is recorded as a view of the bill, once a day', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    await bought(ann.userId);
    await app.newEvents();
    await list();
    await list({ search: `pi_${ann.userId}` });
    expect((await app.newEvents()).filter(({ type }) => type === 'AdminLooked')).toEqual([]);
    await list({ search: 'ann@' });
    await exported('csv', { search: ann.userId });
    expect((await app.newEvents()).filter(({ type }) => type === 'AdminLooked')).toMatchObject([
      { data: { userId: ann.userId, thing: 'bill' } },
    ]);
  });
});

describe('a question that has no answer', () => {
  const refusals: readonly (readonly [string, Record<string, string>, number, string, string])[] = [
    ['a range the wrong way round', { from: '2026-03-09', to: '2026-03-01' }, 400, 'INVALID_INPUT', 'a day before'],
    ['no day', { from: 'March' }, 400, 'INVALID_INPUT', 'It is a day such as'],
    ['a range that is yet to come', { from: '2026-03-11' }, 400, 'INVALID_INPUT', 'That day is yet to come'],
    ['a kind that does not exist', { kind: 'gifts' }, 400, 'INVALID_INPUT', ''],
    ['a currency that no row has', { currency: 'chf' }, 400, 'INVALID_INPUT', 'There are: usd'],
    ['no currency', { currency: 'dollars' }, 400, 'INVALID_INPUT', 'code of a currency'],
    ['an id of somebody else’s provider', { search: 'pi_foreign' }, 404, 'NOT_FOUND', 'has exactly that'],
    ['an unknown customer', { search: 'cus_foreign' }, 404, 'NOT_FOUND', 'has exactly that'],
    ['a text that cannot be an id', { search: 'a b/../c' }, 404, 'NOT_FOUND', 'has exactly that'],
    ['an unknown email', { search: 'nobody@example.com' }, 404, 'NOT_FOUND', 'No account’s email begins'],
    ['a text too long', { search: 'x'.repeat(300) }, 400, 'INVALID_INPUT', ''],
  ];
  it.each(refusals)('says so: %s', async (_name, query, status, code, text) => {
    await bought(admin.userId);
    for (const path of ['', '/sums', '/export']) {
      const answer = await admin.call('GET', `${LEDGER}${path}?${new URLSearchParams(query)}`);
      expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
      expect(answer.text).toContain(text);
    }
  });

  it('says so: more rows than a page may have, another format, more accounts than are searched', async () => {
    const ask = (query: string) => admin.call('GET', `${LEDGER}${query}`);
    for (const query of ['?limit=501', '?limit=0', '?limit=many', '/export?format=xlsx'])
      expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    for (let nth = 0; nth < 21; nth += 1) await app.signUp({ email: `many@site${nth}.example` });
    const { status, text } = await ask('?search=many@');
    expect([status, text]).toEqual([400, expect.stringContaining('More than 20 accounts begin with that')]);
    expect((await ask('?search=many@site1')).status).toBe(200);
  });

  it('says so: a cursor of another list, of another filter, and of a log that went further', async () => {
    for (let nth = 0; nth < 3; nth += 1) await bought(admin.userId, { paymentIntentId: `pi_${nth}` });
    const { cursor } = await list({ limit: '1' });
    const refused = async (query: Record<string, string>) =>
      (await admin.call('GET', `${LEDGER}?${new URLSearchParams(query)}`)).body.code;
    expect(await refused({ cursor: String(cursor), kind: 'payments' })).toBe('INVALID_CURSOR');
    expect(await refused({ cursor: 'bm90IG9uZQ' })).toBe('INVALID_CURSOR');
    const [head = '', seal = ''] = Buffer.from(String(cursor), 'base64url').toString().split(':');
    const at = (place: string): string => Buffer.from(`${head}:${seal}:${place}`).toString('base64url');
    expect(await refused({ cursor: at(`2026-03-10T12:00:00.000Z ${'9'.repeat(20)}`) })).toBe('INVALID_CURSOR');
    expect(await refused({ cursor: at('yesterday') })).toBe('INVALID_CURSOR');
    expect(await refused({ cursor: String(cursor) })).toBeUndefined();
  });
});

describe('a deleted account', () => {
  it('keeps its rows without an email, a reason, or a way to find it by its email', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    await bought(ann.userId);
    await granted(ann.userId);
    const before = await sums();
    const path = `/api/v1/admin/users/${ann.userId}`;
    expect((await admin.call('DELETE', path, { email: ann.email })).status).toBe(200);
    expect(await sums()).toEqual(before);
    expect((await admin.call('GET', `${LEDGER}?search=ann@example.com`)).status).toBe(404);
    const { data } = await list({ search: ann.userId });
    expect(data.map(({ kind, user_email }) => [kind, user_email])).toEqual([
      ['credit', null],
      ['purchase', null],
    ]);
    for (const { text } of [await exported('csv'), await exported('ndjson'), await admin.call('GET', LEDGER)]) {
      expect(text).toContain(ann.userId);
      expect(text).not.toMatch(/planted|ann@example\.com/);
    }
  });
});

const totals = (rows: readonly object[], ...fields: readonly string[]) =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      rows.reduce((total, row) => total + Number((row as Readonly<Record<string, unknown>>)[field] ?? 0), 0),
    ]),
  );

describe('the sums', () => {
  it('are those of the report Revenue, of the bills, and of all pages of rows', async () => {
    const log = ledgerLog(3, 4, 220);
    expect(log.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        ...['FundsAdded', 'CreditsGranted', 'PaymentRefunded', 'DisputeOpened', 'DisputeWon', 'DisputeLost'],
        ...['SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed', 'SubscriptionEnded', 'UnlockPaid'],
        ...['AnalysisReserved', 'AnalysisReleased'],
      ]),
    );
    for (const { type, data, metadata } of log)
      await app.store.append(
        `billing-${data.userId}`,
        [{ id: randomUUID(), type, data, metadata: metadataAt(metadata.at) } as never],
        { expected: 'any' },
      );
    const ann = await app.signUp({ email: 'ann@example.com' });
    await bought(ann.userId, { discountCode: 'Ten' });
    await refunded(ann.userId);
    await started(ann.userId, 'INV-9');
    await granted(ann.userId);
    await admin.call('DELETE', `/api/v1/admin/users/${ann.userId}`, { email: ann.email });
    await app.projector.pause();

    const rows = await all();
    const { currencies, credits, kinds, rows: count, all_currencies } = await sums();
    expect([count, all_currencies]).toEqual([rows.length, ['eur', 'usd']]);
    const reportOf = async (days: string) =>
      (await admin.call('GET', `/api/v1/admin/reports/revenue${days}`)).body.data.tables;
    const tables = await reportOf('');
    for (const { currency, payments, paid, refunded: back, disputed, net } of currencies) {
      const ofCurrency = tables[0].rows.filter((row: ReportRow) => row.currency === currency);
      expect({ payments, paid, refunded: back, disputed, net }).toEqual(
        totals(ofCurrency, 'payments', 'paid', 'refunded', 'disputed', 'net'),
      );
      expect(payments * back * disputed).not.toBe(0);
    }
    expect(totals(tables.at(-1).rows, 'credits')).toEqual({ credits: credits.granted });
    const day = { from: '2026-01-02', to: '2026-01-02' };
    const ofDay = (await reportOf(`?${new URLSearchParams(day)}`))[0].rows;
    expect(totals((await sums(day)).currencies, 'paid', 'refunded', 'disputed')).toEqual(
      totals(ofDay, 'paid', 'refunded', 'disputed'),
    );
    expect(totals(ofDay, 'paid').paid).toBeGreaterThan(0);

    const users = [...new Set(rows.map(({ user_id }) => user_id))];
    expect(users).toHaveLength(5);
    const total = { usd: 0, eur: 0, credits: 0 };
    for (const userId of users) {
      const { funds, credits: left } = (await getBilling(app.readModels, userId))!.data;
      if (funds.currency !== null) total[funds.currency as 'usd' | 'eur'] += funds.amount;
      total.credits += left;
      const own = await sums({ search: userId });
      expect(own.currencies.find(({ currency }) => currency === funds.currency)?.funds).toBe(funds.amount);
    }
    expect(currencies.map(({ currency, funds }) => [currency, funds])).toEqual([
      ['eur', total.eur],
      ['usd', total.usd],
    ]);
    expect(credits.granted - credits.used).toBe(total.credits);

    for (const kind of LEDGER_FILTER_NAMES) {
      const some = rows.filter((row) => (LEDGER_FILTERS[kind] as readonly string[]).includes(row.kind));
      expect([kind, idsOf(await all({ kind }))]).toEqual([kind, idsOf(some)]);
      const ofKind = await sums({ kind });
      expect([kind, ofKind.rows]).toEqual([kind, some.length]);
      expect(ofKind.kinds.reduce((sum, each) => sum + each.amount, 0)).toBe(
        some.reduce((sum, each) => sum + each.amount, 0),
      );
    }
    expect(kinds.reduce((sum, each) => sum + each.rows, 0)).toBe(rows.length);
    await app.projector.resume();
  });

  it('and files of very many rows let others in between, and end with the session', { timeout: 120_000 }, async () => {
    const count = FULL ? 100_000 : 20_000;
    await app.projector.pause();
    const build = (await app.readModels.serving(ledger.name)) ?? '';
    const rowAt = (nth: number): LedgerDocument => ({
      kind: 'purchase',
      type: 'FundsAdded',
      userId: NOBODY,
      revision: nth,
      at: '2026-03-01T00:00:00.000Z',
      order: `2026-03-01T00:00:00.000Z ${String(nth).padStart(20, '0')}`,
      amount: 5_000,
      currency: 'usd',
      funds: 5_000,
      credits: 0,
      paymentId: `pi_${nth}`,
    });
    for (let at = 0; at < count; at += 1_000) {
      const writes = Array.from({ length: 1_000 }, (_, nth) => ({
        id: `event-${at + nth}`,
        position: String(at + nth).padStart(20, '0'),
        data: rowAt(at + nth),
      }));
      await app.readModels.commit([{ model: ledger.name, build, writes }]);
    }
    const rounds = await roundsDuring(async () => {
      expect(await sums()).toMatchObject({
        rows: count,
        currencies: [{ currency: 'usd', payments: count, paid: 5_000 * count, net: 5_000 * count }],
      });
    });
    expect(rounds).toBeGreaterThan(count / 5_000);
    const file = await exported('ndjson');
    expect(file.text.trimEnd().split('\n').at(-1)).toBe(JSON.stringify({ end: { rows: count } }));
    await app.projector.resume();
    // Whoever logs out meanwhile gets no more.
    const unfinished = await slowly(app, `${LEDGER}/export`, admin.token);
    expect(unfinished.status).toBe(200);
    await unfinished.read();
    expect((await admin.call('POST', '/api/v1/auth/logout')).status).toBe(200);
    expect((await unfinished.rest()).includes('"end"')).toBe(false);
    expect(await unfinished.isOver).toBe('cut off');
  });
});

describe('a file', () => {
  it('as NDJSON has the rows of the list, and says at its end that it is whole', async () => {
    await bought(admin.userId);
    await granted(admin.userId);
    const { status, headers, text } = await exported('ndjson', { kind: 'payments' });
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/x-ndjson',
      'attachment; filename="ledger-2026-03-10.ndjson"',
    ]);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([...(await list({ kind: 'payments' })).data, { end: { rows: 1 } }]);
    expect((await exported('ndjson', { kind: 'refunds' })).text).toBe('{"end":{"rows":0}}\n');
  });

  it('as CSV has money in whole units, and no cell that a spreadsheet takes for a formula', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    await bought(ann.userId, { discountCode: '=cmd|calc', paymentIntentId: `pi_${ann.userId}` });
    await refunded(ann.userId);
    await started(ann.userId, '+49,"1"');
    await granted(ann.userId);
    const { headers, text } = await exported('csv');
    expect(headers.get('content-disposition')).toContain('.csv"');
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe(
      // Its mark of the encoding is gone by now.
      'Time (UTC),Event,Kind,User,Email,Amount,Currency,Change of funds,Change of credits,Plan,Former plan,Code,Invoice number,Payment,Subscription,"Invoice, refund, or dispute",Job,Stream,Revision,Event id,Position',
    );
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain(`,Credits granted,credit,${ann.userId},ann@example.com,,,,3,,,`);
    expect(lines[1]).toContain(`,29.00,eur,0.00,0,Basic,,SAVE20,"'+49,""1""",`);
    // A number below zero stays a number.
    expect(lines[2]).toContain(',-45.00,usd,-50.00,0,');
    expect(lines[3]).toContain(",90.00,usd,100.00,0,,,'=CMD|CALC,");
  });

  it('is not begun by HEAD, and only two at once for one session', async () => {
    await bought(admin.userId);
    expect(await app.call('HEAD', `${LEDGER}/export`, { token: admin.token })).toMatchObject({ status: 200, text: '' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => exported('csv')));
    expect(new Set(answers.map(({ status }) => status))).toContain(200);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual([503, 'BUSY']);
    // All places are free again.
    expect((await exported('csv')).status).toBe(200);
  });

  it('and the sums are limited per minute', async () => {
    await app.close();
    app = await startTestApp({ rateLimits: { report: { points: 2, seconds: 60 } } });
    admin = await app.signUp({ email: 'admin@example.com' });
    await sums();
    expect((await exported('csv')).status).toBe(200);
    expect(await exported('csv')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  });
});
