import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminUserView } from '../../../../src/http/contract/admin/users.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse, subscriptionResponse } from '../../given/views.ts';

const PATH = '/api/v1/admin/users/u7';
const AT = '2026-03-01T12:00:00.000Z';

const user = (
  account: Partial<AdminUserView['account']> = {},
  more: Partial<AdminUserView> = {},
): { readonly success: true; readonly data: AdminUserView } => ({
  success: true,
  data: {
    account: {
      id: 'u7',
      email: 'ann@example.com',
      name: 'Ann',
      email_state: 'unconfirmed',
      created_at: AT,
      is_admin: false,
      sign_in_enabled: true,
      ...account,
    },
    billing: subscriptionResponse().data,
    sessions: [
      {
        id: 's1',
        created_at: AT,
        last_used_at: AT,
        agent: 'Firefox on Linux',
        network: '203.0.113.x',
        logged_in_by: 'password',
        provider: null,
        current: false,
      },
    ],
    shares: [
      {
        id: 'x1',
        title: 'A shared plan',
        created_at: AT,
        expires_at: null,
        is_active: true,
        share_mode: 'full',
        view_count: 4,
        job_id: 'j1',
      },
    ],
    ...more,
  },
});
const job = (id: string, host: string) => ({
  id,
  url: `https://${host}/`,
  host,
  status: 'completed' as const,
  created_at: AT,
  score: 82,
  access: 'full' as const,
  action_count: 12,
  reason_code: null,
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(`GET ${PATH}`, user());
  server.on(`GET ${PATH}/history`, { success: true, data: [], cursor: null });
  server.on(`GET ${PATH}/jobs`, { success: true, data: [job('j1', 'www.shop.example')], cursor: null });
  server.on(`GET ${PATH}/mails`, { success: true, data: [], cursor: null });
});
const asked = async () => within(await screen.findByRole('alertdialog'));

