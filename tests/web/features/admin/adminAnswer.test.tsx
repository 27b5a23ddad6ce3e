import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { AdminAnswer } from '../../../../web/features/admin/AdminAnswer.tsx';

const failure = (status: number) => ({ status, code: 'X', message: 'Of the server' });

function renderAnswer(query: { data?: string; error?: unknown }, refetch = vi.fn()) {
  render(
    <MemoryRouter>
      <AdminAnswer query={{ isFetching: false, refetch, ...query }} title="Error Loading Jobs" textOf={(status) => `Failed to fetch jobs: ${status}`}>
        {(data) => <p>{data}</p>}
      </AdminAnswer>
    </MemoryRouter>,
  );
  return refetch;
}

describe('the answer of an admin page', () => {
  it('says that access is denied where the right was withdrawn, and shows nothing of what was there', () => {
    renderAnswer({ data: 'Jobs of everybody', error: failure(403) });
    expect(screen.getByText('Access Denied')).toBeVisible();
    expect(screen.getByText('Admin privileges required to view this page')).toBeVisible();
    expect(screen.queryByText('Jobs of everybody')).toBeNull();
  });

  it('leads to the account where the second factor is missing', () => {
    const error = { status: 403, code: 'MFA_REQUIRED', message: 'Admins need two-factor authentication here.' };
    renderAnswer({ data: 'Jobs of everybody', error });
    expect(screen.getByText('Admins need two-factor authentication here.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
    expect(screen.queryByText('Jobs of everybody')).toBeNull();
  });

  it('keeps what was there below what went wrong, and tries again', async () => {
    const refetch = renderAnswer({ data: 'Jobs of everybody', error: failure(503) });
    expect(screen.getByText('Failed to fetch jobs: 503')).toBeVisible();
    expect(screen.getByText('Jobs of everybody')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /retry|try again/i }));
    expect(refetch).toHaveBeenCalledOnce();
  });
});
