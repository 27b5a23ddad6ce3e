/** What a crawl gathers of one site: plain JSON data, so that it can be stored between the steps of a job and sent to worker threads. */
import type { PageFacts } from '../facts/pageFacts.ts';
import type { FetchFailure, FetchHop } from './fetcher.ts';

/** The outcome of one request without its body. */
export type FetchOutcome = {
  readonly requestedUrl: string;
  /** Final URL after redirects. */
  readonly url: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly hops: readonly FetchHop[];
  readonly failure: FetchFailure | null;
  readonly message: string | null;
  /** Body bytes after and before decompression. */
  readonly bytes: number;
  readonly transferBytes: number;
  readonly truncated: boolean;
  readonly ttfbMs: number;
  readonly totalMs: number;
  readonly httpVersion: string;
};

export type RobotsFile = {
  readonly outcome: FetchOutcome;
  /** The text as decoded, at most 500 KiB; '' when there is none. */
  readonly text: string;
  /** RFC 9309: 2xx 'rules', 4xx 'allow_all' (unavailable), 5xx or unreachable 'disallow_all'. */
  readonly verdict: 'rules' | 'allow_all' | 'disallow_all';
  readonly looksLikeHtml: boolean;
  readonly sitemaps: readonly string[];
};

export type SitemapUrl = { readonly loc: string; readonly lastmod: string | null };

export type SitemapFile = {
  readonly url: string;
  readonly from: 'robots' | 'guess' | 'index';
  readonly outcome: FetchOutcome;
  readonly kind: 'urlset' | 'index' | 'text' | 'invalid';
  /** Why it is invalid; null otherwise. */
  readonly error: string | null;
  /** Uncompressed bytes, URLs in it (all are counted, at most 50,000 kept). */
  readonly bytes: number;
  readonly urlCount: number;
  readonly urls: readonly SitemapUrl[];
};

/** A file that is looked at but not crawled (llms.txt, favicon, a URL that cannot exist). */
export type Probe = { readonly outcome: FetchOutcome; readonly text: string };

export type Discovery = {
  /** As submitted, normalised. */
  readonly startUrl: string;
  /** Origin of the start page after redirects: the site that is audited. */
  readonly origin: string;
  readonly robots: RobotsFile;
  readonly sitemaps: readonly SitemapFile[];
  readonly llmsTxt: Probe | null;
  readonly probes: {
    /** The http:// twin of an https site; null when the site is not on https. */
    readonly httpTwin: FetchOutcome | null;
    /** The www or bare twin of the host; null for hosts that have none. */
    readonly wwwTwin: FetchOutcome | null;
    /** A random path that cannot exist. */
    readonly missingPage: FetchOutcome | null;
    readonly favicon: FetchOutcome | null;
  };
};

/**
 * One address that was asked for. When it redirects, it is an entry without facts, and where it ends is an entry of its own (if that is
 * on the site); only the start page is one entry with its redirects. The start page comes first.
 */
export type CrawledPage = {
  /** Where the facts were found; for an address that redirects, the address itself. */
  readonly url: string;
  /** Clicks from the start page; null when only the sitemap names it. */
  readonly depth: number | null;
  readonly from: 'start' | 'link' | 'sitemap';
  readonly outcome: FetchOutcome;
  /** Null unless the final answer was 2xx HTML. */
  readonly facts: PageFacts | null;
  /** Not fetched because robots.txt forbids it to this crawler. */
  readonly robotsBlocked: boolean;
};

/** The answer of a URL that pages link to or load, when it was not crawled as a page. */
export type LinkCheck = { readonly url: string; readonly kind: 'internal' | 'external' | 'image' | 'canonical'; readonly outcome: FetchOutcome };

export type CrawlStop = 'complete' | 'page_budget' | 'time_budget' | 'byte_budget' | 'cancelled';

export type Crawl = {
  readonly discovery: Discovery;
  readonly pages: readonly CrawledPage[];
  readonly linkChecks: readonly LinkCheck[];
  readonly coverage: {
    readonly stop: CrawlStop;
    /** URLs known but not fetched because a budget ran out. */
    readonly notFetched: number;
    /** URLs left out as endless (calendars, parameters), with the pattern. */
    readonly traps: readonly { readonly pattern: string; readonly count: number }[];
    readonly startedAt: string;
    readonly durationMs: number;
    readonly bytes: number;
  };
};
