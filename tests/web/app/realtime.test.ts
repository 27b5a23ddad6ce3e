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
  const jobs: LiveChannel = {
    name: 'jobs',
    position: async () => from,
    apply: (events) => rows.push(...events),
    reload: () => (reloads += 1),
  };
  stop = startRealtime({
    channels: [jobs],
    more,
    onState: (state) => states.push(state),
    onSessionEnded: () => (ended += 1),
  });
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
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
  it('logs in with its first message and subscribes from the screen’s position', async () => {
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
    vi.advanceTimersToNextFrame();
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
    vi.advanceTimersToNextFrame();
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

  it('loads the list again after it missed too much, once it follows the changes', async () => {
    start();
    await live();
    sockets.latest().says({ type: 'error', code: 'TOO_MUCH_MISSED', channel: 'jobs' });
    const before = reloads;
    sockets.latest().says({ type: 'subscribed', channel: 'jobs', position: position(30) });
    expect(reloads).toBeGreaterThan(before);
    sockets.latest().says(row(31));
    vi.advanceTimersToNextFrame();
    expect(rows).toHaveLength(1);
  });

  it('loads the list again after its first subscription missed too much', async () => {
    start();
    sockets.latest().opened();
    sockets.latest().says({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(0);
    sockets.latest().says({ type: 'error', code: 'TOO_MUCH_MISSED', channel: 'jobs' });
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'jobs' });
    const before = reloads;
    sockets.latest().says({ type: 'subscribed', channel: 'jobs', position: position(30) });
    expect([states, reloads]).toEqual([['live'], before + 1]);
  });

  it('follows a page’s channel as long as the page is open', async () => {
    start();
    await live();
    const seen: string[] = [];
    let truths = 0;
    const leave = more.follow({
      name: 'actions:job-1',
      apply: (events) => seen.push(...events.map((event) => event.position)),
      reload: () => (truths += 1),
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1' });
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(20) });
    expect(truths).toBe(1);
    sockets.latest().says({ ...row(21), channel: 'actions:job-1', table: 'actions' } as ServerMessage);
    vi.advanceTimersToNextFrame();
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
    vi.advanceTimersToNextFrame();
    expect(seen).toHaveLength(1);
  });

  it('starts from the page’s position if it has one', async () => {
    start();
    more.follow({
      name: 'actions:job-1',
      position: async () => position(5),
      apply: () => undefined,
      reload: () => (reloads += 1),
    });
    await live();
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(9) });
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'actions:job-1', since: position(5) });
    expect(reloads).toBe(0);
  });

  it('of a page that was left does not begin after a change that no page has shown', async () => {
    start();
    await live();
    const late = { ...row(22), channel: 'actions:job-1', table: 'actions' } as ServerMessage;
    const shown = {
      name: 'actions:job-1',
      position: async () => position(10),
      apply: () => undefined,
      reload: () => undefined,
    };
    const leave = more.follow(shown);
    await vi.advanceTimersByTimeAsync(0);
    sockets.latest().says({ type: 'subscribed', channel: 'actions:job-1', position: position(10) });
    sockets.latest().says(late);
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

describe('rows', () => {
  /** The calls of `apply`, with the numbers of their rows. */
  let calls: number[][];
  const numbersOf = (events: readonly RowEvent[]): number[] => events.map((event) => Number(event.position));
  const many = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);
  const say = (numbers: readonly number[], channel = 'jobs'): void => {
    for (const number of numbers) sockets.latest().says({ ...row(number), channel } as ServerMessage);
  };
  const jobs = (): LiveChannel => ({
    name: 'jobs',
    position: async () => from,
    apply: (events) => calls.push(numbersOf(events)),
    reload: () => (reloads += 1),
  });
  const begin = async (...others: LiveChannel[]): Promise<void> => {
    stop = startRealtime({
      channels: [jobs(), ...others],
      more,
      onState: (state) => states.push(state),
      onSessionEnded: () => (ended += 1),
    });
    await live();
  };
  beforeEach(() => {
    calls = [];
  });

  it('of one frame are applied together, in their order', async () => {
    await begin();
    say(many(10, 999));
    expect(calls).toEqual([]);
    vi.advanceTimersToNextFrame();
    expect(calls).toEqual([many(10, 999)]);
    say([2000]);
    say([2001]);
    vi.advanceTimersToNextFrame();
    expect(calls.slice(1)).toEqual([[2000, 2001]]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(2);
  });

  it('are applied once a second while the tab is hidden', async () => {
    await begin();
    setHidden(true);
    for (let tenth = 0; tenth < 20; tenth += 1) {
      say([10 + tenth]);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(calls).toEqual([many(10, 10), many(20, 10)]);
  });

  it('are neither lost nor held up where the tab is hidden or shown before they are applied', async () => {
    await begin();
    say([10]);
    setHidden(true);
    // A hidden tab has no frames.
    const frames = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
    say([11]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual([[10, 11]]);
    say([12]);
    frames.mockRestore();
    setHidden(false);
    vi.advanceTimersToNextFrame();
    expect(calls).toEqual([[10, 11], [12]]);
    for (const hidden of [true, false, true, false]) setHidden(hidden);
    say([13]);
    for (const hidden of [true, false, true, false, true]) setHidden(hidden);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls.slice(2)).toEqual([[13]]);
  });

  it('beyond a thousand are dropped, and the list is loaded again, once', async () => {
    await begin();
    setHidden(true);
    say(many(10, 1000));
    expect(reloads).toBe(0);
    say(many(1010, 5000));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([calls, reloads]).toEqual([[], 1]);
    say([9000]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([calls, reloads]).toEqual([[[9000]], 1]);
  });

  it('of a full thousand are applied', async () => {
    await begin();
    say(many(10, 1000));
    vi.advanceTimersToNextFrame();
    expect([calls, reloads]).toEqual([[many(10, 1000)], 0]);
  });

  it('beyond a thousand reload every channel that lost some, and no other', async () => {
    const reloaded: string[] = [];
    const other = (name: string): LiveChannel => ({
      name,
      position: async () => from,
      apply: () => undefined,
      reload: () => reloaded.push(name),
    });
    await begin(other('reworks'), other('billing'));
    say(many(10, 500));
    say(many(10, 501), 'reworks');
    say([600], 'billing');
    vi.advanceTimersToNextFrame();
    expect([calls, reloads, reloaded]).toEqual([[], 1, ['reworks']]);
  });

  it('that were dropped come again where the connection breaks before the list is loaded', async () => {
    await begin();
    say(many(10, 1001));
    sockets.latest().breaks();
    await vi.advanceTimersByTimeAsync(300);
    await live();
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'jobs', since: position(9) });
    expect(reloads).toBe(2);
  });

  it('that arrived before the connection broke are applied, and not sent again', async () => {
    await begin();
    say([10, 11]);
    sockets.latest().breaks();
    expect(calls).toEqual([[10, 11]]);
    await vi.advanceTimersByTimeAsync(300);
    await live();
    expect(sockets.latest().sent.at(-1)).toEqual({ type: 'subscribe', channel: 'jobs', since: position(11) });
  });

  it('that wait when the app stops following are not applied', async () => {
    await begin();
    say([10]);
    stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toEqual([]);
  });

  it('do not hold up what the server answers, and stay before it', async () => {
    const order: string[] = [];
    const page: LiveChannel = { name: 'exports', apply: () => order.push('row'), reload: () => order.push('reload') };
    await begin();
    more.follow(page);
    await vi.advanceTimersByTimeAsync(0);
    say([10], 'exports');
    sockets.latest().says({ type: 'subscribed', channel: 'exports', position: position(11) });
    expect(order).toEqual(['row', 'reload']);
  });

  it('of a channel whose screen throws keep no other from its own', async () => {
    const reported = vi.spyOn(console, 'error').mockReturnValue();
    const thrown = new Error('of this screen alone');
    const broken: LiveChannel = {
      name: 'reworks',
      position: async () => from,
      apply: () => {
        throw thrown;
      },
      reload: () => undefined,
    };
    await begin(broken);
    say([10], 'reworks');
    say([11]);
    vi.advanceTimersToNextFrame();
    expect(calls).toEqual([[11]]);
    expect(reported.mock.calls).toEqual([[thrown]]);
  });
});
