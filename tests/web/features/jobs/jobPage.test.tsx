/** The page of a job: its head, its tabs and their addresses, in every state. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { found, foundAt, foundCheck, foundPage, report } from '../../../given/found.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { answerReport, boardItem, file, run, runsResponse } from '../../given/findings.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, failedJob, jobsResponse, position, runningJob } from '../../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  server.on('GET /api/v1/jobs/job-1/files/findings.json', file('findings.json', '{}'));
  answerReport(server);
  server.on(
    'GET /api/v1/jobs/job-1/files/seo-audit-report.md',
    file('seo-audit-report.md', '# SEO audit of example.com'),
  );
  server.on('GET /api/v1/jobs/job-1/files/executive-summary.md', file('executive-summary.md', '# In short'));
});

async function page(job: JobView, query = '') {
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  const app = renderApp(`/dashboard/jobs/job-1${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  await subscriptionAnswered(app);
  return app;
}

const causes = (): string[] =>
  within(screen.getByRole('list', { name: 'Findings by issue' }))
    .getAllByRole('button', { expanded: false })
    .map((button) => button.textContent ?? '');

describe('the head', () => {
  it('has the site, its score, its pages and the actions', async () => {
    await page(completedJob());
    expect(screen.getByRole('img', { name: 'Score 82 of 100' })).toBeVisible();
    expect(screen.getByRole('link', { name: '36 pages' })).toHaveAttribute('href', '/dashboard/jobs/job-1?tab=pages');
    expect(screen.getByRole('link', { name: /View Actions \(27\)/ })).toBeVisible();
    await waitFor(() => expect(document.title).toContain('Audit of example.com'));
  });

  it('shows the change since the last comparable audit', async () => {
    const earlier = run('other', {
      score: 90,
      at: '2026-11-19T10:00:00.000Z',
      comparable: false,
      because: 'the audits read different pages',
    });
    server.on(
      'GET /api/v1/jobs/job-1/runs',
      runsResponse([run('first', { score: 78, at: '2026-11-18T10:00:00.000Z' }), earlier, run('job-1')]),
    );
    await page(completedJob());
    expect(await screen.findByRole('link', { name: /4 up since/ })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1?tab=compare&with=first',
    );
  });

  it('has the formula behind the score, each number linking to its rows', async () => {
    const { user } = await page(completedJob());
    const formula = await screen.findByRole('button', { name: 'How the score is calculated: 100 − 18.3 = 81.7' });
    await user.click(formula);
    expect(formula).toHaveAttribute('aria-expanded', 'true');
    const rows = within(screen.getByRole('region', { name: 'Deductions' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'IssuePagesPoints',
      'Page has no title2 of 2−8',
      'Title of thin1 of 2, weighted as 1 of 4−10.3',
    ]);
    await user.click(screen.getByRole('link', { name: 'Page has no title' }));
    expect(screen.getByRole('button', { expanded: true, name: /Page has no title/ })).toBeVisible();
  });

  it('says what to fix first, what that brings and how long it takes, before anything is opened', async () => {
    await page(completedJob());
    const first = within(await screen.findByRole('list', { name: 'Fix first' })).getAllByRole('link');
    expect(first.map((link) => link.textContent)).toEqual([
      'Page has no title. More visits. −8 points · 25 min',
      'Title of thin. More visits. −10.3 points · 20 min',
    ]);
    expect(first[0]).toHaveAttribute('href', '/dashboard/jobs/job-1?tab=findings&cause=title-missing');
  });

  it('describes deductions in words, even those hidden from the user', async () => {
    const whole = report();
    const { overview, findings } = whole;
    const open = {
      ...whole,
      overview: { ...overview, causes: overview.causes.slice(0, 1) },
      findings: findings.slice(0, 2),
    };
    answerReport(server, open, { shown: 2, total: 4 });
    await page(completedJob({ access: 'preview' }));
    const list = within(await screen.findByRole('list', { name: 'Fix first' }));
    expect(list.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Page has no title. More visits. −8 points · 25 min',
    ]);
  });

  it('says what keeps pages from being found, and grades what is not search', async () => {
    const { score } = found();
    answerReport(
      server,
      report({
        score: score && {
          ...score,
          value: 38.3,
          formula: 2,
          categories: [
            { category: 'technical', lost: 61.7 },
            { category: 'social', lost: 0 },
          ],
          limits: [{ cap: 47, reason: 'Search engines may not list 6 of the 13 content pages' }],
          foundations: { grade: 'D', looked: 17, failed: 11 },
        },
      }),
    );
    const { user } = await page(completedJob());
    expect(await screen.findByRole('region', { name: 'What to fix first' })).toHaveTextContent(
      'Fix first: Search engines may not list 6 of the 13 content pages. Fix that first.',
    );
    await user.click(screen.getByRole('button', { name: /^How the score is calculated/ }));
    expect(screen.getByText('Foundations: D').parentElement).toHaveTextContent(
      '11 of 17 checks found something optional in sharing, measurement, security headers and AI crawlers. Not part of the score.',
    );
    const shown = within(await screen.findByRole('list', { name: 'Points lost by category' })).getAllByRole('link');
    expect(shown.map((link) => link.firstChild?.textContent)).toContain('Technical: −61.7 points');
  });

  it('marks findings of the whole site, above as in the list', async () => {
    const { score } = found();
    const deductions = [{ checkId: 'llms', category: 'technical', points: 2, failed: 1, looked: 1, base: 1 }] as const;
    const findings = [foundAt('llms', 'https://www.example.com/a')];
    answerReport(server, report({ score: score && { ...score, deductions }, findings, checks: [foundCheck('llms')] }));
    const { user } = await page(completedJob());
    await user.click(await screen.findByRole('button', { name: /^How the score is calculated/ }));
    expect(await screen.findAllByText(/^Whole site/)).toHaveLength(2);
  });

  it.each([
    ['held where a sign of serious trouble is', 25, '100 − 18.3 = 81.7, capped at 25'],
    ['not held where it is lower anyway', 82, '100 − 18.3 = 81.7'],
  ])('shows %s', async (_, value, text) => {
    const { score } = found();
    answerReport(
      server,
      report({
        score: score && {
          ...score,
          value,
          limits: [{ cap: value === 25 ? 25 : 90, reason: 'the start page is closed' }],
        },
      }),
    );
    await page(completedJob({ score: value }));
    expect(await screen.findByRole('button', { name: `How the score is calculated: ${text}` })).toBeVisible();
  });

  it('audits the site again, as a new job', async () => {
    const next = runningJob({ id: 'job-2', status: 'pending' });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: next, job: next } });
    server.on('GET /api/v1/jobs/job-2/runs', runsResponse([]));
    const { user, address } = await page(failedJob());
    expect(screen.getByText('The site did not answer within 10 seconds.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    await waitFor(() => expect(address()).toBe('/dashboard/jobs/job-2'));
    expect(server.asked('POST /api/v1/process')[0]?.body).toEqual({ url: 'https://www.example.com/' });
    expect(await screen.findByRole('region', { name: 'Progress of www.example.com' })).toBeVisible();
  });

  it('does not navigate if the user has left before the new job exists', async () => {
    const next = runningJob({ id: 'job-2', status: 'pending' });
    const taken = held({ status: 202, body: { success: true, data: next, job: next } });
    server.on('POST /api/v1/process', () => taken.answer);
    const { user, address } = await page(failedJob());
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    await user.click(screen.getByRole('link', { name: 'Back to All Jobs' }));
    expect(await screen.findByRole('button', { name: 'Generate SEO Reports' })).toBeVisible();
    taken.letGo();
    await waitFor(() =>
      expect(screen.getAllByRole('row').filter((row) => row.hasAttribute('data-row'))).toHaveLength(2),
    );
    expect(address()).toBe('/');
  });

  it('shows the price of another audit when the balance is too low', async () => {
    server.on(
      'POST /api/v1/process',
      refusal(402, 'Insufficient credits', 'INSUFFICIENT_CREDITS', { credits_required: 1, credits_available: 0 }),
    );
    const { user } = await page(completedJob());
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Required').nextSibling).toHaveTextContent('1');
  });

  it('deletes the job after a confirmation that names the host, and goes home', async () => {
    server.on('DELETE /api/v1/jobs/job-1', { success: true, message: 'Job deleted successfully' });
    const { user, address } = await page(completedJob());
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete example.com?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete example.com' }));
    await waitFor(() => expect(address()).toBe('/'));
  });
});

describe('findings', () => {
  it('are grouped by cause, worst first, hints last, with reach, points and time', async () => {
    await page(completedJob());
    await screen.findByRole('list', { name: 'Findings by issue' });
    expect(causes()).toEqual([
      'HighPage has no titleTechnical2 of 8 pages, −8 points, 25 min',
      'MediumTitle of thinContent1 of 8 pages, −10.3 points, 20 min',
      'OptionalTitle of llmsTechnicalWhole site, 20 min',
    ]);
    expect(
      screen.getByText('4 findings of 3 issues, what blocks search first, then by impact and points per minute'),
    ).toBeVisible();
    expect(screen.getByText('2 HTML pages audited.')).toBeVisible();
  });

  it('are filtered by the address', async () => {
    const { user, address } = await page(completedJob());
    const filters = within(await screen.findByRole('navigation', { name: 'Filter findings' }));
    await user.click(filters.getByRole('link', { name: 'Content 1' }));
    expect(address()).toBe('/dashboard/jobs/job-1?category=content');
    await waitFor(() => expect(causes()).toHaveLength(1));
    expect(filters.getByRole('link', { name: 'Content 1' })).toHaveAttribute('aria-current', 'true');
    await user.click(filters.getByRole('link', { name: /All categories/ }));
    await user.click(filters.getByRole('link', { name: 'High 1' }));
    expect(address()).toBe('/dashboard/jobs/job-1?impact=high');
  });

  it('have a filter with a matching count for each impact, hints apart', async () => {
    const { user } = await page(completedJob());
    const filters = within(await screen.findByRole('navigation', { name: 'Filter findings' }));
    for (const [name, title] of [
      ['High 1', /^HighPage has no title/],
      ['Medium 1', /^MediumTitle of thin/],
      ['Optional 1', /^OptionalTitle of llms/],
    ] as const) {
      await user.click(filters.getByRole('link', { name }));
      await waitFor(() => expect(causes()).toEqual([expect.stringMatching(title)]));
    }
  });

  it('link back from a filter without matches', async () => {
    const { user } = await page(completedJob(), '?category=social');
    expect(await screen.findByText('No findings match.')).toBeVisible();
    expect(screen.getByText('No findings')).toHaveAttribute('role', 'status');
    await user.click(screen.getByRole('link', { name: 'Show all findings' }));
    await waitFor(() => expect(causes()).toHaveLength(3));
  });

  it('open with all evidence, the fix and its code; the open one is in the address', async () => {
    const { user, address } = await page(completedJob());
    await user.click(await screen.findByRole('button', { name: /Page has no title/ }));
    expect(address()).toBe('/dashboard/jobs/job-1?cause=title-missing');
    expect(screen.getByText('How title-missing is fixed.')).toBeVisible();
    expect(await screen.findByText('<title>Blue mugs</title>')).toBeVisible();
    expect(screen.getByText('Technical · about 25 min · easy · results in 1-2 weeks')).toBeVisible();
    expect(await screen.findByRole('link', { name: '/b' })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1/page?url=https%3A%2F%2Fwww.example.com%2Fb',
    );
    const outside = screen.getByRole('link', { name: 'Open /b on the site' });
    expect(outside).toHaveAttribute('href', 'https://www.example.com/b');
    expect(outside).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    expect(screen.getByRole('link', { name: 'Open tasks' })).toBeVisible();
    await user.click(screen.getByRole('button', { expanded: true, name: /Page has no title/ }));
    expect(address()).toBe('/dashboard/jobs/job-1');
  });

  it('say what one edit fixes, what else it settles, and lead to the task', async () => {
    const whole = report({
      findings: ['a', 'b', 'c'].map((name) =>
        foundAt('thin', `https://www.example.com/${name}`, { root: { kind: 'template', name: '/blog/*' } }),
      ),
      checks: [foundCheck('thin')],
    });
    const [cause] = whole.overview.causes;
    if (cause === undefined) throw new Error('There is no issue.');
    const joined = [{ checkId: 'other', title: 'Other fault', findings: 1 }];
    answerReport(server, { ...whole, overview: { ...whole.overview, causes: [{ ...cause, joined }] } }, null, [
      boardItem('thin', { status: 'in-progress' }),
    ]);
    await page(completedJob(), '?cause=thin');
    expect(await screen.findByText(/^One template,/)).toHaveTextContent('One template, /blog/*: 3 pages.');
    expect(screen.getByText('Also fixes “Other fault”.')).toBeVisible();
    expect(screen.getByText(/^Task:/)).toHaveTextContent('Task: In progress');
    expect(screen.getByRole('link', { name: 'Open task' })).toHaveAttribute(
      'href',
      expect.stringContaining('actionId=thin'),
    );
  });

  it('of many places show ten at first, and say how many are not listed', async () => {
    const many = Array.from({ length: 14 }, (_, n) => foundAt('thin', `https://www.example.com/${n}`));
    answerReport(server, report({ findings: many, checks: [foundCheck('thin')] }));
    const { user } = await page(completedJob(), '?cause=thin');
    expect(await screen.findByText('4 more of the same were found and not listed.')).toBeVisible();
    expect(screen.getAllByText('thin was seen')).toHaveLength(1);
    expect(screen.getByText('14 pages share this title')).toBeVisible();
    const links = () => screen.getAllByRole('link', { name: /^Open .* on the site$/ });
    expect(links()).toHaveLength(10);
    await user.click(screen.getByRole('button', { name: 'Show all 14' }));
    expect(links()).toHaveLength(14);
  });

  it('of one page name it once, with the evidence there', async () => {
    const at = (n: number) =>
      foundAt('thin', 'https://www.example.com/b', {
        id: `${n}`,
        message: `Picture ${n}.png has no text.`,
        evidence: { url: 'https://www.example.com/b', place: 'img', value: `${n}.png` },
      });
    const findings = [at(1), at(2), at(3)];
    answerReport(server, report({ findings, checks: [foundCheck('thin')], outcomes: [] }));
    await page(completedJob(), '?cause=thin');
    expect(await screen.findByRole('button', { name: /Title of thin.*1 of \d+ pages/ })).toBeVisible();
    expect(await screen.findAllByRole('link', { name: '/b' })).toHaveLength(1);
    expect(screen.getByText('Picture 3.png has no text.')).toBeVisible();
    expect(screen.queryByText('3.png')).toBeNull();
  });

  it('scroll into view from a link of the score or of a page', async () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await page(completedJob());
    await screen.findByRole('list', { name: 'Findings by issue' });
    expect(seen).not.toHaveBeenCalled();
    await user.click(
      within(screen.getByRole('list', { name: 'Fix first' })).getByRole('link', { name: /Title of thin/ }),
    );
    const cause = screen.getByRole('button', { expanded: true, name: /Title of thin/ });
    expect(seen.mock.contexts.at(-1)).toBe(cause.closest('li'));
    expect(cause).toHaveFocus();
    await user.click(screen.getByRole('link', { name: 'Technical: −8 of 45 points' }));
    expect(seen.mock.contexts.at(-1)).toContainElement(screen.getByRole('tabpanel'));
    expect(screen.getByRole('tabpanel')).toHaveFocus();
    expect(seen).toHaveBeenCalledTimes(2);
  });

  it('link only valid web addresses', async () => {
    const hostile = [foundAt('thin', 'javascript:alert(1)')];
    answerReport(
      server,
      report({ findings: hostile, checks: [foundCheck('thin', { source: 'javascript:alert(2)' })] }),
    );
    await page(completedJob(), '?cause=thin');
    expect(await screen.findByText('javascript:alert(1)')).toBeVisible();
    expect(document.querySelector('a[href^="javascript"]')).toBeNull();
  });

  it('of a preview say how many are hidden', async () => {
    answerReport(server, report(), { shown: 4, total: 102 });
    const { user } = await page(completedJob({ access: 'preview' }));
    expect(await screen.findByText(/Preview: 4 of 102 findings/)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'report' }));
    expect(await screen.findByRole('heading', { name: 'SEO audit of example.com' })).toBeVisible();
  });

  it('list the sections of a long report beside it, each leading to its heading', async () => {
    const text = '# Audit\n\n## One\n\n```\n## In code\n```\n\n## **Two**\n\n## Three\n';
    server.on('GET /api/v1/jobs/job-1/files/seo-audit-report.md', file('seo-audit-report.md', text));
    await page(completedJob(), '?tab=report');
    const nav = within(await screen.findByRole('navigation', { name: 'Sections: Audit report' }));
    const links = nav.getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(['One', 'Two', 'Three']);
    for (const link of links) {
      const { textContent: name } = link;
      const heading = await screen.findByRole('heading', { name: name ?? '' });
      expect(link).toHaveAttribute('href', `#${heading.id}`);
    }
    // A short one needs no list.
    expect(screen.queryByRole('navigation', { name: 'Sections: Executive summary' })).toBeNull();
  });

  it.each([
    [
      'a lost connection',
      refusal(503, 'The server cannot reach its data at the moment.'),
      'The server cannot reach its data at the moment.',
    ],
    ['findings that cannot be read', refusal(404, 'No findings yet.'), 'No findings yet.'],
  ])('report %s', async (_, reply, text) => {
    server.on('GET /api/v1/jobs/job-1/causes', reply);
    await page(completedJob({ score: null }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
  });
});

describe('the other tabs', () => {
  it('show every page with its findings, the worst first', async () => {
    const { user, address } = await page(completedJob());
    await user.click(screen.getByRole('tab', { name: /Pages/ }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages');
    await screen.findByRole('region', { name: 'Pages' });
    const rows = () =>
      within(screen.getByRole('region', { name: 'Pages' }))
        .getAllByRole('row')
        .slice(1);
    expect(rows().map((row) => row.textContent)).toEqual([
      '/b1 high3200–none–none=Sum of mugs–none1',
      '/a1 high2200–none–noneMugs, "blue" ones–none1',
      '/gone1404–none–none–none–none1',
      '/dead0timeout–none–none–none–none1',
    ]);
    await user.click(screen.getByRole('button', { name: 'More filters' }));
    await user.click(screen.getByRole('link', { name: 'Errors 2' }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    await user.click(screen.getByRole('link', { name: 'Clear filters' }));
    await user.click(await screen.findByRole('link', { name: /3 findings on/ }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=findings&page=https%3A%2F%2Fwww.example.com%2Fb');
    await waitFor(() =>
      expect(causes()).toEqual([
        'HighPage has no titleTechnical1 finding, 25 min',
        'MediumTitle of thinContent1 finding, 20 min',
      ]),
    );
    await user.click(screen.getByRole('link', { name: 'Show all pages' }));
    await waitFor(() => expect(causes()).toHaveLength(3));
  });

  it('list the pages even after the findings were shown', async () => {
    const { user } = await page(completedJob());
    await screen.findByRole('list', { name: 'Findings by issue' });
    await user.click(screen.getByRole('tab', { name: /Pages/ }));
    const table = within(await screen.findByRole('region', { name: 'Pages' }));
    expect(table.getAllByRole('row')).toHaveLength(1 + 4);
    expect(screen.queryByText('no answer')).toBeNull();
    expect(server.asked('GET /api/v1/jobs/job-1/files/pages.csv')).toHaveLength(0);
    expect(server.asked('GET /api/v1/jobs/job-1/files/findings.json')).toHaveLength(0);
  });

  it('sort the pages by a column head, and reverse the order', async () => {
    const { user, address } = await page(completedJob(), '?tab=pages&columns=words');
    const first = () => within(screen.getByRole('region', { name: 'Pages' })).getAllByRole('row')[1];
    await user.click(await screen.findByRole('link', { name: 'Words' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages&columns=words&sort=words');
    await waitFor(() => expect(first()).toHaveTextContent('/a'));
    expect(screen.getByRole('columnheader', { name: 'Words' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('link', { name: 'Words' }));
    await waitFor(() => expect(first()).toHaveTextContent('/b'));
  });

  it('show a hundred pages at first, and more on request', async () => {
    const many = Array.from({ length: 130 }, (_, n) => foundPage(`https://www.example.com/${n}`));
    answerReport(server, report({}, many));
    const { user } = await page(completedJob(), '?tab=pages');
    const rows = () => within(screen.getByRole('region', { name: 'Pages' })).getAllByRole('row');
    await user.click(await screen.findByRole('button', { name: 'Show 30 more of 30' }));
    await waitFor(() => expect(rows()).toHaveLength(1 + 130));
    expect(screen.queryByRole('button', { name: /more of/ })).toBeNull();
    // The first of the new rows.
    await waitFor(() => expect(rows()[1 + 100]).toHaveFocus());
  });

  it('show summary and report', async () => {
    await page(completedJob(), '?tab=report');
    expect(await screen.findByRole('heading', { name: 'In short' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'SEO audit of example.com' })).toBeVisible();
  });

  it('list the sections of a long report beside it, each leading to its heading', async () => {
    const text = '# Audit\n\n## One\n\n```\n## In code\n```\n\n## **Two**\n\n## Three\n';
    server.on('GET /api/v1/jobs/job-1/files/seo-audit-report.md', file('seo-audit-report.md', text));
    await page(completedJob(), '?tab=report');
    const nav = within(await screen.findByRole('navigation', { name: 'Sections: Audit report' }));
    const links = nav.getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(['One', 'Two', 'Three']);
    for (const link of links) {
      const { textContent: name } = link;
      const heading = await screen.findByRole('heading', { name: name ?? '' });
      expect(link).toHaveAttribute('href', `#${heading.id}`);
    }
    // A short one needs no list.
    expect(screen.queryByRole('navigation', { name: 'Sections: Executive summary' })).toBeNull();
  });

  it('offer the files to view and download', async () => {
    const saved = vi.fn((_: Blob) => 'blob:1');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user, address } = await page(completedJob(), '?tab=files');
    const row = within((await screen.findByText('Findings (JSON)', { selector: 'p' })).closest('li') as HTMLElement);
    await user.click(row.getByRole('button', { name: /Download/ }));
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
    await user.click(row.getByRole('link', { name: /Open/ }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=files&report=job-1&file=findings.json');
    expect(await screen.findByRole('dialog', { name: /Report of example.com/ })).toBeVisible();
  });
});

describe('a running job', () => {
  it('shows how far it is beside the results so far', async () => {
    const { user } = await page(
      runningJob({ status: 'executing_step2_format', progress: 70, files: ['findings.json', 'pages.csv'] }),
    );
    const progress = screen.getByRole('region', { name: 'Progress of www.example.com' });
    expect(progress).toHaveTextContent('70%');
    expect(within(progress).getByRole('button', { name: 'Cancel audit' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'URLs read' })).toBeNull();
    expect(await screen.findByRole('button', { name: /Page has no title/ })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Report' }));
    expect(screen.getByText('Still running. The report will appear here.')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Compare' }));
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
  });

  it('is cancelled, moves the focus, and can be started again', async () => {
    server.on('POST /api/v1/jobs/job-1/cancel', {
      success: true,
      data: failedJob({ reason: 'Cancelled', reason_code: 'CANCELLED', position: position(30) }),
    });
    const { user } = await page(runningJob());
    await user.click(await screen.findByRole('button', { name: 'Cancel audit' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel audit' }));
    expect(await screen.findByText(/^Canceled\. You can run it again/)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Run again' })).toBeVisible();
  });

  it('updates on socket messages', async () => {
    const { user } = await page(runningJob());
    await goLive(sockets.latest());
    expect(await screen.findByRole('region', { name: 'Progress of www.example.com' })).toHaveTextContent(
      '12 of 36 pages read',
    );
    const row = completedJob({ position: position(30) });
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'jobs',
        table: 'jobs',
        eventType: 'UPDATE',
        new: { ...row },
        old: null,
        position: row.position,
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Later' }));
    expect(await screen.findByRole('button', { name: /Page has no title/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByText(/8 of 8 stages/)).toBeVisible();
  });
});

describe('a job that', () => {
  it('was read over http says so, though https was tried first', async () => {
    const pages = [foundPage('http://www.example.com/', { clicksFromStart: 0 }), foundPage('http://www.example.com/a')];
    answerReport(server, report({}, pages));
    const { user } = await page(completedJob({ url: 'https://www.example.com/' }));
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(await screen.findByRole('link', { name: 'http://www.example.com/' })).toBeVisible();
    expect(screen.getByText('Read over http, since https didn’t answer.')).toBeVisible();
  });

  it('was read over https says nothing of it', async () => {
    const { user } = await page(completedJob({ url: 'https://www.example.com/' }));
    await user.click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByRole('link', { name: 'https://www.example.com/' })).toBeVisible();
    expect(screen.queryByText(/Read over http/)).toBeNull();
  });

  it('failed says what is missing', async () => {
    await page(failedJob({ pages_done: 12 }));
    expect(screen.getByText('The audit ended before anything was found.')).toBeVisible();
    // No number that links nowhere.
    expect(screen.queryByRole('link', { name: '12 pages' })).toBeNull();
  });

  it('is not in the list is loaded alone', async () => {
    server.on('GET /api/v1/jobs/job-1', { success: true, data: completedJob() });
    renderApp('/dashboard/jobs/job-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
  });

  it('does not exist redirects home', async () => {
    server.on('GET /api/v1/jobs/job-1', refusal(404, 'Job not found', 'JOB_NOT_FOUND'));
    renderApp('/dashboard/jobs/job-1');
    expect(await screen.findByText('This audit doesn’t exist or was deleted.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Audit not found' })).toBeVisible();
    expect(document.title).toMatch(/^Audit not found/);
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Back to All Jobs' })).toHaveAttribute(
      'href',
      '/',
    );
  });

  it('cannot be loaded offers a retry', async () => {
    server.on('GET /api/v1/jobs/job-1', refusal(503, 'The server cannot reach its data at the moment.'));
    const { user } = renderApp('/dashboard/jobs/job-1');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot reach its data at the moment.');
    server.on('GET /api/v1/jobs/job-1', { success: true, data: completedJob() });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
  });
});
