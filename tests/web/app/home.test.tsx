import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets, goLive, nextFrame } from '../given/fakeSocket.ts';
import { held } from '../given/held.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../given/renderApp.tsx';
import { listenForTones } from '../given/tones.ts';
import {
  completedJob,
  failedJob,
  jobsResponse,
  position,
  profileResponse,
  runningJob,
  statusResponse,
  subscriptionResponse,
} from '../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
});

async function home(jobs: readonly JobView[] = [], path = '/') {
  server.on('GET /api/v1/jobs', jobsResponse(jobs));
  const app = renderApp(path);
  await screen.findByRole('tab', { name: /^All/ });
  await subscriptionAnswered(app);
  return app;
}

const rows = (): HTMLElement[] => screen.getAllByRole('row').filter((row) => row.hasAttribute('data-row'));
const hosts = (): (string | null)[] =>
  rows().map((row) => within(row).getAllByRole('cell')[0]?.firstChild?.textContent ?? null);
const live = (job: JobView, eventType: 'INSERT' | 'UPDATE' | 'DELETE' = 'UPDATE'): Promise<void> => {
  sockets.latest().says({
    type: 'event',
    channel: 'jobs',
    table: 'jobs',
    eventType,
    new: eventType === 'DELETE' ? null : { ...job },
    old: eventType === 'DELETE' ? { id: job.id } : null,
    position: job.position,
  });
  return nextFrame();
};

