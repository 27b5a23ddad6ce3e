/**
 * Data a crawl gathers about one site: plain JSON, so that it can be stored between the steps of a job and sent to
 * worker threads.
 */
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { FetchFailure, FetchHop } from '../../model/fetching.ts';
import type { PageFacts } from '../facts/pageFacts.ts';

/** The outcome of one request without its body. */
export type FetchOutcome = {
  readonly requestedUrl: string;
  /** Final URL after redirects. */
  readonly url: string;
  /** Null if there was no answer. */
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
  /** Expiry of the server's certificate, ISO; absent without TLS. */
  readonly certificateEnds?: string;
  /** The answer asks for proof of being human, in place of what was requested. */
  readonly challenged?: true;
};

export type RobotsFile = {
  readonly outcome: FetchOutcome;
  /** The decoded text, at most 500 KiB; '' if there is none. */
  readonly text: string;
  /** RFC 9309: 2xx 'rules', 4xx 'allow_all' (unavailable), 5xx or unreachable 'disallow_all'. */
  readonly verdict: 'rules' | 'allow_all' | 'disallow_all';
  readonly looksLikeHtml: boolean;
  readonly sitemaps: readonly string[];
};

export type SitemapUrl = {
  readonly loc: string;
  readonly lastmod: string | null;
  /** The first language versions and images of the entry; absent if it has none. */
  readonly alternates?: readonly { readonly hreflang: string; readonly href: string }[];
  readonly images?: readonly string[];
  /** Of an article for Google News: its date as written, and whether it has a title. */
  readonly news?: { readonly date: string | null; readonly titled: boolean };
  /** What one of its videos lacks of what Google requires; absent if none lacks anything. */
  readonly videoLacks?: readonly string[];
};

export type SitemapFile = {
  readonly url: string;
  readonly from: 'robots' | 'guess' | 'index';
  readonly outcome: FetchOutcome;
  /** An RSS or Atom feed counts as a sitemap. */
  readonly kind: 'urlset' | 'index' | 'feed' | 'text' | 'invalid';
  /** Why it is invalid; null otherwise. */
  readonly error: string | null;
  /** Uncompressed bytes, and the URLs in it (all are counted, at most 50,000 kept). */
  readonly bytes: number;
  readonly urlCount: number;
  readonly urls: readonly SitemapUrl[];
};

/** A file requested but not crawled (llms.txt, favicon, a URL that cannot exist). */
export type Probe = { readonly outcome: FetchOutcome; readonly text: string };

export type Discovery = {
  /** As submitted, normalized. */
  readonly startUrl: string;
  /** Origin of the start page after redirects: the audited site. */
  readonly origin: string;
  readonly robots: RobotsFile;
  readonly sitemaps: readonly SitemapFile[];
  readonly llmsTxt: Probe | null;
  readonly probes: {
    /** The http:// twin of an https site; null if the site is not on https. */
    readonly httpTwin: FetchOutcome | null;
    /** The www or bare twin of the host; null for hosts without one. */
    readonly wwwTwin: FetchOutcome | null;
    /** A random path that cannot exist. */
    readonly missingPage: FetchOutcome | null;
    readonly favicon: FetchOutcome | null;
  };
  /** Title of the page that answers the path that cannot exist; absent if none does. */
  readonly missingTitle?: string;
  /** Its share of the time ended first: a sitemap or probe that is missing may exist. */
  readonly outOfTime?: true;
};

/**
 * One requested address. An address that redirects is an entry without facts, and its target is a separate entry (if it
 * is on the site); only the start page is a single entry with its redirects. The start page comes first.
 */
export type CrawledPage = {
  /** Address of the facts; for an address that redirects, the address itself. */
  readonly url: string;
  /** Clicks from the start page; null if it is only in a sitemap. */
  readonly depth: number | null;
  readonly from: 'start' | 'link' | 'sitemap';
  readonly outcome: FetchOutcome;
  /** Null unless the final answer was 2xx HTML. */
  readonly facts: PageFacts | null;
  /** Not fetched because robots.txt disallows it for this crawler. */
  readonly robotsBlocked: boolean;
  /** For a page filled in by scripts, if a browser was available: whether it was rendered, and why not. */
  readonly rendering?: { readonly done: boolean; readonly why: string | null };
};

/** A page as it was read. */
export type Rendered = {
  readonly facts: PageFacts;
  /** Null if nothing had to be rendered or no browser was available. */
  readonly note: NonNullable<CrawledPage['rendering']> | null;
  /** Where a script redirects visitors. */
  readonly movedTo: string | null;
  readonly bytes: number;
};

/** A page, or why there is none; `why` is null for an answer that is no success. */
export type Content =
  | { readonly page: Rendered; readonly why: null }
  | { readonly page: null; readonly why: string | null };

