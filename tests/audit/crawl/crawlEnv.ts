/**
 * The environment of a crawl in tests: the real parser on this thread, a clock that moves only by sleeping, sleeps that
 * take no time.
 */
import type { CrawlEnv } from '../../../src/audit/crawl/crawlEnv.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import type { Fetcher } from '../../../src/model/fetching.ts';

export type TestEnv = CrawlEnv & { readonly slept: readonly number[]; readonly advance: (ms: number) => void };

export function crawlEnv(fetch: Fetcher, overrides: Partial<CrawlEnv> = {}): TestEnv {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const slept: number[] = [];
  return {
    fetch,
    parse: async (input) => parsePage(input),
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    userAgent: 'TestBot/1.0 (+https://example.com/bot)',
    slept,
    advance: (ms) => {
      now += ms;
    },
    ...overrides,
  };
}
