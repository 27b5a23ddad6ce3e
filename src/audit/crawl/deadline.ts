/** Requests that end with a share of the time: what they did not get to is our doing, and no fault of the site. */
import type { FetchError } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';
import type { FetchOutcome } from './site.ts';

/** The default of a fetcher. */
const REQUEST_MS = 10_000;

export const OUT_OF_TIME = 'The time limit of the audit was reached before the server answered.';

export type TimedEnv = CrawlEnv & {
  /** Whether a request was cut short, or not sent at all. */
  readonly wasCut: () => boolean;
};

/** The same environment, whose requests fail as `aborted` once it is `endsAt`. */
export function endingAt(endsAt: number, env: CrawlEnv): TimedEnv {
  let wasCut = false;
  const cut = (error: Pick<FetchError, 'requestedUrl' | 'url' | 'hops'>): FetchError => {
    wasCut = true;
    return { ...error, ok: false, failure: 'aborted', message: OUT_OF_TIME };
  };
  return {
    ...env,
    fetch: async (url, options = {}) => {
      const { timeoutMs = REQUEST_MS } = options;
      const left = endsAt - env.now();
      if (left <= 0) return cut({ requestedUrl: url, url, hops: [] });
      const result = await env.fetch(url, { ...options, timeoutMs: Math.min(timeoutMs, left) });
      const isOurDoing = !result.ok && result.failure === 'timeout' && left < timeoutMs;
      return isOurDoing ? cut(result) : result;
    },
    wasCut: () => wasCut,
  };
}

/** Null for a request that was cut short: its answer is not known. */
export function known(outcome: FetchOutcome | null): FetchOutcome | null {
  return outcome?.failure === 'aborted' ? null : outcome;
}
