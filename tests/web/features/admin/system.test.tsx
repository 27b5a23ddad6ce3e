import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MonitoringView, SystemView } from '../../../../src/http/contract/admin/system.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const up = { status: 'up', checked_at: '2026-03-10T12:00:00.000Z', latency_ms: 12, detail: null } as const;
const monitoring: MonitoringView = {
  activeUsers: {
    count: 1,
    timeWindow: 15,
    users: [{ auth_user_id: 'u1', email: 'bob@example.com', display_name: 'Bob' }],
  },
  activeJobs: {
    total: 3,
    byStatus: { executing_parallel_streams: 2, queued: 1 },
    jobs: [
      {
        id: 'j1',
        url: 'https://www.one.example/',
        status: 'queued',
        userEmail: 'bob@example.com',
        userName: 'Bob',
        createdAt: '2026-03-10T12:00:00.000Z',
      },
    ],
  },
  systemHealth: {
    uptime: 183_840,
    memoryUsage: { heapUsed: 85_983_232, heapTotal: 134_217_728 },
    process: { id: 'process-1', role: 'all' },
  },
  apiStatus: {
    mcpServer: {
      ...up,
      status: 'disabled',
      tools: [{ tool: 'get_audit', answered: 1_200, refused: 3, failed: 0 }],
    },
    supabase: { ...up, status: 'degraded', detail: 'realtime behind' },
    stripe: { ...up, mode: 'sandbox' },
    llmProviders: {
      current_provider: 'grok',
      providers: {
        grok: {
          status: 'down',
          model: 'grok-4',
          last_success_at: null,
          last_failure_at: null,
          detail: 'It could not be reached.',
          fallback_rate: 0.25,
        },
      },
    },
  },
};
const parkedRecord = {
  model: 'boards',
  document_id: 'd1',
  event_type: 'ActionStarted',
  position: '00000000000000000042',
  error: 'TypeError: no',
  parked_at: '2026-03-10T12:00:00.000Z',
};
const system: SystemView = {
  at: '2026-03-10T12:00:00.000Z',
  problems: [],
  processes: [
    {
      id: 'p1',
      role: 'worker',
      host: 'one',
      pid: 7,
      since: '2026-03-10T11:00:00.000Z',
      seen_at: '2026-03-10T12:00:00.000Z',
      gone: true,
      version: '1.0.0',
      loop_delay_ms: 21,
      heap_used: 1,
      rss: 104_857_600,
    },
  ],
  projections: { age_seconds: 0, models: [{ model: 'boards', behind: 0, parked: 0 }] },
  parked: { total: 0, records: [] },
  work: [
    { kind: 'audit', depth: 1, oldest_seconds: 90, running: 0, given_up: 0, given_up_today: 0 },
    { kind: 'mail', depth: 0, oldest_seconds: 0, running: 0, given_up: 2, given_up_today: 1 },
  ],
  failed_today: { mails: 1, webhooks: 0 },
  switches: { production: false, development_mode: true, demo: true, payments: 'sandbox', mail: 'kept' },
  version: '1.2.3',
  disk: { free: 10_737_418_240, total: 21_474_836_480 },
  backup: { kept: 'here', at: null, events: null, bytes: null },
  verified: { at: '2026-03-10T02:00:00.000Z', events: 1_234, faults: 0, unsealed: 0, first: null },
};

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on('GET /api/v1/admin/active-monitoring', { success: true, data: monitoring });
  server.on('GET /api/v1/admin/system', { success: true, data: system });
});
const card = async (name: string) =>
  within((await screen.findByRole('heading', { name, level: 2 })).closest('section') ?? document.body);

