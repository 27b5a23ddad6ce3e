import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '../../../src/commands/job/cancelJob.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { shareToken } from '../../../src/commands/share/shareTokens.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import {
  FoundStreamsResponse,
  HistoryExport,
  HistoryResponse,
  HistoryStateResponse,
} from '../../../src/http/contract/admin/history.ts';
import { givenAnalysis, givenJob, givenRunning } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  [admin, ann] = [
    await app.signUp({ email: 'admin@example.com' }),
    await app.signUp({ email: 'ann@example.com', name: 'Ann' }),
  ];
});
afterEach(() => app.close());

const path = (stream: string, more = ''): string => `/api/v1/admin/history/streams/${stream}${more}`;
const shown = async (stream: string, query = '') =>
  HistoryResponse.parse((await admin.call('GET', path(stream, query))).body).data;
const looks = async () =>
  (await app.newEvents())
    .filter(({ type }) => type === 'AdminLooked')
    .map(({ data }) => [data.thing, data.thingId, data.userId]);
const found = async (q: string) =>
  FoundStreamsResponse.parse((await admin.call('GET', `/api/v1/admin/history/find?q=${encodeURIComponent(q)}`)).body)
    .data;
const granted = (balance: number) => ({
  type: 'CreditsGranted',
  data: { userId: ann.userId, grantId: randomUUID(), credits: 1, reason: '=1+1', balance, grantedAt: app.deps.now() },
});

