/** How fast a site wants to be asked: as robots.txt says, as its answers say, and slower while it is in trouble. */
import type { FetchAnswer, FetchResult } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';

/** Longer pauses are asked for by sites that want no crawler at all; the budget in time is there for these. */
const MAX_DELAY_MS = 5000;
const MAX_PAUSE_MS = 10_000;
const DEFAULT_PAUSE_MS = 2000;
/** So many failures one after another are trouble of the server, not of a page. */
const TROUBLES = 4;
const FIRST_REST_MS = 500;

/** Seconds between requests that robots.txt asks for, and that are kept. */
export type CrawlDelay = { readonly asked: number; readonly kept: number };

export type Pace = {
  /** Resolves when the next request may be sent. */
  readonly acquire: () => Promise<void>;
  readonly delay: CrawlDelay;
  /** True when requests have to keep a distance, so that several at once make no sense. */
  readonly isSlow: () => boolean;
  /** True for answers that ask to come back later; from then on requests pause. */
  readonly isAskedToWait: (answer: FetchAnswer) => boolean;
  /** Each failure of the server after the first few makes the next request wait twice as long; an answer ends that. */
  readonly heard: (result: FetchResult) => void;
};

/** `crawlDelay` in seconds, as robots.txt asks. */
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
    isAskedToWait: (answer) => {
      const retryAfter = answer.headers['retry-after']?.[0];
      if (answer.status !== 429 && !(answer.status === 503 && retryAfter !== undefined)) return false;
      pause(pauseOf(retryAfter, env.now()));
      return true;
    },
    heard: (result) => {
      troubles = isTrouble(result) ? troubles + 1 : 0;
      if (troubles >= TROUBLES) pause(Math.min(FIRST_REST_MS * 2 ** (troubles - TROUBLES), MAX_PAUSE_MS));
    },
  };
}

/** The server did not manage to answer; a page that is missing or odd is no trouble. */
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
