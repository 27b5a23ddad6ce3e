import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/eventTypes.ts';
import { JOBS_OF_USER } from '../../../src/history/past/userLists.ts';
import { DELETION_CONFIRMATION } from '../../../src/http/contract/account.ts';
import { ChangeListResponse, ChangesResponse } from '../../../src/http/contract/admin/past.ts';
import {
  PastJobsResponse,
  PastPromptsResponse,
  PastSequencesResponse,
  PastUsersResponse,
} from '../../../src/http/contract/admin/pastLists.ts';
import { CHANGE_KINDS, type ChangeKind, TYPES_OF_CHANGE } from '../../../src/model/history/changeKinds.ts';
import { givenAnalysis, givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { givenSequence, template } from '../../given/sequences.ts';

const MINUTE = 60_000;

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

const get = async (path: string) => (await admin.call('GET', `/api/v1/admin/history/past/${path}`)).body;
const head = () => app.store.head();
const users = async (query: string) => PastUsersResponse.parse(await get(`users${query}`));
const jobs = async (query: string) => PastJobsResponse.parse(await get(`jobs${query}`));
const changedAddress = (email: string) => ({
  type: 'AccountEmailChanged',
  data: { userId: ann.userId, formerEmail: 'ann@example.com', email, changedAt: app.deps.now() },
});
const reserved = (jobId: string) => ({
  type: 'AnalysisReserved',
  data: { userId: ann.userId, jobId, from: 'admin', period: '2026-03', access: 'full', reservedAt: app.deps.now() },
});

describe('the past list of users', () => {
  it('shows each user’s email, role, plan, jobs and action items at that moment', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    const then = await head();
    app.advance(MINUTE);
    const at = app.deps.now();
    const period = { periodStart: at, periodEnd: '2026-04-10T12:00:00.000Z' };
    await app.given(`plan-${jobId}`, { type: 'ActionCompleted', data: { jobId, actionId: 'first', completedAt: at } });
    await app.given(`account-${ann.userId}`, changedAddress('new@example.com'), {
      type: 'AccountAdminGranted',
      data: { userId: ann.userId, reason: 'configured' },
    });
    await app.given(`billing-${ann.userId}`, {
      type: 'SubscriptionStarted',
      data: {
        userId: ann.userId,
        subscriptionId: 'sub_1',
        asOf: at,
        ...period,
        price: 2_900,
        currency: 'usd',
        tier: 'tier1',
        status: 'active',
        paid: null,
        startedAt: at,
      },
    });
    const [before, after] = [await users(`?at=${then}`), await users('')];
    expect(before.data.map(({ email, is_admin }) => [email, is_admin])).toEqual([
      ['ann@example.com', false],
      ['admin@example.com', true],
    ]);
    expect(before.data[0]).toMatchObject({ plan: 'free', jobs: 1, erased_jobs: 0, completed_items: 0, more: false });
    expect(after.data[0]).toMatchObject({
      email: 'new@example.com',
      is_admin: true,
      plan: 'tier1',
      jobs: 1,
      completed_items: 1,
    });
    expect(before.data[0]?.items).toBe(after.data[0]?.items);
    expect(before).toMatchObject({ erased: 0, cursor: null });
  });

  it('is searched by the email at that moment, and paged', async () => {
    const then = await head();
    await app.given(`account-${ann.userId}`, changedAddress('new@example.com'));
    const emails = async (query: string) => (await users(query)).data.map(({ email }) => email);
    expect(await emails(`?at=${then}&search=Ann@`)).toEqual(['ann@example.com']);
    expect(await emails('?search=ann@')).toEqual([]);
    const first = await users('?limit=1');
    expect([first.data[0]?.email, (await users(`?limit=1&cursor=${first.cursor}`)).data[0]?.email]).toEqual([
      'new@example.com',
      'admin@example.com',
    ]);
    expect(await get('users?cursor=nonsense')).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('omits accounts deleted since, and only counts jobs deleted since', async () => {
    const gone = await givenAnalysis(app, admin.userId, { host: 'gone.example' });
    const then = await head();
    expect((await admin.call('DELETE', `/api/v1/jobs/${gone.jobId}`)).status).toBe(200);
    expect(
      (await ann.call('DELETE', '/api/v1/account', { password: ann.password, confirmation: DELETION_CONFIRMATION }))
        .status,
    ).toBe(200);
    const listed = await users(`?at=${then}`);
    expect(listed).toMatchObject({ erased: 1, data: [{ email: 'admin@example.com', jobs: 0, erased_jobs: 1 }] });
    expect(JSON.stringify(listed)).not.toContain('ann@example.com');
    // Of now, it no longer counts as deleted since.
    expect((await users('')).data[0]).toMatchObject({ jobs: 0, erased_jobs: 0 });
  });

  it('counts a limited number of each user’s newest jobs', async () => {
    await app.given(
      `billing-${ann.userId}`,
      ...Array.from({ length: JOBS_OF_USER + 1 }, (_, nth) => reserved(`job-${nth}`)),
    );
    expect((await users('?search=ann')).data[0]).toMatchObject({ jobs: 0, more: true });
  });
});

describe('the past list of jobs', () => {
  it('is searched by the beginning of the host, and shows the owner’s email at that moment', async () => {
    await givenJob(app, ann.userId, { host: 'www.one.example' });
    await givenJob(app, ann.userId, { host: 'two.example' });
    const then = await head();
    await app.given(`account-${ann.userId}`, changedAddress('new@example.com'));
    const found = await jobs(`?at=${then}&search=ONE`);
    expect(found.data.map(({ host, userEmail }) => [host, userEmail])).toEqual([
      ['www.one.example', 'ann@example.com'],
    ]);
    expect((await jobs('?search=one&status=failed')).data).toEqual([]);
    expect((await jobs('')).data.map(({ userEmail }) => userEmail)).toEqual(['new@example.com', 'new@example.com']);
  });

  it('does not reveal the site of a deleted job, not even by counting it in a search', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId, { host: 'gone.example' });
    const then = await head();
    await ann.call('DELETE', `/api/v1/jobs/${jobId}`);
    expect(await jobs(`?at=${then}&search=gone`)).toMatchObject({ data: [], erased: 0 });
    expect((await jobs(`?at=${then}`)).erased).toBe(1);
    // Deleted before, not since.
    expect((await jobs('')).erased).toBe(0);
  });

  it('pages through the matches of a search', async () => {
    for (let nth = 0; nth < 5; nth += 1)
      await givenJob(app, ann.userId, { host: `${nth % 2 === 0 ? 'even' : 'odd'}${nth}.example` });
    const first = await jobs('?search=even&limit=2');
    const second = await jobs(`?search=even&limit=2&cursor=${first.cursor}`);
    expect([...first.data, ...second.data].map(({ host }) => host)).toEqual([
      'even4.example',
      'even2.example',
      'even0.example',
    ]);
  });
});

