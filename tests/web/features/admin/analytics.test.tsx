import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnalyticsResponse, AnalyticsSection } from '../../../../src/http/contract/admin/analytics.ts';
import { addressOf, shownIn } from '../../../../web/features/admin/analytics/range.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const user = userEvent.setup();
const ROUTE = 'GET /api/v1/admin/analytics';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(ROUTE, answer(funnelOf(1), cohortsOf(1)));
});

type Rows = AnalyticsSection['tables'][number]['rows'];

const answer = (...sections: AnalyticsSection[]): AnalyticsResponse => ({
  success: true,
  data: { as_of: '2026-11-23T12:00:00.000Z', from: null, to: null, by: 'week', sections },
});

function funnelOf(users: number): AnalyticsSection {
  const rows: Rows = users === 0 ? [] : [{ step: 'Signed up', users, share: 1 }];
  const columns: AnalyticsSection['tables'][number]['columns'] = [
    { key: 'step', label: 'Step', kind: 'text' },
    { key: 'users', label: 'Users', kind: 'count' },
    { key: 'share', label: 'Of sign-ups', kind: 'share' },
  ];
  const table = {
    name: 'steps',
    title: 'Users who reached each step',
    columns,
    rows,
    note: 'A note.',
    chart: { kind: 'bar' as const, x: 'step', series: ['users'] },
  };
  return { name: 'funnel', title: 'Funnel', description: 'How far.', note: null, progress: null, tables: [table] };
}

function cohortsOf(weeks: number): AnalyticsSection {
  const rows: Rows = Array.from({ length: weeks }, (_, nth) => ({
    cohort: new Date(Date.UTC(2026, 8, 7 + 7 * nth)).toISOString().slice(0, 10),
    users: 4,
    week0: 1,
    week1: nth === weeks - 1 ? null : 0.25,
  }));
  const columns: AnalyticsSection['tables'][number]['columns'] = [
    { key: 'cohort', label: 'Week of sign-up', kind: 'date' },
    { key: 'users', label: 'Users', kind: 'count' },
    { key: 'week0', label: 'Week 0', kind: 'share' },
    { key: 'week1', label: 'Week 1', kind: 'share' },
  ];
  return {
    name: 'cohorts',
    title: 'Weekly cohorts',
    description: 'Who stays.',
    note: null,
    progress: null,
    tables: [{ name: 'by-week', title: 'Active users', columns, rows }],
  };
}

const asked = () => server.asked(ROUTE).map(({ query }) => Object.fromEntries(query));
const table = async (name: string) => within(await screen.findByRole('region', { name: `${name}: table` }));
const cells = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent);

