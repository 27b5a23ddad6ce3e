/** A job reported as accepted is never 'not found' for its owner, however far behind the read models are. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CLOSE } from '../../src/model/socket.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { givenAnalysis, givenJob } from '../given/analysis.ts';
import { startTestApp, type TestApp } from '../given/product/http.ts';
import { openSocket } from '../given/product/socket.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

let app: TestApp;
afterEach(() => app.close());

/** Read models that know of no job while `behind` is set; waiting for them either fails or catches up at once. */
async function startBehind(waiting: 'in vain' | 'brings them up') {
  const stores = { store: memoryEventStore(), readModels: memoryReadModels() };
  const state = { behind: false };
  const readModels = Object.assign(Object.create(stores.readModels) as typeof stores.readModels, {
    get: (async (model, id) =>
      state.behind && model === 'jobs' ? null : stores.readModels.get(model, id)) as ReadModels['get'],
    reached: (async (models, position, ms) => {
      if (!state.behind) return stores.readModels.reached(models, position, ms);
      state.behind = waiting === 'in vain';
      return !state.behind;
    }) as ReadModels['reached'],
  });
  app = await startTestApp({ stores, deps: { readModels } });
  const [user, other] = [await app.signUp(), await app.signUp()];
  const { jobId } = await givenJob(app, user.userId);
  state.behind = true;
  return { user, other, jobId, state };
}

it('a thing that was just made is awaited before a 404', async () => {
  const { user, jobId } = await startBehind('brings them up');
  expect(await user.call('GET', `/api/v1/jobs/${jobId}`)).toMatchObject({ status: 200, body: { data: { id: jobId } } });
});

it('asks the client to retry when that takes too long', async () => {
  const { user, jobId } = await startBehind('in vain');
  for (const path of [`/api/v1/jobs/${jobId}`, `/actions/analyses?jobId=${jobId}`]) {
    const answer = await user.call('GET', path.startsWith('/api') ? path : `/api/v1${path}`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'NOT_SHOWN_YET' } });
    expect(answer.headers.get('Retry-After')).toBe('2');
  }
});

it('is not found when it is another user’s, deleted, or never existed', async () => {
  const { user, other, jobId, state } = await startBehind('in vain');
  const look = async (who: typeof user, id: string) =>
    (await who.call('GET', `/api/v1/jobs/${encodeURIComponent(id)}`)).status;
  expect(await look(other, jobId)).toBe(404);
  expect(await look(user, randomUUID())).toBe(404);
  expect(await look(user, '$weird stream')).toBe(404);
  state.behind = false;
  await user.call('POST', `/api/v1/jobs/${jobId}/cancel`);
  await user.call('DELETE', `/api/v1/jobs/${jobId}`);
  state.behind = true;
  expect(await look(user, jobId)).toBe(404);
});

it('leaves the visitors of a link that was just made on its page, which asks again', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'web-'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><html><head><title>App</title></head><body></body></html>');
  app = await startTestApp({ config: { webDir } });
  const user = await app.signUp();
  const { jobId } = await givenAnalysis(app, user.userId);
  await app.projector.pause();
  const { shareUrl } = (await user.call('POST', '/share/create', { jobId })).body.data;
  const token = String(shareUrl).split('/').at(-1);
  const page = () => app.call('GET', `/share/${token}`, { headers: { accept: 'text/html' } });
  const early = await page();
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
  expect(early.text).toContain('<title>App</title>');
  const socket = await openSocket(app.url);
  socket.send({ type: 'visit', token });
  expect((await socket.closed).code).toBe(CLOSE.notYet);
  expect(app.logLines.join('')).not.toContain('rate_limited');
  await app.projector.resume();
  expect((await page()).status).toBe(200);
  rmSync(webDir, { recursive: true });
});
