import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { QueryState } from '../../../web/ui/QueryState.tsx';

const SETTLED = { isFetching: false, refetch: () => undefined };
const DOWN = { status: 503, code: 'DOWN', message: 'The server is down.' };

const list = (query: Partial<Parameters<typeof QueryState<readonly string[]>>[0]['query']>, text?: string) => (
  <QueryState
    query={{ ...SETTLED, ...query }}
    title="Couldn’t load the list"
    {...(text ? { text } : {})}
    loading={<p>Loading the list</p>}
    empty={(names) => names.length === 0 && <p>Nobody yet</p>}
  >
    {(names) => names.map((name) => <p key={name}>{name}</p>)}
  </QueryState>
);

describe('the result of a query', () => {
  it('is loading until there is data or an error', () => {
    render(list({ isFetching: true }));
    expect(screen.getByText('Loading the list')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is empty, or its data', () => {
    const { rerender } = render(list({ data: [] }));
    expect(screen.getByText('Nobody yet')).toBeVisible();
    rerender(list({ data: ['Ann', 'Ben'] }));
    expect(screen.getByText('Ben')).toBeVisible();
    expect(screen.queryByText('Nobody yet')).toBeNull();
  });

  it('is an error that says what happened and can be tried again', async () => {
    let tries = 0;
    render(list({ error: DOWN, refetch: () => (tries += 1) }));
    expect(screen.getByRole('alert')).toHaveTextContent('Couldn’t load the listThe server is down.');
    expect(screen.queryByText('Loading the list')).toBeNull();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Retry' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(tries).toBe(1);
  });

  it('has a text of its own for an error without a message', () => {
    render(list({ error: { ...DOWN, message: '' } }, 'Nothing was read.'));
    expect(screen.getByRole('alert')).toHaveTextContent('Nothing was read.');
  });

  it('offers no retry for what the server refuses, unless there were too many requests', () => {
    const { rerender } = render(list({ error: { ...DOWN, status: 403 } }));
    expect(screen.queryByRole('button')).toBeNull();
    rerender(list({ error: { ...DOWN, status: 429 } }));
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  });

  it('keeps stale data below an error', () => {
    render(list({ data: ['Ann'], error: DOWN }));
    expect(screen.getByRole('alert')).toHaveTextContent('The server is down.');
    expect(screen.getByText('Ann')).toBeVisible();
  });
});