describe('the history of a stream', () => {
  it('shows each event with its actor and changes, newest first, and records the view once a day', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    await givenRunning(app, jobId, 'crawl');
    const ctx = {
      store: app.store,
      now: app.deps.now,
      commandId: randomUUID(),
      correlationId: 'request',
      actor: { kind: 'admin' as const, id: admin.userId, onBehalfOf: ann.userId },
    };
    await cancelJob(ctx, { jobId });
    await app.newEvents();
    const data = await shown(`job-${jobId}`);
    expect(data).toMatchObject({
      kind: 'Job',
      status: 'found',
      deletion: null,
      first: 0,
      last: 6,
      older: null,
      newer: null,
      owner: { id: ann.userId, email: ann.email },
    });
    expect(data.events.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(data.events[0]).toMatchObject({
      type: 'JobCancelled',
      title: 'Job canceled',
      by: 'admin@example.com, as an admin for ann@example.com',
      actor: { kind: 'admin', id: admin.userId, on_behalf_of: ann.userId },
      changes: expect.arrayContaining([{ path: ['status'], before: 'running', after: 'finished' }]),
      stored_version: 1,
      version: 1,
      correlation_id: 'request',
      causation_id: ctx.commandId,
    });
    await shown(`job-${jobId}`);
    expect(await looks()).toEqual([['job', jobId, ann.userId]]);
  });

  it('continues in both directions', async () => {
    await app.given(`billing-${ann.userId}`, ...Array.from({ length: 10 }, (_, nth) => granted(nth + 1)));
    const stream = `billing-${ann.userId}`;
    const { last } = await shown(stream);
    const numbers = async (query: string) => {
      const { events, older, newer } = await shown(stream, query);
      return { numbers: events.map(({ revision }) => revision), older, newer };
    };
    expect(await numbers('?limit=3')).toEqual({ numbers: [last, last! - 1, last! - 2], older: last! - 2, newer: null });
    expect(await numbers(`?limit=2&before=${last! - 2}`)).toEqual({
      numbers: [last! - 3, last! - 4],
      older: last! - 4,
      newer: last! - 3,
    });
    expect(await numbers(`?after=${last! - 2}`)).toEqual({ numbers: [last, last! - 1], older: last! - 1, newer: null });
    expect(await numbers('?limit=2&order=oldest')).toEqual({ numbers: [0, 1], older: null, newer: 1 });
    expect(await numbers(`?after=${last}`)).toEqual({ numbers: [], older: null, newer: null });
  });

  it('is filtered by type, by actor (also by email), and by time', async () => {
    const stream = `account-${ann.userId}`;
    app.advance(60_000);
    const at = app.deps.now();
    const asked = {
      type: 'AccountMailChoiceSet',
      data: { userId: ann.userId, mail: 'job_done', wanted: false, setAt: at },
    };
    await app.store.append(
      stream,
      [{ id: randomUUID(), ...asked, metadata: metadataAt(at, { kind: 'user', id: ann.userId }) }],
      { expected: 'any' },
    );
    const types = async (query: string) => (await shown(stream, query)).events.map(({ type }) => type);
    for (const query of [
      '?types=AccountMailChoiceSet',
      `?actor=${ann.email}&from=${at}`,
      `?actor=${ann.userId}&from=${at}`,
      `?from=${at}`,
    ])
      expect([query, await types(query)]).toEqual([query, ['AccountMailChoiceSet']]);
    expect(await types(`?to=${at}`)).not.toContain('AccountMailChoiceSet');
    expect(await types('?actor=apiKey')).toEqual([]);
    expect((await admin.call('GET', path(stream, '?types=%27'))).status).toBe(400);
    expect((await admin.call('GET', path(stream, '?from=yesterday'))).status).toBe(400);
  });

  it('of something that nobody owns is filtered by admins too, who act as themselves there', async () => {
    const edited = { content: 'Tell of {{max_points}} actions.', name: 'Summary', description: '', is_active: true };
    expect((await admin.call('PUT', '/api/v1/admin/prompts/summary', edited)).status).toBe(200);
    const types = async (stream: string) => (await shown(stream, '?actor=admin')).events.map(({ type }) => type);
    expect(await types('prompt-summary')).toEqual(['PromptSaved']);
    expect(await types(`account-${admin.userId}`)).toEqual([]);
    const { body } = await admin.call('GET', path('prompt-summary', '/export?actor=admin'));
    expect(HistoryExport.parse(body).events.map(({ type }) => type)).toEqual(['PromptSaved']);
  });

  it('shows no secret, in any event or state', async () => {
    const text = JSON.stringify([
      (await admin.call('GET', path(`account-${ann.userId}`))).body,
      (await admin.call('GET', path(`account-${ann.userId}`, '/state?at=0'))).body,
    ]);
    expect(text).toContain('"passwordHash":"[redacted]"');
    expect(text).not.toMatch(/\$argon2/);
  });

  it('shows the version that is stored', async () => {
    const stream = `email-${'0'.repeat(64)}`;
    const raw = {
      id: randomUUID(),
      type: 'EmailClaimed',
      data: { userId: ann.userId, claimedAt: app.deps.now() },
      metadata: { ...metadataAt(app.deps.now()), schemaVersion: 1 },
    };
    const old = rawEventStore();
    await old.append(stream, [raw], { expected: 'no_stream' });
    const read = await withStoredEvents(old).read(stream);
    expect(read).toMatchObject({
      events: [{ storedVersion: 1, metadata: { schemaVersion: 2 }, data: { proven: true } }],
    });
    await old.close();
    const now = await app.store.read(`account-${ann.userId}`);
    expect(now.status === 'found' && now.events[0]).not.toHaveProperty('storedVersion');
  });

  it('of a deleted stream says so and names the actor; of one erased except for its end, the end says so', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const actor = { kind: 'user' as const, id: ann.userId };
    await deleteJob(
      { store: app.store, now: app.deps.now, commandId: randomUUID(), correlationId: 'request', actor },
      { jobId },
    );
    expect(await shown(`plan-${jobId}`)).toMatchObject({
      status: 'deleted',
      events: [],
      first: null,
      last: null,
      owner: { id: ann.userId },
      deletion: { stream: `job-${jobId}`, type: 'JobDeleted', by: ann.email },
    });
    const { last } = await shown(`job-${jobId}`);
    await app.store.truncate(`job-${jobId}`, BigInt(last ?? 0));
    expect(await shown(`job-${jobId}`)).toMatchObject({
      status: 'found',
      first: last,
      deletion: { type: 'JobDeleted', by: ann.email },
      events: [{ type: 'JobDeleted' }],
    });
  });

  it('of a job that its owner deleted no longer shows its site, in any event, state or file', async () => {
    const { jobId } = await givenJob(app, ann.userId, { host: 'site.example' });
    await app.given(`job-${jobId}`, {
      type: 'JobFailed',
      data: { jobId, code: 'SITE_DNS', reason: 'site.example was not found.', failedAt: app.deps.now() },
    });
    const told = async () => {
      const answers: [number, boolean, boolean][] = [];
      for (const more of ['', '/state?at=0', '/state', '/export?format=json', '/export?format=csv']) {
        const { status, text } = await admin.call('GET', path(`job-${jobId}`, more));
        answers.push([status, text.includes('site.example'), text.includes('SITE_DNS')]);
      }
      return answers;
    };
    const all = await told();
    expect(all.map(([status, names]) => [status, names])).toEqual(all.map(() => [200, true]));
    const gone = [false, true].map((has) => [200, false, has]);
    await app.given(`job-deletions-${ann.userId}`, {
      type: 'JobsDeleted',
      data: { userId: ann.userId, jobIds: [jobId], deletedAt: app.deps.now() },
    });
    expect(await told()).toEqual([gone[1], gone[0], gone[1], gone[1], gone[1]]);
    await app.given(`job-${jobId}`, {
      type: 'JobDeleted',
      data: { jobId, userId: ann.userId, deletedAt: app.deps.now() },
    });
    expect(await told()).toEqual([gone[1], gone[0], gone[0], gone[1], gone[1]]);
  });

  it('answers 404 for an unknown stream', async () => {
    for (const stream of ['job-unknown', 'unknown-1', 'billing-'])
      for (const more of ['', '/state?at=0', '/export?format=csv'])
        expect([stream, more, (await admin.call('GET', path(stream, more))).status]).toEqual([stream, more, 404]);
    expect((await admin.call('GET', path(encodeURIComponent('job-/../x')))).status).toBe(400);
    expect((await admin.call('GET', path('installation', '/state?at=7'))).status).toBe(404);
  });
});

