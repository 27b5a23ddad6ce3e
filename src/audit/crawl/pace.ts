/** How fast a site wants to be asked. */
import type { CrawlEnv } from './crawlEnv.ts';
import type { FetchAnswer } from './fetcher.ts';

/** Longer pauses are asked for by sites that want no crawler at all; the budget in time is there for these. */
const MAX_DELAY_MS = 5000;
const MAX_PAUSE_MS = 10_000;
const DEFAULT_PAUSE_MS = 2000;

export type Pace = {
  /** Resolves when the next request may be sent. */
  readonly turn: () => Promise<void>;
  readonly delayMs: () => number;
  /** True when requests have to keep a distance, so that several at once make no sense. */
  readonly isSlow: () => boolean;
  /** True for answers that ask to come back later; from then on requests pause. */
  readonly isAskedToWait: (answer: FetchAnswer) => boolean;
};

/** `crawlDelay` in seconds, as robots.txt asks. */
export function createPace(crawlDelay: number | null, env: CrawlEnv): Pace {
  const delay = Math.min((crawlDelay ?? 0) * 1000, MAX_DELAY_MS);
  let nextAt = 0;
  return {
    turn: async () => {
      const wait = nextAt - env.now();
      nextAt = Math.max(nextAt, env.now()) + delay;
      if (wait > 0) await env.sleep(wait, env.signal);
    },
    delayMs: () => delay,
    isSlow: () => delay > 0,
    isAskedToWait: (answer) => {
      const retryAfter = answer.headers['retry-after']?.[0];
      if (answer.status !== 429 && !(answer.status === 503 && retryAfter !== undefined)) return false;
      nextAt = Math.max(nextAt, env.now() + pauseOf(retryAfter, env.now()));
      return true;
    },
  };
}

/** Retry-After is a number of seconds or a date. */
function pauseOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return DEFAULT_PAUSE_MS;
  const seconds = Number(retryAfter);
  const pause = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(pause) ? Math.min(Math.max(pause, 0), MAX_PAUSE_MS) : DEFAULT_PAUSE_MS;
}