describe('past prompts and email sequences', () => {
  it('show the prompt version at that moment', async () => {
    const prompt = { key: 'summary', name: 'Summary', description: '', active: true, adminId: admin.userId };
    const save = (version: number, content: string) => ({
      type: 'PromptSaved',
      data: { ...prompt, version, content, note: null, savedAt: app.deps.now() },
    });
    const before = await head();
    await app.given('prompt-summary', save(2, 'Second text'));
    const then = await head();
    await app.given('prompt-summary', save(3, 'Third text'));
    const summary = async (query: string) =>
      PastPromptsResponse.parse(await get(`prompts${query}`)).data.find(({ key }) => key === 'summary');
    expect(await summary(`?at=${then}`)).toMatchObject({ version: 2, content: 'Second text' });
    expect(await summary('')).toMatchObject({ version: 3, content: 'Third text' });
    expect(await summary(`?at=${before}`)).toMatchObject({ version: 1, updated_at: null });
  });

  it('show a sequence’s templates at that moment, even if it was deleted since', async () => {
    const { sequenceId, templateId } = await givenSequence(app);
    const other = await givenSequence(app);
    const then = await head();
    const at = app.deps.now();
    await app.given(
      `sequence-${sequenceId}`,
      { type: 'SequenceActivated', data: { sequenceId, activatedAt: at } },
      {
        type: 'SequenceTemplateChanged',
        data: { sequenceId, ...template(1, { templateId, content: 'Changed' }), changedAt: at },
      },
    );
    await app.given(`sequence-${other.sequenceId}`, {
      type: 'SequenceDeleted',
      data: { sequenceId: other.sequenceId, templateIds: [other.templateId], deletedAt: at },
    });
    const sequences = async (query: string) => PastSequencesResponse.parse(await get(`sequences${query}`)).data;
    const rows = (listed: Awaited<ReturnType<typeof sequences>>) =>
      listed.map(({ id, is_active, templates }) => [id, is_active, templates[0]?.content]);
    expect(rows(await sequences(`?at=${then}`))).toEqual([
      [other.sequenceId, false, 'Hi {{user_name}}'],
      [sequenceId, false, 'Hi {{user_name}}'],
    ]);
    expect(rows(await sequences(''))).toEqual([[sequenceId, true, 'Changed']]);
  });
});

