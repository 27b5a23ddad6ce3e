/**
 * A field of a document that the contract does not name leaves the server nowhere: every stored document has one here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/all.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { webhookFacts } from '../../src/projections/webhookFacts.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { key, routeCalls } from '../given/product/routeCalls.ts';
import { openSocket } from '../given/product/socket.ts';

const PLANTED = 'planted where nobody may see it';

/** In the document itself, and in every object of its lists. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== 'object' || value === null) return value;
  const lists = Object.entries(value).map(([name, field]) => [name, Array.isArray(field) ? planted(field) : field]);
  return { ...Object.fromEntries(lists), planted: PLANTED };
}

const PROJECTIONS: readonly AnyProjection[] = READ_MODELS.map((projection: AnyProjection) => ({
  ...projection,
  evolve: (document, event, id) => planted(projection.evolve(document, event, id)) as object | null,
}));

let app: TestApp;
let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ projections: PROJECTIONS, config: { freeAnalysesPerMonth: 1000 } });
  admin = await app.signUp();
  owner = await app.signUp();
});
afterAll(() => app.close());

describe('a planted field', () => {
  it('is in the documents', async () => {
    const { jobId } = await givenAnalysis(app, owner.userId);
    const [job, board] = await Promise.all(
      ['jobs', 'boards'].map((model) => app.readModels.get<{ items?: readonly object[] }>(model, jobId)),
    );
    expect(job?.data).toMatchObject({ planted: PLANTED });
    expect(board?.data.items?.[0]).toMatchObject({ planted: PLANTED });
  });

  it.each(ROUTES.map((route) => [key(route), route] as const))('is not in the answer of %s', async (_, route) => {
    const calls = routeCalls(app);
    const caller = route.access === 'admin' ? admin : owner;
    // Some routes end what others need.
    const user =
      /logout|password|account$|sessions|mfa/.test(route.path) && route.method !== 'GET' ? await app.signUp() : caller;
    const { jobId } = await givenAnalysis(app, user.userId);
    const answer = await calls.callAs(user, route, jobId, await calls.prepare(user, route));
    expect(answer.text).not.toContain(PLANTED);
    // An answer of 500 would say nothing.
    expect(answer.status).not.toBe(500);
  });

  it('is in no message of the socket', async () => {
    const { jobId } = await givenAnalysis(app, admin.userId);
    const socket = await openSocket(app.url);
    await socket.logIn(admin.token);
    for (const channel of [
      'jobs',
      'reworks',
      'exports',
      'billing',
      'admin:jobs',
      'admin:changes',
      `actions:${jobId}`,
    ]) {
      await socket.subscribe(channel, '0'.repeat(20));
    }
    await admin.call('POST', '/api/v1/jobs/x/regenerate-actions'.replace('x', jobId));
    await admin.call('POST', '/api/v1/account/export');
    await admin.call('POST', '/actions/first/start', { jobId });
    for (const table of ['jobs', 'reworks', 'exports', 'actions', 'billing'])
      await socket.next((message) => message.table === table);
    expect(JSON.stringify(socket.messages)).not.toContain(PLANTED);
    await socket.close();
  });

  it('is in no message to webhooks', async () => {
    const { jobId } = await givenAnalysis(app, owner.userId);
    const { events } = await app.store.readAll({
      direction: 'backward',
      limit: 100,
      filter: { types: ['JobCompleted'] },
    });
    const completed = events.find(({ data }) => (data as { jobId?: string }).jobId === jobId);
    const facts = await webhookFacts(app.readModels, app.url, completed as never);
    expect(facts).toMatchObject({ job: { id: jobId } });
    expect(JSON.stringify(facts)).not.toContain(PLANTED);
  });

  it('is in no export of an account, and in no shared audit', async () => {
    const { jobId } = await givenAnalysis(app, owner.userId);
    const { body: share } = await owner.call('POST', '/share/create', {
      jobId,
      sharedContent: ['actions', 'executive_summary', 'job_metadata'],
    });
    const token = String(share.data.shareUrl).split('/').at(-1);
    const texts = await Promise.all([
      owner.call('GET', '/api/v1/account/export'),
      app.call('GET', `/api/v1/share/${token}`),
    ]);
    for (const { status, text } of texts) expect([status, text.includes(PLANTED)]).toEqual([200, false]);
    expect(texts[0].body.jobs.length).toBeGreaterThan(0);
  });
});
