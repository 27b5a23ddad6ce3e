/** The audits of a site over time, and the changes between two of them. */
import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ComparedFinding, CompareResponse } from '../../../../src/http/contract/runs.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { answerReport, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { completedJob, failedJob, jobsResponse, position, runningJob } from '../../given/views.ts';

const COMPARE = 'GET /api/v1/jobs/job-1/compare';
const RUNS = 'GET /api/v1/jobs/job-1/runs';
const FIRST = run('first', { score: 71, at: '2026-11-18T10:00:00.000Z', findings: 50 });
const SMALL = run('small', {
  score: 90,
  at: '2026-11-19T10:00:00.000Z',
  pages: 4,
  comparable: false,
  because: 'the audits read different pages: 4 of 36 are the same',
});

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  answerReport(server);
  server.on(RUNS, runsResponse([FIRST, SMALL, run('job-1')]));
  server.on(COMPARE, compared());
});

function row(checkId: string, over: Partial<ComparedFinding> = {}): ComparedFinding {
  const named = {
    id: `${checkId}-1`,
    checkId,
    title: `Title of ${checkId}`,
    category: 'technical',
    impact: 'high',
    optional: false,
    hint: false,
    message: `${checkId} was seen`,
  } as const;
  return { ...named, url: 'https://www.example.com/a', place: 'head', value: '', because: null, ...over };
}

const group = (...findings: ComparedFinding[]) => ({ total: findings.length, findings });

function compared(over: Partial<CompareResponse['data']> = {}): CompareResponse {
  const data: CompareResponse['data'] = {
    before: { jobId: 'first', at: FIRST.at, score: 71, formula: 2, notJudged: null, settings: null, pages: 36 },
    after: {
      jobId: 'job-1',
      at: '2026-11-20T10:01:00.000Z',
      score: 82,
      formula: 2,
      notJudged: null,
      settings: null,
      pages: 36,
    },
    score: { before: 71, after: 82, change: 11 },
    scoreNotComparable: null,
    notIdentical: '5 findings differ',
    new: group(row('fresh')),
    fixed: group(row('gone'), row('gone', { id: 'gone-2', url: 'https://www.example.com/b' })),
    remaining: group(row('still')),
    notSeenBefore: group(row('unread', { because: 'the page was not read in the earlier audit' })),
    notComparable: group(row('unseen', { because: 'the page was not requested this time' })),
    preview: false,
    ...over,
  };
  return { success: true, data };
}

