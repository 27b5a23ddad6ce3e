/**
 * Why a finding that was not found again cannot be called fixed: its page, or data its check needs, was not really
 * checked. Pure.
 */

import { isComplete } from './checks/applies.ts';
import type { Check, CheckOutcome } from './checks/check.ts';
import { plural } from './checks/evidence.ts';
import { areKnown } from './checks/lookups/pageLinks.ts';
import { siteIndex } from './checks/lookups/siteIndex.ts';
import type { RecheckNeeds } from './checks/recheckNeeds.ts';
import type { Crawl, CrawledPage } from './crawl/site.ts';
import { dedupeKey, isInternal } from './crawl/url.ts';
import { excerpt } from './excerpt.ts';
import { isFilledByScript } from './facts/appShell.ts';
import { hrefOf, srcOf } from './facts/reading.ts';
import type { FindingRecord } from './report/findingsFormat.ts';
import { whyNotChecked } from './report/matchFindings.ts';

export type Recheck = {
  readonly finding: FindingRecord;
  /** URL of its page, as requested. */
  readonly url: string;
  readonly check: Check;
  readonly needs: RecheckNeeds;
  readonly crawl: Crawl;
  readonly outcome: CheckOutcome | undefined;
  /** Pages that should have been checked; the same list for all findings that need them. */
  readonly named: readonly string[];
};

/** Null if everything was checked, so the finding is fixed. Else the reason, worded as the end of a sentence. */
export function whyNotSeen(recheck: Recheck): string | null {
  return recheck.check.scope === 'site' ? whyNotOnSite(recheck) : whyNotOnPage(recheck, recheck.check);
}

function whyNotOnPage(
  { finding, url, needs, crawl, outcome }: Recheck,
  check: Exclude<Check, { scope: 'site' }>,
): string | null {
  const page = pageAt(url, crawl);
  const applies =
    page !== undefined && (check.scope === 'answer' || page.facts !== null) && check.appliesTo(page, crawl);
  const isGathered = applies && check.gathered?.(page, crawl) !== false;
  const isPart =
    applies &&
    !(isGathered && check.complete?.(page, crawl) !== false) &&
    !isSettled(finding, needs, page, crawl, isGathered);
  const seen = page && { status: page.outcome.status, audited: page.facts !== null, why: whyNoContent(page) };
  // A verdict that needs no answer, such as a robots.txt block, stands without one.
  const known = applies && check.scope === 'answer' && page.robotsBlocked ? { status: 0, audited: true } : seen;
  const because = whyNotChecked({
    checkId: check.id,
    outcome: outcome && { ...outcome, notChecked: 0, omitted: 0 },
    page: known,
  });
  if (because !== null)
    return page === undefined && crawl.coverage.stop !== 'complete'
      ? `the ${crawl.coverage.stop === 'byte_budget' ? 'data limit was reached' : 'time ran out'} before the page was requested`
      : because;
  if (isPart) return whyNoContent(page) ?? 'not everything that the page links to or loads could be requested';
  return !applies && page?.facts != null && isFilledByScript(page.facts)
    ? 'the content of the page now appears only when scripts run'
    : null;
}

/**
 * Whatever else is unknown: the page was read in full and no longer names the address that the finding is about, or
 * that address answered.
 */
function isSettled(
  { evidence }: FindingRecord,
  needs: RecheckNeeds,
  page: CrawledPage,
  crawl: Crawl,
  isGathered: boolean,
): boolean {
  const target = needs.target?.(evidence) ?? null;
  if (target === null) return false;
  const { facts } = page;
  if (target === evidence.url || facts === null) return siteIndex(crawl).isKnown(target);
  const written = [
    ...facts.links.map((link) => [hrefOf(link), link.url] as const),
    ...facts.images.map((image) => [srcOf(image), image.url] as const),
  ];
  const named = written.filter(
    ([text, url]) => url === target || excerpt(text, evidence.value.length) === evidence.value,
  );
  if (named.length === 0) return isComplete(page) && facts.links.length >= facts.totals.links;
  return (
    isGathered &&
    areKnown(
      named.map(([, url]) => ({ url })),
      crawl,
    )
  );
}

