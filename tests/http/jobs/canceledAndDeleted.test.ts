/** A job that is deleted elsewhere while its cancellation is being answered. */
import { afterEach, expect, it } from 'vitest';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

let app: TestApp;
afterEach(() => app.close());

it('was canceled, and is not found any more', async () => {
  const stores = { store: memoryEventStore(), readModels: memoryReadModels() };
  let deleteNow: (() => Promise<void>) | null = null;
  const readModels = Object.assign(Object.create(stores.readModels) as typeof stores.readModels, {
    reached: (async (models, position, ms) => {
      const meanwhile = deleteNow;
      deleteNow = null;
      await meanwhile?.();
      return stores.readModels.reached(models, position, ms);
    }) as ReadModels['reached'],
  });
  app = await startTestApp({ stores, deps: { readModels } });
  const user = await app.signUp();
  const { jobId } = await givenJob(app, user.userId);
  await app.newEvents();

  deleteNow = async () => {
    expect((await user.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
  };
  expect(await user.call('POST', `/api/v1/jobs/${jobId}/cancel`)).toMatchObject({
    status: 404,
    body: { code: 'JOB_NOT_FOUND' },
  });

  const written = (await app.newEvents()).map(({ type }) => type);
  expect(written).toEqual(['JobCancelled', 'AnalysisReleased', 'JobDeleted']);
});
