import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HistoryEventView, HistoryPage } from '../../../../src/http/contract/admin/history.ts';
import { pathWords } from '../../../../src/model/history/changeWords.ts';
import { valueWords } from '../../../../web/features/admin/history/changeWords.ts';
import { timelineRows } from '../../../../web/features/admin/history/runs.ts';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const STREAM = 'billing-ann';
const PATH = `/api/v1/admin/history/streams/${STREAM}`;
const PAGE = `/admin/history?stream=${STREAM}`;
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});
afterEach(() => vi.useRealTimers());

function event(revision: number, given: Partial<HistoryEventView> = {}): HistoryEventView {
  return {
    revision,
    id: `event-${revision}`,
    type: 'CreditsGranted',
    title: 'Credits granted',
    at: '2026-11-20T10:00:20.000Z',
    by: 'eve@example.com, as an admin',
    actor: { kind: 'admin', id: 'eve', on_behalf_of: 'ann' },
    position: String(revision).padStart(20, '0'),
    correlation_id: 'request-1',
    causation_id: 'command-1',
    stored_version: 1,
    version: 1,
    unreadable: null,
    data: { reason: 'A gift' },
    changes: [{ path: ['credits'], before: revision, after: revision + 1 }],
    omitted: 0,
    ...given,
  };
}

function page(events: readonly HistoryEventView[], given: Partial<HistoryPage> = {}) {
  const numbers = events.map(({ revision }) => revision);
  const data: HistoryPage = {
    stream: STREAM,
    kind: 'Bill',
    types: ['CreditsGranted', 'FundsAdded'],
    owner: { id: 'ann', email: 'ann@example.com' },
    status: 'found',
    deletion: null,
    first: 0,
    last: Math.max(0, ...numbers),
    has_states: true,
    events: [...events],
    older: null,
    newer: null,
    ...given,
  };
  return { success: true, data };
}

/** Pages as the server does: the newest first, three at a time. */
function serveBill(count: () => number): void {
  server.on(`GET ${PATH}`, ({ query }: { query: URLSearchParams }) => {
    const all = Array.from({ length: count() }, (_, revision) => event(revision));
    const [after, before] = [query.get('after'), query.get('before')];
    const size = query.get('limit') === '1' ? 1 : 3;
    const some =
      after !== null
        ? all.slice(Number(after) + 1).slice(0, size)
        : all.slice(0, before === null ? undefined : Number(before)).slice(-size);
    const [first, last] = [some[0]?.revision, some.at(-1)?.revision];
    return page(some.toReversed(), {
      last: all.length - 1,
      older: first ? first : null,
      newer: last !== undefined && last < all.length - 1 ? last : null,
    });
  });
}

