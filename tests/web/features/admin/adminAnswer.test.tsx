import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from '../../../../web/app/store.ts';
import { AdminAnswer } from '../../../../web/features/admin/AdminAnswer.tsx';

const failure = (status: number, code = 'X') => ({ status, code, message: 'Of the server' });

function renderAnswer(query: { data?: string; error?: unknown }, refetch = vi.fn()) {
  render(
    <Provider store={createStore()}>
      <MemoryRouter>
        <AdminAnswer
          query={{ isFetching: false, refetch, ...query }}
          title="Error Loading Jobs"
          textOf={(status) => `Failed to fetch jobs: ${status}`}
          above={(data) => <h1>Above {data ?? 'nothing'}</h1>}
        >
          {(data) => <p>{data}</p>}
        </AdminAnswer>
      </MemoryRouter>
    </Provider>,
  );
  return refetch;
}

describe('the error state of an admin page', () => {
  it('says that access is denied when the right was withdrawn, and hides the content', () => {
    renderAnswer({ data: 'Jobs of everybody', error: failure(403) });
    expect(screen.getByText('Access Denied')).toBeVisible();
    expect(screen.getByText('Admin privileges required to view this page')).toBeVisible();
    expect(screen.queryByText('Jobs of everybody')).toBeNull();
  });

  it('links to the account where the second factor is missing', () => {
    const error = { status: 403, code: 'MFA_REQUIRED', message: 'Admins need two-factor authentication here.' };
    renderAnswer({ data: 'Jobs of everybody', error });
    expect(screen.getByText('Admins need two-factor authentication here.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
    expect(screen.queryByText('Jobs of everybody')).toBeNull();
  });

  it('asks to log in again where admin access has timed out, and shows nothing of what was there', () => {
    renderAnswer({ data: 'Jobs of everybody', error: failure(401, 'ADMIN_SESSION_EXPIRED') });
    expect(screen.getByRole('button', { name: 'Log in again' })).toBeVisible();
    expect(screen.queryByText('Jobs of everybody')).toBeNull();
  });

  it('hides content that was deleted', () => {
    renderAnswer({ data: 'A deleted job', error: failure(404, 'JOB_NOT_FOUND') });
    expect(screen.getByText('Failed to fetch jobs: 404')).toBeVisible();
    expect(screen.queryByText('A deleted job')).toBeNull();
  });

  it('keeps what is above, which no longer knows of content that was deleted', () => {
    renderAnswer({ data: 'A deleted job', error: failure(404) });
    expect(screen.getByRole('heading')).toHaveTextContent('Above nothing');
  });

  it('offers no retry of what is refused again, except for too many requests', () => {
    const hasRetry = (status: number): boolean => {
      renderAnswer({ error: failure(status) });
      const found = screen.queryByRole('button', { name: 'Retry' }) !== null;
      cleanup();
      return found;
    };
    expect([400, 404, 409].map(hasRetry)).toEqual([false, false, false]);
    expect([429, 500, 0].map(hasRetry)).toEqual([true, true, true]);
  });

  it('keeps the content below an error, and offers a retry', async () => {
    const refetch = renderAnswer({ data: 'Jobs of everybody', error: failure(503) });
    expect(screen.getByText('Failed to fetch jobs: 503')).toBeVisible();
    expect(screen.getByText('Jobs of everybody')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /retry|try again/i }));
    expect(refetch).toHaveBeenCalledOnce();
  });
});
