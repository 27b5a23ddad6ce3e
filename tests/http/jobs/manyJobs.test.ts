/** Requests of a user with thousands of jobs are answered as fast as those of a user with a few. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { countingReads } from '../../given/commands.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

/** As many waiting jobs as are ended at once. */
const FEW = 60;
const MANY = 1_200;
/** Calls that depend on what else the server is doing. */
const SPARE = 40;
const at = '2026-03-10T11:00:00.000Z';
let app: TestApp;

afterEach(() => app.close());

/** A user with that many jobs, a third of which wait; `calls` counts the requests to the event store. */
async function owner(jobs: number): Promise<{ readonly user: TestUser; readonly calls: () => number }> {
  const stores = { store: memoryEventStore(), readModels: memoryReadModels() };
  const counting = countingReads(stores.store);
  app = await startTestApp({ stores, deps: { store: counting.store } });
  const user = await app.signUp();
  const { userId } = user;
  const site = {
    url: 'https://example.com/',
    host: 'example.com',
    bounds: { maxPages: 1, maxMs: 1 },
    access: 'full',
    submittedAt: at,
  };
  const metadata = metadataAt(at, { kind: 'user', id: userId });
  const appended = await Promise.all(
    Array.from({ length: jobs }, (_, index) => {
      const jobId = randomUUID();
      const submitted = { id: randomUUID(), type: 'JobSubmitted', data: { ...site, jobId, userId }, metadata };
      const completed = { id: randomUUID(), type: 'JobCompleted', data: { jobId, userId, completedAt: at }, metadata };
      return stores.store.append(`job-${jobId}`, index % 3 === 0 ? [submitted] : [submitted, completed], {
        expected: 'no_stream',
      });
    }),
  );
  const last =
    appended
      .map(({ position }) => position)
      .sort()
      .at(-1) ?? '';
  expect(await stores.readModels.reached(['jobs', 'jobIndex', 'sessions'], last, 60_000)).toBe(true);
  const before = counting.calls();
  return { user, calls: () => counting.calls() - before };
}

it('deleting all jobs', async () => {
  const asked = async (jobs: number): Promise<number> => {
    const { user, calls } = await owner(jobs);
    const answer = await user.call('DELETE', '/api/v1/jobs');
    expect(answer).toMatchObject({ status: 200, body: { data: { deleted_count: jobs } } });
    const used = calls();
    expect((await user.call('GET', '/api/v1/jobs')).body.data).toEqual({ active: [], completed: [] });
    if (jobs === MANY) await app.close();
    return used;
  };
  const [many, few] = [await asked(MANY), await asked(FEW)];
  expect(many - few).toBeLessThan(SPARE);
});

it('deleting an account with all its jobs', async () => {
  const asked = async (jobs: number): Promise<number> => {
    const { user, calls } = await owner(jobs);
    const answer = await user.call('DELETE', '/api/v1/account', { password: PASSWORD, confirmation: 'DELETE' });
    expect(answer).toMatchObject({ status: 200 });
    const used = calls();
    expect((await user.call('GET', '/api/v1/jobs')).status).toBe(401);
    expect(await app.readModels.count('jobs', { userId: user.userId })).toBe(0);
    if (jobs === MANY) await app.close();
    return used;
  };
  const [many, few] = [await asked(MANY), await asked(FEW)];
  expect(many - few).toBeLessThan(SPARE);
});
