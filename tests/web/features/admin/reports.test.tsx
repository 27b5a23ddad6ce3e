import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReportResponse } from '../../../../src/http/contract/admin/reports.ts';
import { eventCommands } from '../../../../src/model/eventCommands.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const LIST = {
  success: true,
  data: [
    { name: 'revenue', title: 'Revenue', description: 'What was paid.' },
    { name: 'mails', title: 'Emails', description: 'What was sent.' },
  ],
};
const answer = (paid: number, more: Partial<ReportResponse> = {}): ReportResponse => ({
  success: true,
  data: {
    name: 'revenue',
    title: 'Revenue',
    description: 'What was paid.',
    params: { from: null, to: null, by: 'month' as const },
    as_of: '2026-03-10T12:00:00.000Z',
    events: 2,
    note: null,
    tables: [
      {
        name: 'over-time',
        title: 'Revenue over time',
        columns: [
          { key: 'step', label: 'From', kind: 'date' as const },
          { key: 'net', label: 'Net', kind: 'money' as const },
        ],
        rows: [{ step: '2026-03-01', currency: 'usd', net: paid }],
      },
    ],
  },
  progress: null,
  ...more,
});
const running = (done: number, seconds_left: number | null): ReportResponse => ({
  success: true,
  data: null,
  progress: { done, seconds_left },
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on('GET /api/v1/admin/reports', LIST);
  server.on('GET /api/v1/admin/reports/revenue', answer(5_000));
  server.on('GET /api/v1/admin/reports/mails', answer(700));
});
const last = (report = 'revenue') =>
  Object.fromEntries(server.asked(`GET /api/v1/admin/reports/${report}`).at(-1)?.query ?? []);