describe('the history of a bill', () => {
  it('shows events, actors and changes in plain words', async () => {
    server.on(
      `GET ${PATH}`,
      page([
        event(1, {
          type: 'FundsAdded',
          title: 'Reports bought',
          by: 'ann@example.com',
          data: { currency: 'usd' },
          changes: [{ path: ['funds', 'amount'], before: 0, after: 5_000 }],
        }),
        event(0),
      ]),
    );
    renderApp(PAGE);
    const bought = await screen.findByRole('article', { name: 'Reports bought' });
    expect(within(bought).getByText(/ann@example.com/)).toBeVisible();
    expect(bought).toHaveTextContent('Funds › Amount: $0.00 became $50.00');
    expect(screen.getByRole('heading', { level: 1, name: 'History: Bill' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/admin/users/ann');
  });

  it('shows a whole event on demand, with the states around it', async () => {
    server.on(`GET ${PATH}`, page([event(0, { stored_version: 1, version: 2 })]));
    server.on(`GET ${PATH}/state`, {
      success: true,
      data: { event: event(0, { data: { reason: 'All of it' } }), before: { credits: 0 }, after: { credits: 1 } },
    });
    const { user } = renderApp(PAGE);
    await user.click(await screen.findByRole('button', { name: /Credits granted/ }));
    expect(await screen.findByLabelText('Data')).toHaveTextContent('All of it');
    expect(screen.getByText('stored as 1, shown as 2')).toBeVisible();
    await user.click(screen.getByText('State after'));
    expect(screen.getByLabelText('State after')).toHaveTextContent('"credits": 1');
  });

  it('loads older events, and shows new ones as they happen', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let count = 5;
    serveBill(() => count);
    const { user } = renderApp(PAGE);
    await screen.findByRole('link', { name: 'Link to event 4' });
    expect(screen.queryByRole('link', { name: 'Link to event 1' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show older events' }));
    expect(await screen.findByRole('link', { name: 'Link to event 0' })).toBeVisible();
    count = 7;
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(await screen.findByRole('link', { name: 'Link to event 6' })).toBeVisible();
    const links = screen.getAllByRole('link', { name: /^Link to event/ }).map((link) => link.textContent);
    expect(links).toEqual(['#6', '#5', '#4', '#3', '#2', '#1', '#0']);
  });

  it('does not poll endlessly after a failure', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let count = 2;
    serveBill(() => count);
    renderApp(PAGE);
    await screen.findByRole('link', { name: 'Link to event 1' });
    count = 3;
    server.on(`GET ${PATH}`, async ({ query }: { query: URLSearchParams }) => {
      if (query.get('limit') === '1') return page([event(2)], { last: 2 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return refusal(500, 'Something went wrong');
    });
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(await screen.findByText('Something went wrong')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(server.asked(`GET ${PATH}`).filter(({ query }) => query.has('after'))).toHaveLength(1);
  });

  it('has filters, kept in the address', async () => {
    server.on(`GET ${PATH}`, ({ query }: { query: URLSearchParams }) =>
      page(query.get('types') === 'FundsAdded' ? [] : [event(0)]),
    );
    const { user, address } = renderApp(PAGE);
    await user.click(await screen.findByText('Filter and sort'));
    await user.selectOptions(screen.getByLabelText('Event'), 'FundsAdded');
    expect(await screen.findByText('No events match.')).toBeVisible();
    await enter(user, screen.getByLabelText('Email or id of who'), 'eve@example.com');
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(server.asked(`GET ${PATH}`).map(({ query }) => query.get('actor'))).toContain('eve@example.com'),
    );
    expect(address()).toBe(`${PAGE}&types=FundsAdded&actor=eve%40example.com`);
    await user.click(screen.getByRole('button', { name: 'Show all events' }));
    expect(await screen.findByRole('article', { name: 'Credits granted' })).toBeVisible();
  });

  it('takes over a moment of the filters once its year is typed', async () => {
    server.on(`GET ${PATH}`, page([event(0)]));
    const { user, address } = renderApp(PAGE);
    await user.click(await screen.findByText('Filter and sort'));
    const from = screen.getByLabelText('From');
    fireEvent.change(from, { target: { value: '0202-11-20T10:00' } });
    expect(from).toHaveValue('0202-11-20T10:00');
    expect(address()).toBe(PAGE);
    fireEvent.change(from, { target: { value: '2026-11-20T10:00' } });
    const asked = new URLSearchParams({ from: new Date('2026-11-20T10:00').toISOString() });
    await waitFor(() => expect(address()).toBe(`${PAGE}&${asked}`));
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-20T10:00');
  });

  it('opens at the event in the address', async () => {
    server.on(`GET ${PATH}`, page([event(8), event(7)], { last: 40, newer: 8, older: 7 }));
    server.on(`GET ${PATH}/state`, { success: true, data: { event: event(7), before: null, after: null } });
    renderApp(`${PAGE}#7`);
    expect(await screen.findByLabelText('Data')).toBeInTheDocument();
    expect(server.asked(`GET ${PATH}`)[0]?.query.get('before')).toBe('27');
    expect(screen.getByRole('button', { name: 'Show newer events' })).toBeVisible();
  });

  it('that was deleted says so and by whom', async () => {
    const deletion = {
      by: 'ann@example.com',
      actor: { kind: 'user', id: 'ann', on_behalf_of: null },
      stream: 'job-1',
      type: 'JobDeleted',
      title: 'Job deleted',
      at: '2026-11-20T10:00:20.000Z',
    };
    server.on(`GET ${PATH}`, page([], { status: 'deleted', deletion, first: null, last: null }));
    renderApp(PAGE);
    expect(await screen.findByText('Permanently deleted')).toBeVisible();
    expect(screen.getByText(/Job deleted on .*, by ann@example.com\./)).toBeVisible();
  });

  it('of a deleted account has no link to its page', async () => {
    server.on(`GET ${PATH}`, page([event(0)], { owner: { id: 'ann', email: null } }));
    renderApp(PAGE);
    expect(await screen.findByText(/^Owner: a deleted account\./)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'a deleted account' })).toBeNull();
  });

  it('that does not exist says so', async () => {
    server.on(`GET ${PATH}`, refusal(404, 'There is no such stream.', 'NOT_FOUND'));
    renderApp(PAGE);
    expect(await screen.findByText('There is no such stream.')).toBeVisible();
  });
});

describe('a history of 10,000 events', () => {
  const rows = () => document.querySelectorAll('[role="feed"] article').length;
  /** A screen and what is rendered around it. */
  const MOST_ROWS = 60;
  afterEach(() => vi.unstubAllGlobals());

  it('renders only the rows in view, also at its end', async () => {
    const events = Array.from({ length: 10_000 }, (_, nth) => event(9_999 - nth));
    server.on(`GET ${PATH}`, page(events));
    renderApp(PAGE);
    expect(await screen.findByText('10,000 events')).toBeVisible();
    await waitFor(() => expect(document.getElementById('event-9999')).not.toBeNull());
    expect(rows()).toBeLessThan(MOST_ROWS);
    vi.stubGlobal('scrollY', Number.parseInt(screen.getByRole('feed', { name: 'Events' }).style.height, 10));
    fireEvent.scroll(window);
    await waitFor(() => expect(document.getElementById('event-0')).not.toBeNull());
    expect(document.getElementById('event-9999')).toBeNull();
    expect(rows()).toBeLessThan(MOST_ROWS);
  });
});

describe('the history search', () => {
  it('leads from pasted text to matching streams', async () => {
    server.on('GET /api/v1/admin/history/find', {
      success: true,
      data: [{ stream: 'job-1', kind: 'Job', deleted: false, about: 'example.com' }],
    });
    const { user } = renderApp('/admin/history');
    await user.type(await screen.findByLabelText('Find a history'), 'job-1{Enter}');
    expect(await screen.findByRole('link', { name: 'Job' })).toHaveAttribute('href', '/admin/history?stream=job-1');
    expect(screen.getByText('1 history')).toHaveAttribute('role', 'status');
    expect(screen.getByLabelText('Find a history')).toHaveFocus();
  });

  it('goes on at the beginning of what was found, with its own title', async () => {
    server.on('GET /api/v1/admin/history/find', {
      success: true,
      data: [{ stream: STREAM, kind: 'Bill', deleted: false, about: 'ann@example.com' }],
    });
    server.on(`GET ${PATH}`, page([event(0)]));
    const { user } = renderApp('/admin/history?find=ann');
    await user.click(await screen.findByRole('link', { name: 'Bill' }));
    await screen.findByRole('heading', { level: 1, name: 'History: Bill' });
    expect(document.activeElement?.matches('h1, main')).toBe(true);
    expect(document.title).toMatch(new RegExp(`^History: ${STREAM} `));
  });

  it('says when nothing matches', async () => {
    server.on('GET /api/v1/admin/history/find', { success: true, data: [] });
    renderApp('/admin/history?find=nobody');
    expect(await screen.findByText('No matches.')).toBeVisible();
  });
});

describe('repeated events', () => {
  const progress = (revision: number): HistoryEventView =>
    event(revision, {
      type: 'JobProgressed',
      title: 'Progress recorded',
      data: { pagesDone: revision, pagesKnown: 40, step: 'crawl' },
    });

  it('are one row until opened', () => {
    const events = [event(9), progress(8), progress(7), progress(6), event(5), progress(4), progress(3)];
    expect(timelineRows(events, new Set()).map(({ kind }) => kind)).toEqual([
      'event',
      'run',
      'event',
      'event',
      'event',
    ]);
    expect(timelineRows(events, new Set([7])).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 7 }, () => 'event'),
    );
  });

  it('show their outcome', async () => {
    server.on(`GET ${PATH}`, page([progress(37), progress(36), progress(35)]));
    const { user } = renderApp(PAGE);
    await user.click(await screen.findByRole('button', { name: /37 of 40 pages crawled/ }));
    expect(await screen.findAllByRole('article', { name: 'Progress recorded' })).toHaveLength(3);
  });
});

describe('fields and values', () => {
  it('are shown in plain words', () => {
    expect(pathWords(['bounds', 'maxPages'])).toBe('Limits › Pages at most');
    expect(pathWords(['audits', '24b70e20-d96b-8bb6-8802-6b03d2430f81', 'status'])).toBe('Audits › 24b70e20 › Status');
    expect(pathWords(['graceEndsAt'])).toBe('Grace ends');
    expect(valueWords(['price'], 4_900, 'usd')).toBe('$49.00');
    expect(valueWords(['pages'], 12_400, null)).toBe('12,400');
    expect(valueWords(['from'], 'free_allowance', null)).toBe('free allowance');
    expect(valueWords(['isAdmin'], true, null)).toBe('yes');
    expect(valueWords(['x'], null, null)).toBe('–');
    expect(valueWords(['item'], { id: 'a', title: 'Add a title' }, null)).toBe('Add a title');
    expect(valueWords(['at'], '2026-11-20T10:00:20.000Z', null)).toMatch(/Nov 20, 2026/);
  });
});
