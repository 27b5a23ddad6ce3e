/** Dependencies of the crawl: network, parser, time. The crawl itself opens no connections and reads no clock. */
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { Fetcher } from '../../model/fetching.ts';
import type { RenderPage } from '../../model/rendering.ts';
import type { ParsePage } from '../facts/parse/parsePage.ts';
import type { NamedPages } from './namedPages.ts';
import type { Content, CrawledPage, FetchOutcome } from './site.ts';

export type CrawlEnv = {
  readonly fetch: Fetcher;
  readonly parse: ParsePage;
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`, or earlier when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Sent with every request; its product token selects the robots.txt groups. */
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  /** What may be kept of the site in memory, in bytes; default: `SITE_BYTES`. */
  readonly siteBytes?: number;
  /** Yields to the event loop during long work; default: a few rounds of it. */
  readonly yieldToEventLoop?: () => Promise<void>;
  /** Renders pages filled in by scripts; default: only their delivered HTML is checked. */
  readonly render?: RenderPage;
};

/** An answer and the page in it, if there is one: plain JSON. */
export type KnownAnswer = { readonly outcome: FetchOutcome; readonly content: Content };
export type KnownAnswers = {
  readonly of: (url: string) => KnownAnswer | undefined;
  readonly keep: (url: string, answer: KnownAnswer) => void;
};

export type CrawlProgress = { readonly pagesDone: number; readonly pagesKnown: number };

export type CrawlOptions = {
  /** HTML pages and answers that count as such; intermediate redirects do not. */
  readonly maxPages: number;
  /** Which pages may be read besides the start page; default: all. `maxPages` of it is only reported. */
  readonly settings?: CrawlSettings | undefined;
  /** Whole crawl including link checks; ms. */
  readonly maxMs: number;
  /** All bodies together, after decompression. */
  readonly maxBytes: number;
  /** Parallel requests; at most 4. */
  readonly concurrency: number;
  /** One body after decompression, longer ones are truncated; default 5 MB. */
  readonly pageBytes?: number;
  /** One request with its redirects; ms, default 10,000. */
  readonly requestMs?: number;
  /** Links, images and canonical targets requested without being crawled; default 200. */
  readonly maxLinkChecks?: number;
  /** Manifest, feeds, share images, icons and static files, plus slow pages requested again; default 44. */
  readonly maxFileChecks?: number;
  /** Request the start page again with a user agent that names AI search crawlers; default false. */
  readonly askAsAiBot?: boolean;
  /** Request a page each of the three largest templates as a phone and as Googlebot; default false. */
  readonly askAsOthers?: boolean;
  /** Pages rendered in a browser; default 20. */
  readonly maxRendered?: number;
  /** Addresses that the former audit of the site looked at: of pages equally far from the start, they come first. */
  readonly former?: readonly string[];
  /** Fetches only these pages; default: everything the site leads to. */
  readonly only?: NamedPages;
  /** What an interrupted crawl of the same site has received: not requested again. What comes is kept there, too. */
  readonly known?: KnownAnswers;
  readonly onProgress?: (progress: CrawlProgress) => void;
  /** Called once for each entry of the crawl, when it was read or refused. */
  readonly onPage?: (page: CrawledPage) => void;
};