describe('the system page', () => {
  it('shows active users, running work, and service status', async () => {
    renderApp('/admin/system');
    const users = await card('Active users');
    expect(users.getByText('in the last 15 minutes')).toBeVisible();
    expect(users.getByRole('link', { name: 'Bob' })).toHaveAttribute('href', '/admin/users/u1');
    const jobs = await card('Active jobs');
    expect(jobs.getByText('Analyzing Website 2')).toBeVisible();
    expect(jobs.getByRole('link', { name: 'one.example' })).toHaveAttribute('href', '/admin/jobs/j1');
    const process = await card('This process');
    expect(process.getByText('2d 3h 4m')).toBeVisible();
    expect(process.getByText('82 MB of 128 MB')).toBeVisible();
    const services = await card('Services');
    expect(services.getByText('Up')).toHaveClass('text-good');
    expect(services.getByText('Degraded')).toHaveClass('text-attention');
    expect(services.getByText('Down')).toHaveClass('text-bad');
    expect(services.getByText('Disabled')).toHaveClass('bg-inset');
    expect(services.getByText('1,203 calls, 3 refused, 0 failed')).toBeInTheDocument();
    expect(services.getByText('sandbox mode')).toBeVisible();
    expect(services.getByText('in use · grok-4 · 25% written by the built-in analyst instead')).toBeVisible();
  });

  it('keeps the last data, with its time, below a later error', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp('/admin/system');
    await screen.findByText('bob@example.com');
    server.on('GET /api/v1/admin/active-monitoring', refusal(500, 'Something went wrong'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await screen.findByText('Failed to fetch monitoring data')).toBeVisible();
    expect(screen.getByText('bob@example.com')).toBeVisible();
    expect(screen.getByText(/^As of/)).toBeVisible();
    vi.useRealTimers();
  });

  it('explains a first failure, and shows the data once it is there', async () => {
    server.on('GET /api/v1/admin/active-monitoring', refusal(500, 'Something went wrong'));
    const { user } = renderApp('/admin/system');
    const panel = within(await screen.findByRole('alert'));
    expect(panel.getByText('Error loading system status')).toBeVisible();
    expect(panel.getByText('Failed to fetch monitoring data')).toBeVisible();
    server.on('GET /api/v1/admin/active-monitoring', { success: true, data: monitoring });
    await user.click(panel.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('bob@example.com')).toBeVisible();
    expect(screen.queryByText('Failed to fetch monitoring data')).toBeNull();
  });

  it('shows when the event log was checked, and the result', async () => {
    const { unmount } = renderApp('/admin/system');
    expect(await screen.findByText(/1,234 events, no faults/)).toBeVisible();
    unmount();
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: { ...system, verified: { ...system.verified, faults: 2, first: 'x' } },
    });
    const damaged = renderApp('/admin/system');
    expect(await screen.findByText(/\(2 faults\)/)).toBeVisible();
    damaged.unmount();
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: { ...system, verified: { ...system.verified, unsealed: 1_200 } },
    });
    const unsealed = renderApp('/admin/system');
    expect(await screen.findByText(/1,234 events, no faults, 1,200 not sealed\)/)).toBeVisible();
    unsealed.unmount();
    server.on('GET /api/v1/admin/system', { success: true, data: { ...system, verified: null } });
    renderApp('/admin/system');
    expect(await screen.findByText('Not yet')).toBeVisible();
  });

  it('shows problems and remedies', async () => {
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: { ...system, problems: [{ cause: 'disk', text: 'Only 12 MB are left.', todo: 'Free some space.' }] },
    });
    renderApp('/admin/system');
    const problems = within(await screen.findByRole('region', { name: 'Needs attention' }));
    expect(problems.getByText('Only 12 MB are left.')).toBeVisible();
    expect(problems.getByText('Free some space.')).toBeVisible();
  });

  it('shows stopped processes, the disk, and test-only settings', async () => {
    renderApp('/admin/system');
    expect(await screen.findByText('Nothing needs your attention.')).toBeVisible();
    const processes = await card('Processes');
    expect(processes.getByText('worker on one')).toBeVisible();
    expect(processes.getByText('Gone')).toBeVisible();
    const installation = await card('Installation');
    expect(installation.getByText('10.0 GB of 20.0 GB')).toBeVisible();
    expect(installation.getByText('Payment sandbox: no money moves')).toBeVisible();
  });

  it('folds the read models to one line while all are up to date, and lists them otherwise', async () => {
    const { unmount } = renderApp('/admin/system');
    const line = await screen.findByText('All 1 up to date');
    expect(line.closest('details')?.open).toBe(false);
    unmount();
    const models = [
      { model: 'boards', behind: 0, parked: 1 },
      { model: 'jobs', behind: 2, parked: 0 },
    ];
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: { ...system, projections: { age_seconds: 4, models } },
    });
    renderApp('/admin/system');
    const list = within(await screen.findByRole('list', { name: 'Read models' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'boards1 parked0 behind',
      'jobs2 behind',
    ]);
    expect(screen.getByText('The oldest event that is not applied yet is 4 s old.')).toBeVisible();
  });

  it('retries a parked event, and shows the result', async () => {
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: { ...system, parked: { total: 1, records: [parkedRecord] } },
    });
    server.on('POST /api/v1/admin/system/parked/retry', () => {
      server.on('GET /api/v1/admin/system', { success: true, data: system });
      return { success: true, outcome: 'applied', error: null };
    });
    const { user } = renderApp('/admin/system');
    const parked = await card('Parked events');
    expect(await parked.findByText('TypeError: no')).toBeVisible();
    await user.click(parked.getByRole('button', { name: 'Retry ActionStarted in boards' }));
    expect(await parked.findByText('boards d1: Done: the event was applied.')).toBeVisible();
    expect(await parked.findByText('No events are parked.')).toBeVisible();
    expect(server.asked('POST /api/v1/admin/system/parked/retry')[0]?.body).toEqual({
      model: 'boards',
      document_id: 'd1',
    });
  });

  it('opens a kind of work, retries an item, and drops it only after a confirmation', async () => {
    const item = {
      kind: 'audit',
      item_id: 'job-1',
      lane: 'u1',
      opened_at: system.at,
      due_at: system.at,
      attempts: 2,
      failure: 'TimeoutError',
      running: false,
    };
    server.on('GET /api/v1/admin/system/work', { success: true, items: [item], cursor: null });
    server.on('POST /api/v1/admin/system/work/retry', { success: true });
    server.on('POST /api/v1/admin/system/work/drop', () => {
      server.on('GET /api/v1/admin/system/work', { success: true, items: [], cursor: null });
      return { success: true };
    });
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show Audits' }));
    await user.click(await screen.findByRole('button', { name: 'Retry job-1' }));
    await user.click(await screen.findByRole('button', { name: 'Drop job-1' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/its owner gets the audit back/)).toBeVisible();
    expect(server.asked('POST /api/v1/admin/system/work/drop')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Drop it' }));
    expect(await screen.findByText('Nothing is pending.')).toBeVisible();
    for (const act of ['retry', 'drop'])
      expect(server.asked(`POST /api/v1/admin/system/work/${act}`)[0]?.body).toEqual({
        kind: 'audit',
        item_id: 'job-1',
      });
  });

  it('lists given-up work of a kind, retries one, and drops one only after a question', async () => {
    const GIVEN_UP = '/api/v1/admin/system/given-up';
    const item = (item_id: string, about: string) => ({
      kind: 'mail',
      item_id,
      about,
      owner: { id: 'u1', email: 'bob@example.com' },
      attempts: 3,
      reason: 'Given up after several attempts',
      given_up_at: system.at,
      stream: `mail-${item_id}`,
    });
    let items = [item('m1', 'Receipt to bob@example.com'), item('m2', 'Job done to bob@example.com')];
    server.on(`GET ${GIVEN_UP}`, () => ({ success: true, items, cursor: null }));
    server.on(`POST ${GIVEN_UP}/retry`, refusal(409, 'What it was about has been deleted.', 'MAIL_NOT_RESENDABLE'));
    const { user } = renderApp('/admin/system');
    expect(await screen.findByText('2 given up, 1 in the last 24 hours')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show given up: Emails' }));
    const list = within(await screen.findByRole('list', { name: 'Given up: Emails' }));
    expect(list.getByRole('link', { name: 'Receipt to bob@example.com' })).toHaveAttribute(
      'href',
      expect.stringContaining('mail-m1'),
    );
    await user.click(list.getByRole('button', { name: 'Retry Receipt to bob@example.com' }));
    expect(await list.findByText('What it was about has been deleted.')).toBeVisible();
    server.on(`POST ${GIVEN_UP}/retry`, () => {
      items = items.slice(1);
      return { success: true };
    });
    await user.click(list.getByRole('button', { name: 'Retry Receipt to bob@example.com' }));
    expect(await screen.findByText('Receipt to bob@example.com: pending again.')).toBeVisible();
    expect(list.queryByRole('button', { name: 'Retry Receipt to bob@example.com' })).toBeNull();
    server.on(`POST ${GIVEN_UP}/drop`, () => {
      items = [];
      return { success: true };
    });
    await user.click(list.getByRole('button', { name: 'Drop Job done to bob@example.com' }));
    expect(server.asked(`POST ${GIVEN_UP}/drop`)).toEqual([]);
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Drop it' }));
    expect(await screen.findByText('No work was given up.')).toBeVisible();
    expect(server.asked(`POST ${GIVEN_UP}/drop`)[0]?.body).toEqual({ kind: 'mail', item_id: 'm2' });
  });

  it('retries all given-up work of a kind, part by part to the end of the list, and says what it came to', async () => {
    const GIVEN_UP = '/api/v1/admin/system/given-up';
    const item = (item_id: string) => ({
      kind: 'mail',
      item_id,
      about: item_id,
      owner: null,
      attempts: 1,
      reason: 'Too late to send',
      given_up_at: system.at,
      stream: `mail-${item_id}`,
    });
    server.on(`GET ${GIVEN_UP}`, { success: true, items: [item('m1'), item('m2')], cursor: null });
    const parts = [
      { success: true, retried: 100, refused: 0, cursor: 'further' },
      { success: true, retried: 20, refused: 2, cursor: null },
    ];
    server.on(`POST ${GIVEN_UP}/retry-all`, () => parts.shift());
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show given up: Emails' }));
    await user.click(await screen.findByRole('button', { name: 'Retry all: Emails' }));
    expect(await screen.findByText('120 pending again. 2 can’t be retried; Retry on each one says why.')).toBeVisible();
    expect(server.asked(`POST ${GIVEN_UP}/retry-all`).map(({ body }) => body)).toEqual([
      { kind: 'mail' },
      { kind: 'mail', cursor: 'further' },
    ]);
  });

  it('shows when work is due, also in the future', async () => {
    const ofItem = {
      kind: 'sequenceMail',
      item_id: 'mail-1',
      lane: 'u1',
      opened_at: system.at,
      attempts: 0,
      failure: null,
      running: false,
    };
    server.on('GET /api/v1/admin/system', {
      success: true,
      data: {
        ...system,
        work: [{ kind: 'sequenceMail', depth: 1, oldest_seconds: 0, running: 0, given_up: 0, given_up_today: 0 }],
      },
    });
    const due_at = new Date(Date.now() + 3.5 * 24 * 60 * 60 * 1_000).toISOString();
    server.on('GET /api/v1/admin/system/work', { success: true, items: [{ ...ofItem, due_at }], cursor: null });
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show Sequence emails' }));
    expect(await screen.findByText('Due', { exact: false, selector: 'p' })).toHaveTextContent('Due in 3 days');
  });

  it('loads the next page of work once, however often it is clicked', async () => {
    const item = (item_id: string) => ({
      kind: 'audit',
      item_id,
      lane: 'u1',
      opened_at: system.at,
      due_at: system.at,
      attempts: 0,
      failure: null,
      running: false,
    });
    const second = held({ success: true, items: [item('job-2')], cursor: null });
    server.on('GET /api/v1/admin/system/work', ({ query }: { query: URLSearchParams }) =>
      query.has('cursor') ? second.answer : { success: true, items: [item('job-1')], cursor: 'c1' },
    );
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show Audits' }));
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    second.letGo();
    expect(await screen.findByText('job-2')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByText('job-1')).toBeVisible();
  });

  it('does not claim that all is well when loading failed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp('/admin/system');
    await screen.findByText('Nothing needs your attention.');
    server.on('GET /api/v1/admin/system', refusal(500, 'Something went wrong'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await screen.findByText('Failed to fetch the state of the installation')).toBeVisible();
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull();
    vi.useRealTimers();
  });

  it('lists failed and waiting emails', async () => {
    server.on('GET /api/v1/admin/system/mails', {
      success: true,
      outbox: [{ to: 'bob@example.com', subject: 'Confirm your email address', at: system.at }],
      failed: [
        {
          id: 'm1',
          email: null,
          kind: 'password_reset',
          reason: 'refused',
          failed_at: system.at,
          not_resendable: 'The account has been deleted.',
        },
      ],
    });
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show emails' }));
    expect(await screen.findByText('Password reset to a deleted account')).toBeVisible();
    expect(screen.getByText('Confirm your email address')).toBeVisible();
    // Failed and stored ones differ visibly, too.
    for (const name of ['Failed emails', 'Outbox']) expect(screen.getByRole('heading', { name })).toBeVisible();
    expect(screen.getByText(/cannot be sent again: The account has been deleted\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
  });

  it('sends a failed email again after a confirmation', async () => {
    const RESEND = 'POST /api/v1/admin/system/mails/resend';
    const mail = {
      id: 'm1',
      email: 'bob@example.com',
      kind: 'job_done',
      reason: 'refused',
      failed_at: system.at,
      not_resendable: null,
    };
    let failed = [mail];
    server.on('GET /api/v1/admin/system/mails', () => ({ success: true, outbox: null, failed }));
    server.on(RESEND, refusal(409, 'What it was about has been deleted.', 'MAIL_NOT_RESENDABLE'));
    const { user } = renderApp('/admin/system');
    await user.click(await screen.findByRole('button', { name: 'Show emails' }));
    await user.click(await screen.findByRole('button', { name: 'Send again: Job done to bob@example.com' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Send this email again?' });
    await user.click(within(dialog).getByRole('button', { name: 'Send it' }));
    expect(await within(dialog).findByText('What it was about has been deleted.')).toBeVisible();
    server.on(RESEND, () => {
      failed = [];
      return { success: true };
    });
    await user.click(within(dialog).getByRole('button', { name: 'Send it' }));
    expect(await screen.findByText('No emails have failed.')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.asked(RESEND).at(-1)?.body).toEqual({ mail_id: 'm1' });
  });

  it('says Access Denied when the right was withdrawn meanwhile', async () => {
    for (const path of ['active-monitoring', 'system'])
      server.on(`GET /api/v1/admin/${path}`, refusal(403, 'Access denied. Admin privileges required.', 'FORBIDDEN'));
    renderApp('/admin/system');
    expect((await screen.findAllByText('Admin privileges required to view this page'))[0]).toBeVisible();
  });
});