describe('/admin/analytics', () => {
  it('says when there is no data', async () => {
    server.on(ROUTE, answer(funnelOf(0), cohortsOf(0)));
    renderApp('/admin/analytics');
    expect(await screen.findByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible();
    expect(await screen.findAllByText('Nothing in this range.')).toHaveLength(2);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows each section with its tables', async () => {
    renderApp('/admin/analytics');
    const rows = (await table('Users who reached each step')).getAllByRole('row');
    expect(cells(rows[1]!)).toEqual(['Signed up', '1', '100.0%']);
    expect(screen.getByRole('heading', { name: 'Funnel', level: 2 })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Users who reached each step', level: 3 })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download CSV: Active users' })).toBeVisible();
  });

  it('shades cohorts by retention, with the value in each cell', async () => {
    server.on(ROUTE, answer(cohortsOf(3)));
    renderApp('/admin/analytics');
    const rows = (await table('Active users')).getAllByRole('row');
    expect(cells(rows[1]!)).toEqual(['Sep 7, 2026', '4', '100.0%', '25.0%']);
    // Not begun yet.
    expect(cells(rows[3]!)).toEqual(['Sep 21, 2026', '4', '100.0%', '']);
  });

  it('shows the last thirty days, or the range in the address', async () => {
    const { unmount } = renderApp('/admin/analytics');
    await table('Active users');
    const today = new Date().toISOString().slice(0, 10);
    const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    expect(asked()).toEqual([{ from: before(29), by: 'day' }]);
    unmount();
    renderApp('/admin/analytics?range=dates&from=2026-01-01&to=2026-03-31');
    await table('Active users');
    expect(asked().at(-1)).toEqual({ from: '2026-01-01', to: '2026-03-31', by: 'week' });
    expect(screen.getByLabelText('From')).toHaveValue('2026-01-01');
  });

  it('writes the chosen range to the address', async () => {
    const { address } = renderApp('/admin/analytics');
    await table('Active users');
    await user.selectOptions(screen.getByLabelText('Range'), 'All time');
    await waitFor(() => expect(asked().at(-1)).toEqual({ by: 'month' }));
    expect(address()).toBe('/admin/analytics?range=all');
    await user.selectOptions(screen.getByLabelText('Show'), 'By week');
    await waitFor(() => expect(asked().at(-1)).toEqual({ by: 'week' }));
    expect(address()).toBe('/admin/analytics?range=all&by=week');
    await user.selectOptions(screen.getByLabelText('Range'), 'Dates');
    await user.clear(screen.getByLabelText('From'));
    await user.type(screen.getByLabelText('From'), '2026-02-01');
    await user.clear(screen.getByLabelText('To'));
    await user.type(screen.getByLabelText('To'), '2026-01-01');
    expect(screen.getByText('Before the first day')).toBeVisible();
    const calls = asked().length;
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(asked()).toHaveLength(calls);
    await user.clear(screen.getByLabelText('To'));
    await user.type(screen.getByLabelText('To'), '2026-02-28');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(asked().at(-1)).toEqual({ from: '2026-02-01', to: '2026-02-28', by: 'day' }));
    expect(address()).toBe('/admin/analytics?range=dates&from=2026-02-01&to=2026-02-28');
  });

  it('polls while the log is read, and shows the progress', async () => {
    const reading: AnalyticsSection = { ...funnelOf(0), tables: [], progress: { done: 0.4, seconds_left: 12 } };
    let go = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      go = resolve;
    });
    let calls = 0;
    server.on(ROUTE, async () => {
      calls += 1;
      if (calls === 1) return answer(reading);
      await read;
      return answer(funnelOf(7));
    });
    renderApp('/admin/analytics');
    expect(await screen.findByText('Reading the log: 40%, about 12 s left')).toBeVisible();
    go();
    expect(cells((await table('Users who reached each step')).getAllByRole('row')[1]!)[1]).toBe('7');
    expect(calls).toBe(2);
  });

  it('never shows one range under the dates of another', async () => {
    renderApp('/admin/analytics');
    await table('Users who reached each step');
    const slow = held(answer(funnelOf(9)));
    server.on(ROUTE, () => slow.answer);
    await user.selectOptions(screen.getByLabelText('Range'), 'Last 7 days');
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Users who reached each step: table' })).toBeNull(),
    );
    slow.letGo();
    expect(cells((await table('Users who reached each step')).getAllByRole('row')[1]!)[1]).toBe('9');
  });

  it('explains an error, and offers a retry', async () => {
    server.on(ROUTE, refusal(500, 'Something went wrong'));
    renderApp('/admin/analytics');
    expect(await screen.findByText('Failed to load analytics')).toBeVisible();
    server.on(ROUTE, answer(funnelOf(1)));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await table('Users who reached each step');
  });

  it('is closed to former admins', async () => {
    server.on(ROUTE, refusal(403, 'Admin privileges required'));
    renderApp('/admin/analytics');
    expect(await screen.findByText('Access Denied')).toBeVisible();
  });
});

describe('the range in the address', () => {
  const NOW = Date.parse('2026-11-23T12:00:00.000Z');
  const shown = (text: string) => shownIn(new URLSearchParams(text), NOW);

  it.each([
    ['', { range: '30', from: '2026-10-25', to: null, by: 'day' }],
    ['range=7', { range: '7', from: '2026-11-17', to: null, by: 'day' }],
    ['range=90', { range: '90', from: '2026-08-26', to: null, by: 'week' }],
    ['range=all', { range: 'all', from: null, to: null, by: 'month' }],
    ['range=all&by=day', { range: 'all', from: null, to: null, by: 'day' }],
    ['from=2026-01-01&to=2026-12-31', { range: 'dates', from: '2026-01-01', to: '2026-12-31', by: 'month' }],
    ['from=2026-11-01', { range: 'dates', from: '2026-11-01', to: null, by: 'day' }],
    ['range=nonsense&by=year', { range: '30', from: '2026-10-25', to: null, by: 'day' }],
    ['from=2026-02-31', { range: '30', from: '2026-10-25', to: null, by: 'day' }],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it('is parsed from the address that it writes', () => {
    for (const text of ['', 'range=7', 'range=all&by=day', 'range=dates&from=2026-01-01&to=2026-12-31']) {
      const { range, from, to } = shown(text);
      expect(addressOf(range, { from, to }, text.includes('by=') ? 'day' : null).toString()).toBe(text);
    }
  });
});