/** The answer of a URL that pages link to or load and that was not crawled as a page. */
export type LinkCheck = {
  readonly url: string;
  readonly kind: 'internal' | 'external' | 'image' | 'canonical';
  readonly outcome: FetchOutcome;
};

/** Format and size from an image's first bytes; sizes in px. */
export type ImageHead = {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'svg';
  readonly width: number | null;
  readonly height: number | null;
};

/** A file that pages name and that was fetched. */
export type FileCheck = {
  readonly url: string;
  /**
   * `asset`: a script, stylesheet or font of the site; like `icon`, only its headers are requested. `slow-page`: a slow
   * page, requested once more. `foreign-robots`: robots.txt of another host that a sitemap lists.
   */
  readonly kind: 'asset' | 'icon' | 'share-image' | 'manifest' | 'feed' | 'slow-page' | 'foreign-robots';
  readonly outcome: FetchOutcome;
  /** For a share image; null for anything else and for unrecognized formats. */
  readonly image: ImageHead | null;
  /** Why a feed cannot be read; null if it can, or for other files. */
  readonly problem: string | null;
  /** Text of a manifest or robots.txt, cut to 100 KB; '' for anything else. */
  readonly text: string;
};

/** The start page's answer to a user agent that names AI search crawlers. */
export type AiBotAnswer = { readonly outcome: FetchOutcome; readonly challenged: boolean };

/**
 * A page's answer to a phone or to Googlebot. `page`: its address as crawled. `facts`: null unless the answer is 2xx
 * HTML, and of the HTML alone.
 */
export type AgentAnswer = {
  readonly agent: 'phone' | 'googlebot';
  readonly page: string;
  readonly outcome: FetchOutcome;
  readonly facts: PageFacts | null;
};

/** Each address that a crawl discovered has exactly one of these ends: their sum is `discovered`. */
export type DiscoveredAddresses = {
  readonly discovered: number;
  readonly audited: number;
  /** By robots.txt, by the server's answer, or by our own guard of private addresses. */
  readonly refused: { readonly robots: number; readonly server: number; readonly guard: number };
  /**
   * They redirect, are missing (4xx), fail (5xx) or do not answer, answer with something else than HTML, or are files by
   * their name or answer.
   */
  readonly noPages: {
    readonly redirects: number;
    readonly missing: number;
    readonly failing: number;
    readonly others: number;
    readonly files: number;
  };
  /** For the limit that ended the crawl, for that of known addresses, as endless, or as copies of others. */
  readonly notAsked: {
    readonly limit: number;
    readonly full: number;
    readonly endless: number;
    readonly copies: number;
  };
};

export type CrawlStop = 'complete' | 'page_budget' | 'time_budget' | 'byte_budget' | 'cancelled';

export type Crawl = {
  readonly discovery: Discovery;
  readonly pages: readonly CrawledPage[];
  readonly linkChecks: readonly LinkCheck[];
  /** Absent if no file was fetched. */
  readonly fileChecks?: readonly FileCheck[];
  /** Absent if it was not requested or robots.txt disallows it. */
  readonly aiBotAnswer?: AiBotAnswer;
  /** Absent if nothing was asked for as a phone or as Googlebot. */
  readonly agentAnswers?: readonly AgentAnswer[];
  readonly coverage: {
    readonly stop: CrawlStop;
    /** What the user set for the crawl; absent: nothing. */
    readonly settings?: CrawlSettings;
    /** URLs known but not fetched because a budget ran out. */
    readonly notFetched: number;
    /** URLs skipped as endless (calendars, parameters), by pattern. */
    readonly traps: readonly { readonly pattern: string; readonly count: number }[];
    /** What became of all addresses; absent if only named pages were fetched, and in crawls by earlier versions. */
    readonly addresses?: DiscoveredAddresses;
    /** Kinds of links of which some were not tried; absent in crawls by earlier versions of the program. */
    readonly untried?: readonly LinkCheck['kind'][];
    /** URLs skipped as copies: canonicals show that a parameter changes nothing, or it is a session. */
    readonly copies?: readonly { readonly pattern: string; readonly count: number }[];
    /** Number of URLs disallowed by robots.txt, if there are more than `pages` lists. */
    readonly forbidden?: number;
    /** Seconds between requests: asked for by robots.txt, and used; absent if it asks for none. */
    readonly crawlDelay?: { readonly asked: number; readonly kept: number };
    /** The last status with which the server asked to wait, such as 429; absent if it never did. */
    readonly askedToWait?: number;
    /** Wildcard rules of robots.txt for this crawler beyond the limits; absent if all were read. */
    readonly unreadRules?: { readonly count: number; readonly line: number };
    readonly startedAt: string;
    readonly durationMs: number;
    readonly bytes: number;
  };
};
