import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call, FakeServer } from '../../given/fakeServer.ts';
import { fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { adminJob, allJobsResponse, completedJob, failedJob, position, profileResponse } from '../../given/views.ts';

const LIST = 'GET /api/v1/admin/all-jobs';
let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on('GET /api/v1/admin/overview', {
    success: true,
    data: { jobs: { under_way: 4, failed_today: 2 }, users: 12, mails_due: 1, services_not_up: 1, prompts_changed: 2 },
  });
  server.on(LIST, allJobsResponse());
});

const emails = { userEmail: 'ann@example.com', user_email: 'ann@example.com' };
const asked = (): Record<string, string> => Object.fromEntries(server.asked(LIST).at(-1)?.query ?? []);
const rows = (): string[] =>
  [...document.querySelectorAll('[data-row]')].map((row) => row.getAttribute('data-row') ?? '');
const rowOf = (id: string): HTMLElement => document.querySelector<HTMLElement>(`[data-row="${id}"]`) ?? document.body;

describe('the page of all users’ jobs', () => {
  it('shows owners, statuses and progress', async () => {
    server.on(
      LIST,
      allJobsResponse([
        adminJob({ id: 'a' }),
        adminJob({ ...failedJob({ id: 'b', host: 'other.example' }), ...emails }),
      ]),
    );
    renderApp('/admin/jobs');
    expect(await screen.findByRole('link', { name: 'example.com' })).toHaveAttribute('href', '/admin/jobs/a');
    expect(within(rowOf('a')).getByText('ann@example.com')).toBeVisible();
    expect(within(rowOf('a')).getByText('Analyzing Website')).toBeVisible();
    expect(within(rowOf('a')).getByText('20% · 12 of 36 pages')).toBeVisible();
    expect(within(rowOf('a')).getByRole('progressbar', { name: 'Progress of example.com' })).toHaveValue(20);
    expect(within(rowOf('b')).getByText('Failed')).toBeVisible();
    expect(within(rowOf('b')).queryByRole('progressbar')).toBeNull();
    expect(screen.getByRole('tab', { name: 'Processing 1' })).toBeVisible();
  });

  it('says when there are none', async () => {
    renderApp('/admin/jobs');
    expect(await screen.findByText('No jobs yet')).toBeVisible();
  });

  it('explains an error, and offers a retry', async () => {
    server.on(LIST, refusal(500, 'Something went wrong'));
    const { user } = renderApp('/admin/jobs');
    expect(await screen.findByText('Error Loading Jobs')).toBeVisible();
    expect(screen.getByText('Failed to fetch jobs: 500')).toBeVisible();
    server.on(LIST, allJobsResponse([adminJob()]));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'example.com' })).toBeVisible();
    expect(screen.queryByText('Error Loading Jobs')).toBeNull();
  });

  it('says when the right was withdrawn', async () => {
    server.on(LIST, refusal(403, 'Access denied. Admin privileges required.', 'FORBIDDEN'));
    renderApp('/admin/jobs');
    expect(await screen.findByText('Admin privileges required to view this page')).toBeVisible();
  });

  it('filters, sorts and searches, all in its address', async () => {
    server.on(LIST, ({ query }: Call) => {
      const by = query.get('search') ? 'website' : (query.get('sort') ?? 'date');
      return allJobsResponse([adminJob()], { sorted: { by: by as 'date', descending: query.get('order') !== 'asc' } });
    });
    const { user, address } = renderApp('/admin/jobs');
    await user.click(await screen.findByRole('tab', { name: 'Failed' }));
    await waitFor(() => expect(asked()).toMatchObject({ status: 'failed', sort: 'date', order: 'desc' }));
    await user.click(await screen.findByRole('button', { name: 'Website' }));
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'website', order: 'desc' }));
    await waitFor(() =>
      expect(screen.getByRole('columnheader', { name: 'Website' })).toHaveAttribute('aria-sort', 'descending'),
    );
    await user.click(screen.getByRole('button', { name: 'Website' }));
    await waitFor(() => expect(address()).toBe('/admin/jobs?status=failed&sort=website&order=asc'));
    await user.type(screen.getByLabelText('Website or email'), ' shop.example {Enter}');
    await waitFor(() => expect(asked()).toMatchObject({ search: 'shop.example', status: 'failed' }));
    // A search has its own order.
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Date' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(address()).toBe('/admin/jobs?status=failed&sort=website&order=asc'));
  });

  it('explains a search without results', async () => {
    renderApp('/admin/jobs?search=nothing');
    expect(await screen.findByText('0 jobs found')).toHaveAttribute('role', 'status');
    expect(await screen.findByText('No jobs found')).toBeVisible();
    expect(screen.getByText(/Searches for the start/)).toBeVisible();
  });

  it('loads more', async () => {
    server.on(LIST, ({ query }: Call) =>
      query.get('cursor') === 'next'
        ? allJobsResponse([adminJob({ id: 'old' })])
        : allJobsResponse([adminJob({ id: 'new' })], { cursor: 'next' }),
    );
    const { user } = renderApp('/admin/jobs');
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(rows()).toEqual(['new', 'old']));
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('is loaded again when the socket cannot continue where it was', async () => {
    server.on(LIST, allJobsResponse([adminJob({ id: 'a' })]));
    renderApp('/admin/jobs');
    await screen.findByRole('link', { name: 'example.com' });
    await goLive(sockets.latest());
    await waitFor(() =>
      expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'admin:jobs', since: position(10) }),
    );
    server.on(LIST, allJobsResponse([adminJob({ id: 'b' }), adminJob({ id: 'a' })]));
    act(() => sockets.latest().says({ type: 'error', code: 'POSITION_UNKNOWN', channel: 'admin:jobs' }));
    await waitFor(() => expect(rows()).toEqual(['b', 'a']));
  });

  it('follows the socket: rows change, appear, leave the filter and disappear', async () => {
    server.on(LIST, allJobsResponse([adminJob({ id: 'a' })]));
    const { user } = renderApp('/admin/jobs');
    await screen.findByRole('link', { name: 'example.com' });
    await goLive(sockets.latest());
    await waitFor(() =>
      expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'admin:jobs', since: position(10) }),
    );
    const tell = (
      eventType: 'INSERT' | 'UPDATE' | 'DELETE',
      row: object | null,
      at: number,
      old: { id: string } | null = null,
    ) =>
      act(() =>
        sockets.latest().says({
          type: 'event',
          channel: 'admin:jobs',
          table: 'jobs',
          eventType,
          new: row as Record<string, unknown>,
          old,
          position: position(at),
        }),
      );
    tell('UPDATE', { ...adminJob({ id: 'a', progress: 50, status: 'executing_step2' }), position: position(12) }, 12);
    expect(await within(rowOf('a')).findByText('Data Collection')).toBeVisible();
    tell('UPDATE', { ...adminJob({ id: 'a', progress: 30, status: 'executing_step1' }), position: position(11) }, 11);
    const { queue: _, ...waiting } = adminJob({ id: 'b', status: 'queued', position: position(13) });
    tell('INSERT', waiting, 13);
    await waitFor(() => expect(rows()).toEqual(['b', 'a']));
    // The late message was older.
    expect(within(rowOf('a')).getByText('Data Collection')).toBeVisible();
    tell('DELETE', null, 14, { id: 'b' });
    await waitFor(() => expect(rows()).toEqual(['a']));
    await user.click(screen.getByRole('tab', { name: /^Processing/ }));
    await waitFor(() => expect(asked()).toMatchObject({ status: 'processing' }));
    await screen.findByRole('link', { name: 'example.com' });
    tell('UPDATE', { ...completedJob({ id: 'a', position: position(15) }), ...emails }, 15);
    expect(await screen.findByText('No processing jobs')).toBeVisible();
  });

  it('polls every 30 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      renderApp('/admin/jobs');
      await screen.findByText('No jobs yet');
      const before = server.asked(LIST).length;
      await act(() => vi.advanceTimersByTimeAsync(30_500));
      await waitFor(() => expect(server.asked(LIST).length).toBe(before + 1));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the dashboard', () => {
  it('has a tile per page with its figure, and the latest ten jobs', async () => {
    server.on(LIST, allJobsResponse([adminJob()]));
    renderApp('/admin');
    expect(await screen.findByText('4 under way, 2 failed today')).toBeVisible();
    expect(within(screen.getByRole('list')).getByRole('link', { name: /^Job Management/ })).toHaveAttribute(
      'href',
      '/admin/jobs',
    );
    const tiles = within(screen.getByRole('list'))
      .getAllByRole('link')
      .map((tile) => tile.textContent);
    expect(
      tiles.map(
        (tile) =>
          /^(Job Management|Analytics|Reports|System Status|Users|Prompts|Email Sequences|Ledger|History)/.exec(
            tile ?? '',
          )?.[0],
      ),
    ).toEqual([
      'Job Management',
      'System Status',
      'Users',
      'Prompts',
      'Email Sequences',
      'Analytics',
      'Reports',
      'Ledger',
      'History',
    ]);
    for (const figure of ['1 service not up', '12 users', '2 changed', '1 email due'])
      expect(screen.getByText(figure)).toBeVisible();
    expect(await screen.findByRole('table', { name: 'Recent jobs' })).toBeVisible();
    expect(asked()).toEqual({ limit: '10' });
  });

  it('links to the pages without figures, too', async () => {
    server.on('GET /api/v1/admin/overview', refusal(503, 'Busy'));
    renderApp('/admin');
    expect(await screen.findByText('No jobs yet')).toBeVisible();
    expect(within(screen.getByRole('list')).getByRole('link', { name: /^Job Management/ })).toBeVisible();
  });
});

describe('the overview', () => {
  it('follows the figures while it is open', async () => {
    const OVERVIEW = 'GET /api/v1/admin/overview';
    const figures = {
      jobs: { under_way: 4, failed_today: 2 },
      users: 12,
      mails_due: 1,
      services_not_up: 0,
      prompts_changed: 2,
    };
    renderApp('/admin');
    expect(await screen.findByText('4 under way, 2 failed today')).toBeVisible();
    await goLive(sockets.latest());
    await waitFor(() => expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'admin:changes' }));
    act(() => sockets.latest().says({ type: 'subscribed', channel: 'admin:changes', position: position(10) }));
    await waitFor(() => expect(server.asked(OVERVIEW)).toHaveLength(2));
    server.on(OVERVIEW, { success: true, data: { ...figures, jobs: { under_way: 5, failed_today: 3 }, users: 13 } });
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'admin:changes',
        table: 'changes',
        eventType: 'UPDATE',
        new: { changed: ['jobs', 'users'] },
        old: null,
        position: position(11),
      }),
    );
    expect(await screen.findByText('5 under way, 3 failed today')).toBeVisible();
    expect(screen.getByText('13 users')).toBeVisible();
    expect(server.asked(OVERVIEW)).toHaveLength(3);
  });
});
