/** What a running audit has just read, as its owner watches it: plain facts of one page each, not issues. */

/** What can be seen of one answer alone. `not_html`: an answer that is no page; `robots`: not asked at all. */
export const OBSERVATIONS = [
  'no_answer',
  'server_error',
  'client_error',
  'redirect',
  'robots',
  'not_html',
  'noindex',
  'no_title',
  'no_description',
  'no_h1',
] as const;
export type Observation = (typeof OBSERVATIONS)[number];

/** Those kept and shown. */
export const FEED_ROWS = 200;
/** Longer addresses are cut, and end with `…`. */
export const FEED_ADDRESS = 140;

export type ReadAddress = {
  /** Without secrets, and cut. */
  readonly url: string;
  /** Of an address that redirects: of the redirect. Null without an answer. */
  readonly status: number | null;
  /** Until all of the answer was there; null without one. */
  readonly ms: number | null;
  /** Null if it is no page. */
  readonly words: number | null;
  readonly saw: readonly Observation[];
  /** Why there was no answer: a `FetchFailure`. */
  readonly failure: string | null;
};

/** `n` orders the rows of a job by the time they were read; a later crawl of the same job has greater numbers. */
export type FeedRow = ReadAddress & { readonly n: number };

export const COUNTED = ['all', ...OBSERVATIONS] as const;

/** How many addresses of the crawl there were, and with each observation. */
export type FeedCounts = { readonly [Name in (typeof COUNTED)[number]]: number };

export type Feed = {
  /** Number of the crawl's first row: rows before it are those of a crawl that was interrupted. */
  readonly from: number;
  /** The newest, oldest first. */
  readonly rows: readonly FeedRow[];
  /** Of the whole crawl. */
  readonly counts: FeedCounts;
};

export const NO_COUNTS = Object.fromEntries(COUNTED.map((name) => [name, 0])) as FeedCounts;
