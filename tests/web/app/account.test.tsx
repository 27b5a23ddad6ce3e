import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountExportView } from '../../../src/http/contract/account.ts';
import type { Transaction } from '../../../src/http/contract/billing.ts';
import { sessionEnded } from '../../../web/api/sessionEnded.ts';
import { AccountPage } from '../../../web/app/pages/AccountPage.tsx';
import { createStore } from '../../../web/app/store.ts';
import { selectPhase } from '../../../web/features/auth/authSlice.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets, goLive } from '../given/fakeSocket.ts';
import { held } from '../given/held.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { position, subscriptionResponse } from '../given/views.ts';

const HISTORY = 'GET /api/v1/auth/subscription/history';
const DELETION = {
  success: true,
  data: {
    jobs: 3,
    running_jobs: 1,
    sessions: 2,
    api_keys: 1,
    webhooks: 0,
    shares: 2,
    subscription: null,
    funds: null,
    last_admin: true,
    confirmation: 'DELETE',
  },
};
let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on(HISTORY, history([]));
});

const transaction = (nth: number, given: Partial<Transaction> = {}): Transaction => ({
  id: `t${nth}`,
  type: 'subscription',
  amount: 2900,
  currency: 'usd',
  balance_after: null,
  created_at: '2026-03-01T00:00:00.000Z',
  reason: null,
  description: `Basic ${nth}`,
  status: 'paid',
  transaction_type: 'payment',
  stripe_payment_id: 'pi_1',
  metadata: {},
  ...given,
});
function history(transactions: readonly Transaction[], cursor: string | null = null) {
  return { success: true, data: { transactions, pagination: { limit: 10, has_more: cursor !== null, cursor } } };
}
function billChanges(nth: number, used = 2): void {
  const at = position(nth);
  const row = { user_id: 'user-1', ...subscriptionResponse(used, 3).data, position: at };
  sockets.latest().says({
    type: 'event',
    channel: 'billing',
    table: 'billing',
    eventType: 'UPDATE',
    new: row,
    old: null,
    position: at,
  });
}
const section = async (name: string) => {
  const heading = await screen.findByRole('heading', { name });
  return within(heading.closest('section') as HTMLElement);
};

