/** Sites that were not scored, or shut out every crawler, on each screen: the reason in place of a number. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import {
  FORMULA_CHANGED,
  NOT_JUDGED_REASONS,
  NOT_JUDGED_TEXTS,
  SHUT_TEXT,
  wholeScore,
} from '../../../../src/model/scores.ts';
import { changeOf, formulaChanged } from '../../../../web/features/jobs/page/runsApi.ts';
import { report } from '../../../given/found.ts';
import { type FakeServer, fakeServer } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerReport, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse } from '../../given/views.ts';

const RUNS = 'GET /api/v1/jobs/job-1/runs';
const GIVEN_BACK = /This audit doesn’t count\./;
const COUNTS = /This audit counts: only the first three like it per site and day are free\./;
/** What is stored of a site that turned the crawler away. */
const WHOLE = report();
const NOTHING = {
  overview: { ...WHOLE.overview, score: null, notJudged: 'refused' as const, causes: [] },
  findings: [],
  pages: [],
};
const notJudged = (over: Partial<JobView> = {}): JobView =>
  completedJob({
    score: null,
    score_formula: null,
    not_judged: 'refused',
    given_back: true,
    findings: 0,
    action_count: 0,
    ...over,
  });

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  answerReport(server, NOTHING);
  server.on(RUNS, runsResponse([run('job-1', { score: null, formula: null, notJudged: 'refused' })]));
});

async function page(job: JobView, query = '') {
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  const app = renderApp(`/dashboard/jobs/job-1${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  await subscriptionAnswered(app);
  return app;
}

describe('the page of an audit', () => {
  it.each(NOT_JUDGED_REASONS)(
    'of a site that was not scored (%s) says why, and that it was given back',
    async (reason) => {
      await page(notJudged({ not_judged: reason }));
      const head = document.querySelector('main header') as HTMLElement;
      expect(within(head).getByText('Not scored')).toBeVisible();
      expect(head).toHaveTextContent(NOT_JUDGED_TEXTS[reason]);
      expect(head).toHaveTextContent(GIVEN_BACK);
      expect(screen.queryByRole('img', { name: /^Score/ })).toBeNull();
      expect(screen.queryByRole('button', { name: /^How the score is calculated/ })).toBeNull();
    },
  );

  it('says that it counts, and neither until that is known', async () => {
    await page(notJudged({ given_back: false }));
    expect(document.querySelector('main header')).toHaveTextContent(COUNTS);
  });

  it('says neither until it is settled', async () => {
    await page(notJudged({ given_back: null }));
    expect(document.querySelector('main header')).not.toHaveTextContent(/counts|count\./);
  });

  it('does not say in its findings that nothing was found', async () => {
    await page(notJudged());
    expect(await screen.findByText('No findings')).toBeInTheDocument();
    expect(screen.getAllByText(NOT_JUDGED_TEXTS.refused, { exact: false })).toHaveLength(2);
    expect(screen.queryByText('No findings.')).toBeNull();
  });

  it('of a site that shuts out every crawler has its score, the reason, and what became of its price', async () => {
    await page(completedJob({ score: 0, shut: true, given_back: true }));
    expect(screen.getByRole('img', { name: 'Score 0 of 100' })).toBeVisible();
    expect(document.querySelector('main header')).toHaveTextContent(SHUT_TEXT);
    expect(document.querySelector('main header')).toHaveTextContent(GIVEN_BACK);
  });

  it('shows a score as a whole number, 100 only if nothing was lost', async () => {
    await page(completedJob({ score: 99.6 }));
    expect(screen.getByRole('img', { name: 'Score 99 of 100' })).toHaveTextContent('99');
  });
});

describe('the list of audits', () => {
  it('has the reason in place of the number', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([notJudged(), completedJob({ id: 'job-2', score: 89.5 })]));
    renderApp('/');
    expect(await screen.findByText('Not scored')).toBeVisible();
    expect(screen.getByText(NOT_JUDGED_TEXTS.refused)).toBeVisible();
    expect(screen.getAllByRole('img', { name: /^Score/ }).map((ring) => ring.textContent)).toEqual(['90']);
    // Nothing was read that could be acted on.
    await waitFor(() => expect(screen.queryByRole('button', { name: /Checking/ })).toBeNull());
    expect(screen.queryByRole('button', { name: /Generate Actions/ })).toBeNull();
  });
});

describe('the trend', () => {
  it('has the run that was not scored without a number, and none of it in the change', async () => {
    const runs = [
      run('first', { score: 71, at: '2026-11-18T10:00:00.000Z' }),
      run('blocked', {
        score: null,
        formula: null,
        notJudged: 'refused',
        comparable: false,
        because: 'one of the audits was not scored',
        at: '2026-11-19T10:00:00.000Z',
      }),
      run('job-1'),
    ];
    server.on(RUNS, runsResponse(runs));
    server.on('GET /api/v1/jobs/job-1/compare', { success: false, error: 'None.' });
    await page(completedJob(), '?tab=compare');
    const rows = within(await screen.findByRole('region', { name: 'Audits of this site' })).getAllByRole('row');
    expect(rows[2]).toHaveTextContent(/Not comparable: one of the audits was not scored.*Not scored/);
    expect(await screen.findByRole('link', { name: /11 up since/ })).toBeVisible();
    expect(server.asked('GET /api/v1/jobs/job-1/compare').map((call) => call.query.get('with'))).toEqual(['first']);
  });

  it('says where the formula changed, and so does the page in place of a change', async () => {
    const because = 'the score formula changed between the two audits';
    const runs = [
      run('older', { score: 92, formula: 1, comparable: false, because, at: '2026-11-17T10:00:00.000Z' }),
      run('old', { score: 92, formula: 1, comparable: false, because, at: '2026-11-18T10:00:00.000Z' }),
      run('job-1', { score: 55 }),
    ];
    server.on(RUNS, runsResponse(runs));
    server.on('GET /api/v1/jobs/job-1/compare', { success: false, error: 'None.' });
    await page(completedJob({ score: 55 }), '?tab=compare');
    expect(await screen.findByText(FORMULA_CHANGED)).toBeVisible();
    expect(screen.getAllByText(/The score formula changed before the audit of Nov 20, 2026/)).toHaveLength(1);
    expect(screen.queryByText(/up since|down since/)).toBeNull();
  });
});

describe('the formula of two runs', () => {
  const list = (...runs: ReturnType<typeof run>[]) => ({ host: 'example.com', runs, truncated: false });
  it('is that of the last run that was judged', () => {
    const judged = run('a', { formula: 1 });
    const blocked = run('b', { score: null, formula: null, notJudged: 'refused' });
    expect(formulaChanged(list(judged, blocked, run('own')), 'own')).toBe(true);
    expect(formulaChanged(list(judged, run('c'), run('own')), 'own')).toBe(false);
    expect(formulaChanged(list(judged, blocked), 'b')).toBe(false);
    expect(formulaChanged(list(run('own')), 'own')).toBe(false);
  });

  it('gives a change of the whole numbers that are shown', () => {
    const change = changeOf(list(run('a', { score: 70.4 }), run('own', { score: 70.6 })), 'own');
    expect([change?.points, wholeScore(70.4), wholeScore(70.6)]).toEqual([1, 70, 71]);
  });
});
