/** What a crawl gathers of one site: plain JSON data, so that it can be stored between the steps of a job and sent to worker threads. */
import type { FetchFailure, FetchHop } from '../../model/fetching.ts';
import type { PageFacts } from '../facts/pageFacts.ts';

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
  /** When the server's certificate ends, ISO; absent without TLS. */
  readonly certificateEnds?: string;
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

export type SitemapUrl = {
  readonly loc: string;
  readonly lastmod: string | null;
  /** Language versions and images that the entry names, the first of them; absent when it names none. */
  readonly alternates?: readonly { readonly hreflang: string; readonly href: string }[];
  readonly images?: readonly string[];
};

export type SitemapFile = {
  readonly url: string;
  readonly from: 'robots' | 'guess' | 'index';
  readonly outcome: FetchOutcome;
  /** An RSS or Atom feed counts as a sitemap. */
  readonly kind: 'urlset' | 'index' | 'feed' | 'text' | 'invalid';
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
  /** Of a page that scripts are to fill, when there was a browser: whether it was shown in it, else why not. */
  readonly rendering?: { readonly done: boolean; readonly why: string | null };
};

/** The answer of a URL that pages link to or load, when it was not crawled as a page. */
export type LinkCheck = { readonly url: string; readonly kind: 'internal' | 'external' | 'image' | 'canonical'; readonly outcome: FetchOutcome };

/** What the first bytes of an image say; sizes in px. */
export type ImageHead = { readonly format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'svg'; readonly width: number | null; readonly height: number | null };

/** A file that pages name and that was looked into. */
export type FileCheck = {
  readonly url: string;
  /**
   * `asset`: a script, stylesheet or font of the site, asked for its headers alone, as an icon is. `slow-page`: a page that answered late,
   * asked once more. `foreign-robots`: of another host that a sitemap lists.
   */
  readonly kind: 'asset' | 'icon' | 'share-image' | 'manifest' | 'feed' | 'slow-page' | 'foreign-robots';
  readonly outcome: FetchOutcome;
  /** Of a share image; null for anything else, and when its bytes are no image that is known. */
  readonly image: ImageHead | null;
  /** Why a feed cannot be read; null when it can, or is none. */
  readonly problem: string | null;
  /** Of a manifest or robots.txt, cut to 100 KB; '' for anything else. */
  readonly text: string;
};

/** What the start page answers to an agent that names the crawlers of AI search. */
export type AiBotAnswer = { readonly outcome: FetchOutcome; readonly challenged: boolean };

export type CrawlStop = 'complete' | 'page_budget' | 'time_budget' | 'byte_budget' | 'cancelled';

export type Crawl = {
  readonly discovery: Discovery;
  readonly pages: readonly CrawledPage[];
  readonly linkChecks: readonly LinkCheck[];
  /** Absent when none was looked into. */
  readonly fileChecks?: readonly FileCheck[];
  /** Absent when it was not asked for, or robots.txt forbids it. */
  readonly aiBotAnswer?: AiBotAnswer;
  readonly coverage: {
    readonly stop: CrawlStop;
    /** URLs known but not fetched because a budget ran out. */
    readonly notFetched: number;
    /** URLs left out as endless (calendars, parameters), with the pattern. */
    readonly traps: readonly { readonly pattern: string; readonly count: number }[];
    /** URLs left out because others show the same: pages name one canonical address whatever a parameter says, or it is a session. */
    readonly copies?: readonly { readonly pattern: string; readonly count: number }[];
    /** URLs that robots.txt forbids, where there are more of them than pages tells. */
    readonly forbidden?: number;
    /** Seconds between requests that robots.txt asks for, and that were kept; absent when it asks for none. */
    readonly crawlDelay?: { readonly asked: number; readonly kept: number };
    /** Rules with wildcards of robots.txt for this crawler that are beyond what is read; absent when all were. */
    readonly unreadRules?: { readonly count: number; readonly line: number };
    readonly startedAt: string;
    readonly durationMs: number;
    readonly bytes: number;
  };
};
