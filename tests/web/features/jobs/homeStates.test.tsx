/** Jobs home with jobs in every state, and its links. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { JOB_STATUSES } from '../../../../src/model/jobs.ts';
import { statusLabel } from '../../../../web/ui/jobs/jobStatus.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, failedJob, jobsResponse, runningJob, subscriptionResponse } from '../../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});

async function home(jobs: readonly JobView[], path = '/') {
  server.on('GET /api/v1/jobs', jobsResponse(jobs));
  const app = renderApp(path);
  await screen.findByRole('tab', { name: /^All/ });
  await subscriptionAnswered(app);
  return app;
}

const rows = (): HTMLElement[] => screen.getAllByRole('row').filter((row) => row.hasAttribute('data-row'));

describe('every status', () => {
  it('has its label', () => {
    expect(Object.fromEntries(JOB_STATUSES.map((status) => [status, statusLabel(status)]))).toEqual({
      pending: 'Pending',
      queued: 'Queued',
      starting: 'Starting',
      processing: 'Processing',
      executing_parallel_streams: 'Analyzing Website',
      executing_step1: 'AI Analysis',
      executing_step2: 'Data Collection',
      executing_step2_format: 'Report Generation',
      executing_step3: 'Creating Recommendations',
      executing_convergence: 'Final Report',
      generating_actions: 'Generating Actions',
      executing_actions_parsing: 'Executing Actions Parsing',
      completed: 'Completed',
      failed: 'Failed',
      partial_success: 'Partial Success',
      partially_completed: 'Partially Completed',
    });
    expect(statusLabel('made_up_since' as JobView['status'])).toBe('Made Up Since');
  });

  it('has its icon: check, cross or hourglass', async () => {
    await home([
      completedJob({ id: 'a' }),
      failedJob({ id: 'b', created_at: '2026-11-19T00:00:00Z' }),
      runningJob({ id: 'c', created_at: '2026-11-18T00:00:00Z' }),
    ]);
    const signs = rows().map((row) =>
      [...row.querySelectorAll('td:nth-child(2) svg[class*=lucide]')]
        .map((sign) => sign.getAttribute('class'))
        .join(' '),
    );
    expect(signs).toEqual([
      expect.stringContaining('lucide-check'),
      expect.stringMatching(/lucide-x\b/),
      expect.stringContaining('lucide-hourglass'),
    ]);
  });
});

describe('a row', () => {
  it('links to the job’s page by its host, without www', async () => {
    await home([completedJob()]);
    expect(screen.getByRole('link', { name: 'example.com' })).toHaveAttribute('href', '/dashboard/jobs/job-1');
  });

  it('of a running job links to its findings so far', async () => {
    await home([runningJob({ files: ['findings.json'] }), runningJob({ id: 'job-2', host: 'new.com' })]);
    expect(screen.getByRole('link', { name: 'Results so far of example.com' })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1',
    );
    expect(screen.queryByRole('link', { name: 'Results so far of new.com' })).toBeNull();
  });

  it.each([
    ['failed', failedJob()],
    ['was cancelled', failedJob({ reason: 'Cancelled', reason_code: 'CANCELLED' })],
    ['is done', completedJob()],
  ])('of a job that %s starts another audit', async (_, job) => {
    const next = runningJob({ id: 'job-2', status: 'pending', created_at: '2026-11-21T00:00:00Z' });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: next, job: next } });
    const { user } = await home([job]);
    await user.click(screen.getByRole('button', { name: 'Run example.com again' }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(screen.getByText('New audit of example.com started.')).toBeVisible();
    expect(server.asked('POST /api/v1/process').map((call) => call.body)).toEqual([
      { url: 'https://www.example.com/' },
    ]);
  });

  it.each([
    [
      'in the server’s words',
      refusal(429, 'Too many requests. Please try again in 20 seconds.', 'RATE_LIMITED'),
      'Too many requests. Please try again in 20 seconds.',
    ],
    ['in its own', { status: 500, body: {} }, 'Processing failed'],
  ])('explains a failure to start again, %s', async (_, reply, text) => {
    server.on('POST /api/v1/process', reply);
    const { user } = await home([failedJob()]);
    await user.click(screen.getByRole('button', { name: 'Run example.com again' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
  });

  it('asks first where it takes something that was paid for', async () => {
    const bill = subscriptionResponse(3, 3);
    bill.data.balance = { ...bill.data.balance, credits: 3, paysNext: 'credits' };
    server.on('GET /api/v1/subscription/status', bill);
    const next = runningJob({ id: 'job-2', status: 'pending', created_at: '2026-11-21T00:00:00Z' });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: next, job: next } });
    const { user } = await home([completedJob()]);
    await user.click(screen.getByRole('button', { name: 'Run example.com again' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Run example.com again?' });
    expect(dialog).toHaveTextContent('Uses one of your credits. Balance after: 2 credits.');
    expect(server.asked('POST /api/v1/process')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Run again' }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(server.asked('POST /api/v1/process')).toHaveLength(1);
  });

  it('offers to buy more where the allowance is used up', async () => {
    server.on(
      'POST /api/v1/process',
      refusal(402, 'Insufficient credits', 'INSUFFICIENT_CREDITS', { credits_required: 1, credits_available: 0 }),
    );
    const { user } = await home([failedJob()]);
    await user.click(screen.getByRole('button', { name: 'Run example.com again' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent('Required');
  });
});

describe('an error', () => {
  it('of a batch has its own message where the server has none', async () => {
    server.on('POST /api/v1/process/batch', { status: 500, body: {} });
    const { user } = await home([]);
    await user.click(screen.getByRole('tab', { name: 'Batch' }));
    await user.type(await screen.findByRole('textbox', { name: 'Website addresses, one per line' }), 'a.com\nb.com');
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Batch processing failed');
  });

  it('of the subscription is shown with a retry', async () => {
    server.on('GET /api/v1/subscription/status', refusal(503, 'Please try again shortly.'));
    const { user } = await home([]);
    expect(await screen.findByText('Failed to fetch subscription status')).toBeVisible();
    expect(screen.getByText('Please try again shortly.')).toBeVisible();
    server.on('GET /api/v1/subscription/status', { status: 500, body: {} });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Failed to fetch subscription')).toBeVisible();
    server.on('GET /api/v1/subscription/status', subscriptionResponse(2, 3));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('2 of 3')).toBeVisible();
  });
});

describe('a failed deletion', () => {
  const lost = (): never => {
    throw new NetworkDown();
  };

  it.each([
    ['a refusal', refusal(409, 'The job is still running.'), 'Failed to delete job: The job is still running.'],
    ['one without a text', { status: 500, body: {} }, 'Failed to delete job: Delete failed'],
    ['a lost network', lost, 'Error: Network error'],
  ])('of one job shows %s', async (_, reply, text) => {
    server.on('DELETE /api/v1/jobs/job-1', reply);
    const { user } = await home([failedJob()]);
    await user.click(screen.getByRole('button', { name: 'Delete example.com' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete example.com' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(text);
  });

  it.each([
    ['a refusal', refusal(503, 'Please try again shortly.'), 'Please try again shortly.'],
    ['one without a text', { status: 500, body: {} }, 'Clear failed'],
  ])('of all shows %s', async (_, reply, text) => {
    server.on('DELETE /api/v1/jobs', reply);
    const { user } = await home([failedJob()]);
    await user.click(screen.getByRole('button', { name: 'Delete All' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete your job?' });
    // It failed: there is no report that could be lost.
    expect(dialog).toHaveTextContent('It is removed from history. This cannot be undone.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete All' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(text);
  });
});
