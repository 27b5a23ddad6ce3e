/** Sets the request rate for a site: as robots.txt and its answers ask, and slower while its server has trouble. */
import type { FetchResult } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';
import type { FetchOutcome } from './site.ts';

/** Sites that ask for longer delays want no crawler at all; for those, the time budget is the limit. */
const MAX_DELAY_MS = 5000;
const MAX_PAUSE_MS = 10_000;
const DEFAULT_PAUSE_MS = 2000;
/** Consecutive failures that indicate server trouble rather than a bad page. */
const TROUBLES = 4;
const FIRST_REST_MS = 500;
/** Between requests, once the server has asked to wait: at least, and how many answers halve it. */
const FIRST_GAP_MS = 1000;
const CALM = 10;
/** A shorter gap is none: the crawl is back at its full rate. */
const LEAST_GAP_MS = 250;

/** The delay between requests, in seconds: requested by robots.txt, and used. */
export type CrawlDelay = { readonly asked: number; readonly kept: number };

export type Pace = {
  /** Resolves when the next request may be sent. */
  readonly acquire: () => Promise<void>;
  readonly delay: CrawlDelay;
  /** Between requests at present, ms. */
  readonly gapMs: () => number;
  /** True if requests need a delay between them, so that parallel ones make no sense. */
  readonly isSlow: () => boolean;
  /**
   * Records a result. After the first few consecutive server failures, each one doubles the delay; an answer resets it.
   * An answer that asks to wait is obeyed, and the requests after it have a gap between them that further ones double
   * and that calm shortens.
   */
  readonly observe: (result: FetchResult) => void;
};

/** `crawlDelay` is in seconds, from robots.txt. */
export function createPace(crawlDelay: number | null, env: CrawlEnv): Pace {
  const delay = Math.min((crawlDelay ?? 0) * 1000, MAX_DELAY_MS);
  let nextAt = 0;
  let troubles = 0;
  let gap = 0;
  let calm = 0;
  let waitUntil = 0;
  const pause = (ms: number): void => {
    nextAt = Math.max(nextAt, env.now() + ms);
  };
  const gapMs = (): number => Math.max(delay, gap);
  const slowDown = (waitMs: number): void => {
    calm = 0;
    // Requests in parallel that are all refused are one sign, not several.
    if (env.now() >= waitUntil) gap = Math.min(Math.max(FIRST_GAP_MS, gap * 2), MAX_DELAY_MS);
    pause(Math.max(waitMs, gap));
    waitUntil = nextAt;
  };
  const speedUp = (): void => {
    if (gap === 0 || ++calm < CALM) return;
    calm = 0;
    gap = gap / 2 < LEAST_GAP_MS ? 0 : gap / 2;
  };
  return {
    acquire: async () => {
      const wait = nextAt - env.now();
      nextAt = Math.max(nextAt, env.now()) + gapMs();
      if (wait > 0) await env.sleep(wait, env.signal);
    },
    delay: { asked: crawlDelay ?? 0, kept: delay / 1000 },
    gapMs,
    isSlow: () => gapMs() > 0,
    observe: (result) => {
      if (result.ok && asksToWait(result)) slowDown(pauseOf(result.headers['retry-after']?.[0], env.now()));
      else if (result.ok) speedUp();
      troubles = isTrouble(result) ? troubles + 1 : 0;
      if (troubles >= TROUBLES) pause(Math.min(FIRST_REST_MS * 2 ** (troubles - TROUBLES), MAX_PAUSE_MS));
    },
  };
}

/** The server asks to try again later. */
export function asksToWait({ status, headers }: Partial<Pick<FetchOutcome, 'status' | 'headers'>>): boolean {
  return status === 429 || (status === 503 && headers?.['retry-after'] !== undefined);
}

/** The server failed to answer. A missing or odd page does not count. */
function isTrouble(result: FetchResult): boolean {
  if (result.ok) return result.status >= 500;
  return result.failure === 'timeout' || result.failure === 'refused' || result.failure === 'reset';
}

/** Retry-After is a number of seconds or a date. */
function pauseOf(retryAfter: string | undefined, now: number): number {
  const read = retryAfter === undefined ? null : readRetryAfter(retryAfter);
  if (read === null) return DEFAULT_PAUSE_MS;
  return Math.min(Math.max('seconds' in read ? read.seconds * 1000 : read.at - now, 0), MAX_PAUSE_MS);
}

/** A year; more is as good as never. */
const MOST_SECONDS = 365 * 24 * 3_600;

/** `at`: ms since 1970. Null: it is neither. */
export function readRetryAfter(text: string): { readonly seconds: number } | { readonly at: number } | null {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds))
    return { seconds: Math.min(Math.max(Math.ceil(seconds), 0), MOST_SECONDS) };
  const at = Date.parse(text);
  return Number.isFinite(at) ? { at } : null;
}
