/** What running audits read, among processes that share only a presence adapter. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { FEED_ADDRESS, FEED_ROWS, type Feed, type ReadAddress } from '../../src/model/liveFeed.ts';
import type { Presence } from '../../src/readModels/presence.ts';
import { forgetFeeds, shareFeed } from '../../src/start/liveFeed.ts';

const MOST_BYTES = 60_000;

export const readAt = (url: string, over: Partial<ReadAddress> = {}): ReadAddress => ({
  url: `https://example.com/${url}`,
  status: 200,
  ms: 12,
  words: 300,
  saw: [],
  failure: null,
  ...over,
});

export const pathsOf = (feed: Feed | null): string[] | undefined =>
  feed?.rows.map(({ url }) => url.replace('https://example.com/', ''));

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, nth) => String(from + nth));

export function describeLiveFeed(adapter: string, open: () => Promise<Presence>): void {
  describe(`the feed of a running audit on ${adapter}`, () => {
    /** Processes whose clock advances by two seconds whenever somebody looks. */
    async function processes() {
      const presence = await open();
      let seconds = 0;
      const now = (): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();
      const start = () => shareFeed({ presence, now, pause: async () => undefined, log: pino({ level: 'silent' }) });
      const page = start();
      const looked = async (...workers: readonly { settled(): Promise<void> }[]): Promise<Feed | null> => {
        for (const worker of workers) await worker.settled();
        seconds += 2;
        return page.read('job');
      };
      const later = (by: number): void => {
        seconds += by;
      };
      const stored = async () => presence.list('feed', { since: '', limit: 1_000 });
      return { presence, start, page, looked, stored, later, now };
    }

    it('is nothing, then each address in the order read, then nothing again', async () => {
      const { start, looked, stored } = await processes();
      const worker = start();
      expect(await looked(worker)).toBeNull();
      worker.begin('job');
      worker.begin('other');
      expect(await looked(worker)).toBeNull();
      worker.add('job', readAt('a', { saw: ['no_title', 'no_h1'] }));
      worker.add('other', readAt('x'));
      const one = await looked(worker);
      expect(one).toMatchObject({ rows: [readAt('a', { saw: ['no_title', 'no_h1'] })] });
      for (const path of numbered(0, 30)) worker.add('job', readAt(path));
      worker.add('job', readAt('b', { status: null, ms: null, words: null, saw: ['no_answer'], failure: 'dns' }));
      const many = await looked(worker);
      expect(pathsOf(many)).toEqual(['a', ...numbered(0, 30), 'b']);
      expect(many?.counts).toMatchObject({ all: 32, no_title: 1, no_h1: 1, no_answer: 1, redirect: 0 });
      expect(many?.rows.map(({ n }) => n - (many?.from ?? 0))).toEqual(numbered(0, 32).map(Number));
      // What the worker itself tells is the same.
      expect(await worker.read('job')).toEqual(many);
      worker.end('job');
      worker.add('job', readAt('late'));
      expect(await looked(worker)).toBeNull();
      worker.end('other');
      await worker.settled();
      expect(await stored()).toEqual([]);
    });

    it('is the newest addresses, in few bytes, however many there were and however long they are', async () => {
      const { start, looked, stored } = await processes();
      const worker = start();
      worker.begin('job');
      const saw = ['noindex', 'no_title', 'no_description', 'no_h1'] as const;
      const long = (nth: string): ReadAddress =>
        readAt('', { url: `${nth}${'a'.repeat(FEED_ADDRESS - nth.length - 1)}…`, ms: 10_000, words: 100_000, saw });
      for (const nth of numbered(0, 1_007)) {
        worker.add('job', long(nth));
        if (Number(nth) % 7 === 0) await worker.settled();
      }
      const feed = await looked(worker);
      expect(feed?.rows.map(({ url }) => Number.parseInt(url, 10))).toEqual(
        numbered(1_007 - FEED_ROWS, 1_007).map(Number),
      );
      expect(feed?.counts).toMatchObject({ all: 1_007, noindex: 1_007 });
      const bytes = (await stored()).reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
      expect(bytes).toBeLessThan(MOST_BYTES);
    });

    it('begins again when another worker takes the job over, without the rows of the one that was killed', async () => {
      const { start, looked, stored } = await processes();
      const killed = start();
      killed.begin('job');
      for (const path of numbered(0, 150)) killed.add('job', readAt(path));
      const before = await looked(killed);
      expect(before?.counts.all).toBe(150);
      const next = start();
      next.begin('job');
      next.add('job', readAt('0'));
      const after = await looked(next);
      expect(pathsOf(after)).toEqual(['0']);
      expect(after?.from).toBeGreaterThan(before?.rows.at(-1)?.n ?? 0);
      // A worker that was only paused still writes.
      killed.add('job', readAt('of the paused one'));
      expect(pathsOf(await looked(killed, next))).toEqual(['0']);
      // Until it notices, and gives up what is not its own any more.
      killed.end('job');
      expect(pathsOf(await looked(killed, next))).toEqual(['0']);
      next.end('job');
      await looked(next);
      expect((await stored()).map(({ id }) => id)).toEqual([]);
    });

    it('of a killed worker is removed after a while', async () => {
      const { start, looked, stored, later, presence, now } = await processes();
      const killed = start();
      killed.begin('job');
      killed.add('job', readAt('a'));
      await looked(killed);
      await forgetFeeds(presence, now());
      expect(await stored()).toHaveLength(1);
      later(2 * 60 * 60);
      await forgetFeeds(presence, now());
      expect([await stored(), await looked()]).toEqual([[], null]);
    });

    it('survives documents of another version', async () => {
      const { presence, looked, now } = await processes();
      await presence.note('feed', { id: 'job/0', at: now(), value: '{"rows":[1]}' });
      await presence.note('feed', { id: 'job/1', at: now(), value: 'not JSON' });
      expect(await looked()).toBeNull();
    });
  });
}
