import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityView } from '../../../../src/http/contract/security.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';

const PATH = 'GET /api/v1/auth/activity';
const line = (title: string, more: Partial<ActivityView> = {}): ActivityView => ({
  type: 'SessionStarted',
  at: '2026-03-01T12:00:00.000Z',
  title,
  detail: null,
  by: null,
  ...more,
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});

const list = () => screen.findByRole('list', { name: 'Activity' });

describe('the activity on the account page', () => {
  it('shows what happened, to what, and who did it if not the user', async () => {
    const rows = [
      line('Viewed by an admin', { detail: 'Your bill', by: 'admin' }),
      line('Credits granted', { detail: '2 credits', by: 'admin' }),
      line('Shared link revoked', { detail: 'shop.example', by: 'you' }),
      line('Logged in', { detail: 'Firefox on Linux, 203.0.113.x' }),
    ];
    server.on(PATH, { success: true, data: rows, cursor: null });
    renderApp('/account');
    const texts = within(await list())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/^Viewed by an adminYour bill/);
    expect(texts[1]).toMatch(/^Credits grantedby an admin · 2 credits/);
    expect(texts[2]).toMatch(/^Shared link revokedshop\.example/);
    expect(texts[3]).toContain('Firefox on Linux, 203.0.113.x');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('loads more', async () => {
    server.on(PATH, ({ query }: Call) =>
      query.get('cursor') === 'next'
        ? { success: true, data: [line('Account created')], cursor: null }
        : { success: true, data: [line('Logged in')], cursor: 'next' },
    );
    const { user } = renderApp('/account');
    await list();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('Account created')).toBeVisible();
    expect(within(await list()).getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByText('Account created').closest('li')).toHaveFocus();
  });

  it('says when it is empty, and when it could not be loaded', async () => {
    const { unmount } = renderApp('/account');
    expect(await screen.findByText('Nothing yet.')).toBeVisible();
    unmount();
    server.on(PATH, refusal(500, 'Something went wrong.'));
    renderApp('/account');
    expect(await screen.findByText('Failed to load your activity')).toBeVisible();
  });
});