describe('the page of a user', () => {
  it('shows the account, its bill, jobs, sessions and links, as an administrator’s view', async () => {
    renderApp('/admin/users/u7');
    expect(await screen.findByRole('heading', { name: 'ann@example.com', level: 1 })).toBeVisible();
    expect(screen.getByText('Admin view. Your visit is logged.')).toBeVisible();
    for (const text of ['Not confirmed yet', 'Enabled', 'Firefox on Linux', 'A shared plan'])
      expect(screen.getByText(text)).toBeVisible();
    expect(await screen.findByRole('link', { name: 'shop.example' })).toHaveAttribute('href', '/admin/jobs/j1');
    expect(screen.getByRole('link', { name: 'History of A shared plan' })).toHaveAttribute(
      'href',
      '/admin/history?stream=shares-j1',
    );
    expect(await screen.findByText('No payments and no credits yet.')).toBeVisible();
  });

  it('links to the changes since the account was created', async () => {
    const moment = (time: string) => ({ position: '1', time, now: false });
    const changes = {
      success: true,
      from: moment(AT),
      to: moment(AT),
      events: 0,
      counts: [],
      money: [],
      jobs: null,
      email: 'ann@example.com',
      differences: [],
    };
    server.on('GET /api/v1/admin/history/past/changes/u7', changes);
    const { user: person, address } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('link', { name: 'What changed' }));
    expect(await screen.findByRole('heading', { name: 'What changed for ann@example.com', level: 1 })).toBeVisible();
    expect(address()).toBe(
      `/admin/history?${new URLSearchParams({ view: 'changes', of: 'user', from: AT, user: 'u7' })}`,
    );
    expect(server.asked('GET /api/v1/admin/history/past/changes/u7')[0]?.query.toString()).toBe(
      `${new URLSearchParams({ from: AT, of: 'user' })}`,
    );
  });

  it('links to the changes of the bill in the last 30 days', async () => {
    renderApp('/admin/users/u7');
    const link = await screen.findByRole('link', { name: 'What changed in the bill' });
    const asked = new URLSearchParams(link.getAttribute('href')?.split('?')[1]);
    expect([asked.get('view'), asked.get('of'), asked.get('user'), asked.has('to')]).toEqual([
      'changes',
      'bill',
      'u7',
      false,
    ]);
    const days = (Date.now() - Date.parse(asked.get('from') ?? '')) / (24 * 60 * 60 * 1_000);
    expect(Math.round(days)).toBe(30);
  });

  it('is linked from the list', async () => {
    const row = {
      user_id: 'u7',
      email: 'ann@example.com',
      domain: '–',
      total_actions: 0,
      completed_actions: 0,
      in_progress_actions: 0,
    };
    server.on('GET /api/v1/admin/user-progress', {
      success: true,
      data: [{ ...row, completion_percentage: 0, time_saved: 0, last_activity: null }],
      cursor: null,
      summary: { users: 1, total_actions: 0, completed_actions: 0, time_saved: 0 },
    });
    const { user: person, address } = renderApp('/admin/users');
    await person.click(await screen.findByRole('link', { name: 'ann@example.com' }));
    await waitFor(() => expect(address()).toBe('/admin/users/u7'));
    expect(await screen.findByRole('heading', { name: 'ann@example.com', level: 1 })).toBeVisible();
  });

  it('says when there is no such user, and is closed to former admins', async () => {
    server.on(`GET ${PATH}`, refusal(404, 'Account not found', 'ACCOUNT_NOT_FOUND'));
    const { unmount } = renderApp('/admin/users/u7');
    expect(await screen.findByText('There is no such user. The account may have been deleted.')).toBeVisible();
    unmount();
    server.on(`GET ${PATH}`, refusal(403, 'Access denied. Admin privileges required.', 'FORBIDDEN'));
    renderApp('/admin/users/u7');
    expect(await screen.findByText('Access Denied')).toBeVisible();
  });

  it('loads further pages of jobs', async () => {
    server.on(`GET ${PATH}/jobs`, ({ query }: { query: URLSearchParams }) =>
      query.has('cursor')
        ? { success: true, data: [job('j2', 'two.example')], cursor: null }
        : { success: true, data: [job('j1', 'one.example')], cursor: 'next' },
    );
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('link', { name: 'two.example' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'one.example' })).toBeVisible();
  });

  it('lists the emails, page by page, with the history of each', async () => {
    const mail = (id: string, kind: string, outcome: string) => ({ id, kind, outcome, at: AT });
    server.on(`GET ${PATH}/mails`, ({ query }: { query: URLSearchParams }) =>
      query.has('cursor')
        ? { success: true, data: [mail('m3', 'password_reset', 'too_old')], cursor: null }
        : { success: true, data: [mail('m1', 'job_done', 'sent'), mail('m2', 'receipt', 'refused')], cursor: 'm2' },
    );
    const { user: person } = renderApp('/admin/users/u7');
    const list = within(await screen.findByRole('list', { name: 'Emails' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Analysis completeSent.*History$/),
      expect.stringMatching(/^ReceiptRefused by the mail server.*History$/),
    ]);
    expect(list.getByRole('link', { name: 'History of Receipt' })).toHaveAttribute(
      'href',
      '/admin/history?stream=mail-m2',
    );
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await list.findByText('Not sent within a day')).toBeVisible();
  });

  it('describes each line of the bill: money, credits, or neither', async () => {
    const row = (id: string, description: string, more: object) => ({
      id,
      type: 'usage',
      transaction_type: 'analysis',
      status: 'success',
      amount: 0,
      currency: null,
      balance_after: null,
      reason: null,
      created_at: AT,
      description,
      stripe_payment_id: null,
      metadata: {},
      ...more,
    });
    const data = [
      row('1', '2 reports', { amount: 10_000, currency: 'usd', stripe_payment_id: 'pi_1' }),
      row('2', 'Audit', { amount: -1 }),
      row('3', '3 credits', { amount: 3, transaction_type: 'credits' }),
      row('4', 'Payment failed', { currency: 'usd', metadata: { subscription_id: 'sub_1' } }),
    ];
    server.on(`GET ${PATH}/history`, { success: true, data, cursor: null });
    renderApp('/admin/users/u7');
    const lines = within(await screen.findByRole('list', { name: 'Billing history' })).getAllByRole('listitem');
    expect(lines.map(({ lastElementChild }) => lastElementChild?.textContent)).toEqual([
      '$100.00',
      '−1 credit',
      '3 credits',
      '',
    ]);
  });

  it('says when no emails were sent', async () => {
    renderApp('/admin/users/u7');
    expect(await screen.findByText('No emails yet.')).toBeVisible();
  });
});

