import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitShare } from '../../../../web/features/sharing/shareVisit.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';

const STATE = '/api/v1/share/token-1/state';
let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
let ended: number;
let states: boolean[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  server = fakeServer();
  sockets = fakeSockets();
  ended = 0;
  states = [];
  stop = visitShare('token-1', STATE, { onEnded: () => (ended += 1), onState: (isPreview) => states.push(isPreview) });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const asked = (): number => server.asked(`GET ${STATE}`).length;

function live(): void {
  sockets.latest().opened();
  sockets.latest().says({ type: 'visiting', isPreview: true });
}

describe('a visit of a share page', () => {
  it('does not poll while the socket is up', async () => {
    live();
    await vi.advanceTimersByTimeAsync(29_000);
    sockets.latest().says({ type: 'ping' });
    expect(sockets.latest().sent).toEqual([{ type: 'visit', token: 'token-1' }, { type: 'pong' }]);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked()).toBe(0);
    sockets.latest().says({ type: 'ended' });
    expect(ended).toBe(1);
  });

  it('polls every half minute without a socket; a failure says nothing about the link', async () => {
    server.on(`GET ${STATE}`, refusal(503, 'stopping'));
    await vi.advanceTimersByTimeAsync(30_100);
    expect([asked(), ended]).toEqual([1, 0]);
    server.on(`GET ${STATE}`, refusal(404, 'gone', 'SHARE_NOT_FOUND'));
    await vi.advanceTimersByTimeAsync(30_100);
    expect([asked(), ended]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked()).toBe(2);
  });

  it('polls after a break, until the socket is admitted again', async () => {
    server.on(`GET ${STATE}`, { success: true, isPreview: false });
    live();
    sockets.latest().breaks(4430);
    await vi.advanceTimersByTimeAsync(30_100);
    expect(asked()).toBe(1);
    expect(states).toEqual([true, false]);
    expect(sockets.count()).toBe(2);
    live();
    await vi.advanceTimersByTimeAsync(29_000);
    expect([asked(), ended]).toEqual([1, 0]);
  });

  it('ends when the socket reports the link as dead, and with the page', async () => {
    live();
    sockets.latest().breaks(4404);
    expect(ended).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sockets.count(), asked()]).toEqual([1, 0]);
  });
});
