/** The place in the queue of a waiting job, on jobs home and on its page. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { emptyJobs, mergeList, putJob } from '../../../../web/features/jobs/jobsCache.ts';
import { applyJobEvent } from '../../../../web/features/jobs/jobsLive.ts';
import { placesInQueue, queueText } from '../../../../web/features/jobs/queue.ts';
import { type FakeServer, fakeServer } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { jobsResponse, position, runningJob } from '../../given/views.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const inMinutes = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

/** Submitted as the nth. */
function queued(nth: number, queue: JobView['queue'] = null, over: Partial<JobView> = {}): JobView {
  const id = `job-${nth}`;
  const host = `site${nth}.com`;
  return {
    ...runningJob({
      id,
      host,
      url: `https://${host}/`,
      status: 'queued',
      created_at: inMinutes(-10),
      position: position(10 + nth),
    }),
    progress: 5,
    pages_done: 0,
    pages_known: 0,
    eta: null,
    started_at: null,
    queue,
    ...over,
  };
}
const started = (job: JobView, at: number): JobView => ({
  ...job,
  status: 'starting',
  progress: 10,
  started_at: NOW,
  queue: null,
  position: position(at),
});

describe('the text', () => {
  it.each([
    [0, null, 'next in your queue'],
    [1, null, 'number 2 in your queue'],
    [3, inMinutes(4), 'number 4 in your queue · starts in about 4 min'],
    [0, inMinutes(0.4), 'next in your queue · starts within a minute'],
    [9_999, inMinutes(1_204), 'number 10,000 in your queue · starts in about 20 h'],
    [40, inMinutes(93), 'number 41 in your queue · starts in about 1 h 30 min'],
    // It should have begun: the estimate has passed.
    [2, inMinutes(-1), 'number 3 in your queue'],
    [2, 'nonsense', 'number 3 in your queue'],
  ])('with %s ahead and its start at %s is "%s"', (ahead, startsAt, text) => {
    expect(queueText(ahead, startsAt, Date.parse(NOW))).toBe(text);
  });
});

describe('the places', () => {
  const cacheOf = (...jobs: JobView[]) => {
    const cache = emptyJobs();
    mergeList(cache, { jobs, truncated: false, askedAt: 0, position: position(50) });
    return cache;
  };
  const places = (cache: ReturnType<typeof emptyJobs>) => Object.fromEntries(placesInQueue(cache));
  const row = (job: JobView) => ({
    ...({ type: 'event', channel: 'jobs', table: 'jobs', eventType: 'UPDATE', old: null } as const),
    new: { ...job },
    position: job.position,
  });

  it('follow the order of submission, of a batch too, and are empty where nothing waits', () => {
    expect(places(cacheOf(runningJob({ id: 'running' })))).toEqual({});
    const earlier = queued(9, null, { created_at: inMinutes(-11) });
    expect(places(cacheOf(queued(3), queued(1), runningJob({ id: 'running' }), earlier))).toEqual({
      'job-9': 0,
      'job-1': 1,
      'job-3': 2,
    });
  });

  it('drop as soon as an earlier one begins or disappears, without further server messages', () => {
    const cache = cacheOf(
      queued(1, { ahead: 0, starts_at: null }),
      queued(2, { ahead: 1, starts_at: null }),
      queued(3, { ahead: 2, starts_at: null }),
    );
    applyJobEvent(cache, row(started(queued(1), 60)), 1);
    expect(places(cache)).toEqual({ 'job-2': 0, 'job-3': 1 });
    applyJobEvent(cache, { ...row(queued(2)), eventType: 'DELETE', new: null, old: { id: 'job-2' } }, 2);
    expect(places(cache)).toEqual({ 'job-3': 0 });
  });

  it('count jobs beyond the end of the list', () => {
    const cache = cacheOf(queued(2, { ahead: 1_501, starts_at: null }), queued(1, { ahead: 1_500, starts_at: null }));
    expect(places(cache)).toEqual({ 'job-1': 1_500, 'job-2': 1_501 });
    putJob(cache, queued(3, { ahead: 1_502, starts_at: null }), 1);
    expect(places(cache)['job-3']).toBe(1_502);
    mergeList(cache, {
      jobs: [queued(1, { ahead: 7, starts_at: null })],
      truncated: false,
      askedAt: 2,
      position: position(60),
    });
    expect(places(cache)).toEqual({ 'job-1': 7 });
  });

  it('keep the estimated start when the job’s row has none', () => {
    const cache = cacheOf(queued(1, { ahead: 0, starts_at: inMinutes(4) }));
    const { queue: _, ...rest } = queued(1);
    applyJobEvent(cache, { ...row(queued(1)), new: rest }, 1);
    expect(cache.jobs['job-1']?.queue).toEqual({ ahead: 0, starts_at: inMinutes(4) });
    applyJobEvent(cache, { ...row(queued(2)), eventType: 'INSERT', new: { ...rest, id: 'job-2' } }, 1);
    expect(cache.jobs['job-2']?.queue).toBeNull();
  });
});