describe('granting credits', () => {
  it('asks how many and why, and sends a repeated answer with the same key', async () => {
    let tries = 0;
    server.on(`POST ${PATH}/credits`, () => {
      tries += 1;
      return tries === 1 ? refusal(503, 'Please try again.', 'TIMED_OUT') : { success: true, credits: 5 };
    });
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Grant credits' }));
    const form = within(await screen.findByRole('dialog', { name: 'Grant credits' }));
    await person.clear(form.getByLabelText('Credits'));
    await person.click(form.getByRole('button', { name: 'Grant credits' }));
    expect(form.getByText('Please enter a number from 1 to 10,000')).toBeVisible();
    expect(form.getByText('Please give a reason')).toBeVisible();
    await person.type(form.getByLabelText('Credits'), '5');
    await person.type(form.getByLabelText('Reason'), 'An outage');
    await person.click(form.getByRole('button', { name: 'Grant credits' }));
    expect(await form.findByText('Please try again.')).toBeVisible();
    await person.click(form.getByRole('button', { name: 'Grant credits' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [first, second] = server.asked(`POST ${PATH}/credits`);
    expect(first?.body).toEqual({ credits: 5, reason: 'An outage' });
    expect(first?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  });
});

describe('a plan on hold', () => {
  it('is resumed with a reason', async () => {
    const { data } = subscriptionResponse();
    const held = { ...data, subscription: { ...data.subscription, tier: 'tier2', status: 'unpaid' } } as const;
    const billing = { ...held, subscription: { ...held.subscription, holdReason: 'disputed' } } as const;
    server.on(`GET ${PATH}`, user({}, { billing }));
    server.on(`POST ${PATH}/plan/resume`, () => {
      server.on(`GET ${PATH}`, user());
      return { success: true, message: '' };
    });
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Resume the plan' }));
    const form = within(await screen.findByRole('dialog', { name: 'Resume the plan' }));
    await person.click(form.getByRole('button', { name: 'Resume the plan' }));
    expect(form.getByText('Please give a reason')).toBeVisible();
    await person.type(form.getByLabelText('Reason'), 'Settled by bank transfer');
    await person.click(form.getByRole('button', { name: 'Resume the plan' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Resume the plan' })).toBeNull());
    expect(server.asked(`POST ${PATH}/plan/resume`).map(({ body }) => body)).toEqual([
      { reason: 'Settled by bank transfer' },
    ]);
  });
});

describe('admin actions on an account', () => {
  it('disable and enable log-in, each after a confirmation', async () => {
    server.on(`PUT ${PATH}/sign-in`, ({ body }: { body: unknown }) => {
      server.on(`GET ${PATH}`, user({ sign_in_enabled: (body as { enabled: boolean }).enabled }));
      return { success: true, message: '' };
    });
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Disable log-in' }));
    const question = await asked();
    expect(question.getByText(/All sessions end/)).toBeVisible();
    await person.click(question.getByRole('button', { name: 'Disable log-in' }));
    await person.click(await screen.findByRole('button', { name: 'Enable log-in' }));
    await person.click((await asked()).getByRole('button', { name: 'Enable log-in' }));
    expect(await screen.findByRole('button', { name: 'Disable log-in' })).toBeVisible();
    expect(server.asked(`PUT ${PATH}/sign-in`).map(({ body }) => body)).toEqual([
      { enabled: false },
      { enabled: true },
    ]);
  });

  it('make a user an admin, and withdraw that again, after a confirmation', async () => {
    let isAdmin = false;
    server.on(`PUT ${PATH}/admin-right`, () => {
      isAdmin = !isAdmin;
      server.on(`GET ${PATH}`, user({ is_admin: isAdmin }));
      return { success: true, data: { user_id: 'u7', is_admin: isAdmin } };
    });
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Make admin' }));
    await person.click((await asked()).getByRole('button', { name: 'Make admin' }));
    await person.click(await screen.findByRole('button', { name: 'Remove admin rights' }));
    const question = await asked();
    expect(question.getByText('They lose access to the admin pages at once.')).toBeVisible();
    await person.click(question.getByRole('button', { name: 'Remove admin rights' }));
    expect(await screen.findByRole('button', { name: 'Make admin' })).toBeVisible();
    expect(server.asked(`PUT ${PATH}/admin-right`).map(({ body }) => body)).toEqual([
      { admin: true },
      { admin: false },
    ]);
  });

  it('explain a refusal', async () => {
    server.on(
      `PUT ${PATH}/sign-in`,
      refusal(409, 'This is the last admin. Nobody else could administer this installation.', 'CONFLICT'),
    );
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Disable log-in' }));
    await person.click((await asked()).getByRole('button', { name: 'Disable log-in' }));
    expect(await screen.findByText(/This is the last admin/)).toBeVisible();
  });

  it('report a failure when the server gives no reason', async () => {
    server.on(`PUT ${PATH}/sign-in`, refusal(500, ''));
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Disable log-in' }));
    await person.click((await asked()).getByRole('button', { name: 'Disable log-in' }));
    expect(await screen.findByText('API request failed')).toBeVisible();
  });

  it('end sessions, one or all', async () => {
    server.on(`DELETE ${PATH}/sessions/s1`, { success: true, message: '' });
    server.on(`DELETE ${PATH}/sessions`, () => {
      server.on(`GET ${PATH}`, user({}, { sessions: [] }));
      return { success: true, message: '' };
    });
    const { user: person } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: /^Log out: Firefox on Linux/ }));
    await person.click((await asked()).getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(server.asked(`DELETE ${PATH}/sessions/s1`)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(document.title).toMatch(/^ann@example\.com /);
    expect(screen.getByText('Session of Firefox on Linux ended.')).toHaveAttribute('role', 'status');
    await person.click(screen.getByRole('button', { name: 'Log out everywhere' }));
    await person.click((await asked()).getByRole('button', { name: 'Log out everywhere' }));
    expect(await screen.findByText('Not logged in anywhere.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Sessions' })).toHaveFocus());
    expect(screen.getByText('All sessions ended.')).toHaveAttribute('role', 'status');
  });

  it('delete the account once its address was typed, and return to the list', async () => {
    server.on(`DELETE ${PATH}`, { success: true, message: '' });
    server.on('GET /api/v1/admin/user-progress', {
      success: true,
      data: [],
      cursor: null,
      summary: { users: 1, total_actions: 0, completed_actions: 0, time_saved: 0 },
    });
    const { user: person, address } = renderApp('/admin/users/u7');
    await person.click(await screen.findByRole('button', { name: 'Delete account' }));
    const question = await asked();
    await person.click(question.getByRole('button', { name: 'Delete account' }));
    expect(question.getByText('Please type ann@example.com')).toBeVisible();
    await person.type(question.getByLabelText('Type the email address to confirm'), 'Ann@example.com');
    await person.click(question.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(address()).toBe('/admin/users'));
    expect(server.asked(`DELETE ${PATH}`).map(({ body }) => body)).toEqual([{ email: 'Ann@example.com' }]);
  });

  it('are not offered for one’s own account', async () => {
    const own = profileResponse({}, { is_admin: true }).user.id;
    server.on(`GET /api/v1/admin/users/${own}`, user({ id: own }));
    server.on(`GET /api/v1/admin/users/${own}/history`, { success: true, data: [], cursor: null });
    for (const below of ['jobs', 'mails'])
      server.on(`GET /api/v1/admin/users/${own}/${below}`, { success: true, data: [], cursor: null });
    renderApp(`/admin/users/${own}`);
    expect(await screen.findByText('No jobs yet.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Disable log-in' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull();
  });
});
