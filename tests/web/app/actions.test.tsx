import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets, goLive } from '../given/fakeSocket.ts';
import { held } from '../given/held.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import {
  action,
  actionsResponse,
  completedJob,
  failedJob,
  jobsResponse,
  position,
  runningJob,
} from '../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
const ACTIONS = [
  action({ id: 'low', title: 'Shorten long titles', impact: 'low', category: 'content', time_estimate: 90 }),
  action({ id: 'high', title: 'Give every page a title' }),
  action({ id: 'medium', title: 'Describe images', impact: 'medium', status: 'completed', time_estimate: 30 }),
];

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
});

function jobChanges(row: JobView): void {
  sockets.latest().says({
    type: 'event',
    channel: 'jobs',
    table: 'jobs',
    eventType: 'UPDATE',
    new: { ...row },
    old: null,
    position: row.position,
  });
}

const PATH = '/dashboard/actions?jobId=job-1';

describe('the actions page', () => {
  it('heads the dashboard with the site and its score', async () => {
    renderApp(PATH);
    expect(await screen.findByRole('heading', { name: 'Available Tasks (2)' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Score 82 of 100' })).toBeVisible();
    expect(server.asked('GET /api/v1/actions')[0]?.query.toString()).toBe('jobId=job-1');
  });

  it('opens by site and time', async () => {
    renderApp('/dashboard/actions?domain=example.com&timestamp=2026-11-20');
    await screen.findByRole('heading', { name: 'Available Tasks (2)' });
    expect(server.asked('GET /api/v1/actions')[0]?.query.toString()).toBe('domain=example.com&timestamp=2026-11-20');
  });

  it('says when the actions cannot be loaded, and retries', async () => {
    server.on('GET /api/v1/actions', refusal(500, ''));
    const { user } = renderApp(PATH);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Error Loading Actions');
    expect(alert).toHaveTextContent('Failed to fetch actions');
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
    await user.click(within(alert).getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { name: 'Available Tasks (2)' })).toBeVisible();
  });

  it.each([
    ['of a job that is not there', refusal(404, 'Job not found', 'JOB_NOT_FOUND')],
    ['when there is no analysis', actionsResponse({ jobId: null, actions: [] })],
  ])('%s links back to the dashboard', async (_, reply) => {
    server.on('GET /api/v1/actions', reply);
    renderApp('/dashboard/actions?jobId=gone');
    expect(await screen.findByRole('heading', { name: 'No SEO Analyses Found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/');
  });

  it('of a running job shows the items when they exist', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([runningJob()]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [], executiveSummary: null }));
    const { user } = renderApp(PATH);
    expect(await screen.findByRole('region', { name: 'Audit in progress' })).toHaveTextContent('Analyzing Website');
    await goLive(sockets.latest());
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
    act(() => jobChanges(completedJob({ position: position(30) })));
    // Its end arrives on the socket.
    await user.click(await screen.findByRole('button', { name: 'Later' }));
    expect(await screen.findByRole('heading', { name: 'Available Tasks (2)' })).toBeVisible();
  });

  it('of a job that ends while its items are being loaded shows them', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([runningJob()]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [], executiveSummary: null }));
    const { user } = renderApp(PATH);
    await screen.findByRole('region', { name: 'Audit in progress' });
    await goLive(sockets.latest());
    const early = held(actionsResponse({ actions: [], executiveSummary: null }));
    server.on('GET /api/v1/actions', () => early.answer);
    act(() => jobChanges(runningJob({ action_generation_status: 'processing', position: position(30) })));
    await waitFor(() => expect(server.asked('GET /api/v1/actions')).toHaveLength(2));
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
    act(() => jobChanges(completedJob({ position: position(31) })));
    await user.click(await screen.findByRole('button', { name: 'Later' }));
    early.letGo();
    expect(await screen.findByRole('heading', { name: 'Available Tasks (2)' })).toBeVisible();
  });

  it('of a failed job explains why there are none', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([failedJob()]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [], executiveSummary: null }));
    renderApp(PATH);
    expect(await screen.findByText('This audit failed: The site did not answer within 10 seconds.')).toBeVisible();
  });

  it('of a cancelled job says cancelled, not failed', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([failedJob({ reason: 'Cancelled', reason_code: 'CANCELLED' })]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [] }));
    renderApp(PATH);
    expect(await screen.findByText('This audit was canceled before it had action items.')).toBeVisible();
  });
});

describe('the account', () => {
  it('shows the profile and the balance', async () => {
    renderApp('/account');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your Account' })).toBeVisible();
    expect(screen.getByText('ada@example.com', { selector: 'dd' })).toBeVisible();
    expect(screen.getByText('user-1')).toBeVisible();
    expect(screen.getByText(/runs in development mode/)).toBeVisible();
    expect(await screen.findByText('1 of 3')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toHaveAttribute('href', '/');
  });

  it('follows the bill on the socket', async () => {
    renderApp('/account');
    await screen.findByText('1 of 3');
    await goLive(sockets.latest());
    const { data } = (await (await fetch('http://localhost:3000/api/v1/subscription/status')).json()) as {
      data: { usage: { used: number } };
    };
    data.usage.used = 2;
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'billing',
        table: 'billing',
        eventType: 'UPDATE',
        new: { user_id: 'user-1', ...data, position: position(40) },
        old: null,
        position: position(40),
      }),
    );
    expect(await screen.findByText('2 of 3')).toBeVisible();
  });

  it('says when it cannot be loaded', async () => {
    server.on('GET /api/v1/subscription/status', refusal(500, ''));
    renderApp('/account');
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status');
  });
});