describe('what was changed in the whole installation', () => {
  const list = async (query: string) => ChangeListResponse.parse(await get(`change-list?${query}`));
  const lines = async (kind: ChangeKind, between: string) =>
    (await list(`kind=${kind}&${between}`)).data.map(({ title, what, detail }) => [
      title,
      what,
      ...(detail === null ? [] : [detail]),
    ]);

  it('is listed by kind, as often as it is counted, and only within the range', async () => {
    await givenJob(app, ann.userId, { host: 'before.example' });
    const from = await head();
    const at = app.deps.now();
    const { jobId } = await givenAnalysis(app, ann.userId, { host: 'shop.example' });
    const gone = await givenAnalysis(app, ann.userId, { host: 'gone.example' });
    expect((await ann.call('DELETE', `/api/v1/jobs/${gone.jobId}`)).status).toBe(200);
    expect((await ann.call('POST', '/share/create', { jobId })).status).toBe(201);
    await app.given(`account-${ann.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: ann.userId, reason: 'configured' },
    });
    const paid = {
      userId: ann.userId,
      paymentIntentId: 'pi_1',
      amount: 5_000,
      currency: 'usd',
      funds: 5_000,
      balance: 5_000,
    };
    await app.given(`billing-${ann.userId}`, { type: 'FundsAdded', data: { ...paid, quantity: 1, addedAt: at } });
    const { sequenceId } = await givenSequence(app);
    const version = {
      key: 'summary',
      version: 2,
      name: 'Summary',
      description: '',
      content: 'Text',
      active: true,
      adminId: admin.userId,
    };
    await app.given('prompt-summary', { type: 'PromptSaved', data: { ...version, note: null, savedAt: at } });
    const between = `from=${from}&to=${await head()}`;
    await givenJob(app, ann.userId, { host: 'after.example' });
    expect(await lines('users', between)).toEqual([['Admin rights granted', 'ann@example.com']]);
    const jobLines = await lines('jobs', between);
    expect(jobLines).toEqual(
      expect.arrayContaining([
        ['Job submitted', 'shop.example'],
        ['Job deleted', null],
        ['Job completed', 'shop.example'],
      ]),
    );
    expect(JSON.stringify(jobLines)).not.toMatch(/gone|before|after/);
    expect(await lines('shares', between)).toEqual([['Shared link created', 'shop.example']]);
    expect(await lines('money', between)).toEqual([['Reports bought', 'ann@example.com', '$50.00']]);
    expect(await lines('prompts', between)).toEqual([['Prompt saved', 'Summary', 'Version 2']]);
    expect(
      (await list(`kind=sequences&${between}`)).data.map(({ stream, revision, what }) => [stream, revision, what]),
    ).toEqual([
      [`sequence-${sequenceId}`, 1, 'Welcome'],
      [`sequence-${sequenceId}`, 0, 'Welcome'],
    ]);
    const { counts } = ChangesResponse.parse(await get(`changes?${between}`));
    for (const kind of CHANGE_KINDS) {
      const counted = counts
        .filter(({ type }) => TYPES_OF_CHANGE[kind].includes(type))
        .reduce((sum, { count }) => sum + count, 0);
      expect((await list(`kind=${kind}&${between}`)).data, kind).toHaveLength(counted);
    }
  });

  it('comes a page at a time', async () => {
    const from = await head();
    for (let nth = 0; nth < 5; nth += 1) await givenJob(app, ann.userId, { host: `site${nth}.example` });
    const hosts: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ChangeListResponse = await list(`kind=jobs&from=${from}&limit=2${cursor && `&cursor=${cursor}`}`);
      hosts.push(...page.data.map(({ what }) => what));
      cursor = page.cursor;
    }
    expect(hosts).toEqual([4, 3, 2, 1, 0].map((nth) => `site${nth}.example`));
    expect(await get('change-list?kind=jobs&cursor=nonsense')).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('has only types that are stored', () => {
    const known: readonly string[] = EVENT_TYPES;
    for (const kind of CHANGE_KINDS)
      expect(
        TYPES_OF_CHANGE[kind].filter((type) => !known.includes(type)),
        kind,
      ).toEqual([]);
  });
});
