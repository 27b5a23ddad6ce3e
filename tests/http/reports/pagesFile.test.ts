/** Files of pages that one reader fetches at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeSlot } from '../../../src/http/request/slots.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { report } from '../../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.signUp();
});
afterAll(() => app.close());

it.each([
  [0, 200],
  [1, 200],
  [2, 503],
])('after %i that are under way: %i', async (underWay, status) => {
  const { jobId } = await givenAnalysis(app, user.userId, { report: report() });
  const { signal } = new AbortController();
  const ends = Array.from({ length: underWay }, () =>
    takeSlot(app.deps.readModels, `pages of ${user.userId}`, 2, signal),
  );
  const fetched = () => user.call('GET', `/api/v1/jobs/${jobId}/pages.csv`);
  const answer = await fetched();
  expect(answer.status).toBe(status);
  if (status === 503) {
    expect(answer.text).toContain('"BUSY"');
    expect(answer.headers.get('retry-after')).toBe('10');
  }
  for (const end of ends) end?.();
  expect((await fetched()).status).toBe(200);
});
