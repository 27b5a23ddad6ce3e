import { afterEach, beforeEach, expect, it } from 'vitest';
import { formerPages } from '../../src/projections/formerPages.ts';
import { actionItem, givenAnalysis, givenJob } from '../given/analysis.ts';
import { FOUND_PAGES, report } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  user = await app.signUp();
});
afterEach(() => app.close());

const former = (host = 'example.com', userId = user.userId) => {
  app.advance(60_000);
  return formerPages(app.deps.readModels, { userId, host, before: app.deps.now() });
};

it('are none before the first audit of a site, or while it has no result', async () => {
  expect(await former()).toEqual([]);
  await givenJob(app, user.userId);
  expect(await former()).toEqual([]);
});

it('are those of the last audit with a result, of the same user and site', async () => {
  await givenAnalysis(app, user.userId, { items: [actionItem('title-missing')], report: report({}, []) });
  app.advance(60_000);
  await givenAnalysis(app, user.userId, { items: [actionItem('title-missing')], report: report() });
  app.advance(60_000);
  await givenJob(app, user.userId);
  expect(await former()).toEqual(FOUND_PAGES.map(({ url }) => url));
  expect(await former('other.example')).toEqual([]);
  expect(await former('example.com', (await app.signUp()).userId)).toEqual([]);
});
