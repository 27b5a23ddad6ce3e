/**
 * Asks for the headers of addresses that look like files, because the answer decides what is a page. Bodies are never
 * requested for that, except for the first kilobyte where a server refuses HEAD.
 */
import type { CrawlEnv } from '../crawlEnv.ts';
import { mediaTypeOf } from '../outcome.ts';
import type { Pace } from '../pace.ts';
import type { FetchOutcome } from '../site.ts';
import { headThenGet } from './probes.ts';

const LANES = 4;
const ASK_MS = 8000;
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

export type FileAnswersScope = {
  readonly env: CrawlEnv;
  readonly pace: Pace;
  readonly concurrency: number;
  readonly endsAt: number;
  readonly mustStop: () => boolean;
};

/** The answers by address; an address without one was not asked in time. */
export async function askFiles(
  urls: ReadonlySet<string>,
  { env, pace, concurrency, endsAt, mustStop }: FileAnswersScope,
): Promise<ReadonlyMap<string, FetchOutcome>> {
  const answers = new Map<string, FetchOutcome>();
  const waiting = [...urls];
  const paced: CrawlEnv = {
    ...env,
    fetch: async (url, options) => {
      await pace.acquire();
      const result = await env.fetch(url, options);
      pace.observe(result);
      return result;
    },
  };
  const lane = async (isFirst: boolean): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined && !mustStop(); url = waiting.shift()) {
      const outcome = await headThenGet(url, paced, { timeoutMs: ASK_MS, endsAt });
      // A request that was cut off says nothing about the address.
      if (outcome.failure !== 'aborted' && !mustStop()) answers.set(url, outcome);
      // Where requests need pauses between them, parallel ones make no sense.
      if (!isFirst && pace.isSlow()) return;
    }
  };
  const lanes = pace.isSlow() ? 1 : Math.max(1, Math.min(LANES, concurrency));
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index === 0)));
  return answers;
}

export function isPageAnswer({ status, headers }: FetchOutcome): boolean {
  return status !== null && status >= 200 && status < 300 && PAGE_TYPES.has(mediaTypeOf(headers));
}
