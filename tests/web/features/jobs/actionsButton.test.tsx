/** The button of a finished job that opens its action items, or generates them. */
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse, position } from '../../given/views.ts';

const CHECK = 'GET /api/v1/actions/check-job/job-1';
const PARSE = 'POST /api/v1/actions/parse';
const REGENERATE = 'POST /api/v1/jobs/job-1/regenerate-actions';
const NONE = { success: true, hasActions: false, actionCount: 0 };

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on(CHECK, NONE);
});

async function home(over: Partial<JobView> = {}) {
  server.on('GET /api/v1/jobs', jobsResponse([completedJob({ action_count: 0, ...over })]));
  const app = renderApp('/');
  await screen.findByRole('tab', { name: /^All/ });
  return app;
}

/** A server answer that the test releases. */
function held<T>() {
  let answer: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    answer = resolve;
  });
  return { promise, answer };
}

const press = async (user: { click: (element: Element) => Promise<void> }): Promise<void> =>
  user.click(await screen.findByRole('button', { name: /^Generate Actions/ }));

describe('the actions button', () => {
  it('links to the items that the list has, without a call', async () => {
    const { user, address } = await home({ action_count: 27 });
    await user.click(screen.getByRole('link', { name: /View Actions \(27\)/ }));
    expect(address()).toBe('/dashboard/actions?domain=www.example.com&jobId=job-1');
    expect(server.asked(CHECK)).toHaveLength(0);
  });

  it('checks first, then offers to view with the number', async () => {
    const { promise, answer } = held<unknown>();
    server.on(CHECK, () => promise);
    await home();
    expect(await screen.findByText('Checking…')).toBeVisible();
    await act(async () => answer({ success: true, hasActions: true, actionCount: 12 }));
    expect(await screen.findByRole('link', { name: /View Actions \(12\)/ })).toBeVisible();
  });

  it('generates until the pending work is done, and then knows how many there are', async () => {
    const rework = {
      id: 'rework-1',
      job_id: 'job-1',
      what: 'actions',
      action_id: null,
      ask: 1,
      status: 'pending',
      code: null,
      error: null,
      asked_at: '2026-11-22T10:00:00.000Z',
      ended_at: null,
    };
    server.on(PARSE, {
      success: true,
      pending: true,
      rework,
      actions: [],
      actionsCount: 0,
      message: 'The action items are being written',
    });
    const { promise, answer } = held<unknown>();
    server.on('GET /api/v1/jobs/job-1/reworks', () => promise);
    const { user } = await home();
    await press(user);
    expect(await screen.findByRole('button', { name: /^Generating/ })).toHaveAttribute('aria-busy', 'true');
    server.on(CHECK, { success: true, hasActions: true, actionCount: 5 });
    await act(async () => answer({ success: true, reworks: [{ ...rework, status: 'done' }] }));
    expect(await screen.findByRole('button', { name: /^Done/ })).toBeVisible();
    expect(screen.queryByText('Nothing to act on was found.')).toBeNull();
  });

  it('shows progress, then Done, and opens the actions after a second', async () => {
    const { promise, answer } = held<unknown>();
    server.on(PARSE, () => promise);
    const { user, address } = await home();
    await press(user);
    const button = await screen.findByRole('button', { name: /^Generating/ });
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
    expect(server.asked(PARSE).map((call) => call.body)).toEqual([
      { folderPath: 'www.example.com/2026-11-20T10-01-00Z' },
    ]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await act(async () => answer({ success: true, actions: [], actionsCount: 9 }));
    expect(screen.getByRole('button', { name: /^Done/ })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(address()).toBe('/');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(address()).toBe('/dashboard/actions?domain=www.example.com&jobId=job-1');
  });

  it('completes even if the live row has the items already', async () => {
    const { promise, answer } = held<unknown>();
    server.on(PARSE, () => promise);
    const { user } = await home();
    await goLive(sockets.latest());
    await press(user);
    const row = completedJob({ action_count: 9, position: position(30) });
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'jobs',
        table: 'jobs',
        eventType: 'UPDATE',
        new: { ...row },
        old: null,
        position: row.position,
      }),
    );
    expect(screen.getByRole('button', { name: /^Generating/ })).toBeVisible();
    await act(async () => answer({ success: true, actionsCount: 9 }));
    expect(await screen.findByRole('button', { name: /^Done/ })).toBeVisible();
  });

  it('resets after three seconds when none were generated', async () => {
    server.on(PARSE, { success: true, actions: [], actionsCount: 0, message: 'Nothing to do' });
    const { user, address } = await home();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await press(user);
    await screen.findByRole('button', { name: /^Done/ });
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(screen.getByRole('button', { name: /^Generate Actions/ })).toBeVisible();
    expect(address()).toBe('/');
  });

  it.each([
    ['the server’s text', refusal(422, 'This analysis has no findings.'), 'This analysis has no findings.'],
    ['its status where it has none', { status: 500, body: {} }, 'Failed to generate actions (500)'],
    [
      'a lost network',
      () => {
        throw new NetworkDown();
      },
      'Network error',
    ],
  ])('shows Error for three seconds, with %s', async (_, reply, text) => {
    server.on(PARSE, reply);
    const { user } = await home();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await press(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('button', { name: /^Error/ })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(screen.getByRole('button', { name: /^Generate Actions/ })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('of a job without a folder uses its id, and says when it is too old', async () => {
    server.on(REGENERATE, refusal(404, 'Job not found', 'JOB_NOT_FOUND'));
    const { user } = await home({ folderPath: null });
    await press(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This analysis is too old. Please run a new analysis to generate actions.',
    );
    expect(server.asked(REGENERATE)[0]?.body).toEqual({ jobId: 'job-1' });
  });

  it('requires a token', async () => {
    const { user } = await home();
    const button = await screen.findByRole('button', { name: /^Generate Actions/ });
    localStorage.removeItem('auth_token');
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('No authentication token found. Please log in again.');
    expect(server.asked(PARSE)).toHaveLength(0);
  });

  it('is hidden for failed and running jobs', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([completedJob({ status: 'failed', action_count: 0 })]));
    renderApp('/');
    await screen.findByRole('tab', { name: 'Failed 1' });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run example.com again' })).toBeVisible());
    expect(screen.queryByRole('button', { name: /Actions/ })).toBeNull();
  });
});