function whyNotOnSite({ finding, url, check, needs, crawl, outcome, named }: Recheck): string | null {
  const failed = whyNotChecked({
    checkId: check.id,
    outcome: outcome && { ...outcome, notChecked: 0, omitted: 0 },
    page: undefined,
  });
  if (failed !== null || outcome === undefined) return failed;
  const { robots } = crawl.discovery;
  if (robots.verdict === 'disallow_all' && outcome.state !== 'passed')
    return `robots.txt could not be read this time (${robots.outcome.message ?? `status ${robots.outcome.status}`})`;
  if (needs.isGatheredFor) return needs.isGatheredFor(finding.evidence, crawl) ? null : whyNotGathered(url, crawl);
  if (outcome.notChecked > 0) return 'not everything that the check needs could be read';
  const silent = needs.wholeSite ? 0 : silentOf(named, crawl);
  if (silent > 0)
    return named.length === 1
      ? whySilent(named[0] ?? '', crawl)
      : `${plural(silent, 'page')} of ${named.length} could not be requested`;
  return outcome.state === 'not_applicable' ? whyNotApplicable(needs, crawl) : null;
}

const silent = new WeakMap<readonly string[], number>();

/** How many of them gave no answer. All findings of a check ask about the same list. */
function silentOf(named: readonly string[], crawl: Crawl): number {
  const count = silent.get(named) ?? named.filter((url) => pageAt(url, crawl)?.outcome.status == null).length;
  silent.set(named, count);
  return count;
}

/** A check that no longer applies proves a fix only if the data it checks was available. */
function whyNotApplicable(needs: RecheckNeeds, crawl: Crawl): string | null {
  if (needs.sitemaps && !crawl.discovery.sitemaps.some(({ kind }) => kind !== 'invalid'))
    return 'no sitemap could be read this time';
  const { start } = siteIndex(crawl);
  return start !== null && start.facts === null
    ? (whyNoContent(start) ?? 'the home page was not an HTML page this time')
    : null;
}

function whyNotGathered(url: string, crawl: Crawl): string {
  const { sitemaps } = crawl.discovery;
  if (sitemaps.length > 0 && !sitemaps.some(({ kind }) => kind !== 'invalid'))
    return 'no sitemap could be read this time';
  if (!isInternal(url, crawl.discovery.origin)) return 'the address is not on this site';
  const page = pageAt(url, crawl);
  return (page && whyNoContent(page)) ?? 'not everything that the check needs could be read';
}

function whySilent(url: string, crawl: Crawl): string {
  if (!isInternal(url, crawl.discovery.origin)) return 'the address is not on this site';
  const page = pageAt(url, crawl);
  return (page && whyNoContent(page)) ?? 'the page was not requested this time';
}

/** Null for a page with content. */
function whyNoContent({ facts, outcome, robotsBlocked }: CrawledPage): string | null {
  if (facts !== null) return null;
  const message = outcome.message?.replace(/\.$/, '');
  if (robotsBlocked)
    return (
      message?.replace(/^robots\.txt forbids this address to the crawler$/, 'robots.txt now blocks the page') ?? null
    );
  if (outcome.status === null) return `the page did not answer (${message ?? 'no answer'})`;
  if (outcome.hops.length > 0) return `the page now redirects to ${outcome.url}`;
  if (outcome.status >= 400) return `the page now answers with status ${outcome.status}`;
  return message ? `the page has no content to check (${message})` : null;
}

/** Also matches the redirect target of the start page. */
function pageAt(url: string, crawl: Crawl): CrawledPage | undefined {
  let byKey = pages.get(crawl);
  if (byKey === undefined) {
    byKey = new Map();
    for (const page of crawl.pages)
      for (const key of [page.url, page.outcome.requestedUrl].map(dedupeKey)) if (!byKey.has(key)) byKey.set(key, page);
    pages.set(crawl, byKey);
  }
  return byKey.get(dedupeKey(url));
}

/** Each finding asks for its page. */
const pages = new WeakMap<Crawl, Map<string, CrawledPage>>();
