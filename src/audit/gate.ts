/**
 * The first question about a site: may its pages be found at all? Content pages, those meant for search, are open or
 * closed to search engines; the share that is open is a factor of the score.
 */
import { seenPage } from './checks/applies.ts';
import { blockingHeader, blockingMeta } from './checks/lookups/directives.ts';
import { foldedInto } from './checks/lookups/folded.ts';
import { keptOut } from './checks/lookups/keptOut.ts';
import { isMeantForSearch, roleOf } from './checks/lookups/roles.ts';
import { isStartPage, siteIndex } from './checks/lookups/siteIndex.ts';
import { isAllowed } from './crawl/robots/robots.ts';
import type { Crawl, CrawledPage, FetchOutcome } from './crawl/site.ts';
import type { Pausable } from './timeSlices.ts';
import { ALLOWANCE, ENGINES, GATE_EXPONENT, START_SHARE, UNKNOWN_SHARE } from './weights.ts';

export type Gate = {
  /** 0 (nothing can be found) to 1: what the score of the rest is multiplied by. */
  readonly factor: number;
  /** Number of content pages, and how many of these are closed to Google, or to the other search engines. */
  readonly pages: number;
  readonly closed: { readonly google: number; readonly others: number };
  readonly isStartClosed: boolean;
  /** Addresses of the content pages that at least one search engine may not list, by the check that says why. */
  readonly closedBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those among them that nothing excuses. */
  readonly surelyClosed: ReadonlySet<string>;
  /** The share of 1 − factor that each of these checks is to blame for; together 1, or empty if nothing is closed. */
  readonly blame: ReadonlyMap<string, number>;
  /** Addresses that robots.txt forbids, of pages of which nothing is known and that do not count. */
  readonly unknown: ReadonlySet<string>;
  /** Addresses of the pages that the score of the rest is about: content pages and later pages of lists. */
  readonly base: ReadonlySet<string>;
};

/** The checks that say why a page is closed. */
export const GATE_CHECKS: ReadonlySet<string> = new Set([
  'canonical-other-content',
  'canonical-other-host',
  'canonical-other-language',
  'canonical-to-noindex',
  'canonical-to-root',
  'login-wall',
  'noindex-by-agent',
  'noindex-header',
  'noindex-meta',
  'page-http-error',
  'page-unreachable',
  'redirect-loop',
  'robots-blocks-all',
  'robots-blocks-page',
  'robots-server-error',
  'soft-404',
]);

/**
 * `isExcused`: nothing speaks against that the page is kept out on purpose, except that its content is of the kind
 * that people search for. Of such pages a few are allowed.
 */
type Closing = { readonly by: string; readonly isExcused: boolean };

/** `faulty`: addresses of pages with a finding that costs points, by check. */
export function* gating(crawl: Crawl, faulty: ReadonlyMap<string, ReadonlySet<string>>): Pausable<Gate> {
  const [content, lists]: [CrawledPage[], CrawledPage[]] = [[], []];
  const unknown = new Map<number, CrawledPage[]>();
  for (const page of crawl.pages) {
    if (isJudged(page, crawl)) {
      const line = unknownBy(page, crawl);
      const known = line === null ? content : unknown.get(line);
      if (known) known.push(page);
      else unknown.set(line as number, [page]);
    } else if (page.facts !== null && roleOf(page, crawl).role === 'list-page') lists.push(page);
    yield;
  }
  const most = Math.max(1, Math.floor(UNKNOWN_SHARE * content.length));
  for (const pages of unknown.values()) content.push(...pages.splice(0, most));
  const startWeight = Math.max(1, (START_SHARE / (1 - START_SHARE)) * (content.length - 1));
  const weightOf = (page: CrawledPage): number => (isStartPage(page) ? startWeight : 1);
  const total = content.reduce((sum, page) => sum + weightOf(page), 0);
  const closedBy = new Map<string, Set<string>>();
  const surelyClosed = new Set<string>();
  const mass = new Map<string, number>();
  const closed = { google: 0, others: 0 };
  let [factor, isStartClosed] = [0, false];
  for (const engine of ENGINES) {
    let [sure, excused] = [0, 0];
    const closings: (Closing & { readonly weight: number })[] = [];
    for (const page of content) {
      const closing = closingOf(page, crawl, engine.bot, faulty);
      yield;
      if (closing === null) continue;
      const weight = weightOf(page);
      closings.push({ ...closing, weight });
      closed[engine.name] += 1;
      isStartClosed ||= isStartPage(page);
      if (closing.isExcused) excused += weight;
      else {
        sure += weight;
        surelyClosed.add(page.url);
      }
      const urls = closedBy.get(closing.by);
      if (urls) urls.add(page.url);
      else closedBy.set(closing.by, new Set([page.url]));
    }
    const counted = Math.max(0, ALLOWANCE.slope * excused - ALLOWANCE.free * total);
    // What is allowed is not to blame.
    for (const { by, weight, isExcused } of closings) {
      const part = weight * engine.weight * (isExcused ? counted / excused : 1);
      if (part > 0) mass.set(by, (mass.get(by) ?? 0) + part);
    }
    const share = total === 0 ? 1 : (sure + counted) / total;
    factor += engine.weight * Math.max(0, 1 - share) ** GATE_EXPONENT;
  }
  const all = [...mass.values()].reduce((sum, part) => sum + part, 0);
  return {
    factor: Math.min(1, factor),
    pages: content.length,
    closed,
    isStartClosed,
    closedBy,
    surelyClosed,
    blame: factor < 1 ? new Map([...mass].map(([checkId, part]) => [checkId, part / all])) : new Map(),
    unknown: new Set([...unknown.values()].flatMap((pages) => pages.map(({ url }) => url))),
    base: new Set([...content, ...lists].map(({ url }) => url)),
  };
}