async function tab(query = '', job = completedJob()) {
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  const app = renderApp(`/dashboard/jobs/job-1?tab=compare${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  return app;
}

describe('the audits of a site', () => {
  it('are in a table beside their chart, the newest first', async () => {
    await tab();
    const table = await screen.findByRole('region', { name: 'Audits of this site' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toHaveTextContent(/82.*36.*41.*this audit/);
    expect(within(rows[0] as HTMLElement).getByRole('rowheader')).toBeVisible();
    expect(rows[1]).toHaveTextContent('Not comparable: the audits read different pages: 4 of 36 are the same');
    expect(rows[2]).toHaveTextContent(/71.*50/);
    expect(within(rows[2] as HTMLElement).getByRole('link', { name: /^50 findings of the audit of / })).toHaveAttribute(
      'href',
      '/dashboard/jobs/first?tab=findings',
    );
    expect(within(rows[0] as HTMLElement).getByRole('link', { name: /^41 findings of the audit of / })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1?tab=findings',
    );
  });

  it('are compared with the previous comparable one by default, and with another on request: each has its address', async () => {
    const { user, address } = await tab();
    await screen.findByRole('region', { name: 'Comparison' });
    expect(server.asked(COMPARE).map((call) => call.query.get('with'))).toEqual(['first']);
    const rows = within(screen.getByRole('region', { name: 'Audits of this site' })).getAllByRole('row');
    await user.click(within(rows[2] as HTMLElement).getByRole('link', { name: /^compare with/ }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=compare&with=small');
    expect(server.asked(COMPARE).at(-1)?.query.get('with')).toBe('small');
  });

  it('say what to do if there is only one', async () => {
    server.on(RUNS, runsResponse([run('job-1')]));
    await tab();
    expect(await screen.findByText(/This is the only finished audit of example.com/)).toBeVisible();
    expect(server.asked(COMPARE)).toHaveLength(0);
  });

  it('wait for a running audit', async () => {
    server.on(RUNS, runsResponse([FIRST]));
    await tab('', runningJob({ files: ['findings.json'] }));
    expect(await screen.findByText('You can compare this audit when it is finished.')).toBeVisible();
  });

  it('are reloaded when the shown one has ended', async () => {
    server.on(RUNS, runsResponse([FIRST]));
    const { user } = await tab('', runningJob({ files: ['findings.json'] }));
    await goLive(sockets.latest());
    expect(await screen.findByText('You can compare this audit when it is finished.')).toBeVisible();
    server.on(RUNS, runsResponse([FIRST, run('job-1')]));
    const ended = completedJob({ position: position(90) });
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'jobs',
        table: 'jobs',
        eventType: 'UPDATE',
        new: { ...ended },
        old: null,
        position: position(90),
      }),
    );
    // Its end arrives on the socket.
    await user.click(await screen.findByRole('button', { name: 'Later' }));
    expect(await screen.findByRole('region', { name: 'Comparison' })).toBeVisible();
    expect(screen.getByRole('link', { name: /^11 up since/ })).toBeVisible();
  });

  it('say that a failed one has nothing to compare, and nothing against the others', async () => {
    server.on(RUNS, runsResponse([{ ...FIRST, comparable: false, because: 'this run has no score' }]));
    await tab('', failedJob());
    expect(
      await screen.findByText('This audit ended before there was anything to compare. Run it again.'),
    ).toBeVisible();
    expect(screen.queryByText(/Not comparable/)).toBeNull();
  });

  it('that cannot be loaded offer a retry', async () => {
    server.on(RUNS, refusal(503, 'The server cannot reach its data at the moment.'));
    const { user } = await tab();
    expect(await screen.findByText('Failed to load the audits of this site')).toBeVisible();
    server.on(RUNS, runsResponse([FIRST, run('job-1')]));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'Audits of this site' })).toBeVisible();
  });
});

describe('a comparison', () => {
  it('shows the groups with findings, each number linking to its rows', async () => {
    const { user } = await tab('&with=first');
    const comparison = within(await screen.findByRole('region', { name: 'Comparison' }));
    expect(comparison.getByText('(+11)')).toBeVisible();
    for (const name of ['1 New', '2 Fixed', '1 Remaining', '1 Not seen before', '1 Not comparable'])
      expect(comparison.getByRole('button', { name: name.replace(' ', '') })).toBeVisible();
    const groupOf = (id: string) => document.getElementById(`group-${id}`) as HTMLDetailsElement;
    expect(groupOf('remaining').open).toBe(false);
    await user.click(comparison.getByRole('button', { name: '1Remaining' }));
    expect(groupOf('remaining').open).toBe(true);
    expect(groupOf('fixed')).toHaveTextContent('Title of gone2 places');
    expect(groupOf('notSeenBefore')).toHaveTextContent('Can’t tell: the page was not read in the earlier audit.');
    expect(groupOf('notComparable')).toHaveTextContent('Can’t tell: the page was not requested this time.');
  });

  it('says when nothing changed', async () => {
    const none = { total: 0, findings: [] };
    server.on(
      COMPARE,
      compared({
        new: none,
        fixed: none,
        notSeenBefore: none,
        notComparable: none,
        score: { before: 82, after: 82, change: 0 },
        notIdentical: null,
      }),
    );
    await tab('&with=first');
    expect(await screen.findByText('Nothing changed between these two audits.')).toBeVisible();
    expect(screen.getByText('(unchanged)')).toBeVisible();
    expect(document.getElementById('group-new')).toBeNull();
    expect(screen.getByRole('button', { name: '0New' })).toBeDisabled();
    expect(document.getElementById('group-remaining')).not.toBeNull();
  });

  it('does not call runs identical that ended by the clock', async () => {
    const none = { total: 0, findings: [] };
    const notIdentical = 'this audit was stopped by its time limit';
    server.on(COMPARE, compared({ new: none, fixed: none, notSeenBefore: none, notComparable: none, notIdentical }));
    await tab('&with=first');
    expect(
      await screen.findByText(`No finding changed, but the two audits are not identical: ${notIdentical}.`),
    ).toBeVisible();
  });

  it('shows no change where the scores measure different things', async () => {
    server.on(
      COMPARE,
      compared({ score: null, scoreNotComparable: 'the audits read different pages: 4 of 36 are the same' }),
    );
    await tab('&with=small');
    expect(
      await screen.findByText('The scores can’t be compared: the audits read different pages: 4 of 36 are the same.'),
    ).toBeVisible();
  });

  it('in a preview counts all and lists what is open', async () => {
    server.on(COMPARE, compared({ preview: true, fixed: { total: 12, findings: [row('gone')] } }));
    await tab('&with=first');
    expect(await screen.findByText(/Totals cover the whole audit/)).toBeVisible();
    expect(screen.getByText('and 11 more')).toBeInTheDocument();
  });

  it('that is refused explains why', async () => {
    server.on(COMPARE, refusal(409, 'The two audits are of different sites.', 'NOT_COMPARABLE'));
    await tab('&with=first');
    expect(await screen.findByText('The two audits are of different sites.')).toBeVisible();
  });
});
