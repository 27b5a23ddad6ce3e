/** The first view of a report is recorded: once per job, by its owner only, and erased with the job. */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { createReportOpenings } from '../../src/http/usage/reportOpenings.ts';
import { actionItem, givenAnalysis, givenJob, givenRunning } from '../given/analysis.ts';
import { report } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let jobId: string;
beforeEach(async () => {
  app = await startTestApp();
  [admin, ann] = [await app.signUp({ email: 'admin@example.com' }), await app.signUp({ email: 'ann@example.com' })];
  jobId = (await givenAnalysis(app, ann.userId, { items: [actionItem('title-missing')], report: report() })).jobId;
  await app.newEvents();
});
afterEach(() => app.close());

const openings = async () => (await app.newEvents()).filter(({ type }) => type === 'ReportOpened');

describe('opening a report', () => {
  it.each([
    ['by its causes', () => `/api/v1/jobs/${jobId}/causes`],
    ['by its findings', () => `/api/v1/jobs/${jobId}/findings`],
    ['by its pages', () => `/api/v1/jobs/${jobId}/pages`],
    ['by a file', () => `/api/v1/jobs/${jobId}/files/findings.json`],
    ['by its action items', () => `/api/v1/actions?jobId=${jobId}`],
  ])('%s is recorded with the user, and nothing more', async (_, path) => {
    expect((await ann.call('GET', path())).status).toBe(200);
    expect(await openings()).toEqual([
      {
        stream: `opened-${jobId}`,
        type: 'ReportOpened',
        data: { jobId, userId: ann.userId, openedAt: app.deps.now() },
      },
    ]);
  });

  it('is recorded once, whatever is opened, however often, and by how many processes', async () => {
    for (const path of [
      `/api/v1/jobs/${jobId}/causes`,
      `/api/v1/jobs/${jobId}/pages`,
      `/api/v1/actions?jobId=${jobId}`,
    ])
      await ann.call('GET', path);
    expect(await openings()).toHaveLength(1);
    const ofAnother = createReportOpenings(pino({ level: 'silent' }));
    const { store, now, newId } = app.deps;
    ofAnother.note({
      caller: { userId: ann.userId, sessionId: 'a session', startedAt: now(), accessExpiresAt: now() },
      job: { data: { jobId, userId: ann.userId, folderPath: 'example.com/1' } },
      command: { store, now, commandId: newId(), actor: { kind: 'user', id: ann.userId }, correlationId: newId() },
    });
    await ofAnother.written();
    expect(await openings()).toEqual([]);
  });

  it('is recorded separately for each job', async () => {
    const other = (await givenAnalysis(app, ann.userId, { report: report() })).jobId;
    await app.newEvents();
    for (const id of [jobId, other]) await ann.call('GET', `/api/v1/jobs/${id}/causes`);
    expect((await openings()).map(({ data }) => data.jobId)).toEqual([jobId, other]);
  });
});

describe('nothing is recorded', () => {
  it('for an admin’s view', async () => {
    expect((await admin.call('GET', `/api/v1/admin/jobs/${jobId}/report`)).status).toBe(200);
    expect(await openings()).toEqual([]);
  });

  it('for a visitor of a shared link', async () => {
    const { body } = await ann.call('POST', '/api/v1/share/create', { jobId });
    const token = new URL(body.data.shareUrl).pathname.split('/').at(-1);
    expect((await app.call('GET', `/api/v1/share/${token}`)).status).toBe(200);
    expect(await openings()).toEqual([]);
  });

  it('for a caller without access', async () => {
    expect((await admin.call('GET', `/api/v1/jobs/${jobId}/causes`)).status).toBe(404);
    expect(await openings()).toEqual([]);
  });

  it('for a program that fetches it', async () => {
    const { body } = await ann.call('POST', '/api/v1/api-keys', { name: 'CI', scope: 'read' });
    expect((await app.call('GET', `/api/v1/jobs/${jobId}/causes`, { token: body.key })).status).toBe(200);
    expect(await openings()).toEqual([]);
  });

  it('for a job without a report', async () => {
    const running = await givenJob(app, ann.userId);
    await givenRunning(app, running.jobId, 'checks');
    expect((await ann.call('GET', `/api/v1/actions?jobId=${running.jobId}`)).status).toBe(200);
    expect((await ann.call('GET', `/api/v1/jobs/${running.jobId}/causes`)).status).toBe(404);
    expect(await openings()).toEqual([]);
  });
});

describe('the record of the first view', () => {
  it('is erased with the job, and not written again', async () => {
    await ann.call('GET', `/api/v1/jobs/${jobId}/causes`);
    await openings();
    expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect((await app.store.read(`opened-${jobId}`)).status).toBe('deleted');
  });

  it('never delays the answer: a failed write is retried on the next view', async () => {
    const append = app.store.append.bind(app.store);
    app.store.append = async () => {
      throw new StoreUnavailable('away');
    };
    try {
      expect((await ann.call('GET', `/api/v1/jobs/${jobId}/causes`)).status).toBe(200);
      expect(await openings()).toEqual([]);
    } finally {
      app.store.append = append;
    }
    expect((await ann.call('GET', `/api/v1/jobs/${jobId}/causes`)).status).toBe(200);
    expect(await openings()).toHaveLength(1);
  });
});
