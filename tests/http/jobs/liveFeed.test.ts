/** What a running audit reads, as its owner may watch it, and nobody else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../../src/model/liveFeed.ts';
import { createLiveFeed } from '../../../src/start/liveFeed.ts';
import { readAt } from '../../contract/liveFeed.ts';
import { givenAnalysis, givenJob, givenRunning } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const NOTHING = { from: null, rows: [], counts: NO_COUNTS };

let app: TestApp;
let admin: TestUser;
let user: TestUser;
let other: TestUser;
const liveFeed = createLiveFeed(() => '2026-03-01T00:00:00.000Z');
beforeAll(async () => {
  app = await startTestApp({ deps: { liveFeed } });
  admin = await app.signUp();
  user = await app.signUp();
  other = await app.signUp();
});
afterAll(() => app.close());

const askFor =
  (jobId: string) =>
  (by: TestUser | TestApp = user, query = '') =>
    by.call('GET', `/api/v1/jobs/${jobId}/feed${query}`);

async function givenRunningJob(of: Parameters<typeof givenJob>[2] = {}) {
  const { jobId } = await givenJob(app, user.userId, of);
  return { jobId, ask: askFor(jobId), running: () => givenRunning(app, jobId, 'crawl') };
}

describe('the feed of a running audit', () => {
  it('is empty while the audit waits, then the newest addresses, and empty once it has ended', async () => {
    const { jobId, ask, running } = await givenRunningJob();
    expect((await ask()).body.data).toEqual(NOTHING);
    await running();
    liveFeed.begin(jobId);
    expect((await ask()).body.data).toEqual({ ...NOTHING, from: expect.any(Number) });
    liveFeed.add(jobId, readAt('a', { status: 404, words: null, saw: ['client_error'] }));
    liveFeed.add(jobId, readAt('b'));
    const { from, rows, counts } = (await ask()).body.data;
    expect(rows).toEqual([
      { n: from + 1, ...readAt('b') },
      { n: from, ...readAt('a', { status: 404, words: null, saw: ['client_error'] }) },
    ]);
    expect(counts).toEqual({ ...NO_COUNTS, all: 2, client_error: 1 });
    await app.given(`job-${jobId}`, {
      type: 'JobFailed',
      data: { jobId, code: 'INTERNAL', reason: 'It stopped.', failedAt: app.deps.now() },
    });
    // Even if a killed worker left it.
    expect((await ask()).body.data).toEqual(NOTHING);
  });

  it('continues after the row that was seen last', async () => {
    const { jobId, ask, running } = await givenRunningJob();
    await running();
    liveFeed.begin(jobId);
    for (const path of ['a', 'b', 'c']) liveFeed.add(jobId, readAt(path));
    const { from } = (await ask()).body.data;
    const since = async (n: number): Promise<string[]> =>
      (await ask(user, `?after=${n}`)).body.data.rows.map(({ url }: { url: string }) => url.at(-1));
    expect([await since(from), await since(from + 2), await since(from - 1)]).toEqual([
      ['c', 'b'],
      [],
      ['c', 'b', 'a'],
    ]);
    expect((await ask(user, '?after=x')).status).toBe(400);
  });

  it('is the owner’s alone', async () => {
    const { jobId, ask, running } = await givenRunningJob();
    await running();
    liveFeed.begin(jobId);
    liveFeed.add(jobId, readAt('a'));
    for (const stranger of [other, admin]) expect((await ask(stranger)).status).toBe(404);
    expect((await ask(app)).status).toBe(401);
    expect((await askFor('no-such-job')()).status).toBe(404);
  });

  it('is not opened by a shared link', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const made = await user.call('POST', '/share/create', { jobId });
    const token = made.body.data.shareUrl.split('/').at(-1);
    expect((await app.call('GET', `/api/v1/share/${token}`)).status).toBe(200);
    liveFeed.begin(jobId);
    for (const stands of [token, `share:${token}`])
      expect((await app.call('GET', `/api/v1/jobs/${jobId}/feed`, { token: stands })).status).toBe(401);
    expect((await app.call('GET', `/api/v1/jobs/${jobId}/feed?token=${token}`)).status).toBe(401);
    expect((await app.call('GET', `/api/v1/jobs/${token}/feed`)).status).toBe(401);
  });

  it('is the same in a preview', async () => {
    const { jobId, ask, running } = await givenRunningJob({ access: 'preview' });
    await running();
    liveFeed.begin(jobId);
    liveFeed.add(jobId, readAt('a', { saw: ['no_title'] }));
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data.access).toBe('preview');
    expect((await ask()).body.data.rows).toMatchObject([readAt('a', { saw: ['no_title'] })]);
  });
});
