import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerMessage } from '../../../src/http/contract/realtime.ts';
import { channelList, type LiveChannel, type RowEvent } from '../../../web/api/live.ts';
import { startRealtime } from '../../../web/app/realtime.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, position } from '../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
let rows: RowEvent[];
let states: string[];
let reloads: number;
let ended: number;
let from: string | null;
let more: ReturnType<typeof channelList>;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  rows = [];
  states = [];
  reloads = 0;
  ended = 0;
  from = position(7);
  more = channelList();
});

afterEach(() => {
  stop();
  setHidden(false);
});

function start(): void {
  const jobs: LiveChannel = { name: 'jobs', position: async () => from, apply: (event) => rows.push(event), reload: () => (reloads += 1) };
  stop = startRealtime({ channels: [jobs], more, onState: (state) => states.push(state), onSessionEnded: () => (ended += 1) });
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
}

async function live(): Promise<void> {
  sockets.latest().opened();
  sockets.latest().says({ type: 'ready' });
  await vi.advanceTimersByTimeAsync(0);
  sockets.latest().says({ type: 'subscribed', channel: 'jobs', position: position(9) });
}

const row = (number: number): ServerMessage => ({
  type: 'event',
  channel: 'jobs',
  table: 'jobs',
  eventType: 'UPDATE',
  new: { id: `at-${number}` },
  old: null,
  position: position(number),
});