describe('on the screen', () => {
  let server: FakeServer;
  let sockets: ReturnType<typeof fakeSockets>;
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse(NOW) });
    server = fakeServer();
    sockets = fakeSockets();
    signedInBefore();
  });

  async function home(jobs: readonly JobView[]) {
    server.on('GET /api/v1/jobs', jobsResponse(jobs));
    const app = renderApp('/');
    await screen.findByRole('tab', { name: /^All/ });
    return app;
  }
  const rowOf = (job: JobView): HTMLElement => {
    const row = screen.getAllByRole('row').find((each) => each.getAttribute('data-row') === job.id);
    if (!row) throw new Error(`no row of ${job.id}`);
    return row;
  };

  it('a row shows it in words beside its status, and a running one does not', async () => {
    const jobs = [
      queued(1, { ahead: 0, starts_at: inMinutes(2) }),
      queued(2, { ahead: 1, starts_at: inMinutes(2) }),
      queued(3, { ahead: 2, starts_at: null }),
    ];
    const running = runningJob({ id: 'running', host: 'running.com' });
    await home([...jobs, running]);
    const second = (job: JobView): string | null => within(rowOf(job)).getAllByRole('cell')[1]?.textContent ?? null;
    // Rows may arrive before the page's clock.
    await waitFor(() =>
      expect(jobs.map(second)).toEqual([
        'Queuednext in your queue · starts in about 2 min',
        'Queuednumber 2 in your queue · starts in about 2 min',
        'Queuednumber 3 in your queue',
      ]),
    );
    expect(second(running)).not.toMatch(/queue|behind/);
  });

  /** With a server at the other end that answers. */
  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 10) {
      await act(() => vi.advanceTimersByTimeAsync(Math.min(left, 10) * 1_000));
      act(() => sockets.latest().says({ type: 'ping' }));
    }
  }

  it('rows move up when one begins, and the list is polled once a minute while some wait', async () => {
    const jobs = [queued(1, { ahead: 0, starts_at: null }), queued(2, { ahead: 1, starts_at: null })];
    await home(jobs);
    await goLive(sockets.latest());
    const first = started(jobs[0] as JobView, 60);
    sockets.latest().says({
      type: 'event',
      channel: 'jobs',
      table: 'jobs',
      eventType: 'UPDATE',
      new: { ...first },
      old: null,
      position: first.position,
    });
    await act(async () => void vi.advanceTimersToNextFrame());
    expect(rowOf(jobs[1] as JobView)).toHaveTextContent('next in your queue');
    const asked = server.asked('GET /api/v1/jobs').length;
    server.on('GET /api/v1/jobs', jobsResponse([first, queued(2, { ahead: 0, starts_at: inMinutes(4) })]));
    await pass(58);
    expect(server.asked('GET /api/v1/jobs')).toHaveLength(asked);
    await pass(3);
    expect(server.asked('GET /api/v1/jobs')).toHaveLength(asked + 1);
    expect(rowOf(jobs[1] as JobView)).toHaveTextContent('next in your queue · starts in about 3 min');
    // Nothing waits any more.
    const second = started(jobs[1] as JobView, 70);
    server.on('GET /api/v1/jobs', jobsResponse([first, second]));
    sockets.latest().says({
      type: 'event',
      channel: 'jobs',
      table: 'jobs',
      eventType: 'UPDATE',
      new: { ...second },
      old: null,
      position: second.position,
    });
    await act(async () => void vi.advanceTimersToNextFrame());
    await pass(120);
    expect(server.asked('GET /api/v1/jobs')).toHaveLength(asked + 1);
  });

  it('the page of a job shows it too, and that it was submitted, not started', async () => {
    const job = queued(2, { ahead: 2_000, starts_at: inMinutes(300) });
    server.on('GET /api/v1/jobs', jobsResponse([job]));
    server.on('GET /api/v1/jobs/job-2/runs', { success: true, runs: [] });
    renderApp('/dashboard/jobs/job-2');
    const progress = await screen.findByRole('region', { name: 'Progress of site2.com' });
    expect(progress).toHaveTextContent('Queued');
    expect(progress).toHaveTextContent('number 2,001 in your queue · starts in about 5 h');
    expect(screen.getByText(/^submitted/)).toBeVisible();
  });
});
