/** Sets the request rate for a site: as robots.txt and its answers ask, and slower while its server has trouble. */
import type { FetchAnswer, FetchResult } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';

/** Sites that ask for longer delays want no crawler at all; for those, the time budget is the limit. */
const MAX_DELAY_MS = 5000;
const MAX_PAUSE_MS = 10_000;
const DEFAULT_PAUSE_MS = 2000;
/** Consecutive failures that indicate server trouble rather than a bad page. */
const TROUBLES = 4;
const FIRST_REST_MS = 500;

/** The delay between requests, in seconds: requested by robots.txt, and used. */
export type CrawlDelay = { readonly asked: number; readonly kept: number };

export type Pace = {
  /** Resolves when the next request may be sent. */
  readonly acquire: () => Promise<void>;
  readonly delay: CrawlDelay;
  /** True if requests need a delay between them, so that parallel ones make no sense. */
  readonly isSlow: () => boolean;
  /** True for answers that ask to retry later; the next requests are then delayed. */
  readonly isThrottled: (answer: FetchAnswer) => boolean;
  /** Records a result. After the first few consecutive server failures, each one doubles the delay; an answer resets it. */
  readonly observe: (result: FetchResult) => void;
};

/** `crawlDelay` is in seconds, from robots.txt. */
export function createPace(crawlDelay: number | null, env: CrawlEnv): Pace {
  const delay = Math.min((crawlDelay ?? 0) * 1000, MAX_DELAY_MS);
  let nextAt = 0;
  let troubles = 0;
  const pause = (ms: number): void => {
    nextAt = Math.max(nextAt, env.now() + ms);
  };
  return {
    acquire: async () => {
      const wait = nextAt - env.now();
      nextAt = Math.max(nextAt, env.now()) + delay;
      if (wait > 0) await env.sleep(wait, env.signal);
    },
    delay: { asked: crawlDelay ?? 0, kept: delay / 1000 },
    isSlow: () => delay > 0,
    isThrottled: (answer) => {
      const retryAfter = answer.headers['retry-after']?.[0];
      if (answer.status !== 429 && !(answer.status === 503 && retryAfter !== undefined)) return false;
      pause(pauseOf(retryAfter, env.now()));
      return true;
    },
    observe: (result) => {
      troubles = isTrouble(result) ? troubles + 1 : 0;
      if (troubles >= TROUBLES) pause(Math.min(FIRST_REST_MS * 2 ** (troubles - TROUBLES), MAX_PAUSE_MS));
    },
  };
}

/** The server failed to answer. A missing or odd page does not count. */
function isTrouble(result: FetchResult): boolean {
  if (result.ok) return result.status >= 500;
  return result.failure === 'timeout' || result.failure === 'refused' || result.failure === 'reset';
}

/** Retry-After is a number of seconds or a date. */
function pauseOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return DEFAULT_PAUSE_MS;
  const seconds = Number(retryAfter);
  const pause = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(pause) ? Math.min(Math.max(pause, 0), MAX_PAUSE_MS) : DEFAULT_PAUSE_MS;
}
