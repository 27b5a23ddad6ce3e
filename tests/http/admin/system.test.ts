/** The admin's system page: who is active, how services are, parked and pending work, and the actions on it. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailIdOf } from '../../../src/commands/mail/mailOf.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { PARKED, storesWithParkedEvent } from '../../given/product/parkedEvent.ts';
import { openSocket } from '../../given/product/socket.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const MINUTE = 60_000;

let app: TestApp;
let admin: TestUser;
beforeEach(async () => {
  app = await startTestApp({ realtime: { pingMs: 1_000 } });
  admin = await signUpAdmin();
});
afterEach(() => app.close());

async function signUpAdmin(): Promise<TestUser> {
  const user = await app.signUp({ email: 'admin@example.com', name: 'Ada Admin' });
  await app.given(`account-${user.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: user.userId, reason: 'configured' },
  });
  return user;
}

const monitoring = async (query = '') => (await admin.call('GET', `/api/v1/admin/active-monitoring${query}`)).body.data;

describe('active monitoring', () => {
  it('has exactly the specified fields', async () => {
    const answer = await admin.call('GET', '/api/v1/admin/active-monitoring');
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.data).toEqual({
      activeUsers: {
        count: 1,
        timeWindow: 15,
        users: [{ auth_user_id: admin.userId, email: 'admin@example.com', display_name: 'Ada Admin' }],
      },
      activeJobs: { total: 0, byStatus: {}, jobs: [] },
      systemHealth: {
        uptime: 183_840,
        memoryUsage: { heapUsed: 85_983_232, heapTotal: 134_217_728 },
        process: { id: 'a-process', role: 'all' },
      },
      apiStatus: {
        mcpServer: {
          status: 'up',
          checked_at: app.deps.now(),
          latency_ms: null,
          detail: '0 calls of tools here since the start, 0 refused, 0 failed',
          tools: [],
        },
        supabase: { status: 'up', checked_at: '2026-03-10T11:59:50.000Z', latency_ms: 3, detail: null },
        stripe: { status: 'not_configured', checked_at: null, latency_ms: null, detail: null, mode: null },
        llmProviders: {
          current_provider: 'built_in',
          providers: {
            built_in: {
              status: 'up',
              model: null,
              last_success_at: null,
              last_failure_at: null,
              detail: null,
              fallback_rate: null,
            },
          },
        },
      },
    });
  });

  it('counts users active within the window, updated every five minutes, without an event', async () => {
    const user = await app.signUp({ name: 'Bob' });
    await user.call('GET', '/api/v1/jobs');
    const head = await app.store.head();
    await user.call('GET', '/api/v1/jobs');
    expect((await monitoring()).activeUsers.users.map((each: { display_name: string }) => each.display_name)).toEqual(
      expect.arrayContaining(['Bob', 'Ada Admin']),
    );
    expect(await app.store.head()).toBe(head);
    const noted = (await app.readModels.presence.list('user', { since: '', limit: 9 })).find(
      ({ id }) => id === user.userId,
    )?.at;
    app.advance(4 * MINUTE);
    await user.call('GET', '/api/v1/jobs');
    expect(
      (await app.readModels.presence.list('user', { since: '', limit: 9 })).find(({ id }) => id === user.userId)?.at,
    ).toBe(noted);
    app.advance(12 * MINUTE);
    expect((await monitoring()).activeUsers).toMatchObject({ count: 1, users: [{ display_name: 'Ada Admin' }] });
    expect((await monitoring('?window=60')).activeUsers).toMatchObject({ count: 2, timeWindow: 60 });
    for (const window of ['0', '1441', 'x', '1.5'])
      expect((await admin.call('GET', `/api/v1/admin/active-monitoring?window=${window}`)).status).toBe(400);
  });

  it('excludes deleted accounts', async () => {
    const user = await app.signUp();
    await user.call('GET', '/api/v1/jobs');
    await app.given(`account-${user.userId}`, {
      type: 'AccountDeleted',
      data: { userId: user.userId, deletedAt: app.deps.now() },
    });
    expect((await monitoring()).activeUsers).toMatchObject({ count: 1, users: [{ auth_user_id: admin.userId }] });
  });

  it('counts an open socket as activity', async () => {
    const user = await app.signUp();
    const socket = await (await openSocket(app.url)).logIn(user.token);
    app.advance(20 * MINUTE);
    await expect
      .poll(async () =>
        (await app.readModels.presence.list('user', { since: app.deps.now(), limit: 9 })).map(({ id }) => id),
      )
      .toEqual([user.userId]);
    await socket.close();
  });

  it('counts open jobs by status and lists the newest with their owners', async () => {
    const user = await app.signUp({ name: 'Bob' });
    const { id: first } = (await user.call('POST', '/api/v1/process', { url: 'one.example' })).body.data;
    app.advance(1_000);
    const { id: second } = (await user.call('POST', '/api/v1/process', { url: 'two.example' })).body.data;
    await app.given(`job-${second}`, {
      type: 'JobCancelled',
      data: { jobId: second, userId: user.userId, by: 'user', cancelledAt: app.deps.now() },
    });
    expect((await monitoring()).activeJobs).toEqual({
      total: 1,
      byStatus: { queued: 1 },
      jobs: [
        {
          id: first,
          url: 'https://one.example/',
          status: 'queued',
          userEmail: user.email,
          userName: 'Bob',
          createdAt: expect.any(String),
        },
      ],
    });
  });
});

const system = async () => (await admin.call('GET', '/api/v1/admin/system')).body.data;
describe('the installation', () => {
  it('is described by its processes, read models, work and switches', async () => {
    const data = await system();
    expect(data).toMatchObject({
      parked: { total: 0, records: [] },
      version: '1.2.3',
      switches: { production: false, development_mode: true, demo: true, payments: 'off', mail: 'sent' },
      backup: { kept: 'here', at: null },
    });
    expect(data.projections.models.map(({ model }: { model: string }) => model)).toContain('workItems');
    expect(data.work.map(({ kind }: { kind: string }) => kind)).toEqual([
      'audit',
      'mail',
      'webhook',
      'rework',
      'providerEvent',
      'followUp',
      'sequenceMail',
      'promptTrial',
      'accountExport',
    ]);
    expect(data.problems.map(({ cause }: { cause: string }) => cause)).toEqual(['backup']);
  });

  it('shows a parked event with its error and the outcome of a retry', async () => {
    // Written by a later version before a rollback.
    await app.close();
    const raw = rawEventStore();
    app = await startTestApp({ stores: { store: withStoredEvents(raw), readModels: memoryReadModels() } });
    admin = await signUpAdmin();
    const metadata = { ...metadataAt(app.deps.now()), schemaVersion: 99 };
    const { position } = await raw.append(
      'plan-later',
      [{ id: randomUUID(), type: 'PlanGenerated', data: { later: true }, metadata }],
      { expected: 'any' },
    );
    const models = ['boards', 'causes', 'jobs', 'userProgress'];
    await app.readModels.reached(models, position, 5_000);
    const { parked, problems } = await system();
    const fault = {
      document_id: 'stream:plan-later',
      event_type: 'PlanGenerated',
      error: 'The event cannot be read: its version is not known.',
    };
    expect(parked.total).toBe(models.length);
    const records = parked.records.toSorted((a: { model: string }, b: { model: string }) =>
      a.model < b.model ? -1 : 1,
    );
    expect(records).toMatchObject(models.map((model) => ({ ...fault, model })));
    expect(problems[0]).toMatchObject({ cause: 'parked' });
    const { model, document_id } = parked.records[0];
    await app.newEvents();
    const answer = await admin.call('POST', '/api/v1/admin/system/parked/retry', { model, document_id });
    expect(answer.body).toMatchObject({
      success: true,
      outcome: 'still_parked',
      error: expect.stringContaining('cannot be read'),
    });
    expect(await app.newEvents()).toMatchObject([
      { stream: `parked-${model}`, type: 'ParkedRetryAsked', data: { model, documentId: document_id } },
    ]);
  });

  it('has the projector apply missed events once the product can', async () => {
    await app.close();
    app = await startTestApp({ stores: await storesWithParkedEvent() });
    admin = await signUpAdmin();
    expect((await system()).parked).toMatchObject({
      total: 1,
      records: [{ model: 'boards', document_id: PARKED.documentId, error: PARKED.error }],
    });
    const answer = await admin.call('POST', '/api/v1/admin/system/parked/retry', {
      model: 'boards',
      document_id: 'nobody',
    });
    expect(answer.body).toEqual({ success: true, outcome: 'applied', error: null });
    expect((await system()).parked).toEqual({ total: 0, records: [] });
  });

  it('refuses to retry an event that is not parked', async () => {
    expect(
      await admin.call('POST', '/api/v1/admin/system/parked/retry', { model: 'boards', document_id: 'x' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'NOT_PARKED' },
    });
  });

  it('lists work of a kind, and lets an admin retry or drop an item', async () => {
    const user = await app.signUp();
    const { id } = (await user.call('POST', '/api/v1/process', { url: 'one.example' })).body.data;
    await app.readModels.reached(['workItems'], await app.store.head(), 5_000);
    const list = async () => (await admin.call('GET', '/api/v1/admin/system/work?kind=audit')).body;
    expect(await list()).toMatchObject({
      items: [{ kind: 'audit', item_id: id, lane: user.userId, attempts: 0, running: false }],
      cursor: null,
    });
    expect((await system()).work[0]).toMatchObject({ kind: 'audit', depth: 1, running: 0 });
    await app.newEvents();
    const item = { kind: 'audit', item_id: id };
    expect((await admin.call('POST', '/api/v1/admin/system/work/retry', item)).status).toBe(200);
    expect((await admin.call('POST', '/api/v1/admin/system/work/drop', item)).status).toBe(200);
    expect((await app.newEvents()).map(({ type }) => type)).toEqual(['WorkRetryAsked', 'JobFailed']);
    const { events } = await app.store.readAll({ direction: 'backward', limit: 1 });
    expect(events[0]?.metadata.actor).toEqual({ kind: 'admin', id: admin.userId });
    await app.readModels.reached(['workItems'], await app.store.head(), 5_000);
    expect((await list()).items).toEqual([]);
    // Dropped, it is in the list of given-up work, from which it can be dropped as well.
    expect((await admin.call('POST', '/api/v1/admin/system/work/drop', item)).status).toBe(200);
    await app.readModels.reached(['givenUpWork'], await app.store.head(), 5_000);
    expect((await admin.call('POST', '/api/v1/admin/system/work/drop', item)).status).toBe(409);
    expect((await admin.call('GET', '/api/v1/admin/system/work?kind=nonsense')).status).toBe(400);
  });

  it('pages through long lists of work', async () => {
    const user = await app.signUp();
    for (const nth of [1, 2, 3]) await user.call('POST', '/api/v1/process', { url: `site${nth}.example` });
    await app.readModels.reached(['workItems'], await app.store.head(), 5_000);
    const page = async (cursor: string) =>
      (await admin.call('GET', `/api/v1/admin/system/work?kind=audit&limit=2${cursor}`)).body;
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(first.cursor)}`);
    expect([first.items.length, second.items.length, second.cursor]).toEqual([2, 1, null]);
    expect(new Set([...first.items, ...second.items].map(({ item_id }) => item_id)).size).toBe(3);
  });

  it('names a service that is down, with the remedy', async () => {
    const down = { status: 'down' as const, detail: 'Invalid API key.', checkedAt: app.deps.now(), latencyMs: 3 };
    const { services, llm } = app.deps.system;
    Object.assign(app.deps.system, {
      services: () => ({ ...services(), stripe: down }),
      llm: { ...llm, provider: 'grok', model: 'grok-4' },
    });
    const { problems } = await system();
    expect(problems.map(({ cause }: { cause: string }) => cause)).toEqual(['payments', 'llm', 'backup']);
    expect(problems[0]).toMatchObject({ text: 'The payment provider is down: Invalid API key.' });
  });

  it('counts refused addresses separately from other failed emails of the last day', async () => {
    const failed = (mailId: string, reason: string, droppedAt: string) =>
      app.given(`mail-${mailId}`, {
        type: 'MailDropped',
        data: { mailId, userId: admin.userId, kind: 'job_done', reason, droppedAt },
      });
    await failed('old', 'refused', '2026-03-01T00:00:00.000Z');
    await failed('a', 'refused', app.deps.now());
    await failed('b', 'given_up', app.deps.now());
    await app.readModels.reached(['failedMails'], await app.store.head(), 5_000);
    expect((await app.deps.system.state()).mails).toEqual({ failedToday: 2, refusedToday: 1 });
  });

  it('lists failed emails, excluding those turned off, and abandoned deliveries', async () => {
    const mail = { userId: admin.userId, kind: 'job_done', droppedAt: app.deps.now() };
    await app.given('mail-a', { type: 'MailDropped', data: { ...mail, mailId: 'a', reason: 'refused' } });
    await app.given('mail-b', { type: 'MailDropped', data: { ...mail, mailId: 'b', reason: 'not_wanted' } });
    const delivery = { deliveryId: 'd', endpointId: 'gone', userId: admin.userId };
    await app.given(
      'webhook-delivery-d',
      { type: 'WebhookQueued', data: { ...delivery, event: 'job.completed', body: '{}', queuedAt: app.deps.now() } },
      {
        type: 'WebhookTried',
        data: {
          deliveryId: 'd',
          endpointId: 'gone',
          attempt: 1,
          triedAt: app.deps.now(),
          ok: false,
          status: 500,
          ms: 3,
          error: null,
          nextTryAt: null,
        },
      },
    );
    expect((await admin.call('GET', '/api/v1/admin/system/mails')).body).toEqual({
      success: true,
      outbox: null,
      failed: [
        {
          id: 'a',
          email: 'admin@example.com',
          kind: 'job_done',
          reason: 'refused',
          failed_at: app.deps.now(),
          not_resendable: 'An earlier version recorded the failure, without what led to the email.',
        },
      ],
    });
    expect((await admin.call('GET', '/api/v1/admin/system/webhooks')).body.failed).toMatchObject([
      { id: 'd', url: null, email: 'admin@example.com', event: 'job.completed', tries: 1, error: 'Answered 500' },
    ]);
    const { failed_today, problems } = await system();
    expect(failed_today).toEqual({ mails: 1, webhooks: 1 });
    // One refused address is no problem of the installation.
    expect(problems.map(({ cause }: { cause: string }) => cause)).not.toContain('mails');
  });
});

describe('an email that could not be delivered', () => {
  const resend = (mailId: string, by = admin) =>
    by.call('POST', '/api/v1/admin/system/mails/resend', { mail_id: mailId });
  const failed = async () => (await admin.call('GET', '/api/v1/admin/system/mails')).body.failed;

  it('is sent again by an admin, and leaves the list', async () => {
    await app.given(`account-${admin.userId}`, {
      type: 'AccountPasswordChanged',
      data: { userId: admin.userId, passwordHash: 'x', changedAt: app.deps.now() },
    });
    const read = await app.store.read(`account-${admin.userId}`);
    const led = read.status === 'found' ? read.events.at(-1) : undefined;
    const { id = '', stream = '', revision = 0n, type = '' } = led ?? {};
    const mailId = led ? (mailIdOf(led) ?? '') : '';
    const cause = { id, stream, revision: String(revision), type };
    const mail = { mailId, userId: admin.userId, kind: 'password_changed' };
    await app.given(`mail-${mailId}`, {
      type: 'MailDropped',
      data: { ...mail, reason: 'refused', cause, droppedAt: app.deps.now() },
    });
    expect(await failed()).toMatchObject([{ id: mailId, not_resendable: null }]);
    await app.newEvents();
    expect((await resend(mailId)).status).toBe(200);
    expect(await app.newEvents()).toMatchObject([
      { stream: `mail-${mailId}`, type: 'MailRequeued', data: { ...mail, cause } },
    ]);
    expect(await failed()).toEqual([]);
    const pending = (await admin.call('GET', '/api/v1/admin/system/work?kind=mail')).body.items;
    expect(pending).toContainEqual(expect.objectContaining({ item_id: mailId, lane: admin.userId }));
    // While it is pending, a repeat changes nothing.
    expect((await resend(mailId)).status).toBe(200);
    expect(await app.newEvents()).toEqual([]);
  });

  it('is refused with the reason, and to others than admins', async () => {
    const data = {
      mailId: 'a',
      userId: admin.userId,
      kind: 'password_reset',
      reason: 'too_old',
      droppedAt: app.deps.now(),
    };
    await app.given('mail-a', { type: 'MailDropped', data });
    await app.given('mail-b', {
      type: 'MailDropped',
      data: { ...data, mailId: 'b', userId: 'nobody', kind: 'job_done' },
    });
    expect(
      (await failed()).map(({ id, not_resendable }: Record<string, string>) => [id, not_resendable]).sort(),
    ).toEqual([
      ['a', 'Its link is too old by now. Its reader has to ask for a new one.'],
      ['b', 'The account has been deleted.'],
    ]);
    const { status, body } = await resend('a');
    expect([status, body.code, body.error]).toEqual([
      409,
      'MAIL_NOT_RESENDABLE',
      'Its link is too old by now. Its reader has to ask for a new one.',
    ]);
    expect((await resend('nothing')).body.error).toBe('There is no such email.');
    expect((await resend('a', await app.signUp())).status).toBe(403);
  });
});