describe('submitting one address', () => {
  it('requires one', async () => {
    const { user } = await home();
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a URL');
    await user.type(screen.getByLabelText('Website address'), 'no address');
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid URL (e.g., example.com)');
    expect(screen.getByLabelText('Website address')).toHaveFocus();
    expect(server.asked('POST /api/v1/process')).toHaveLength(0);
  });

  it('adds the job at once and empties the field', async () => {
    const job = runningJob({ status: 'pending', progress: 0 });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: job, job } });
    const { user } = await home();
    expect(screen.getByText('No jobs yet')).toBeVisible();
    await user.type(screen.getByLabelText('Website address'), ' www.example.com{Enter}');
    await waitFor(() => expect(hosts()).toEqual(['example.com']));
    expect(screen.getByLabelText('Website address')).toHaveValue('');
    expect(screen.getByText('Audit of example.com started.')).toBeVisible();
    const call = server.asked('POST /api/v1/process')[0];
    expect(call?.body).toEqual({ url: 'www.example.com' });
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    [
      'the server’s words',
      refusal(400, 'Please enter a valid URL (e.g., example.com)', 'INVALID_URL'),
      'Please enter a valid URL (e.g., example.com)',
    ],
    ['its own words', { status: 500, body: {} }, 'Processing failed'],
    [
      'a lost network',
      () => {
        throw new NetworkDown();
      },
      'Network error',
    ],
  ])('explains a failure, and keeps the field: %s', async (_, reply, text) => {
    server.on('POST /api/v1/process', reply);
    const { user } = await home();
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByLabelText('Website address')).toHaveValue('example.com');
  });

  it('audits the demo site at once, if there is one', async () => {
    server.on('POST /api/v1/process', { success: true, data: runningJob({ host: 'demo.example' }) });
    const { user } = await home();
    await user.click(await screen.findByRole('button', { name: 'Try the demo site' }));
    expect(await screen.findByText('Audit of demo.example started.')).toBeVisible();
    expect(server.asked('POST /api/v1/process').map(({ body }) => body)).toEqual([{ url: 'http://127.0.0.1:3001/' }]);
    expect(screen.getByLabelText('Website address')).toHaveValue('');
  });

  it('says no longer what was started once another form or another address is sent', async () => {
    const job = runningJob({ status: 'pending', progress: 0 });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: job, job } });
    const { user } = await home();
    await user.type(screen.getByLabelText('Website address'), 'example.com{Enter}');
    expect(await screen.findByText('Audit of example.com started.')).toBeVisible();
    await user.type(screen.getByLabelText('Website address'), 'no address{Enter}');
    expect(screen.getByRole('alert')).toBeVisible();
    expect(screen.queryByText('Audit of example.com started.')).toBeNull();
    await user.clear(screen.getByLabelText('Website address'));
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Audit of example.com started.')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Batch' }));
    expect(screen.queryByText('Audit of example.com started.')).toBeNull();
  });

  it('keeps text typed while an address is being sent', async () => {
    const job = runningJob({ status: 'pending', progress: 0 });
    const taken = held({ status: 202, body: { success: true, data: job, job } });
    server.on('POST /api/v1/process', () => taken.answer);
    const { user } = await home();
    const field = screen.getByLabelText('Website address');
    await user.type(field, 'example.com{Enter}');
    await user.clear(field);
    await user.type(field, 'other.com');
    taken.letGo();
    expect(await screen.findByText('Audit of example.com started.')).toBeVisible();
    expect(field).toHaveValue('other.com');
  });

  it('offers no demo site if there is none', async () => {
    server.on('GET /api/v1/status', statusResponse({ demo_site: null }));
    await home();
    expect(screen.queryByRole('button', { name: 'Try the demo site' })).toBeNull();
  });

  it.each([
    [
      '402',
      refusal(402, 'Insufficient credits', 'INSUFFICIENT_CREDITS', { credits_required: 3, credits_available: 1 }),
      '3',
      '1',
    ],
    ['an access text', refusal(403, 'Feature access denied: domain_analysis'), '1', '0'],
    ['a purchase text', refusal(400, 'Purchase credits to continue'), '1', '0'],
  ])('explains the free plan when it is used up (%s)', async (_, reply, required, available) => {
    server.on('POST /api/v1/process', reply);
    const { user } = await home();
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Not enough audits left' });
    expect(within(dialog).getByText('Required').nextSibling).toHaveTextContent(required);
    expect(within(dialog).getByText('Available').nextSibling).toHaveTextContent(available);
    expect(dialog).toHaveTextContent('3 audits per calendar month');
    expect(dialog).toHaveTextContent('December 1, 2026');
    // Nothing is sold here, and nothing is promised.
    expect(dialog).not.toHaveTextContent('Paid plans');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('submitting a batch', () => {
  it('checks every line and sends the text as written', async () => {
    const jobs = [runningJob({ id: 'a', host: 'a.com' }), runningJob({ id: 'b', host: 'b.com' })];
    server.on('POST /api/v1/process/batch', { status: 202, body: { success: true, jobs } });
    const { user } = await home();
    await user.click(screen.getByRole('tab', { name: 'Batch' }));
    const field = await screen.findByLabelText('Website addresses, one per line');
    const send = screen.getByRole('button', { name: 'Generate SEO Reports' });
    await user.click(send);
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter at least one URL');
    await user.type(field, 'a.com{Enter}nonsense{Enter}{Enter}b.com');
    await user.click(send);
    expect(screen.getByRole('alert')).toHaveTextContent('Invalid URLs foundLine 2: nonsense');
    await user.clear(field);
    await user.type(field, 'a.com{Enter}{Enter} b.com');
    await user.click(send);
    await waitFor(() => expect(hosts()).toEqual(['a.com', 'b.com']));
    expect(server.asked('POST /api/v1/process/batch')[0]?.body).toEqual({ urls: ['a.com', 'b.com'] });
    expect(field).toHaveValue('');
  });

  it('shows the lines that the server refuses', async () => {
    server.on(
      'POST /api/v1/process/batch',
      refusal(400, 'Invalid URLs found', 'INVALID_URL', { issues: [{ path: 'urls.0', message: 'Line 1: a.invalid' }] }),
    );
    const { user } = await home();
    await user.click(screen.getByRole('tab', { name: 'Batch' }));
    await user.type(await screen.findByLabelText('Website addresses, one per line'), 'a.invalid');
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid URLs foundLine 1: a.invalid');
  });
});

const JOBS = [
  runningJob({ id: 'run', host: 'www.beta.com', created_at: '2026-11-03T00:00:00Z' }),
  completedJob({ id: 'done', host: 'alpha.com', created_at: '2026-11-01T00:00:00Z' }),
  completedJob({
    id: 'part',
    status: 'partially_completed',
    host: 'gamma.com',
    created_at: '2026-11-04T00:00:00Z',
    reason: '50 of 400 pages were read.',
  }),
  failedJob({ id: 'fail', host: 'delta.com', created_at: '2026-11-02T00:00:00Z' }),
];

describe('recent jobs', () => {
  it('show host, status and reason, newest first', async () => {
    await home(JOBS);
    expect(hosts()).toEqual(['gamma.com', 'beta.com', 'delta.com', 'alpha.com']);
    const [partial, running, failed, completed] = rows() as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
    expect(partial).toHaveTextContent('Partially Completed');
    expect(partial).toHaveTextContent('50 of 400 pages were read.');
    expect(running).toHaveTextContent('Analyzing Website');
    expect(running).toHaveTextContent('20% · 12 of 36 pages · about 1–3 min');
    expect(failed).toHaveTextContent('The site did not answer within 10 seconds.');
    expect(within(completed).getByRole('img', { name: 'Score 82 of 100' })).toBeVisible();
    expect(within(completed).getByRole('link', { name: /View Actions \(27\)/ })).toHaveAttribute(
      'href',
      '/dashboard/actions?domain=alpha.com&jobId=done',
    );
    expect(completed.querySelector('time')).toHaveAttribute('title', expect.stringContaining('2026'));
  });

  it('link from their score to its explanation, and from their findings to the list', async () => {
    await home(JOBS);
    const completed = rows().at(-1) as HTMLElement;
    expect(within(completed).getByRole('link', { name: 'Score 82 of 100' })).toHaveAttribute(
      'href',
      '/dashboard/jobs/done',
    );
    expect(within(completed).getByRole('link', { name: /41 findings/ })).toHaveAttribute(
      'href',
      '/dashboard/jobs/done?tab=findings',
    );
  });

  it('show international addresses in Unicode, and shorten long ones in the middle', async () => {
    const long = `${'very-'.repeat(20)}long.example.com`;
    await home([
      completedJob({
        id: 'idn',
        host: 'www.xn--bcher-kva.example',
        url: 'https://www.xn--bcher-kva.example/stra%C3%9Fe',
      }),
      completedJob({ id: 'long', host: long, url: `https://${long}/` }),
    ]);
    expect(screen.getByRole('link', { name: 'bücher.example' })).toBeVisible();
    expect(screen.getByText('/straße')).toBeVisible();
    expect(screen.getByRole('link', { name: /^very-.+….+example\.com$/ })).toHaveAttribute('title', `https://${long}/`);
  });

  it('are filtered by tabs with counts, kept in the address', async () => {
    const { user, address } = await home(JOBS);
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Single',
      'Batch',
      'All 4',
      'Completed 2',
      'Processing 1',
      'Failed 1',
    ]);
    await user.click(screen.getByRole('tab', { name: 'Completed 2' }));
    expect(hosts()).toEqual(['gamma.com', 'alpha.com']);
    expect(address()).toBe('/?filter=completed');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Failed 1' })).toHaveFocus();
    expect(hosts()).toEqual(['delta.com']);
  });

  it('are sorted by their columns', async () => {
    const { user } = await home(JOBS);
    expect(screen.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'Website' }));
    expect(hosts()).toEqual(['gamma.com', 'delta.com', 'beta.com', 'alpha.com']);
    expect(screen.getByRole('columnheader', { name: 'Website' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'Website' }));
    expect(hosts()).toEqual(['alpha.com', 'beta.com', 'delta.com', 'gamma.com']);
    await user.click(screen.getByRole('button', { name: 'Date' }));
    expect(screen.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending');
  });

  it('open with the filters of their address', async () => {
    await home(JOBS, '/?filter=failed&sort=website&dir=asc');
    expect(hosts()).toEqual(['delta.com']);
    expect(screen.getByRole('tab', { name: 'Failed 1' })).toHaveAttribute('aria-selected', 'true');
  });

  it('have details while they are running, and can be cancelled there', async () => {
    const cancelled = failedJob({
      id: 'run',
      host: 'www.beta.com',
      reason: 'Cancelled',
      reason_code: 'CANCELLED',
      created_at: '2026-11-03T00:00:00Z',
      position: position(50),
    });
    server.on('POST /api/v1/jobs/run/cancel', { success: true, data: cancelled });
    const { user } = await home(JOBS);
    const toggle = screen.getByRole('button', { name: /Details/ });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await user.click(toggle);
    const details = await screen.findByRole('region', { name: 'Progress of www.beta.com' });
    expect(within(details).getByRole('progressbar')).toHaveAttribute('value', '20');
    expect(
      within(details)
        .getAllByRole('listitem')
        .map((stage) => stage.textContent)[0],
    ).toContain('Analyzing Website, running');
    expect(details).toHaveTextContent('about 1–3 min to go');
    await user.click(within(details).getByRole('button', { name: 'Cancel audit' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Cancel the audit of beta.com?' });
    expect(server.asked('POST /api/v1/jobs/run/cancel')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel audit' }));
    await waitFor(() => expect(rows()[1]).toHaveTextContent('Cancelled'));
    expect(screen.getByRole('link', { name: 'beta.com' })).toHaveFocus();
    expect(screen.queryByRole('progressbar', { name: /Progress/ })).toBeNull();
  });

  it('are deleted after a confirmation that names the host', async () => {
    server.on('DELETE /api/v1/jobs/done', { success: true, message: 'Job deleted successfully' });
    const { user } = await home(JOBS);
    const button = screen.getByRole('button', { name: 'Delete alpha.com' });
    await user.click(button);
    let dialog = await screen.findByRole('alertdialog', { name: 'Delete alpha.com?' });
    expect(dialog).toHaveTextContent(
      'The SEO audit report, action recommendations and executive summary of alpha.com are permanently deleted. This cannot be undone.',
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(button).toHaveFocus();
    expect(server.asked('DELETE /api/v1/jobs/done')).toHaveLength(0);
    await user.click(button);
    dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete alpha.com' }));
    await waitFor(() => expect(hosts()).toEqual(['gamma.com', 'beta.com', 'delta.com']));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('move the focus when they are deleted: to the next row, the previous one, the heading', async () => {
    for (const id of ['a', 'b', 'c'])
      server.on(`DELETE /api/v1/jobs/${id}`, { success: true, message: 'Job deleted successfully' });
    const { user } = await home([
      failedJob({ id: 'a', host: 'a.com', created_at: '2026-11-03T00:00:00Z' }),
      failedJob({ id: 'b', host: 'b.com', created_at: '2026-11-02T00:00:00Z' }),
      failedJob({ id: 'c', host: 'c.com', created_at: '2026-11-01T00:00:00Z' }),
    ]);
    const deleted = async (host: string): Promise<void> => {
      screen.getByRole('button', { name: `Delete ${host}` }).focus();
      await user.keyboard('{Enter}');
      const dialog = await screen.findByRole('alertdialog');
      await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Keep it' })).toHaveFocus());
      await user.tab();
      await user.keyboard('{Enter}');
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    };
    await deleted('b.com');
    await waitFor(() => expect(screen.getByRole('link', { name: 'c.com' })).toHaveFocus());
    await deleted('c.com');
    await waitFor(() => expect(screen.getByRole('link', { name: 'a.com' })).toHaveFocus());
    await deleted('a.com');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Recent Jobs' })).toHaveFocus());
  });

  it('that failed are removed from history; a refusal is shown', async () => {
    server.on('DELETE /api/v1/jobs/fail', refusal(409, 'This job is not finished.', 'JOB_NOT_FINISHED'));
    const { user } = await home(JOBS);
    await user.click(screen.getByRole('button', { name: 'Delete delta.com' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('The job for delta.com is removed from history. This cannot be undone.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete delta.com' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'Failed to delete job: This job is not finished.',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(hosts()).toHaveLength(4));
  });

  it('cannot be deleted while they are running', async () => {
    await home(JOBS);
    expect(screen.queryByRole('button', { name: 'Delete beta.com' })).toBeNull();
  });

  it('are deleted all at once after a confirmation', async () => {
    const { user } = await home(JOBS);
    await user.click(screen.getByRole('button', { name: 'Delete All' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete all 4 jobs?' });
    expect(dialog).toHaveTextContent('1 running audit is canceled. Audits without findings aren’t counted.');
    server.on('DELETE /api/v1/jobs', { success: true, message: '3 jobs deleted', data: { deleted_count: 3 } });
    server.on('GET /api/v1/jobs', jobsResponse(JOBS.slice(0, 1)));
    await user.click(within(dialog).getByRole('button', { name: 'Delete All' }));
    await waitFor(() => expect(hosts()).toEqual(['beta.com']));
  });

  it('are gone after Delete All, even if an older list is still being loaded', async () => {
    const { user } = await home(JOBS);
    await goLive(sockets.latest());
    const older = held(jobsResponse(JOBS));
    server.on('GET /api/v1/jobs', () => older.answer);
    act(() => sockets.latest().says({ type: 'error', code: 'POSITION_UNKNOWN', channel: 'jobs' }));
    await user.click(screen.getByRole('button', { name: 'Delete All' }));
    server.on('DELETE /api/v1/jobs', { success: true, message: '4 jobs deleted', data: { deleted_count: 4 } });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete All' }));
    server.on('GET /api/v1/jobs', jobsResponse([]));
    await waitFor(() => expect(server.asked('DELETE /api/v1/jobs')).toHaveLength(1));
    older.letGo();
    expect(await screen.findByText('No jobs yet')).toBeVisible();
  });

  it('that cannot be loaded offer a retry', async () => {
    server.on('GET /api/v1/jobs', refusal(503, 'The server cannot reach its data at the moment.'));
    const { user } = renderApp('/');
    const panel = within(await screen.findByRole('region', { name: 'Recent Jobs' }));
    expect(await panel.findByRole('alert')).toHaveTextContent('The server cannot reach its data at the moment.');
    server.on('GET /api/v1/jobs', jobsResponse(JOBS));
    await user.click(panel.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(hosts()).toHaveLength(4));
  });

  it('are loaded page by page, and long lists are drawn in steps', async () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      completedJob({ id: `j${index}`, host: `site-${index}.com` }),
    );
    server.on('GET /api/v1/jobs', (call: { query: URLSearchParams }) =>
      call.query.get('cursor') === 'next' ? jobsResponse(many.slice(500)) : jobsResponse(many.slice(0, 500), 'next'),
    );
    const { user } = renderApp('/');
    expect(await screen.findByRole('tab', { name: 'All 700' })).toBeVisible();
    expect(rows()).toHaveLength(100);
    await user.click(screen.getByRole('button', { name: 'Show 100 more of 600' }));
    // Of more than a hundred, those near the window are in the document.
    await waitFor(() => expect(rows().length).toBeLessThan(100));
    expect(screen.getByRole('button', { name: 'Show 100 more of 500' })).toBeVisible();
  });
});

describe('live jobs', () => {
  it('appear, change and disappear on socket messages, and older messages are ignored', async () => {
    await home([runningJob()]);
    await goLive(sockets.latest());
    expect(screen.getByText('Live updates active')).toBeVisible();
    await live(
      runningJob({ id: 'new', host: 'new.com', created_at: '2026-11-21T00:00:00Z', position: position(30) }),
      'INSERT',
    );
    expect(hosts()).toEqual(['new.com', 'example.com']);
    await live(runningJob({ status: 'executing_step2_format', progress: 70, position: position(40) }));
    expect(rows()[1]).toHaveTextContent('Report Generation70%');
    await live(runningJob({ status: 'executing_step1', progress: 30, position: position(35) }));
    expect(rows()[1]).toHaveTextContent('Report Generation70%');
    await live(runningJob({ id: 'new', position: position(41) }), 'DELETE');
    expect(hosts()).toEqual(['example.com']);
  });

  it('announce stages to screen readers, not pages', async () => {
    await home([runningJob()]);
    await goLive(sockets.latest());
    const spoken = (): string =>
      within(screen.getByRole('region', { name: 'Recent Jobs' }))
        .getAllByRole('status')
        .map((status) => status.textContent)
        .join('');
    await live(runningJob({ pages_done: 20, position: position(30) }));
    expect(spoken()).toBe('');
    await live(runningJob({ status: 'executing_step1', position: position(31) }));
    expect(spoken()).toBe('example.com: AI Analysis');
    await live(runningJob({ status: 'executing_step1', position: position(32) }), 'DELETE');
    expect(spoken()).toBe('');
  });

  it('never show a longer estimate within a stage', async () => {
    const { user } = await home([runningJob()]);
    await goLive(sockets.latest());
    await user.click(screen.getByRole('button', { name: /Details/ }));
    const details = screen.getByRole('region', { name: 'Progress of www.example.com' });
    const both = (text: string): void => {
      expect(rows()[0]).toHaveTextContent(text);
      expect(details).toHaveTextContent(`${text} to go`);
    };
    both('about 1–3 min');
    await live(runningJob({ eta: { from: 200, to: 400 }, pages_done: 13, position: position(30) }));
    expect(details).toHaveTextContent('13 of 36 pages');
    both('about 1–3 min');
    await live(runningJob({ eta: { from: 40, to: 60 }, position: position(31) }));
    both('about 40–60 s');
    await live(runningJob({ status: 'executing_step1', eta: { from: 200, to: 400 }, position: position(32) }));
    both('about 3–7 min');
  });

  it('open a modal anywhere in the app when their actions are ready', async () => {
    const started = listenForTones();
    const { user, address } = await home([runningJob()], '/');
    await goLive(sockets.latest());
    await user.click(screen.getByRole('link', { name: 'Account' }));
    await screen.findByRole('heading', { name: 'Your Account' });
    await live(completedJob({ position: position(30) }));
    const dialog = await screen.findByRole('dialog', { name: 'Analysis complete' });
    expect(dialog).toHaveTextContent('example.com: your audit is ready, with 27 action items.');
    expect(started).toEqual([0, 0.16]);
    expect(document.title).toBe('Ready: example.com');
    await user.click(within(dialog).getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.title).toContain('Your account');
    await live(completedJob({ position: position(31), score: 83 }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(address()).toBe('/account');
  });

  it('restore the tab title that its page has by then', async () => {
    const { user } = await home([runningJob()]);
    await goLive(sockets.latest());
    await live(completedJob({ position: position(30) }));
    const dialog = await screen.findByRole('dialog', { name: 'Analysis complete' });
    document.title = 'Another page';
    await user.click(within(dialog).getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.title).toBe('Another page');
  });

  it('link from the modal to their report', async () => {
    const { user, address } = await home([runningJob()]);
    await goLive(sockets.latest());
    await live(completedJob({ position: position(30) }));
    await user.click(await screen.findByRole('button', { name: 'View Your Report' }));
    expect(address()).toBe('/dashboard/actions?jobId=job-1');
  });

  it('without action items open no modal', async () => {
    await home([runningJob()]);
    await goLive(sockets.latest());
    await live(completedJob({ position: position(30), action_count: 0 }));
    expect(rows()[0]).toHaveTextContent('Completed');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('without a socket', () => {
  it('jobs are polled every 5 s, those started here every 2 s, and a missing one is removed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const started = runningJob({ id: 'mine', host: 'mine.com' });
    server.on('POST /api/v1/process', { status: 202, body: { success: true, data: started, job: started } });
    server.on('GET /api/v1/jobs/mine', {
      success: true,
      data: runningJob({ id: 'mine', host: 'mine.com', status: 'executing_step1', position: position(11) }),
    });
    const { user } = await home();
    await enter(user, screen.getByLabelText('Website address'), 'mine.com');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(hosts()).toEqual(['mine.com']));
    server.on('GET /api/v1/jobs', jobsResponse([started]));
    act(() => sockets.latest().breaks());
    expect(await screen.findByText('Offline')).toBeVisible();
    const lists = server.asked('GET /api/v1/jobs').length;
    await act(() => vi.advanceTimersByTimeAsync(2100));
    expect(rows()[0]).toHaveTextContent('AI Analysis');
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(server.asked('GET /api/v1/jobs').length).toBe(lists + 1);
    expect(server.asked('GET /api/v1/jobs/mine')).toHaveLength(2);
    server.on('GET /api/v1/jobs/mine', refusal(404, 'Job not found', 'JOB_NOT_FOUND'));
    await act(() => vi.advanceTimersByTimeAsync(2000));
    await waitFor(() => expect(screen.getByText('No jobs yet')).toBeVisible());
  });
});

describe('the side column', () => {
  it('shows the plan, its use and when it renews', async () => {
    server.on('GET /api/v1/subscription/status', subscriptionResponse(3, 3));
    await home(JOBS);
    const bar = await screen.findByRole('progressbar', { name: 'Audits used' });
    expect(bar).toHaveAttribute('value', '3');
    expect(bar).toHaveClass('text-bad');
    expect(screen.getByText(/No audits left. Your allowance resets on December 1, 2026./)).toBeVisible();
  });

  it('says what pays when the period’s audits are used', async () => {
    const used = subscriptionResponse(3, 3);
    used.data.balance = { ...used.data.balance, funds: 5_000, currency: 'usd', paysNext: 'funds' };
    used.data.subscription = { ...used.data.subscription, hasFullAccess: true };
    server.on('GET /api/v1/subscription/status', used);
    await home(JOBS);
    expect(
      await screen.findByText(/^All used. Until December 1, 2026, audits are paid from your funds\.$/),
    ).toBeVisible();
    expect(screen.queryByText(/No audits left/)).toBeNull();
  });

  it('shows admins that they have no limit', async () => {
    const profile = profileResponse();
    server.on('GET /api/v1/auth/profile', { ...profile, profile: { ...profile.profile, is_admin: true } });
    await home(JOBS);
    expect(await screen.findByText('Administrators have unlimited audits and full access.')).toBeVisible();
    expect(screen.queryByRole('progressbar', { name: 'Audits used' })).toBeNull();
    expect(screen.getAllByText('Admin').map((text) => text.closest('a')?.getAttribute('href') ?? 'the plan')).toEqual([
      '/admin',
      'the plan',
    ]);
    expect(screen.queryByText('Free')).toBeNull();
  });

  it('counts completed and running jobs, and links to them', async () => {
    const { user, address } = await home(JOBS);
    await user.click(screen.getByRole('link', { name: '1 Processing' }));
    expect(address()).toBe('/?filter=processing');
    expect(screen.getByRole('link', { name: '2 Completed' })).toBeVisible();
  });

  it('has an address for support', async () => {
    await home();
    expect(await screen.findByRole('link', { name: 'Contact support' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    );
  });
});
