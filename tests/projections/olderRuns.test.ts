import { afterEach, beforeEach, expect, it } from 'vitest';
import { olderRuns } from '../../src/projections/pageRecords.ts';
import { givenAnalysis, givenJob } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  user = await app.signUp();
});
afterEach(() => app.close());

async function ended(outcome: 'completed' | 'failed', host = 'example.com'): Promise<string> {
  app.advance(60_000);
  if (outcome === 'completed') return (await givenAnalysis(app, user.userId, { host })).jobId;
  const { jobId } = await givenJob(app, user.userId, { host });
  const at = app.deps.now();
  await app.given(
    `job-${jobId}`,
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: at } },
    { type: 'JobFailed', data: { jobId, code: 'SITE_UNREACHABLE', reason: 'No answer.', failedAt: at } },
  );
  return jobId;
}

it('are those beyond the newest with a result, of the same site', async () => {
  const first = await ended('completed');
  await ended('completed', 'other.example');
  const second = await ended('completed');
  const third = await ended('completed');
  expect(await olderRuns(app.deps.readModels, third, 2)).toEqual([first]);
  expect(await olderRuns(app.deps.readModels, third, 1)).toEqual([second, first]);
  expect(await olderRuns(app.deps.readModels, third, 5)).toEqual([]);
  expect(await olderRuns(app.deps.readModels, third, 0)).toEqual([]);
});

it('leave results alone that only failed audits follow, and take failed ones that are no longer among the newest', async () => {
  const good = await ended('completed');
  const failed = [await ended('failed'), await ended('failed'), await ended('failed')] as const;
  const older = await olderRuns(app.deps.readModels, failed[2], 2);
  expect(older).toEqual([failed[0]]);
  expect(older).not.toContain(good);
});
