/** Lookups over a whole crawl, built once per crawl and shared by all checks. */
import { isRefusal } from '../../crawl/outcome.ts';
import { parseRobots, type RobotsRules, unreadRules } from '../../crawl/robots/robots.ts';
import { readRules } from '../../crawl/robots/robotsFile.ts';
import type { Crawl, CrawledPage, FetchOutcome, FileCheck } from '../../crawl/site.ts';
import { crawlUrl, dedupeKey } from '../../crawl/url.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import type { HtmlPage } from '../check.ts';

/** What is known about one address. */
export type Answer = {
  readonly outcome: FetchOutcome;
  /** Number of redirects from this address on. */
  readonly redirects: number;
  readonly page: CrawledPage | null;
};

/** A sitemap URL that was fetched. */
export type ListedPage = { readonly loc: string; readonly answer: Answer };

export type SiteIndex = {
  readonly start: CrawledPage | null;
  /** Rules of a readable robots.txt; otherwise no rules. */
  readonly robots: RobotsRules;
  readonly htmlPages: readonly HtmlPage[];
  /** Null if the address was not fetched. */
  readonly answerOf: (url: string) => Answer | null;
  /** The address was fetched with a conclusive answer, or robots.txt disallows it. */
  readonly isKnown: (url: string) => boolean;
  /** Null if the file was not fetched. */
  readonly fileOf: (kind: FileCheck['kind'], url: string) => FileCheck | null;
  /** URLs listed in any sitemap. */
  readonly inSitemaps: ReadonlySet<string>;
  /** `addressKey` of each of them. */
  readonly listedKeys: ReadonlySet<string>;
  readonly listed: readonly ListedPage[];
  /** `isKnown` holds for all of them. */
  readonly areListedKnown: boolean;
  /** Addresses that crawled pages link to, with the first page that links there. */
  readonly linkedFrom: ReadonlyMap<string, string>;
  /** `addressKey` of the parts of framesets. */
  readonly framed: ReadonlySet<string>;
  /** Images on most pages: logos and the like, not content. */
  readonly everywhere: ReadonlySet<string>;
  /** False if several other sites were requested and none answered: then our own connection is the problem. */
  readonly outsideReachable: boolean;
};

/** If at least this many hosts are silent and no other answers, our network is the likely cause. */
const SILENT_HOSTS = 3;

const built = new WeakMap<Crawl, SiteIndex>();

export function siteIndex(crawl: Crawl): SiteIndex {
  let index = built.get(crawl);
  if (index === undefined) {
    index = atOnce(building(crawl));
    built.set(crawl, index);
  }
  return index;
}

/** Builds the index in slices, before the checks need it. */
export function* preparing(crawl: Crawl): Pausable<void> {
  if (!built.has(crawl)) built.set(crawl, yield* building(crawl));
}

function* building(crawl: Crawl): Pausable<SiteIndex> {
  const answers = new Map<string, Answer>();
  // Most links match as written, or have a path that was never fetched; only the rest needs a normalized lookup.
  const paths = new Set<string>();
  const add = (url: string, answer: Answer): void => {
    paths.add(bareAddress(url));
    for (const key of new Set([url, addressKey(url)])) if (!answers.has(key)) answers.set(key, answer);
  };
  const asked = crawl.pages.filter((page) => !page.robotsBlocked);
  for (const page of asked) {
    const answer = { outcome: page.outcome, redirects: page.outcome.hops.length, page };
    add(page.outcome.requestedUrl, answer);
    if (page.outcome.hops.length === 0) add(page.url, answer);
    yield;
  }
  const files = new Map((crawl.fileChecks ?? []).map((file) => [`${file.kind} ${file.url}`, file]));
  for (const { url, outcome } of [
    ...crawl.linkChecks,
    ...(crawl.fileChecks ?? []).filter(({ kind }) => kind !== 'slow-page'),
  ]) {
    add(url, { outcome, redirects: outcome.hops.length, page: null });
    yield;
  }
  // The final URL of a redirect is an answer too.
  for (const page of asked) {
    add(page.outcome.url, { outcome: page.outcome, redirects: 0, page });
    yield;
  }
  const linkedFrom = new Map<string, string>();
  const framed = new Set<string>();
  const htmlPages = crawl.pages.filter((page): page is HtmlPage => page.facts !== null);
  for (const page of htmlPages) {
    for (const link of page.facts.links)
      if (link.url !== null && link.url !== page.facts.url && !linkedFrom.has(link.url))
        linkedFrom.set(link.url, page.url);
    for (const { kind, url } of page.facts.resources) if (kind === 'frame') framed.add(addressKey(url));
    yield;
  }
  const { robots, sitemaps } = crawl.discovery;
  const inSitemaps = new Set<string>();
  for (const { urls } of sitemaps)
    for (const { loc } of urls) {
      inSitemaps.add(loc);
      yield;
    }
  const blocked = new Set<string>();
  for (const page of crawl.pages) {
    if (page.robotsBlocked) blocked.add(addressKey(page.url));
    yield;
  }
  const answerOf = (url: string): Answer | null =>
    answers.get(url) ?? (paths.has(bareAddress(url)) ? answers.get(addressKey(url)) : null) ?? null;
  const isKnown = (url: string): boolean => {
    const answer = answerOf(url);
    return answer === null ? blocked.has(addressKey(url)) : isConclusive(answer.outcome);
  };
  const listedKeys = new Set<string>();
  const listed: ListedPage[] = [];
  let areListedKnown = true;
  for (const loc of inSitemaps) {
    listedKeys.add(addressKey(loc));
    const answer = answerOf(loc);
    if (answer !== null) listed.push({ loc, answer });
    areListedKnown &&= isKnown(loc);
    yield;
  }
  return {
    robots: robots.looksLikeHtml ? parseRobots('') : yield* readRules(robots),
    start: crawl.pages.find((page) => page.from === 'start') ?? null,
    htmlPages,
    answerOf,
    isKnown,
    fileOf: (kind, url) => files.get(`${kind} ${crawlUrl(url) ?? url}`) ?? null,
    inSitemaps,
    listedKeys,
    listed,
    areListedKnown,
    linkedFrom,
    framed,
    everywhere: yield* imagesOfMost(htmlPages),
    outsideReachable: reachesOutside(crawl),
  };
}