/** A content page that is known to be open or closed. */
function isJudged(page: CrawledPage, site: Crawl): boolean {
  if (isStartPage(page)) return true;
  const { outcome, robotsBlocked, facts } = page;
  if (!robotsBlocked && outcome.hops.length > 0) return false;
  // Whatever else it is: somebody names it, and nobody gets it.
  if (!robotsBlocked && isFailing(outcome)) return true;
  if (!isMeantForSearch(page, site)) return false;
  // What other crawlers may read says nothing about a page that this one may not.
  if (robotsBlocked) return ENGINES.some(({ bot }) => !isAllowed(siteIndex(site).robots, bot, page.url).allowed);
  return facts !== null && seenPage(page) && foldedInto(page, site) !== 'copy';
}

/**
 * The line of robots.txt that forbids a page of which nothing is known: no sitemap or navigation names it, and its
 * address says nothing. One rule for a hundred such addresses (`/go/…`) is one decision. Null for any other page.
 */
function unknownBy(page: CrawledPage, site: Crawl): number | null {
  if (!page.robotsBlocked || isStartPage(page)) return null;
  const { role, signals } = roleOf(page, site);
  if (role !== 'content' || signals.length > 0 || !isExcused(page, site)) return null;
  const { allowed, line } = isAllowed(siteIndex(site).robots, ENGINES[0].bot, page.url);
  return allowed ? null : (line ?? null);
}

/** The server has the address and gives no answer that can be used; 404 and 410 are faults of links. */
function isFailing({ status, failure }: FetchOutcome): boolean {
  if (status !== null) return status >= 500;
  return FAILURES.has(failure ?? '');
}

const FAILURES: ReadonlySet<string> = new Set([
  'dns',
  'refused',
  'reset',
  'tls',
  'timeout',
  'too_many_redirects',
  'redirect_loop',
  'bad_redirect',
]);

function closingOf(
  page: CrawledPage,
  site: Crawl,
  bot: string,
  faulty: ReadonlyMap<string, ReadonlySet<string>>,
): Closing | null {
  const certain = (by: string): Closing => ({ by, isExcused: false });
  const has = (checkId: string): boolean => faulty.get(checkId)?.has(page.url) === true;
  if (site.discovery.robots.verdict === 'disallow_all') return certain('robots-server-error');
  if (!isAllowed(siteIndex(site).robots, bot, page.url).allowed)
    return faulty.has('robots-blocks-all')
      ? certain('robots-blocks-all')
      : { by: 'robots-blocks-page', isExcused: isExcused(page, site) };
  if (page.robotsBlocked) return null;
  const { outcome, facts } = page;
  if (outcome.status === null || outcome.status >= 400)
    return certain(has('redirect-loop') ? 'redirect-loop' : outcome.status === null ? UNREACHABLE : HTTP_ERROR);
  if (facts === null) return certain(HTTP_ERROR);
  if (isStartPage(page) && faulty.has('login-wall')) return certain('login-wall');
  const directive =
    blockingMeta(page, bot, site) !== null
      ? 'noindex-meta'
      : blockingHeader(page, bot, site) !== null
        ? 'noindex-header'
        : null;
  if (directive !== null) return { by: directive, isExcused: isExcused(page, site) };
  // Only Google is known to look with a phone, and to be what calls itself Googlebot.
  if (bot === ENGINES[0].bot && has('noindex-by-agent')) return certain('noindex-by-agent');
  if (has('soft-404')) return certain('soft-404');
  if (has('canonical-to-noindex')) return certain('canonical-to-noindex');
  const folded = foldedInto(page, site);
  // A text may come from elsewhere and say so; a start page does not.
  if (folded === 'other-site') return { by: 'canonical-other-host', isExcused: !isStartPage(page) };
  if (folded === 'other-content') return certain(FOLDING.find(has) ?? 'canonical-other-content');
  return null;
}

const [UNREACHABLE, HTTP_ERROR] = ['page-unreachable', 'page-http-error'];
const FOLDING = ['canonical-to-root', 'canonical-other-language'] as const;

function isExcused(page: CrawledPage, site: Crawl): boolean {
  const kept = keptOut(page, site);
  return kept.verdict === 'fault' && kept.but === '';
}
