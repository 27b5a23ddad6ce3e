/** An export is written as it is read, so little of it is in memory at once. */
import { expect, it } from 'vitest';
import { accountExport } from '../../src/http/account/accountExport.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp } from '../given/product/http.ts';

it('reads only as fast as the client takes it', async () => {
  const app = await startTestApp();
  const { userId } = await app.signUp();
  for (let nth = 0; nth < 120; nth += 1) await givenAnalysis(app, userId);
  let jobs = 0;
  let files = 0;
  const counting = Object.assign(Object.create(app.readModels) as ReadModels, {
    find: (async (model, query) => {
      const page = await app.readModels.find(model, query);
      if (model === 'jobs') jobs += page.documents.length;
      return page;
    }) as ReadModels['find'],
    get: (async (model, id) => {
      if (model === 'jobFiles') files += 1;
      return app.readModels.get(model, id);
    }) as ReadModels['get'],
  });
  let taken = 0;
  for await (const chunk of accountExport({ ...app.deps, readModels: counting }, userId)) {
    if (!chunk.includes('"stages"')) continue;
    taken += 1;
    expect(jobs - taken).toBeLessThan(50);
    expect(files).toBeLessThanOrEqual(taken * 5);
  }
  expect([taken, jobs]).toEqual([120, 120]);
  await app.close();
});