/** Every robots.txt rule for this crawler was read, so a path that no rule matches is allowed. */
export function areRulesRead(site: Crawl, bot: string): boolean {
  return unreadRules(siteIndex(site).robots, bot) === null;
}

/** No answer, or a refusal, says nothing about what people get. */
function isConclusive({ status, failure }: FetchOutcome): boolean {
  if (status === null) return failure === 'dns' || failure === 'redirect_loop' || failure === 'too_many_redirects';
  return !isRefusal(status);
}

/** With fewer pages, "most pages" means little. */
const MIN_PAGES = 4;

/**
 * An image on more than half of the pages is on one of the first half, so those are the ones that are counted: each page
 * may show hundreds of its own.
 */
function* imagesOfMost(pages: readonly HtmlPage[]): Pausable<ReadonlySet<string>> {
  const shown = new Map<string, number>();
  if (pages.length < MIN_PAGES) return new Set();
  for (const [nth, { facts }] of pages.entries()) {
    yield;
    for (const url of new Set(facts.images.map((image) => image.url))) {
      const count = url === null ? undefined : (shown.get(url) ?? (nth < pages.length / 2 ? 0 : undefined));
      if (url !== null && count !== undefined) shown.set(url, count + 1);
    }
  }
  const most = new Set<string>();
  for (const [url, count] of shown) {
    yield;
    if (count > pages.length / 2) most.add(url);
  }
  return most;
}

function reachesOutside({ linkChecks }: Crawl): boolean {
  const outside = linkChecks.filter((check) => check.kind === 'external');
  if (outside.some(({ outcome }) => outcome.status !== null)) return true;
  return new Set(outside.map(({ url }) => new URL(url).host)).size < SILENT_HOSTS;
}

/** Equal for addresses that show the same page. Most addresses have only one spelling and need no normalization. */
export function addressKey(url: string): string {
  return /[?%;]/.test(url) ? dedupeKey(url) : url;
}

function bareAddress(url: string): string {
  const end = url.search(/[?%;]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The header's values, one per header line. */
export function headerValues(outcome: FetchOutcome, name: string): readonly string[] {
  return outcome.headers[name] ?? [];
}

export function header(outcome: FetchOutcome, name: string): string | null {
  const values = headerValues(outcome, name);
  return values.length === 0 ? null : values.join(', ');
}

/** Content-Length in bytes; null if missing or invalid. */
export function contentLength(outcome: FetchOutcome): number | null {
  const [value = ''] = headerValues(outcome, 'content-length');
  return /^\d{1,15}$/.test(value.trim()) ? Number(value) : null;
}

export function isHttps(url: string): boolean {
  return url.startsWith('https://');
}

/** The path of an absolute, normalized URL. Slices the string, because checks call it for every link. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** Path and query of an absolute, normalized URL: what tells the pages of a site apart. */
export function pathAndQueryOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start < 0 ? '/' : url.slice(start).replace(/#.*$/s, '');
}

/** Host and port of an absolute, normalized URL. */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.slice(start).search(/[/?#]/);
  const host = end < 0 ? url.slice(start) : url.slice(start, start + end);
  return host.includes('@') ? host.slice(host.lastIndexOf('@') + 1) : host;
}

/** Host without the port. */
export function hostnameOf(url: string): string {
  return hostOf(url).replace(/:\d+$/, '');
}

/** Loopback hosts, where rules of the public web do not apply. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

export function isStartPage(page: CrawledPage): boolean {
  return page.from === 'start';
}
