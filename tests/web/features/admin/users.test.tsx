import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UserProgressResponse, UserProgressView } from '../../../../src/http/contract/admin/userProgress.ts';
import { completionTone, timeSavedText } from '../../../../web/features/admin/users/progressWording.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const LIST = 'GET /api/v1/admin/user-progress';

const row = (email: string, given: Partial<UserProgressView> = {}): UserProgressView => ({
  user_id: `id-of-${email}`,
  email,
  domain: 'www.shop.example',
  total_actions: 12,
  completed_actions: 3,
  in_progress_actions: 2,
  completion_percentage: 25,
  time_saved: 135,
  last_activity: '2026-03-01T12:00:00.000Z',
  ...given,
});
const answer = (data: readonly UserProgressView[], cursor: string | null = null): UserProgressResponse => ({
  success: true,
  data: [...data],
  summary: { users: 10_000, total_actions: 1, completed_actions: 0, time_saved: 90 },
  cursor,
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});

const lastQuery = (): string => server.asked(LIST).at(-1)?.query.toString() ?? '';
const rows = async () =>
  within(await screen.findByRole('table', { name: 'User progress' }))
    .getAllByRole('row')
    .slice(1);

describe('the list of users', () => {
  it('shows each user’s progress, and the sums', async () => {
    server.on(
      LIST,
      answer([
        row('ann@example.com'),
        row('bob@example.com', { domain: '–', completion_percentage: 0, time_saved: 0, last_activity: null }),
      ]),
    );
    renderApp('/admin/users');
    const [ann, bob] = await rows();
    for (const text of ['ann@example.com', 'shop.example', '12', '25%', '2h 15m']) expect(ann).toHaveTextContent(text);
    for (const text of ['bob@example.com', '–', '0%', '0m']) expect(bob).toHaveTextContent(text);
    expect(screen.getByText('10,000 users · 1 action item, 0 completed · 1h 30m saved')).toBeVisible();
    expect(lastQuery()).toBe('sort=last_activity&order=desc');
  });

  it('is sorted by its headers: a new column starts descending, a click reverses it', async () => {
    server.on(LIST, answer([row('ann@example.com')]));
    const { user, address } = renderApp('/admin/users');
    expect(await screen.findByRole('columnheader', { name: 'Last activity' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
    await user.click(screen.getByRole('button', { name: 'Completion' }));
    await waitFor(() => expect(lastQuery()).toBe('sort=completion_percentage&order=desc'));
    expect(await screen.findByRole('columnheader', { name: 'Completion' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'Completion' }));
    await waitFor(() => expect(lastQuery()).toBe('sort=completion_percentage&order=asc'));
    expect(address()).toBe('/admin/users?sort=completion_percentage&order=asc');
    expect(screen.queryByRole('button', { name: 'In progress' })).toBeNull();
  });

  it('finds users by the beginning of their addresses', async () => {
    server.on(LIST, ({ query }: { query: URLSearchParams }) =>
      answer(query.get('search') === 'no' ? [] : [row('ann@example.com')]),
    );
    const { user } = renderApp('/admin/users');
    await user.type(await screen.findByRole('searchbox', { name: 'Email starts with' }), 'no{Enter}');
    expect(await screen.findByText('No email address starts with “no”.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all users' }));
    expect(await rows()).toHaveLength(1);
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('keeps the focus in the search field, and claims no results before they are loaded', async () => {
    server.on(LIST, answer([]));
    const { user } = renderApp('/admin/users');
    const field = await screen.findByRole('searchbox', { name: 'Email starts with' });
    await user.type(field, 'no{Enter}');
    expect(await screen.findByText('No email address starts with “no”.')).toBeVisible();
    expect(screen.getByRole('searchbox')).toHaveFocus();
    const slow = held(answer([row('ann@example.com')]));
    server.on(LIST, () => slow.answer);
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), 'ann{Enter}');
    await waitFor(() => expect(lastQuery()).toContain('search=ann'));
    expect(screen.queryByText(/^No email address begins/)).toBeNull();
    slow.letGo();
    expect(await rows()).toHaveLength(1);
  });

  it('reverses the order of search results by one click', async () => {
    server.on(LIST, answer([row('ann@example.com')]));
    const { user } = renderApp('/admin/users?search=a');
    await user.click(await screen.findByRole('button', { name: 'Last activity' }));
    expect(screen.getByText('1 user found')).toHaveAttribute('role', 'status');
    await waitFor(() => expect(lastQuery()).toContain('order=asc'));
    expect(screen.getByRole('button', { name: 'Last activity' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Total' }));
    await waitFor(() => expect(lastQuery()).toBe('sort=total_actions&order=desc&search=a'));
  });

  it('sorts more results than fit on one page by email only', async () => {
    server.on(LIST, answer([row('ann@example.com')], 'next'));
    const { user } = renderApp('/admin/users?search=a');
    expect(await screen.findByRole('columnheader', { name: 'Total' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Total' })).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'User' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'User' }));
    await waitFor(() => expect(lastQuery()).toContain('order=asc'));
  });

  it('loads further pages', async () => {
    server.on(LIST, ({ query }: { query: URLSearchParams }) =>
      query.has('cursor') ? answer([row('bob@example.com')]) : answer([row('ann@example.com')], 'next'),
    );
    const { user } = renderApp('/admin/users');
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('bob@example.com')).toBeVisible();
    expect(await rows()).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('explains an error, and offers a retry', async () => {
    server.on(LIST, refusal(503, 'Busy'));
    const { user } = renderApp('/admin/users');
    expect(await screen.findByText('Failed to fetch user progress: 503')).toBeVisible();
    server.on(LIST, answer([row('ann@example.com')]));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await rows()).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is closed to former admins', async () => {
    server.on(LIST, refusal(403, 'Access denied. Admin privileges required.', 'FORBIDDEN'));
    renderApp('/admin/users');
    expect(await screen.findByText('Access denied. Admin privileges required.')).toBeVisible();
    expect(screen.queryByText('Access Denied')).toBeNull();
  });
});

describe('its wording', () => {
  it('colors completion from 80, from 50, from 20 and below', () => {
    expect([100, 80, 79, 50, 49, 20, 19, 0].map(completionTone)).toEqual([
      'good',
      'good',
      'attention',
      'attention',
      'caution',
      'caution',
      'bad',
      'bad',
    ]);
  });
  it('shows the time saved in minutes and hours', () => {
    expect([0, 45, 60, 135].map(timeSavedText)).toEqual(['0m', '45m', '1h', '2h 15m']);
  });
});
