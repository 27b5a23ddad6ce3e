import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { adminJob, adminJobResponse, completedJob, failedJob, position, profileResponse } from '../../given/views.ts';

const JOB = '/api/v1/admin/jobs/job-1';
let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(`GET ${JOB}`, adminJobResponse());
  server.on(`GET ${JOB}/events`, { success: true, data: [EVENT], cursor: null });
});

const EVENT = {
  number: 0,
  type: 'JobFailed',
  title: 'Failed: Not found.',
  at: '2026-11-20T10:00:20.000Z',
  by: 'a worker',
  data: { code: 'SITE_DNS' },
};
const emails = { userEmail: 'ann@example.com', user_email: 'ann@example.com' };
const failed = () => adminJobResponse({ job: adminJob({ ...failedJob(), ...emails }) });

describe('another user’s job', () => {
  it('is marked as such, with details hidden from its owner', async () => {
    server.on(
      `GET ${JOB}`,
      adminJobResponse({
        paid: { source: 'funds', amount: 5000, currency: 'usd', access: 'full', state: 'reserved', unlock: null },
        work: [
          {
            kind: 'audit',
            opened_at: '2026-11-20T10:00:00.000Z',
            due_at: '2026-11-20T10:00:00.000Z',
            attempts: 2,
            failure: 'It hung up.',
            vanishings: 1,
            holder: 'host-1/3',
          },
        ],
        shares: { total: 3, revoked: 1 },
      }),
    );
    renderApp('/admin/jobs/job-1');
    expect(await screen.findByText('You are viewing a job of ann@example.com as an admin')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/admin\/users\//),
    );
    for (const text of [
      'Funds, $50.00',
      'Reserved until the job ends',
      'host-1/3',
      'It hung up.',
      '3 links, 1 revoked.',
      'Analyzing Website',
    ])
      expect(screen.getAllByText(text)[0]).toBeVisible();
  });

  it('shows its history, with the data on demand', async () => {
    const { user } = renderApp('/admin/jobs/job-1');
    const event = await screen.findByText('Failed: Not found.');
    expect(screen.getByText(/SITE_DNS/)).not.toBeVisible();
    await user.click(event);
    expect(screen.getByText(/SITE_DNS/)).toBeVisible();
  });

  it('is not marked if it is the admin’s own', async () => {
    server.on(`GET ${JOB}`, adminJobResponse({ own: true }));
    renderApp('/admin/jobs/job-1');
    expect(await screen.findByRole('link', { name: 'Your own job' })).toHaveAttribute('href', '/dashboard/jobs/job-1');
    expect(screen.queryByText(/as an administrator/)).toBeNull();
  });

  it('that was deleted says so', async () => {
    server.on(`GET ${JOB}`, refusal(404, 'Job not found', 'JOB_NOT_FOUND'));
    renderApp('/admin/jobs/job-1');
    expect(await screen.findByText('There is no such job. It may have been deleted.')).toBeVisible();
  });

  it('is cancelled on its owner’s behalf, after a confirmation', async () => {
    const cancelled = adminJob({ ...failedJob({ reason: 'Cancelled', reason_code: 'CANCELLED' }), ...emails });
    server.on(`POST ${JOB}/cancel`, () => {
      server.on(`GET ${JOB}`, adminJobResponse({ job: cancelled }));
      return { success: true, data: cancelled };
    });
    const { user } = renderApp('/admin/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Cancel job…' }));
    const question = await screen.findByRole('alertdialog', { name: 'Cancel the audit of example.com?' });
    expect(within(question).getByText(/on behalf of ann@example.com/)).toBeVisible();
    expect(server.asked(`POST ${JOB}/cancel`)).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Cancel job' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Run again…' })).toBeVisible();
  });

  it('is retried as a new one, after a confirmation', async () => {
    server.on(`GET ${JOB}`, failed());
    server.on(`POST ${JOB}/retry`, { status: 201, body: { success: true, data: adminJob({ id: 'job-2' }) } });
    const { user } = renderApp('/admin/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    const question = await screen.findByRole('alertdialog');
    expect(within(question).getByText(/Nobody is charged for it/)).toBeVisible();
    await user.click(within(question).getByRole('button', { name: 'Run again' }));
    expect(await screen.findByRole('link', { name: 'Open it' })).toHaveAttribute('href', '/admin/jobs/job-2');
  });

  it('is retried once, however often the answer is confirmed', async () => {
    server.on(`GET ${JOB}`, failed());
    server.on(`POST ${JOB}/retry`, refusal(503, 'Please try again.', 'TIMED_OUT'));
    const { user } = renderApp('/admin/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    const run = within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Run again' });
    await user.click(run);
    expect(await screen.findByText('Please try again.')).toBeVisible();
    server.on(`POST ${JOB}/retry`, { status: 201, body: { success: true, data: adminJob({ id: 'job-2' }) } });
    await user.click(run);
    await screen.findByRole('link', { name: 'Open it' });
    const [first, second] = server.asked(`POST ${JOB}/retry`).map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  it('asks again without the earlier error', async () => {
    server.on(`GET ${JOB}`, failed());
    server.on(`POST ${JOB}/retry`, refusal(503, 'Please try again.', 'TIMED_OUT'));
    const { user } = renderApp('/admin/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Run again' }));
    await screen.findByText('Please try again.');
    await user.click(screen.getByRole('button', { name: 'Not now' }));
    await user.click(screen.getByRole('button', { name: 'Run again…' }));
    expect(await screen.findByRole('alertdialog')).not.toHaveTextContent('Please try again.');
  });

  it('keeps the dialog open on a refusal', async () => {
    server.on(`GET ${JOB}`, failed());
    server.on(
      `POST ${JOB}/retry`,
      refusal(409, 'Only a job that failed or was canceled can be run again.', 'JOB_NOT_FAILED'),
    );
    const { user } = renderApp('/admin/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Run again' }));
    expect(await screen.findByText('Only a job that failed or was canceled can be run again.')).toBeVisible();
  });

  it('loads its report and files on request, not before', async () => {
    server.on(`GET ${JOB}`, adminJobResponse({ job: adminJob({ ...completedJob(), ...emails }), report: true }));
    server.on(`GET ${JOB}/report`, { success: true, data: { files: ['pages.csv'], found: null } });
    server.on(`GET ${JOB}/files/pages.csv`, {
      success: true,
      data: { jobId: 'job-1', name: 'pages.csv', content: 'url,status' },
    });
    const { user } = renderApp('/admin/jobs/job-1');
    const open = await screen.findByRole('button', { name: 'Open report' });
    expect(server.asked(`GET ${JOB}/report`)).toHaveLength(0);
    await user.click(open);
    expect(await screen.findByText('No findings yet.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'pages.csv' }));
    expect(await screen.findByText('url,status')).toBeVisible();
  });

  it('follows the socket, and reloads when its state changes', async () => {
    renderApp('/admin/jobs/job-1');
    await screen.findByText('20% · 12 of 36 pages');
    await goLive(sockets.latest());
    const tell = (row: object, at: number) =>
      act(() =>
        sockets.latest().says({
          type: 'event',
          channel: 'admin:jobs',
          table: 'jobs',
          eventType: 'UPDATE',
          new: row as Record<string, unknown>,
          old: null,
          position: position(at),
        }),
      );
    tell(adminJob({ pages_done: 30, position: position(12) }), 12);
    expect(await screen.findByText('20% · 30 of 36 pages')).toBeVisible();
    // Late messages are older.
    tell(adminJob({ pages_done: 20, position: position(11) }), 11);
    tell(adminJob({ pages_done: 31, position: position(13) }), 13);
    expect(await screen.findByText('20% · 31 of 36 pages')).toBeVisible();
    tell(adminJob({ pages_done: 25, position: position(12) }), 12);
    expect(screen.getByText('20% · 31 of 36 pages')).toBeVisible();
    const events = server.asked(`GET ${JOB}/events`).length;
    server.on(`GET ${JOB}`, failed());
    tell(adminJob({ ...failedJob(), ...emails }), 20);
    expect(await screen.findByText('The site did not answer within 10 seconds.')).toBeVisible();
    expect(server.asked(`GET ${JOB}/events`)).toHaveLength(events + 1);
  });
});
