import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Tab = typeof import('../../../web/api/sessionEvents.ts');

/** The channels of one browser: what one posts, the others get. */
const channels = new Set<Channel>();
class Channel {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    channels.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of channels) if (other !== this) other.onmessage?.({ data });
  }
  close(): void {
    channels.delete(this);
  }
}

/** A module of its own, as each tab has. */
async function openTab(): Promise<{ readonly tab: Tab; readonly heard: unknown[][]; readonly close: () => void }> {
  vi.resetModules();
  const tab = await import('../../../web/api/sessionEvents.ts');
  const heard: unknown[][] = [];
  return { tab, heard, close: tab.onSessionEvent((...event) => heard.push(event)) };
}

beforeEach(() => vi.stubGlobal('BroadcastChannel', Channel));
afterEach(() => {
  vi.unstubAllGlobals();
  channels.clear();
});

describe('events of a session', () => {
  it('reach this tab and the others', async () => {
    const [one, two, three] = [await openTab(), await openTab(), await openTab()];
    one.tab.raiseSessionEvent('signed_out');
    two.tab.raiseSessionEvent('token_refreshed');
    expect(one.heard).toEqual([
      ['signed_out', false],
      ['token_refreshed', true],
    ]);
    expect(two.heard).toEqual([
      ['signed_out', true],
      ['token_refreshed', false],
    ]);
    expect(three.heard).toEqual([
      ['signed_out', true],
      ['token_refreshed', true],
    ]);
  });

  it('stay in the tab if they are its first session', async () => {
    const [one, two] = [await openTab(), await openTab()];
    one.tab.raiseSessionEvent('initial_session');
    expect(one.heard).toEqual([['initial_session', false]]);
    expect(two.heard).toEqual([]);
  });

  it('are no words of other programs, and end with the last listener', async () => {
    const one = await openTab();
    new Channel().postMessage('something else');
    expect(one.heard).toEqual([]);
    expect(channels.size).toBe(2);
    one.close();
    expect(channels.size).toBe(1);
    one.tab.raiseSessionEvent('signed_in');
    expect(one.heard).toEqual([]);
  });

  it('are told in the tab where browsers have no channels', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    const one = await openTab();
    one.tab.raiseSessionEvent('signed_in');
    expect(one.heard).toEqual([['signed_in', false]]);
  });
});