describe('the account page', () => {
  it('is titled Your Account, links back, and shows email, user id and the mode', async () => {
    const { user, address } = renderApp('/account');
    expect(await screen.findByRole('heading', { name: 'Your Account' })).toBeVisible();
    const details = await section('Account details');
    expect(details.getByText('ada@example.com')).toBeVisible();
    expect(details.getByText('User ID')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Return to Dashboard' }));
    expect(address()).toBe('/');
  });

  it('says when there is no user, and links to log-in', async () => {
    const store = createStore();
    signedInBefore();
    const user = userEvent.setup();
    render(
      <Provider store={store}>
        <MemoryRouter>
          <AccountPage />
        </MemoryRouter>
      </Provider>,
    );
    expect(screen.getByText('Account not found')).toBeVisible();
    expect(screen.queryByText('Account details')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Log in again' }));
    expect(selectPhase(store.getState())).toBe('unauthenticated');
    expect(localStorage.getItem('auth_token')).toBeNull();
  });

  it('links to keys and webhooks', async () => {
    renderApp('/account');
    expect(await screen.findByRole('link', { name: 'Manage keys and webhooks' })).toHaveAttribute(
      'href',
      '/account/api',
    );
  });
});

describe('the subscription history', () => {
  it('says when it is empty', async () => {
    renderApp('/account');
    expect(await (await section('Subscription history')).findByText(/No payments yet/)).toBeVisible();
    expect(server.asked(HISTORY)[0]?.query.get('limit')).toBe('10');
  });

  it('lists entries, cents as money and small amounts as credits, and loads more after a full page', async () => {
    const full = Array.from({ length: 10 }, (_, nth) => transaction(nth));
    const credits = transaction(10, {
      amount: 3,
      stripe_payment_id: null,
      description: 'Credits',
      status: 'succeeded',
    });
    server.on(HISTORY, (call: { query: URLSearchParams }) =>
      call.query.get('cursor') ? history([credits]) : history(full, 'next'),
    );
    const { user } = renderApp('/account');
    const shown = await section('Subscription history');
    expect(await shown.findAllByText('$29.00')).toHaveLength(10);
    expect(shown.getAllByText('Paid')).toHaveLength(10);
    await user.click(shown.getByRole('button', { name: 'Load More' }));
    expect(await shown.findByText('3 credits')).toBeVisible();
    expect(shown.getByText('Success')).toBeVisible();
    expect(shown.queryByRole('button', { name: 'Load More' })).toBeNull();
  });

  it('shows grants, refunds and announced changes with their reason', async () => {
    const rows = [
      transaction(1, {
        amount: 150,
        currency: null,
        stripe_payment_id: null,
        description: '150 credits granted',
        reason: 'An outage',
        status: 'success',
      }),
      transaction(2, { amount: -5000, description: 'Refund', status: 'refunded' }),
      transaction(3, {
        amount: 0,
        currency: null,
        stripe_payment_id: null,
        description: 'Ends soon',
        metadata: { subscription_id: 'sub_1' },
      }),
    ];
    server.on(HISTORY, history(rows));
    renderApp('/account');
    const shown = await section('Subscription history');
    expect(await shown.findByText('150 credits')).toBeVisible();
    expect(shown.getByText('March 1, 2026 · An outage')).toBeVisible();
    // In line with each other at any width.
    expect(shown.getByText('−$50.00').parentElement).toBe(shown.getByText('Refunded').parentElement);
    expect(shown.getByText('Ends soon').closest('li')).not.toHaveTextContent('$');
  });

  it('gets new lines on top as the bill changes, and keeps loaded ones', async () => {
    const full = Array.from({ length: 10 }, (_, nth) => transaction(nth));
    server.on(HISTORY, (call: { query: URLSearchParams }) =>
      call.query.get('cursor') ? history([transaction(10)]) : history(full, 'next'),
    );
    const { user } = renderApp('/account');
    const shown = await section('Subscription history');
    await user.click(await shown.findByRole('button', { name: 'Load More' }));
    expect(await shown.findByText('Basic 10')).toBeVisible();
    await goLive(sockets.latest());
    server.on(HISTORY, history([transaction(11), ...full.slice(0, 9)], 'other'));
    act(() => billChanges(40));
    expect(await shown.findByText('Basic 11')).toBeVisible();
    expect(shown.getAllByRole('listitem').map((item) => /Basic (\d+)/.exec(item.textContent ?? '')?.[1])).toEqual(
      [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(String),
    );
  });

  it('shows what changed while it was being loaded', async () => {
    renderApp('/account');
    const shown = await section('Subscription history');
    await shown.findByText(/No payments yet/);
    await goLive(sockets.latest());
    const opened = held(history([transaction(1)]));
    server.on(HISTORY, () => opened.answer);
    act(() => billChanges(40));
    await waitFor(() => expect(server.asked(HISTORY)).toHaveLength(2));
    server.on(HISTORY, history([transaction(2), transaction(1)]));
    act(() => billChanges(41, 3));
    await screen.findByText('3 of 3');
    opened.letGo();
    expect(await shown.findByText('Basic 2')).toBeVisible();
    expect(server.asked(HISTORY)).toHaveLength(3);
  });

  it('that cannot be loaded offers Try Again', async () => {
    server.on(HISTORY, refusal(500, 'Something broke'));
    const { user } = renderApp('/account');
    const shown = await section('Subscription history');
    expect(await shown.findByText('Failed to load subscription history')).toBeVisible();
    server.on(HISTORY, history([transaction(1)]));
    await user.click(shown.getByRole('button', { name: 'Try Again' }));
    expect(await shown.findByText('Basic 1')).toBeVisible();
  });
});

describe('the export', () => {
  /** What the server says of it from now on. */
  function exported(given: Partial<AccountExportView> | null) {
    const blank: AccountExportView = {
      id: 'ada',
      ask: 1,
      status: 'pending',
      percent: 0,
      requested_at: '2026-03-10T12:00:00.000Z',
      file_id: null,
      bytes: null,
      expires_at: null,
      error: null,
    };
    const answer = { success: true, export: given && { ...blank, ...given } };
    server.on('GET /api/v1/account/export/state', answer);
    return answer;
  }
  /** The same, as reported over the socket. */
  function changed(given: Partial<AccountExportView>) {
    const { export: row } = exported(given);
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'exports',
        table: 'exports',
        eventType: 'UPDATE',
        new: row,
        old: null,
        position: position(9),
      }),
    );
  }
  const subscribedTo = (channel: string) =>
    sockets.latest().sent.some((message) => message.type === 'subscribe' && message.channel === channel);

  it('is written in the background, and downloaded as a file', async () => {
    const saved = vi.fn(() => 'blob:x');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
    exported(null);
    server.on('POST /api/v1/account/export', () => exported({ status: 'pending' }));
    server.on('GET /api/v1/account/export/files/f', { format: 'seo-workbench-account', jobs: [] });
    const { user } = renderApp('/account');
    const card = await section('Your data');
    await user.click(await card.findByRole('button', { name: 'Export my data' }));
    await goLive(sockets.latest());
    await waitFor(() => expect(subscribedTo('exports')).toBe(true));

    const progress = await card.findByRole('progressbar', { name: 'Export written' });
    expect(progress).toHaveAttribute('value', '0');
    expect(card.getByRole('button', { name: /Export my data/ })).toHaveAttribute('aria-busy', 'true');
    await user.click(card.getByRole('button', { name: /Export my data/ }));
    expect(server.asked('POST /api/v1/account/export')).toHaveLength(1);
    changed({ status: 'pending', percent: 40 });
    await waitFor(() => expect(progress).toHaveAttribute('value', '40'));

    changed({ status: 'ready', percent: 100, file_id: 'f', bytes: 900, expires_at: '2026-03-17T12:00:00.000Z' });
    const download = await card.findByRole('button', { name: 'Download' });
    expect(download).toHaveAccessibleDescription(/until Mar 17, 2026/);
    expect(card.queryByRole('progressbar')).toBeNull();
    await user.click(download);
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  });

  it('is still being written after a reload, and then there', async () => {
    exported({ status: 'pending', percent: 60 });
    const first = renderApp('/account');
    expect(await screen.findByRole('progressbar', { name: 'Export written' })).toHaveAttribute('value', '60');
    first.unmount();
    exported({ status: 'ready', percent: 100, file_id: 'f', bytes: 900, expires_at: '2026-03-17T12:00:00.000Z' });
    renderApp('/account');
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Export again' })).toBeVisible();
  });

  it('says that it failed, and can be requested again', async () => {
    exported({ status: 'failed', error: 'Something went wrong on our side.' });
    server.on('POST /api/v1/account/export', () => exported({ ask: 2, status: 'pending' }));
    const { user } = renderApp('/account');
    expect(await screen.findByText('Your export failed. Something went wrong on our side.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Export my data' }));
    expect(await screen.findByRole('progressbar', { name: 'Export written' })).toBeVisible();
    expect(screen.queryByText(/Your export failed/)).toBeNull();
  });

  it('offers a new one when the file has been removed meanwhile', async () => {
    exported({ status: 'ready', percent: 100, file_id: 'f', bytes: 900, expires_at: '2026-03-17T12:00:00.000Z' });
    server.on('GET /api/v1/account/export/files/f', () => {
      exported(null);
      return refusal(404, 'This file is no longer there. Please export your data again.', 'EXPORT_NOT_FOUND');
    });
    const { user } = renderApp('/account');
    await user.click(await screen.findByRole('button', { name: 'Download' }));
    expect(await screen.findByRole('button', { name: 'Export my data' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });
});

describe('deleting the account', () => {
  beforeEach(() => server.on('GET /api/v1/account/deletion', DELETION));
  const open = async () => {
    const app = renderApp('/account');
    await app.user.click(await screen.findByRole('button', { name: 'Delete my account…' }));
    return { ...app, dialog: within(await screen.findByRole('alertdialog')) };
  };

  it('first shows what will be removed, and warns the last admin', async () => {
    const { dialog } = await open();
    expect(
      await dialog.findByText(/3 audits with their reports and action items; 1 still running will be canceled/),
    ).toBeVisible();
    expect(dialog.getByText(/2 shared links/)).toBeVisible();
    expect(dialog.getByText('You are the last admin')).toBeVisible();
    expect(dialog.queryByText(/webhook/)).toBeNull();
  });

  it('uses the singular for one', async () => {
    server.on('GET /api/v1/account/deletion', {
      ...DELETION,
      data: { ...DELETION.data, jobs: 1, running_jobs: 0, shares: 1, sessions: 1 },
    });
    const { dialog } = await open();
    expect(await dialog.findByText('1 audit with its report and action items')).toBeVisible();
    expect(dialog.getByText('1 shared link, which will stop working')).toBeVisible();
  });

  it('requires the password and the typed word', async () => {
    const { dialog, user } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Delete my account' }));
    expect(dialog.getByText('Please enter your password')).toBeVisible();
    expect(dialog.getByText('Please type DELETE to confirm')).toBeVisible();
    expect(dialog.getByLabelText('Your password')).toHaveFocus();
    await enter(user, dialog.getByLabelText('Your password'), 'a good password');
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    expect(dialog.getByLabelText('Type DELETE to confirm')).toHaveFocus();
    expect(server.asked('DELETE /api/v1/account')).toEqual([]);
  });

  it('reports a wrong password and keeps the session', async () => {
    server.on('DELETE /api/v1/account', refusal(403, 'That is not your current password.', 'WRONG_PASSWORD'));
    const { dialog, user, address } = await open();
    await user.type(await dialog.findByLabelText('Your password'), 'wrong');
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    expect(await dialog.findByText('That is not your current password.')).toBeVisible();
    expect(dialog.getByLabelText('Your password')).toHaveFocus();
    expect(address()).toBe('/account');
  });

  it('cannot be cancelled once it is sent', async () => {
    const gone = held(refusal(503, 'The server is stopping.'));
    server.on('DELETE /api/v1/account', () => gone.answer);
    const { dialog, user } = await open();
    await enter(user, await dialog.findByLabelText('Your password'), 'a good password');
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('alertdialog')).toBeVisible();
    gone.letGo();
    expect(await dialog.findByText('The server is stopping.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Keep my account' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('confirms on the log-in page, and never reports an ended session, even if that arrives before the answer', async () => {
    let answer: (body: unknown) => void = () => undefined;
    server.on('DELETE /api/v1/account', () => new Promise((resolve) => (answer = resolve)));
    const { dialog, user, address, store } = await open();
    await enter(user, await dialog.findByLabelText('Your password'), 'a good password');
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    act(() => void store.dispatch(sessionEnded()));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(screen.queryByText(/session has ended/)).toBeNull();
    await act(async () => answer({ success: true, message: 'Gone' }));
    expect(await screen.findByText('Your account and everything in it has been deleted.')).toBeVisible();
    act(() => void store.dispatch(sessionEnded()));
    expect(screen.getByText('Your account and everything in it has been deleted.')).toBeVisible();
    expect(screen.queryByText(/session has ended/)).toBeNull();
    expect(localStorage.getItem('auth_token')).toBeNull();
  });

  it('ends on the log-in page', async () => {
    server.on('DELETE /api/v1/account', { success: true, message: 'Gone' });
    const { dialog, user, address } = await open();
    await enter(user, await dialog.findByLabelText('Your password'), 'a good password');
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(localStorage.getItem('auth_token')).toBeNull();
    expect(server.asked('DELETE /api/v1/account')[0]?.body).toEqual({
      password: 'a good password',
      confirmation: 'DELETE',
    });
  });
});
