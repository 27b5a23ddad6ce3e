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

test.each<readonly [method: string, path: string, status: number]>([
  ...['causes', 'findings', 'groups', 'pages', 'pages.csv', 'page', 'links', 'structure'].map(
    (list) => ['GET', `/jobs/{jobId}/${list}`, 200] as const,
  ),
  ['GET', '/actions?jobId={jobId}', 200],
  ['GET', '/actions/stats?jobId={jobId}', 200],
  ['GET', '/actions/check-job/{jobId}', 200],
  ['GET', '/actions/export?format=csv&jobId={jobId}', 200],
  ['GET', '/actions/first/fix?jobId={jobId}', 200],
  ['PUT', '/actions/first/progress', 200],
  ['PUT', '/actions/unknown/progress', 404],
  ['POST', '/actions/unknown/undo', 404],
  ['POST', '/actions/unknown/verify', 404],
])('%s %s waits for another list of its owner, and others do not wait', async (method, list, status) => {
  const { jobId } = await givenAnalysis(app, user.userId, { report });
  const path = `/api/v1${list.replace('{jobId}', jobId)}`;
  let end: () => void = () => undefined;
  const other = listInTurn(
    user.userId,
    new AbortController().signal,
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  let answered = 0;
  const body = method === 'PUT' ? { status: 'in-progress' } : undefined;
  const answer = user.call(method, path, body).then((given) => (answered = given.status));
  for (let nth = 0; nth < 20; nth += 1) expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(200);
  expect(answered).toBe(0);
  end();
  await Promise.all([other, answer]);
  expect(answered).toBe(status);
});
