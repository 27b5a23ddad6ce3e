/** The feeds of running audits: within a process, and what they cost among several. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { FEED_ROWS } from '../../src/model/liveFeed.ts';
import type { Presence } from '../../src/readModels/presence.ts';
import { createLiveFeed, shareFeed } from '../../src/start/liveFeed.ts';
import { pathsOf, readAt } from '../contract/liveFeed.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const log = pino({ level: 'silent' });
let seconds = 0;
const now = (): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();

/** Counts the calls. */
function counted(presence: Presence) {
  const calls = { notes: 0, gets: 0, bytes: 0 };
  return {
    calls,
    presence: {
      ...presence,
      note: async (...[kind, seen]: Parameters<Presence['note']>) => {
        calls.notes += 1;
        calls.bytes = Math.max(calls.bytes, seen.value.length);
        return presence.note(kind, seen);
      },
      get: async (...asked: Parameters<Presence['get']>) => {
        calls.gets += 1;
        return presence.get(...asked);
      },
    },
  };
}

describe('the feed of a running audit in one process', () => {
  it('is the newest addresses in the order read, from its begin to its end', async () => {
    const feed = createLiveFeed(now);
    feed.add('job', readAt('early'));
    expect(await feed.read('job')).toBeNull();
    feed.begin('job');
    expect(await feed.read('job')).toMatchObject({ rows: [], counts: { all: 0 } });
    feed.add('job', readAt('a', { saw: ['redirect'] }));
    expect(pathsOf(await feed.read('job'))).toEqual(['a']);
    for (let nth = 0; nth < FEED_ROWS; nth += 1) feed.add('job', readAt(String(nth)));
    const many = await feed.read('job');
    expect([many?.rows.length, pathsOf(many)?.[0], many?.counts.all, many?.counts.redirect]).toEqual([
      FEED_ROWS,
      '0',
      FEED_ROWS + 1,
      1,
    ]);
    seconds += 1;
    feed.begin('job');
    expect((await feed.read('job'))?.from).toBeGreaterThan(many?.from ?? 0);
    feed.end('job');
    expect(await feed.read('job')).toBeNull();
  });
});

describe('the feed of a running audit among processes', () => {
  it('is written once a second, and only the newest rows of it', async () => {
    const { presence, calls } = counted(memoryReadModels().presence);
    const pauses: (() => void)[] = [];
    const pause = (): Promise<void> => new Promise((resolve) => pauses.push(resolve));
    const worker = shareFeed({ presence, now, pause, log });
    const afterASecond = async (): Promise<void> => {
      pauses.shift()?.();
      await new Promise(setImmediate);
      await worker.settled();
    };
    worker.begin('job');
    worker.add('job', readAt('first'));
    await worker.settled();
    expect(calls.notes).toBe(1);
    for (let nth = 0; nth < 10; nth += 1) worker.add('job', readAt(String(nth)));
    await worker.settled();
    expect(calls.notes).toBe(1);
    await afterASecond();
    expect(calls.notes).toBe(2);
    // Nothing new.
    await afterASecond();
    expect([calls.notes, pauses.length]).toEqual([2, 0]);
    worker.add('job', readAt('next'));
    await worker.settled();
    expect([calls.notes, calls.bytes < 4_000]).toEqual([3, true]);
  });

  it('is read once a second, however many watch it', async () => {
    const { presence, calls } = counted(memoryReadModels().presence);
    const [worker, page] = [1, 2].map(() => shareFeed({ presence, now, pause: async () => undefined, log }));
    worker?.begin('job');
    worker?.add('job', readAt('a'));
    await worker?.settled();
    const told = await Promise.all(Array.from({ length: 50 }, () => page?.read('job')));
    const once = calls.gets;
    expect(new Set(told).size).toBe(1);
    await page?.read('job');
    expect(calls.gets).toBe(once);
    seconds += 2;
    await page?.read('job');
    expect(calls.gets).toBe(2 * once);
  });

  it('goes on when the stores were away', async () => {
    const { presence } = memoryReadModels();
    let isDown = true;
    const down = async (): Promise<never> => Promise.reject(new Error('down'));
    const flaky: Presence = { ...presence, note: (...seen) => (isDown ? down() : presence.note(...seen)) };
    const pauses: (() => void)[] = [];
    const pause = (): Promise<void> => new Promise((resolve) => pauses.push(resolve));
    const worker = shareFeed({ presence: flaky, now, pause, log });
    worker.begin('job');
    worker.add('job', readAt('a'));
    await worker.settled();
    isDown = false;
    pauses.shift()?.();
    await new Promise(setImmediate);
    await worker.settled();
    const page = shareFeed({ presence, now, pause, log });
    expect(pathsOf(await page.read('job'))).toEqual(['a']);
  });
});
