/** What the crawl is given: the network, a parser, time. It opens nothing and measures nothing by itself. */
import type { Fetcher } from '../../model/fetching.ts';
import type { RenderPage } from '../../model/rendering.ts';
import type { ParsePage } from '../facts/parse/parsePage.ts';
import type { NamedPages } from './namedPages.ts';

export type CrawlEnv = {
  readonly fetch: Fetcher;
  readonly parse: ParsePage;
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`, or earlier when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Sent with every request; robots.txt groups are chosen by its product token. */
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  /** Lets others have the event loop, in the middle of long work; default: a few rounds of it. */
  readonly yieldToEventLoop?: () => Promise<void>;
  /** Shows pages that scripts are to fill; default: they are judged by their delivered HTML alone. */
  readonly render?: RenderPage;
};

export type CrawlProgress = { readonly pagesDone: number; readonly pagesKnown: number };

export type CrawlOptions = {
  /** HTML pages and answers that count as such; redirects on the way do not. */
  readonly maxPages: number;
  /** Whole crawl with its link checks; ms. */
  readonly maxMs: number;
  /** Bodies after decompression, all together. */
  readonly maxBytes: number;
  /** Requests at once; at most 4 are made. */
  readonly concurrency: number;
  /** One body after decompression, longer ones are cut; default 5 MB. */
  readonly pageBytes?: number;
  /** One request with its redirects; ms, default 10,000. */
  readonly requestMs?: number;
  /** Links, images and canonical targets looked at without being crawled; default 200. */
  readonly maxLinkChecks?: number;
  /** Manifest, feeds, share images, icons and static files looked into, slow pages asked once more; default 44. */
  readonly maxFileChecks?: number;
  /** Ask for the start page once more as an agent that names AI search crawlers; default false. */
  readonly askAsAiBot?: boolean;
  /** Pages shown in a browser; default 20. */
  readonly maxRendered?: number;
  /** Asks for these pages and nothing else; default: all that the site leads to. */
  readonly only?: NamedPages;
  readonly onProgress?: (progress: CrawlProgress) => void;
};
