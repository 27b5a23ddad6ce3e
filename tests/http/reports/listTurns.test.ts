/** Lists of a large audit take long: an owner's are made one after the other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportOf } from '../../../src/domain/report/reportData.ts';
import { listInTurn } from '../../../src/http/reports/costlyTurns.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { found, foundAt, foundPage } from '../../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

const URL_OF_PAGE = 'https://www.example.com/tea';
const report = reportOf(found({ findings: [foundAt('thin', URL_OF_PAGE)] }), [foundPage(URL_OF_PAGE)], new Set());

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.signUp();
});
afterAll(() => app.close());

test.each([
  ...['causes', 'findings', 'groups', 'pages', 'pages.csv', 'page', 'links', 'structure'].map(
    (list) => `/jobs/{jobId}/${list}`,
  ),
  '/actions?jobId={jobId}',
  '/actions/stats?jobId={jobId}',
  '/actions/check-job/{jobId}',
  '/actions/export?format=csv&jobId={jobId}',
  '/actions/first/fix?jobId={jobId}',
])('%s waits for another list of its owner, and others do not wait', async (list) => {
  const { jobId } = await givenAnalysis(app, user.userId, { report });
  const path = `/api/v1${list.replace('{jobId}', jobId)}`;
  let end: () => void = () => undefined;
  const other = listInTurn(
    user.userId,
    new AbortController().signal,
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  let answered = 0;
  const answer = user.call('GET', path).then(({ status }) => (answered = status));
  for (let nth = 0; nth < 20; nth += 1) expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(200);
  expect(answered).toBe(0);
  end();
  await Promise.all([other, answer]);
  expect(answered).toBe(200);
});