describe('one event', () => {
  it('is shown in full, with the states around it', async () => {
    await app.given(`billing-${ann.userId}`, granted(1), granted(2));
    const { last } = await shown(`billing-${ann.userId}`);
    const { data } = HistoryStateResponse.parse(
      (await admin.call('GET', path(`billing-${ann.userId}`, `/state?at=${last}`))).body,
    );
    expect(data).toMatchObject({
      event: { type: 'CreditsGranted', data: { reason: '=1+1' } },
      before: { credits: 1 },
      after: { credits: 2 },
    });
  });
});

describe('a history file', () => {
  it('contains everything that matches, as JSON and as CSV without spreadsheet formulas', async () => {
    await app.given(`billing-${ann.userId}`, granted(1), granted(2));
    const json = HistoryExport.parse(
      (await admin.call('GET', path(`billing-${ann.userId}`, '/export?format=json&types=CreditsGranted'))).body,
    );
    expect(json.events.map(({ changes }) => changes)).toEqual(
      [0, 1].map((before) => [{ path: ['credits'], before, after: before + 1 }]),
    );
    const csv = await admin.call('GET', path(`billing-${ann.userId}`, '/export?format=csv&types=CreditsGranted'));
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="history-billing-${ann.userId}.csv"`);
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('revision,time,type,event,by');
    expect(lines[1]).toContain('Credits: 0 -> 1');
  });

  it('has plain words and money in CSV as on the page, and raw values in JSON', async () => {
    const bought = {
      paymentIntentId: 'pi_1',
      quantity: 1,
      amount: 5_000,
      currency: 'usd',
      funds: 5_000,
      balance: 5_000,
      addedAt: app.deps.now(),
    };
    await app.given(`billing-${ann.userId}`, { type: 'FundsAdded', data: { userId: ann.userId, ...bought } });
    const csv = await admin.call('GET', path(`billing-${ann.userId}`, '/export?format=csv&types=FundsAdded'));
    expect(csv.text).toContain('Funds › Amount: $0.00 -> $50.00');
    expect(csv.text).toContain('Funds › Currency: – -> usd');
    const json = HistoryExport.parse(
      (await admin.call('GET', path(`billing-${ann.userId}`, '/export?format=json&types=FundsAdded'))).body,
    );
    expect(json.events[0]?.changes).toContainEqual({ path: ['funds', 'amount'], before: 0, after: 5_000 });
  });

  it('counts the audits that funds paid for: they are no money', async () => {
    const { jobId } = await givenJob(app, ann.userId);
    const paid = {
      from: 'funds',
      amount: 5_000,
      balance: 0,
      period: '2026-03',
      access: 'full',
      reservedAt: app.deps.now(),
    };
    await app.given(`billing-${ann.userId}`, {
      type: 'AnalysisReserved',
      data: { userId: ann.userId, jobId, ...paid },
    });
    const csv = await admin.call('GET', path(`billing-${ann.userId}`, '/export?format=csv&types=AnalysisReserved'));
    expect(csv.text).toContain('Used › 2026-03 › Funds: – -> 1');
  });

  it('has what changed in a prompt, and nothing that was and is empty', async () => {
    const text = `${'Look at the site. '.repeat(40)}Be thorough.`;
    const saved = (version: number, content: string) => ({
      type: 'PromptSaved',
      data: {
        key: 'summary',
        version,
        name: 'Summary',
        description: '',
        content,
        active: true,
        adminId: admin.userId,
        note: null,
        savedAt: app.deps.now(),
      },
    });
    await app.given('prompt-summary', saved(2, text), saved(3, text.replace('Be thorough', 'Be brief')));
    const { events } = HistoryExport.parse(
      (await admin.call('GET', path('prompt-summary', '/export?format=json'))).body,
    );
    expect(events.map(({ changes }) => changes.map((change) => change.path.join()))).toEqual([
      ['version', 'name', 'description', 'content'],
      ['version', 'content'],
    ]);
    expect(events[1]?.changes[1]).toMatchObject({
      before: expect.stringMatching(/^….{40,80}Be thorough\.$/),
      after: expect.stringMatching(/^….{40,80}Be brief\.$/),
    });
  });
});

describe('the search', () => {
  const names = async (q: string) => (await found(q)).map(({ stream }) => stream);

  it('finds a stream by the id of a job, a user or anything else, and by its name', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    expect(await names(jobId)).toEqual([`job-${jobId}`, `plan-${jobId}`, `report-${jobId}`, `billing-${ann.userId}`]);
    expect(await names(ann.userId)).toEqual(expect.arrayContaining([`account-${ann.userId}`, `billing-${ann.userId}`]));
    expect(await names(`billing-${ann.userId}`)).toEqual([`billing-${ann.userId}`]);
    const sessionId = ann.token.split('.')[0] ?? '';
    expect(await names(sessionId)).toEqual([`session-${sessionId}`]);
  });

  it('finds a user by an email or its beginning', async () => {
    expect(await names(' Ann@example.com ')).toEqual(
      expect.arrayContaining([`account-${ann.userId}`, expect.stringMatching(/^email-[0-9a-f]{64}$/)]),
    );
    await app.signUp({ email: 'ann@example.org' });
    expect((await found('ann@')).map(({ about }) => about)).toEqual(['ann@example.com', 'ann@example.org']);
  });

  it('finds a job by an address of the product and by a shared link', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    for (const address of [
      `https://seo.example/dashboard/jobs/${jobId}`,
      `/admin/jobs/${jobId}?tab=files`,
      `https://seo.example/shared/${shareToken('secret', jobId, 'share')}`,
    ])
      expect([address, (await names(address))[0]]).toEqual([address, `job-${jobId}`]);
  });

  it('finds an account by an id of the payment provider', async () => {
    const payment = {
      paymentIntentId: 'pi_123',
      amount: 5_000,
      currency: 'usd',
      funds: 5_000,
      balance: 5_000,
      quantity: 1,
    };
    await app.given(`billing-${ann.userId}`, {
      type: 'FundsAdded',
      data: { userId: ann.userId, ...payment, addedAt: app.deps.now() },
    });
    expect(await names('pi_123')).toEqual([`billing-${ann.userId}`]);
    expect(await names('pi_124')).toEqual([]);
  });

  it('finds a prompt by its key and by its address', async () => {
    const data = {
      key: 'seo_analysis',
      version: 2,
      name: 'Analysis',
      description: '',
      content: 'x',
      active: true,
      adminId: admin.userId,
    };
    await app.given('prompt-seo_analysis', {
      type: 'PromptSaved',
      data: { ...data, note: null, savedAt: app.deps.now() },
    });
    for (const q of [
      'seo_analysis',
      'https://seo.example/admin/prompts?prompt=seo_analysis',
      '/admin/prompts/seo_analysis',
    ])
      expect([q, await names(q)]).toEqual([q, ['prompt-seo_analysis']]);
  });

  it('finds what an event is of, and what a request wrote', async () => {
    const read = await app.store.read(`account-${ann.userId}`);
    const first = read.status === 'found' ? read.events[0] : undefined;
    expect(await found(first?.id ?? '')).toEqual([
      { stream: `account-${ann.userId}`, kind: 'Account', deleted: false, about: 'Has this event' },
    ]);
    const written = await found(first?.metadata.correlationId ?? '');
    expect(written).toContainEqual({
      stream: `account-${ann.userId}`,
      kind: 'Account',
      deleted: false,
      about: 'Written by this request',
    });
    expect(written.map(({ kind }) => kind)).toContain('Session');
  });

  it('finds bills by invoice number, customer, promotion code and the id of a deleted job', async () => {
    const { userId } = ann;
    const at = app.deps.now();
    const of = { userId, subscriptionId: 'sub_1', asOf: at, periodStart: at, periodEnd: at };
    const paid = {
      invoiceId: 'in_1',
      number: '7VCBIYET-0001',
      paymentIntentId: 'pi_1',
      amount: 3_950,
      currency: 'usd',
      discounts: [{ code: 'HalfOff', amount: 3_950 }],
    };
    const plan = { tier: 'tier2', status: 'active', price: 7_900, currency: 'usd', paid, startedAt: at };
    await app.given(
      `billing-${userId}`,
      { type: 'CustomerLinked', data: { userId, customerId: 'cus_1', mode: 'test', linkedAt: at } },
      { type: 'SubscriptionStarted', data: { ...of, ...plan } },
    );
    const { jobId } = await givenJob(app, userId);
    const bill = { stream: `billing-${userId}`, kind: 'Bill', deleted: false };
    expect(await found('7VCBIYET-0001')).toMatchObject([{ ...bill, about: 'Invoice 7VCBIYET-0001' }]);
    expect(await found('cus_1')).toMatchObject([bill]);
    for (const code of ['HalfOff', 'HALFOFF', 'halfoff'])
      expect(await found(code)).toMatchObject([{ ...bill, about: 'Code HALFOFF' }]);
    expect((await ann.call('POST', `/api/v1/jobs/${jobId}/cancel`)).status).toBe(200);
    expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect(await found(jobId)).toContainEqual(expect.objectContaining({ ...bill, about: 'Pays for it' }));
  });

  it('finds nothing for unknown text', async () => {
    for (const q of ['nothing', 'nobody@example.com', '%', '../..', 'x'.repeat(400)])
      expect([q, await names(q)]).toEqual([q, []]);
    expect((await admin.call('GET', `/api/v1/admin/history/find?q=${'x'.repeat(600)}`)).status).toBe(400);
  });
});
