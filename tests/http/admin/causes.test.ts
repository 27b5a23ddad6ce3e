/** Which request caused an email: the chain of causes, as an admin sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CauseNode, CausesOfEventResponse } from '../../../src/http/contract/admin/causes.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { type MailingApp, startMailing } from '../../given/work/mails.ts';

let app: TestApp;
let mailing: MailingApp;
let admin: TestUser;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  mailing = await startMailing(app);
  admin = await app.signUp({ email: 'zoe@admins.example' });
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
  ann = await app.signUp({ email: 'ann@example.com' });
});
afterAll(async () => {
  await mailing.close();
  await app.close();
});

/** The newest event of a type, once the read model of causes has it. */
async function newest(type: string, about: object = {}): Promise<string> {
  const { events } = await app.store.readAll({ direction: 'backward', limit: 50, filter: { types: [type] } });
  const found = events.find(({ data }) =>
    Object.entries(about).every(([name, value]) => (data as Record<string, unknown>)[name] === value),
  );
  await app.readModels.reached(['causes'], found?.position ?? '', 5_000);
  return found?.id ?? '';
}
const resetMail = () => newest('MailSent', { kind: 'password_reset' });
const path = (eventId: string): string => `/api/v1/admin/history/causes/${eventId}`;
const asked = async (eventId: string) =>
  CausesOfEventResponse.parse((await admin.call('GET', path(eventId))).body).data;
const looks = async () =>
  (await app.newEvents())
    .filter(({ type }) => type === 'AdminLooked')
    .map(({ data }) => [data.thing, data.thingId, data.userId] as const);
const titles = (nodes: readonly CauseNode[]): readonly string[] => nodes.map(({ title }) => title);

describe('the causes of an email', () => {
  it('lead up to the request, with actors and delays', async () => {
    const request = await app.call('POST', '/api/v1/auth/reset-password', { body: { email: ann.email } });
    await expect.poll(resetMail, { timeout: 10_000 }).not.toBe('');
    const sent = await resetMail();
    await app.newEvents();
    const data = await asked(sent);
    expect(data.beginning).toEqual({ kind: 'request', id: request.headers.get('x-request-id') });
    expect(titles(data.ancestors)).toEqual(['Password reset requested']);
    expect(data.ancestors[0]).toMatchObject({
      stream: `account-${ann.userId}`,
      by: 'Somebody who was not logged in',
      took_ms: null,
    });
    expect(data.event).toMatchObject({
      id: sent,
      title: 'Email sent',
      by: 'A worker',
      actor: { kind: 'worker', id: 'mails' },
      cause: data.ancestors[0]?.id,
      took_ms: 0,
    });
    expect([data.following, data.cut]).toEqual([[], false]);
    expect(await looks()).toEqual([['account', ann.userId, ann.userId]]);
  });

  it('lead down from the request to the email', async () => {
    const sent = await resetMail();
    const { beginning, ancestors } = await asked(sent);
    const ofRequest = await asked(beginning.id);
    expect(ofRequest).toMatchObject({ event: null, ancestors: [], beginning });
    expect(titles(ofRequest.following)).toEqual(
      expect.arrayContaining(['Password reset requested', 'Email prepared', 'Email sent']),
    );
    const ofAsk = await asked(ancestors[0]?.id ?? '');
    expect(ofAsk.following.map(({ id }) => id)).toContain(sent);
  });
});

describe('viewing causes', () => {
  it('is recorded once per thing whose events are shown, and not for one’s own', async () => {
    await admin.call('POST', '/api/v1/api-keys', { name: 'Mine', scope: 'read' });
    const own = await newest('ApiKeyCreated');
    await app.newEvents();
    expect(await asked(own)).toMatchObject({ event: { by: 'zoe@admins.example' }, beginning: { kind: 'request' } });
    expect(await looks()).toEqual([]);
  });

  it('names the admin who acted for another user', async () => {
    const bob = await app.signUp({ email: 'bob@example.com' });
    await admin.call('POST', `/api/v1/admin/users/${bob.userId}/credits`, { credits: 1, reason: 'A gift' });
    expect((await asked(await newest('CreditsGranted'))).event).toMatchObject({
      by: 'zoe@admins.example, as an admin for bob@example.com',
    });
  });

  it('shows nothing that was erased', async () => {
    const { jobId } = await givenAnalysis(app, ann.userId);
    await ann.call('POST', '/share/create', { jobId });
    const made = await newest('ShareCreated');
    expect((await asked(made)).event).toMatchObject({ title: 'Shared link created' });
    expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect(await admin.call('GET', path(made))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('answers 404 for an unknown event, and refuses an invalid cursor', async () => {
    expect(await admin.call('GET', path('nowhere'))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await admin.call('GET', `${path(await resetMail())}?cursor=wrong`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });
});