describe('the reports page', () => {
  it('shows the first report, as of now, and the same command for a terminal', async () => {
    renderApp('/admin/reports');
    const table = within(await screen.findByRole('region', { name: 'Revenue over time: table' }));
    expect(table.getByText('$50.00')).toBeVisible();
    // Its days are UTC, and so is its moment: elsewhere it may be the day after.
    expect(screen.getByText('March 10, 2026, 12:00 UTC')).toBeVisible();
    expect(screen.getByText('npm run replay -- --report revenue')).toBeVisible();
    expect(screen.getByText('What was paid.', { exact: false })).toBeVisible();
    expect(last()).toEqual({ wait: '2' });
  });

  it('shows the report of its address, and writes choices to it', async () => {
    const { user } = renderApp('/admin/reports?report=revenue&from=2026-01-01&to=2026-02-28&by=week&as_of=2026-03-01');
    await screen.findByText('$50.00');
    expect(last()).toEqual({ from: '2026-01-01', to: '2026-02-28', by: 'week', as_of: '2026-03-01', wait: '2' });
    expect(
      screen.getByText(
        'npm run replay -- --report revenue --from 2026-01-01 --to 2026-02-28 --by week --as-of 2026-03-01',
      ),
    ).toBeVisible();
    await user.selectOptions(screen.getByLabelText('Report'), 'Emails');
    expect(await screen.findByText('$7.00')).toBeVisible();
    expect(last('mails')).toEqual({ from: '2026-01-01', to: '2026-02-28', by: 'week', as_of: '2026-03-01', wait: '2' });
    await user.click(screen.getByRole('button', { name: 'All days, as of now' }));
    await vi.waitFor(() => expect(last('mails')).toEqual({ by: 'week', wait: '2' }));
  });

  it('opens a link to a report by its former name, and chooses it in the list', async () => {
    server.on('GET /api/v1/admin/reports', {
      success: true,
      data: [
        ...LIST.data,
        { name: 'reconciliation', title: 'Payments at the provider', description: 'What was compared.' },
      ],
    });
    server.on('GET /api/v1/admin/reports/reconciliation', answer(900));
    renderApp('/admin/reports?report=payouts');
    expect(await screen.findByRole('combobox', { name: 'Report' })).toHaveDisplayValue('Payments at the provider');
    await vi.waitFor(() => expect(server.asked('GET /api/v1/admin/reports/reconciliation')).not.toHaveLength(0));
  });

  it('takes over a date once its year is typed, and asks for nothing before', async () => {
    const { address } = renderApp('/admin/reports?report=revenue&from=2026-11-26');
    const from = await screen.findByLabelText('From');
    await screen.findByText('$50.00');
    // As Chromium reports each digit of the year.
    for (const value of ['0002-11-26', '0020-11-26', '0202-11-26']) {
      fireEvent.change(from, { target: { value } });
      expect(from).toHaveValue(value);
    }
    expect(address()).toBe('/admin/reports?report=revenue&from=2026-11-26');
    fireEvent.change(from, { target: { value: '2025-11-26' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-31' } });
    await vi.waitFor(() => expect(address()).toBe('/admin/reports?report=revenue&from=2025-11-26&to=2026-01-31'));
    expect(server.asked('GET /api/v1/admin/reports/revenue').map(({ query }) => query.get('from'))).not.toContain(
      '0202-11-26',
    );
    fireEvent.change(from, { target: { value: '0002-11-26' } });
    fireEvent.blur(from);
    expect(from).toHaveValue('2025-11-26');
    fireEvent.change(from, { target: { value: '' } });
    await vi.waitFor(() => expect(address()).toBe('/admin/reports?report=revenue&to=2026-01-31'));
  });

  it('shows the progress of a slow report until it is ready', async () => {
    const replies = [running(0, null), running(0.42, 7), answer(5_000)];
    server.on('GET /api/v1/admin/reports/revenue', () => replies.shift() ?? answer(5_000));
    renderApp('/admin/reports');
    expect(await screen.findByRole('progressbar', { name: 'Reading the log' })).toBeVisible();
    expect(await screen.findByText('42% · about 7 seconds left')).toBeVisible();
    expect(await screen.findByText('$50.00')).toBeVisible();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('explains an invalid query, and lets it be changed', async () => {
    server.on('GET /api/v1/admin/reports/revenue', refusal(400, 'It is a day such as 2026-03-31', 'INVALID_INPUT'));
    renderApp('/admin/reports?as_of=yesterday');
    const panel = within(await screen.findByRole('alert'));
    expect(panel.getByText('It is a day such as 2026-03-31')).toBeVisible();
    expect(screen.getByLabelText('Report')).toBeVisible();
  });

  it('reports a last day before the first at the field, and sends nothing', async () => {
    renderApp('/admin/reports?from=2026-03-11&to=2026-03-10');
    expect(await screen.findByLabelText('To')).toHaveAccessibleDescription('Before the first day');
    expect(server.asked('GET /api/v1/admin/reports/revenue')).toEqual([]);
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-11' } });
    await screen.findByRole('region', { name: 'Revenue over time: table' });
    expect(last()).toMatchObject({ from: '2026-03-11', to: '2026-03-11' });
  });
});

describe('a key for analysts', () => {
  const keys = {
    success: true,
    data: [
      {
        id: 'k1',
        name: 'Ann',
        scope: 'reports:read',
        hint: 'abcd',
        created_at: '2026-03-10T12:00:00.000Z',
        expires_at: null,
        last_used_at: null,
      },
    ],
    limit: 20,
  };

  it('is offered to admins only', async () => {
    server.on('GET /api/v1/api-keys', keys);
    server.on('GET /api/v1/webhooks', { success: true, data: [], limit: 10 });
    const { user } = renderApp('/account/api');
    expect(await screen.findByText('Reports only')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create API key' }));
    await user.selectOptions(await screen.findByLabelText('Access'), 'Reports only');
    expect(screen.getByText(/For analysts/)).toBeVisible();
  });

  it('is hidden from users', async () => {
    server.on('GET /api/v1/auth/profile', profileResponse());
    server.on('GET /api/v1/api-keys', { ...keys, data: [] });
    server.on('GET /api/v1/webhooks', { success: true, data: [], limit: 10 });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Create API key' }));
    const choices = within(await screen.findByLabelText('Access'));
    expect(choices.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Read only',
      'Read and write',
    ]);
  });

  it('for events comes with commands, each to be copied and to get the key; they stay with the key', async () => {
    server.on('GET /api/v1/api-keys', { ...keys, data: [] });
    server.on('GET /api/v1/webhooks', { success: true, data: [], limit: 10 });
    const made = { ...keys.data[0], scope: 'events:read' };
    server.on('POST /api/v1/api-keys', { success: true, key: 'seo_live_the_new_key', data: made });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Create API key' }));
    await user.type(await screen.findByLabelText('Name'), 'Ann');
    await user.selectOptions(screen.getByLabelText('Access'), 'Events, anonymized');
    expect(screen.getByText(/the anonymized events of the whole installation/)).toBeVisible();
    server.on('GET /api/v1/api-keys', { ...keys, data: [made] });
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(await screen.findByText('seo_live_the_new_key')).toBeVisible();
    expect(server.asked('POST /api/v1/api-keys')).toMatchObject([{ body: { scope: 'events:read' } }]);
    for (const { tool, text } of eventCommands(window.location.origin)) {
      const command = within(within(screen.getByRole('alertdialog')).getByRole('group', { name: tool }));
      expect(command.getByText((_, element) => element?.tagName === 'PRE')).toHaveTextContent(text, {
        normalizeWhitespace: false,
      });
      await user.click(command.getByRole('button', { name: `Copy the command for ${tool}` }));
      expect(await navigator.clipboard.readText()).toBe(text);
      expect(text).not.toContain('seo_live');
    }
    await user.click(screen.getByRole('button', { name: 'Copy key' }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByText('Commands for curl, DuckDB and Python'));
    expect(screen.getByRole('group', { name: 'Python' })).toBeVisible();
  });

  it('for reports comes without commands', async () => {
    server.on('GET /api/v1/api-keys', keys);
    server.on('GET /api/v1/webhooks', { success: true, data: [], limit: 10 });
    renderApp('/account/api');
    expect(await screen.findByText('Reports only')).toBeVisible();
    expect(screen.queryByText('Commands for curl, DuckDB and Python')).toBeNull();
  });
});
