/** The overview of a result: each figure with its rows, in every state. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { Indexability } from '../../../../src/model/pages.ts';
import { found, foundAt, foundCheck, foundPage, report } from '../../../given/found.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerReport, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse, runningJob } from '../../given/views.ts';

const RUNS = 'GET /api/v1/jobs/job-1/runs';
const JOB = '/dashboard/jobs/job-1';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on(RUNS, runsResponse([run('job-1')]));
  answerReport(server);
});

async function page(job: JobView, query = '') {
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  const app = renderApp(`${JOB}${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  await subscriptionAnswered(app);
  return app;
}

const list = async (name: string) => within(await screen.findByRole('list', { name }));
const links = async (name: string): Promise<(string | null)[][]> =>
  (await list(name))
    .queryAllByRole('link')
    .map((link) => [link.firstElementChild?.textContent ?? null, link.getAttribute('href')]);

const pageAt = (path: string, clicksFromStart: number | null, indexability: Indexability = 'indexable') =>
  ({ ...foundPage(`https://www.example.com/${path}`, { clicksFromStart }), indexability }) as const;

describe('the bars', () => {
  it('of the categories are all five; those with findings lead to them', async () => {
    await page(completedJob());
    expect(await links('Points lost by category')).toEqual([
      ['Technical: −8 of 45 points', `${JOB}?tab=findings&category=technical`],
      ['Content: −10.3 of 30 points', `${JOB}?tab=findings&category=content`],
    ]);
    expect((await list('Points lost by category')).getAllByRole('listitem')).toHaveLength(5);
  });

  it('of the impacts count issues, and show which are listed below', async () => {
    const { user } = await page(completedJob());
    expect(await links('Issues by impact')).toEqual([
      ['High: 1 issue', `${JOB}?tab=findings&impact=high`],
      ['Medium: 1 issue', `${JOB}?tab=findings&impact=medium`],
      ['Optional: 1 issue', `${JOB}?tab=findings&impact=hint`],
    ]);
    const bars = await list('Issues by impact');
    await user.click(bars.getByRole('link', { name: /^High/ }));
    expect(bars.getByRole('link', { current: true })).toHaveTextContent('High: 1 issue');
    await waitFor(() =>
      expect(
        within(screen.getByRole('list', { name: 'Findings by issue' })).getAllByRole('button', { expanded: false }),
      ).toHaveLength(1),
    );
  });

  it('of the depth have one for each click, deeper pages in the last, and pages without a link apart', async () => {
    const pages = [pageAt('', 0), pageAt('b', 2), pageAt('c', 2), pageAt('d', 7), pageAt('e', 12), pageAt('f', null)];
    answerReport(server, report({}, pages));
    await page(completedJob());
    expect(await links('Pages by clicks from the home page')).toEqual([
      ['1 page at the start: the home page', `${JOB}?tab=pages&depth=0`],
      ['2 pages 2 clicks from the home page', `${JOB}?tab=pages&depth=2`],
      ['2 pages 4 clicks or more from the home page', `${JOB}?tab=pages&sort=clicksFromStart&order=desc`],
      ['1 page that no link leads to', `${JOB}?tab=pages&depth=none`],
    ]);
    expect((await list('Pages by clicks from the home page')).getAllByRole('listitem')).toHaveLength(6);
  });

  it('of the depth of one page are one', async () => {
    answerReport(server, report({}, [pageAt('', 0)]));
    await page(completedJob({ pages_done: 1 }));
    expect((await list('Pages by clicks from the home page')).getAllByRole('listitem')).toHaveLength(1);
    expect(await links('Pages by status')).toHaveLength(1);
  });
});

describe('the pages', () => {
  it('are counted in one request for one page', async () => {
    await page(completedJob());
    await list('Pages by status');
    expect(server.asked('GET /api/v1/jobs/job-1/pages').map(({ query }) => query.get('limit'))).toEqual(['1']);
  });

  it('lead to those of each status and indexability, and to the rest', async () => {
    const closed = ['noindex', 'robots', 'canonical', 'redirect'] as const;
    answerReport(server, report({}, [pageAt('', 0), ...closed.map((each) => pageAt(each, 1, each))]));
    await page(completedJob());
    const hrefs = async (name: string) =>
      (await list(name)).getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(await hrefs('Pages by status')).toEqual([['2xx: 5 pages5', `${JOB}?tab=pages&status=2xx`]]);
    expect(await hrefs('Pages by indexability')).toEqual([
      ['Indexable: 1 page1', `${JOB}?tab=pages&indexability=indexable`],
      ['Noindex: 1 page1', `${JOB}?tab=pages&indexability=noindex`],
      ['+3 more: Pages by indexability', `${JOB}?tab=pages`],
    ]);
  });

  it('of an earlier version say since when their indexability is recorded, and never guess', async () => {
    await page(completedJob());
    expect(
      await screen.findByText('Indexability: recorded since version 0.1.0. Run the audit again to see it.'),
    ).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Pages by indexability' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Run again' })).toBeVisible();
  });

  it('that cannot be counted offer a retry, and leave the rest as it is', async () => {
    server.on('GET /api/v1/jobs/job-1/pages', refusal(503, 'The server cannot reach its data at the moment.'));
    const { user } = await page(completedJob());
    expect(await screen.findByText('The pages could not be counted')).toBeVisible();
    expect(await links('Issues by impact')).toHaveLength(3);
    answerReport(server);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await links('Pages by status')).toHaveLength(3);
  });
});

describe('the score', () => {
  it.each([
    ['of the only run', [run('job-1')], 'First run of this site'],
    [
      'after one that cannot be compared',
      [run('first', { comparable: false, because: 'the audits read different pages' }), run('job-1')],
      'No comparable run',
    ],
    ['after an equal one', [run('first'), run('job-1')], 'unchanged'],
    ['after a better one', [run('first', { score: 90 }), run('job-1')], '8 down'],
  ])('%s says what changed', async (_, runs, text) => {
    server.on(RUNS, runsResponse(runs));
    await page(completedJob());
    expect(await within(screen.getByRole('region', { name: 'Score' })).findByText(text)).toBeInTheDocument();
  });

  it('has its word and its scale', async () => {
    await page(completedJob());
    expect(screen.getByRole('region', { name: 'Score' })).toHaveTextContent(/^82Fair.*0100/);
  });
});

describe('what to fix first', () => {
  it('is nothing where nothing costs points', async () => {
    const { score } = found();
    const none = score && { ...score, value: 100, deductions: [], categories: [] };
    const hint = foundAt('llms', 'https://www.example.com/a', { impact: 'low', hint: true });
    answerReport(server, report({ score: none, findings: [hint], checks: [foundCheck('llms')] }));
    await page(completedJob({ score: 100 }));
    expect(await screen.findByRole('region', { name: 'Nothing lowers the score' })).toHaveTextContent(
      '1 optional issue below.',
    );
    expect(screen.queryByRole('list', { name: 'Fix first' })).toBeNull();
  });

  it('is nothing where nothing was found', async () => {
    const { score } = found();
    answerReport(
      server,
      report({ score: score && { ...score, value: 100, deductions: [], categories: [] }, findings: [], checks: [] }),
    );
    await page(completedJob({ score: 100, findings: 0 }));
    expect(await screen.findByRole('region', { name: 'Nothing lowers the score' })).toHaveTextContent('no findings.');
    expect(await links('Issues by impact')).toEqual([]);
    expect(await links('Points lost by category')).toEqual([]);
  });

  it('says so where a preview holds all of it back', async () => {
    const whole = report();
    answerReport(
      server,
      { ...whole, overview: { ...whole.overview, causes: [] }, findings: [] },
      { shown: 0, total: 4 },
    );
    await page(completedJob({ access: 'preview' }));
    expect(await screen.findByRole('region', { name: 'What to fix first' })).toHaveTextContent(
      'not included in this preview.',
    );
  });
});

describe('the head', () => {
  it('folds the address, the times and the stages', async () => {
    const { user } = await page(completedJob());
    expect(screen.queryByText(/8 of 8 stages/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByRole('link', { name: 'https://www.example.com/' })).toHaveAttribute(
      'rel',
      'noopener noreferrer nofollow',
    );
    expect(screen.getByText(/^Submitted /)).toBeVisible();
    expect(screen.getByText(/8 of 8 stages/)).toBeVisible();
  });

  it('of a running audit has no figures yet', async () => {
    await page(runningJob());
    expect(screen.queryByRole('region', { name: 'Score' })).toBeNull();
    expect(server.asked('GET /api/v1/jobs/job-1/pages')).toHaveLength(0);
  });
});