describe('the one socket', () => {
  it('signs in with its first message and subscribes from the screen’s position', async () => {
    start();
    expect(sockets.latest().url).toBe('ws://localhost:3000/api/v1/realtime');
    await live();
    expect(sockets.latest().sent).toEqual([
      { type: 'auth', token: 'session-1.access' },
      { type: 'subscribe', channel: 'jobs', since: position(7) },
    ]);
    expect(states).toEqual(['live']);
  });

  it('delivers every row, also a delayed one, and continues from the latest', async () => {
    start();
    await live();
    for (const number of [11, 10, 12, 8]) sockets.latest().says(row(number));
    expect(rows.map((event) => event.position)).toEqual([11, 10, 12, 8].map(position));
    sockets.latest().breaks();
    await vi.advanceTimersByTimeAsync(300);
    await live();
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'jobs', since: position(12) });
  });

  it('answers a ping, and ignores unknown messages', async () => {
    start();
    await live();
    sockets.latest().says({ type: 'ping' });
    sockets.latest().onmessage?.({ data: 'not json' });
    sockets.latest().onmessage?.({ data: 'null' });
    sockets.latest().says(row(10));
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'pong' });
    expect(rows).toHaveLength(1);
  });

  it('reconnects with back-off, resumes from its last row and reloads', async () => {
    start();
    await live();
    sockets.latest().says(row(12));
    sockets.latest().breaks();
    expect(states).toEqual(['live', 'offline']);
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const before = sockets.count();
      let waited = 0;
      while (sockets.count() === before) {
        await vi.advanceTimersByTimeAsync(100);
        waited += 100;
      }
      waits.push(waited);
      sockets.latest().breaks();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reloads).toBe(0);
    await live();
    expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'jobs', since: position(12) });
    expect(reloads).toBe(1);
    expect(states.at(-1)).toBe('live');
    sockets.latest().breaks();
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets.count()).toBe(11);
  });

  it('does not reconnect while the tab is hidden', async () => {
    start();
    await live();
    setHidden(true);
    sockets.latest().breaks();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets.count()).toBe(1);
    setHidden(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(sockets.count()).toBe(2);
  });

  it('closes a socket that has gone silent', async () => {
    start();
    await live();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'ping' });
    sockets.latest().says({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(states).toEqual(['live']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(states).toEqual(['live', 'offline']);
    expect(sockets.count()).toBe(2);
  });

  it('renews a refused token, then reconnects with the new one', async () => {
    const renewed = loginResponse('session-1.second');
    server.on('POST /api/v1/auth/refresh', { success: true, token: renewed.token, session: renewed.session });
    start();
    sockets.latest().opened();
    sockets.latest().breaks(4401);
    await vi.advanceTimersByTimeAsync(400);
    sockets.latest().opened();
    expect(sockets.count()).toBe(2);
    expect(sockets.latest().sent).toEqual([{ type: 'auth', token: 'session-1.second' }]);
    expect(ended).toBe(0);
  });

  it('reports when the session has ended', async () => {
    server.on('POST /api/v1/auth/refresh', refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
    start();
    sockets.latest().opened();
    sockets.latest().breaks(4401);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toBe(1);
    expect(sockets.count()).toBe(1);
  });

  it('waits when the server has too many sockets', async () => {
    start();
    await live();
    sockets.latest().breaks(4430);
    await vi.advanceTimersByTimeAsync(29_900);
    expect(sockets.count()).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets.count()).toBe(2);
  });

  it('retries when the screen could not be loaded', async () => {
    from = null;
    start();
    sockets.latest().opened();
    sockets.latest().says({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(0);
    expect(states).toEqual(['offline']);
    from = position(3);
    await vi.advanceTimersByTimeAsync(200);
    await live();
    expect(states).toEqual(['offline', 'live']);
  });

  it('starts over without a position that the server refuses', async () => {
    start();
    await live();
    sockets.latest().says({ type: 'error', code: 'POSITION_UNKNOWN', channel: 'jobs' });
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'jobs' });
    expect(reloads).toBe(1);
  });

  it('follows a page’s channel as long as the page is open', async () => {
    start();
    await live();
    const seen: string[] = [];
    let truths = 0;
    const leave = more.follow({ name: 'actions:job-1', apply: (event) => seen.push(event.position), reload: () => (truths += 1) });
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1' });
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(20) });
    expect(truths).toBe(1);
    sockets.latest().says({ ...row(21), channel: 'actions:job-1', table: 'actions' } as ServerMessage);
    expect(seen).toEqual([position(21)]);
    expect(rows).toEqual([]);
    sockets.latest().breaks();
    await vi.advanceTimersByTimeAsync(300);
    await live();
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1', since: position(21) });
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(21) });
    expect(truths).toBe(1);
    leave();
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'unsubscribe', channel: 'actions:job-1' });
    sockets.latest().says({ ...row(22), channel: 'actions:job-1', table: 'actions' } as ServerMessage);
    expect(seen).toHaveLength(1);
  });

  it('starts from the page’s position if it has one', async () => {
    start();
    more.follow({ name: 'actions:job-1', position: async () => position(5), apply: () => undefined, reload: () => (reloads += 1) });
    await live();
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(9) });
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1', since: position(5) });
    expect(reloads).toBe(0);
  });

  it('of a page that was left does not begin after a change that no page has shown', async () => {
    start();
    await live();
    const late = { ...row(22), channel: 'actions:job-1', table: 'actions' } as ServerMessage;
    const shown = { name: 'actions:job-1', position: async () => position(10), apply: () => undefined, reload: () => undefined };
    const leave = more.follow(shown);
    await vi.advanceTimersByTimeAsync(0);
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(10) });
    leave();
    sockets.latest().says(late);
    more.follow(shown);
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1', since: position(10) });
  });

  it('of a page that is read again when it opens is read again however late its first subscription was answered', async () => {
    start();
    await live();
    const exports = { name: 'exports', apply: () => undefined, reload: () => (reloads += 1) };
    const leave = more.follow(exports);
    await vi.advanceTimersByTimeAsync(0);
    leave();
    sockets.latest().says({ type: 'subscribed', channel: 'exports', position: position(20) });
    more.follow(exports);
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'exports' });
    sockets.latest().says({ type: 'subscribed', channel: 'exports', position: position(21) });
    expect(reloads).toBe(1);
  });

  it('is closed for good when it is stopped', async () => {
    start();
    await live();
    const socket = sockets.latest();
    stop();
    expect(socket.readyState).toBe(3);
    socket.breaks();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets.count()).toBe(1);
  });
});
