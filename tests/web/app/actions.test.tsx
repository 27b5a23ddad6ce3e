import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets, goLive } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { action, actionsResponse, completedJob, failedJob, jobsResponse, position, runningJob } from '../given/views.ts';

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

const PATH = '/dashboard/actions?jobId=job-1';
const titles = (): (string | null | undefined)[] =>
  within(screen.getByRole('region', { name: /Action items/ }))
    .getAllByRole('link')
    .map((link) => link.querySelector('span')?.textContent);

describe('the action items', () => {
  it('of a job are listed by impact, with the work that is left', async () => {
    renderApp(PATH);
    await screen.findByRole('heading', { name: 'Action items 3' });
    expect(titles()).toEqual(['Give every page a title', 'Describe images', 'Shorten long titles']);
    expect(screen.getByText('about 1 h 50 min of work in all')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
    expect(server.asked('GET /api/v1/actions')[0]?.query.toString()).toBe('jobId=job-1');
    const first = screen.getByRole('link', { name: /Give every page a title/ });
    expect(first).toHaveTextContent('High impact');
    expect(first).toHaveTextContent('Technical');
    expect(first).toHaveTextContent('20 min');
    expect(screen.getByRole('link', { name: /Describe images/ })).toHaveTextContent('Completed');
  });

  it('can be asked for by site and time', async () => {
    renderApp('/dashboard/actions?domain=example.com&timestamp=2026-11-20');
    await screen.findByRole('heading', { name: 'Action items 3' });
    expect(server.asked('GET /api/v1/actions')[0]?.query.toString()).toBe('domain=example.com&timestamp=2026-11-20');
  });

  it('open in detail, and the browser’s back leads to where one was', async () => {
    const { user, address } = renderApp(PATH);
    await user.click(await screen.findByRole('link', { name: /Give every page a title/ }));
    expect(address()).toBe(`${PATH}&actionId=high`);
    const heading = screen.getByRole('heading', { level: 2, name: 'Give every page a title' });
    expect(screen.getByText('High impact on 12 of 14 pages, for about 30 minutes of work.')).toBeVisible();
    expect(heading).toHaveFocus();
    for (const text of [
      'Pages without a title are rarely clicked in search results.',
      '3 pages have no title, so search engines make one up.',
      'Write a title of 15 to 60 characters for each page, with its subject first.',
      '<title>Blue ceramic mugs – Example Shop</title>',
      '2-4 weeks',
      'quick win',
      '(missing)',
    ])
      expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'https://www.example.com/a' })).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name: 'https://www.example.com/b' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Back to all actions' }));
    expect(address()).toBe(PATH);
    await waitFor(() => expect(screen.getByRole('link', { name: /Give every page a title/ })).toHaveFocus());
  });

  it('open in detail from an address, and say when it names none of them', async () => {
    const { unmount } = renderApp(`${PATH}&actionId=medium`);
    expect(await screen.findByRole('heading', { level: 2, name: 'Describe images' })).toBeVisible();
    unmount();
    renderApp(`${PATH}&actionId=gone`);
    expect(await screen.findByText(/is not among these action items/)).toBeVisible();
    expect(titles()).toHaveLength(3);
  });

  it('never link to what is no web address', async () => {
    const evidence = [{ url: 'javascript:alert(1)', place: 'a', value: 'b' }];
    server.on('GET /api/v1/actions', actionsResponse({ actions: [action({ evidence, pages: [] })] }));
    renderApp(`${PATH}&actionId=action-1`);
    expect((await screen.findByText('javascript:alert(1)')).closest('a')).toBeNull();
  });

  it('come with a summary that opens and closes, and says who wrote it', async () => {
    const { user } = renderApp(PATH);
    expect(await screen.findByText('Written by Built-in analyst')).toBeVisible();
    expect(screen.getByText('The site is sound, with three gaps.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show Executive Summary' }));
    expect(await screen.findByRole('link', { name: 'three gaps' })).toHaveAttribute('target', '_blank');
    await user.click(screen.getByRole('button', { name: 'Hide Summary' }));
    expect(screen.queryByRole('link', { name: 'three gaps' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Show Executive Summary' })).toHaveAttribute('aria-expanded', 'false');
  });

  it('of a preview say how many there are', async () => {
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS, isFreemiumPreview: true, totalActionsAvailable: 27, actionsShown: 3 }));
    renderApp(PATH);
    expect(await screen.findByText('Preview: 3 of 27 action items')).toBeVisible();
    expect(screen.getByText(/24 more items come with full access, which is not available yet\./)).toBeVisible();
  });

  it('that are all there need no notice', async () => {
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS, isFreemiumPreview: true }));
    renderApp(PATH);
    await screen.findByRole('heading', { name: 'Action items 3' });
    expect(screen.queryByText(/Preview:/)).toBeNull();
  });

  it('that cannot be loaded offer to try again', async () => {
    server.on('GET /api/v1/actions', refusal(500, ''));
    const { user } = renderApp(PATH);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Error Loading Actions');
    expect(alert).toHaveTextContent('Failed to fetch actions');
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
    await user.click(within(alert).getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { name: 'Action items 3' })).toBeVisible();
  });

  it.each([
    ['of a job that is not there', refusal(404, 'Job not found', 'JOB_NOT_FOUND')],
    ['when there is no analysis', actionsResponse({ jobId: null, actions: [] })],
  ])('%s lead back to the dashboard', async (_, reply) => {
    server.on('GET /api/v1/actions', reply);
    renderApp('/dashboard/actions?jobId=gone');
    expect(await screen.findByRole('heading', { name: 'No SEO Analyses Found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/');
  });

  it('of a job under way appear when they are there', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([runningJob()]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [], executiveSummary: null }));
    renderApp(PATH);
    expect(await screen.findByRole('region', { name: 'Analysis under way' })).toHaveTextContent('Analyzing Website');
    await goLive(sockets.latest());
    server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
    const row = completedJob({ position: position(30) });
    act(() =>
      sockets.latest().says({ type: 'event', channel: 'jobs', table: 'jobs', eventType: 'UPDATE', new: { ...row }, old: null, position: row.position }),
    );
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  it('of a failed job say why there are none', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([failedJob()]));
    server.on('GET /api/v1/actions', actionsResponse({ actions: [], executiveSummary: null }));
    renderApp(PATH);
    expect(await screen.findByText('This analysis failed: The site did not answer within 10 seconds.')).toBeVisible();
  });
});

describe('the account', () => {
  it('shows who one is and what one has', async () => {
    renderApp('/account');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your Account' })).toBeVisible();
    expect(screen.getByText('ada@example.com')).toBeVisible();
    expect(screen.getByText('user-1')).toBeVisible();
    expect(screen.getByText(/runs in development mode/)).toBeVisible();
    expect(await screen.findByText('1 of 3')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toHaveAttribute('href', '/');
  });

  it('follows the bill as the socket tells', async () => {
    renderApp('/account');
    await screen.findByText('1 of 3');
    await goLive(sockets.latest());
    const { data } = (await (await fetch('http://localhost:3000/api/v1/subscription/status')).json()) as { data: { usage: { used: number } } };
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

  it('says when it cannot be read', async () => {
    server.on('GET /api/v1/subscription/status', refusal(500, ''));
    renderApp('/account');
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status');
  });
});
