/** Many messages at once: how often the screen changes for them, and what one listener's error does to the others. */
import { act, render, screen, waitFor } from '@testing-library/react';
import { useContext, useEffect, useState } from 'react';
import { Provider, ReactReduxContext, useSelector } from 'react-redux';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { connectionChanged, selectConnection, updateArrived } from '../../../web/api/connection.ts';
import { channelList } from '../../../web/api/live.ts';
import { IsolatedListeners } from '../../../web/app/IsolatedListeners.tsx';
import { startRealtime } from '../../../web/app/realtime.ts';
import { createStore } from '../../../web/app/store.ts';
import { type FakeServer, fakeServer } from '../given/fakeServer.ts';
import { fakeSockets, goLive, nextFrame } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { listenForTones } from '../given/tones.ts';
import { completedJob, failedJob, jobsResponse, position, runningJob } from '../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
});

afterEach(() => setHidden(false));

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

const says = (job: JobView): void =>
  sockets.latest().says({
    type: 'event',
    channel: 'jobs',
    table: 'jobs',
    eventType: 'UPDATE',
    new: { ...job },
    old: null,
    position: job.position,
  });

async function liveHome(jobs: readonly JobView[]) {
  server.on('GET /api/v1/jobs', jobsResponse(jobs));
  const app = renderApp('/');
  await screen.findByRole('tab', { name: /^All/ });
  await goLive(sockets.latest());
  return app;
}

const job = (number: number): JobView => runningJob({ id: `job-${number}`, host: `site-${number}.com` });
const failed = (number: number): JobView =>
  failedJob({ id: `job-${number}`, host: `site-${number}.com`, position: position(100 + number) });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

describe('a burst of messages', () => {
  it('of a thousand rows in one task is a handful of changes of the store', async () => {
    const { store } = await liveHome(numbers(20).map(job));
    let changes = 0;
    store.subscribe(() => (changes += 1));
    for (const number of numbers(1000))
      says(runningJob({ id: `job-${number % 20}`, pages_done: number % 30, position: position(100 + number) }));
    expect(changes).toBe(0);
    await nextFrame();
    expect(changes).toBeLessThan(5);
    for (const number of numbers(20)) says(failed(1000 + number));
    for (const number of numbers(20)) says({ ...failed(number), position: position(3000) });
    await nextFrame();
    expect(screen.getByRole('tab', { name: 'All 40' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Failed 40' })).toBeVisible();
  });

  it('never reaches React’s limit of nested updates, even where React gets no task of its own between the messages', async () => {
    const reported = vi.spyOn(console, 'error').mockReturnValue();
    const store = createStore();
    let count = 0;
    const apply = (): void => {
      count += 1;
      store.dispatch(updateArrived(count));
    };
    const stop = startRealtime({
      channels: [{ name: 'jobs', position: async () => position(1), apply, reload: () => undefined }],
      onState: () => undefined,
      onSessionEnded: () => undefined,
    });
    sockets.latest().opened();
    render(
      <Provider store={store}>
        <Follower />
      </Provider>,
    );
    // Rendering as in a browser.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    for (const number of numbers(1000)) {
      says(failed(number));
      await null;
    }
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    await nextFrame();
    stop();
    expect(reported.mock.calls).toEqual([]);
    expect(screen.getByText('last update: 1')).toBeVisible();
    expect(count).toBe(1);
  });

  it('of more than a thousand rows loads the list again, and the screen is what the list says', async () => {
    await liveHome(numbers(20).map(job));
    const asked = server.asked('GET /api/v1/jobs').length;
    // The last of the messages is about a job that was deleted since.
    const [, ...rest] = numbers(20).map((number) => ({ ...failed(number), position: position(5000) }));
    server.on('GET /api/v1/jobs', jobsResponse(rest));
    for (const number of numbers(1001))
      says(runningJob({ id: `job-${number % 20}`, pages_done: 1 + (number % 30), position: position(100 + number) }));
    await nextFrame();
    expect(await screen.findByRole('tab', { name: 'Failed 19' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'All 19' })).toBeVisible();
    expect(server.asked('GET /api/v1/jobs')).toHaveLength(asked + 1);
    says(runningJob({ id: 'job-1', host: 'late.com', position: position(101) }));
    says(runningJob({ id: 'job-50', host: 'new.com', position: position(5001) }));
    await nextFrame();
    expect(screen.getByRole('tab', { name: 'Failed 19' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'All 20' })).toBeVisible();
  });
});

describe('in a hidden tab', () => {
  it.each([
    ['by a row', 1],
    ['by a list that is loaded instead of too many rows', 1001],
  ])('a finished audit is announced by its sound and the title, %s', async (_, count) => {
    const started = listenForTones();
    await liveHome([runningJob()]);
    setHidden(true);
    // As in a browser.
    vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
    server.on('GET /api/v1/jobs', jobsResponse([completedJob({ position: position(2000) })]));
    for (const number of numbers(count)) says(completedJob({ position: position(100 + number) }));
    await waitFor(() => expect(started).toEqual([0, 0.16]));
    await waitFor(() => expect(document.title).toBe('Ready: example.com'));
  });
});

/** Changes its own state after each change of the store, as pages do. */
function Follower() {
  const { lastUpdate } = useSelector(selectConnection);
  const [seen, setSeen] = useState<number | null>(null);
  useEffect(() => setSeen(lastUpdate), [lastUpdate]);
  return <p>last update: {seen}</p>;
}

const error = new Error('of this listener alone');
const throwing = (): never => {
  throw error;
};

function Throwing() {
  const context = useContext(ReactReduxContext);
  useEffect(() => context?.subscription.addNestedSub(throwing), [context]);
  return null;
}

describe('a listener that throws', () => {
  it('skips no other listener of the store, and the change itself succeeds', () => {
    const reported = vi.spyOn(console, 'error').mockReturnValue();
    const store = createStore();
    const states: string[] = [];
    store.subscribe(throwing);
    store.subscribe(() => states.push(store.getState().connection.state));
    store.dispatch(connectionChanged('live'));
    expect(states).toEqual(['live']);
    expect(reported.mock.calls).toEqual([[error]]);
  });

  it('skips no component after it', () => {
    const reported = vi.spyOn(console, 'error').mockReturnValue();
    const store = createStore();
    render(
      <Provider store={store}>
        <IsolatedListeners>
          <Throwing />
          <Follower />
        </IsolatedListeners>
      </Provider>,
    );
    act(() => void store.dispatch(updateArrived(7)));
    expect(screen.getByText('last update: 7')).toBeVisible();
    expect(reported.mock.calls).toEqual([[error]]);
  });

  it('skips no other watcher of the channels', () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const channels = channelList();
    const changes: boolean[] = [];
    channels.watch(throwing);
    channels.watch((_, here) => changes.push(here));
    channels.follow({ name: 'exports', apply: () => undefined, reload: () => undefined })();
    expect(changes).toEqual([true, false]);
  });
});
