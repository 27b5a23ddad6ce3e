/** States plainly what an audit covered and what it did not. */
import { type CrawlSettings, isPart, settingsText } from '../../model/crawlSettings.ts';
import type { Finding } from '../../model/findings.ts';
import { readableHost } from '../../model/readableAddress.ts';
import type { CheckOutcome } from '../checks/check.ts';
import { count, plural } from '../checks/evidence.ts';
import { isTurnedAway } from '../crawl/outcome.ts';
import type { Crawl } from '../crawl/site.ts';
import { SITE_CHECKS } from './siteChecks.ts';

export type PageCounts = {
  readonly html: number;
  readonly errors: number;
  /** No answer, or the crawler was refused. */
  readonly unreachable: number;
  readonly blocked: number;
  /** Addresses that redirect to another one. */
  readonly redirects: number;
  /** Successful answers that are not HTML. */
  readonly other: number;
};

/** Limit per page; the rest of a longer one is not read. */
const PAGE_LIMIT = '5 MB';
const PAGE_BYTES = 5 * 1024 * 1024;

export function pageCounts(crawl: Crawl): PageCounts {
  const counts = { html: 0, errors: 0, unreachable: 0, blocked: 0, redirects: 0, other: 0 };
  for (const { facts, robotsBlocked, outcome } of crawl.pages) {
    if (robotsBlocked) counts.blocked += 1;
    else if (facts !== null) counts.html += 1;
    else if (outcome.status === null) counts.unreachable += 1;
    else if (outcome.hops.length > 0) counts.redirects += 1;
    else if (isTurnedAway(outcome)) counts.unreachable += 1;
    else if (outcome.status >= 400) counts.errors += 1;
    else counts.other += 1;
  }
  return counts;
}

const STOPS: Readonly<Record<Exclude<Crawl['coverage']['stop'], 'complete'>, string>> = {
  page_budget: 'page limit reached',
  time_budget: 'time limit reached',
  byte_budget: 'data limit reached',
  cancelled: 'crawl stopped',
};

/** One or two sentences. */
export function coverageText(crawl: Crawl): string {
  const { html } = pageCounts(crawl);
  const missed = missedPages(crawl);
  const part = isPart(crawl.coverage.settings);
  const all =
    missed === 0
      ? `No discovered page ${part ? 'of this part ' : ''}was left out.`
      : `${plural(missed, 'other discovered address', 'other discovered addresses')} could not be audited.`;
  const host = readableHost(new URL(crawl.discovery.origin).host);
  const { stop, notFetched } = crawl.coverage;
  const audited =
    html === 0
      ? `No HTML page of ${host} could be audited`
      : `${plural(html, 'HTML page')} of ${part ? 'a part of ' : ''}${host} audited`;
  const left =
    notFetched === 0
      ? ''
      : `${count(notFetched)} known ${notFetched === 1 ? 'address was' : 'addresses were'} not audited.`;
  if (stop !== 'complete') return `${audited}. ${capital(STOPS[stop])}${left === '' ? '.' : `: ${left}`}`;
  return [`${audited}.`, html === 0 ? '' : all, left].filter((text) => text !== '').join(' ');
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Addresses that are pages, or may be, and were not audited: refused, failing, without an answer, or left out. */
function missedPages({ pages, coverage }: Crawl): number {
  const blocked = pages.filter(({ robotsBlocked }) => robotsBlocked).length;
  const failing = pages.filter(
    ({ facts, robotsBlocked, outcome }) =>
      facts === null &&
      !robotsBlocked &&
      (outcome.status === null || outcome.status >= 500 || (outcome.hops.length === 0 && isTurnedAway(outcome))),
  ).length;
  const endless = coverage.traps.reduce((sum, { count: left }) => sum + left, 0);
  return Math.max(blocked, coverage.forbidden ?? 0) + failing + endless;
}

/** What became of all addresses: the parts add up to the first number. */
function addressesText({ addresses, stop }: Crawl['coverage']): string | false {
  if (addresses === undefined) return false;
  const { discovered, audited, refused, noPages, notAsked } = addresses;
  const part = (what: string, ends: Readonly<Record<string, number>>): string | false => {
    const named = Object.entries(ends).filter(([, number]) => number > 0);
    const sum = named.reduce((all, [, number]) => all + number, 0);
    const list = named.map(([name, number]) => (named.length === 1 ? name : `${count(number)} ${name}`)).join(', ');
    return sum > 0 && `${count(sum)} ${what} (${list})`;
  };
  const parts = [
    `${count(audited)} audited`,
    part('refused', {
      'by robots.txt': refused.robots,
      'by the server': refused.server,
      'by this installation’s rules': refused.guard,
    }),
    part(Object.values(noPages).reduce((sum, number) => sum + number, 0) === 1 ? 'not a page' : 'not pages', {
      [noPages.redirects === 1 ? 'redirect' : 'redirects']: noPages.redirects,
      'not found': noPages.missing,
      'with an error or no response': noPages.failing,
      'other content': noPages.others,
      [noPages.files === 1 ? 'file' : 'files']: noPages.files,
    }),
    part('not requested', {
      [stop === 'complete' ? 'found after the crawl' : STOPS[stop]]: notAsked.limit,
      'too many are known': notAsked.full,
      endless: notAsked.endless,
      'the same as others': notAsked.copies,
    }),
  ].filter((text) => text !== false);
  return `${plural(discovered, 'address', 'addresses')} discovered: ${parts.join('; ')}.`;
}

/**
 * Lines for a list. They contain no text from the site or the user except patterns of addresses, which pass through
 * `quoted`.
 */
export function coverageLines(crawl: Crawl, quoted: (text: string) => string): string[] {
  const counts = pageCounts(crawl);
  const { coverage, linkChecks, discovery } = crawl;
  const blocked = Math.max(counts.blocked, coverage.forbidden ?? 0);
  const cutPages = crawl.pages.filter(({ facts, outcome }) => facts !== null && outcome.truncated);
  const ended = cutPages.filter(
    ({ outcome }) => outcome.bytes < PAGE_BYTES && outcome.headers['content-encoding'] !== undefined,
  ).length;
  const cut = cutPages.length - ended;
  const turnedAway = crawl.pages.filter(({ facts, outcome }) => facts === null && isTurnedAway(outcome)).length;
  const partial = crawl.pages.filter(({ facts }) => facts?.partial === true).length;
  const sitemaps = discovery.sitemaps.filter((sitemap) => sitemap.kind !== 'invalid');
  return [
    coverageText(crawl),
    addressesText(coverage),
    ...settingsLines(coverage.settings, quoted),
    coverage.settings?.sitemapOnly === true &&
      sitemaps.length === 0 &&
      'No sitemap could be read, so only the home page was audited.',
    cut > 0 &&
      `${plural(cut, 'page')} ${cut === 1 ? 'is' : 'are'} larger than ${PAGE_LIMIT}; the rest was not checked.`,
    ended > 0 && `${plural(ended, 'page')} arrived incomplete (compressed data cut off); the rest was not checked.`,
    partial > 0 &&
      `${plural(partial, 'page')} ${partial === 1 ? 'has' : 'have'} more links, images or markup than an audit keeps; the rest was not checked.`,
    ...countLines({ ...counts, blocked }),
    turnedAway > 0 &&
      `${plural(turnedAway, 'address', 'addresses')} blocked our crawler, so ${turnedAway === 1 ? 'its page was' : 'their pages were'} not checked.`,
    ...renderingLines(crawl, quoted),
    linkChecks.length > 0 &&
      `${plural(linkChecks.length, 'link target')} ${linkChecks.length === 1 ? 'was' : 'were'} tested but not audited.`,
    sitemaps.length > 0 &&
      `${plural(sitemaps.length, 'sitemap')} with ${plural(
        sitemaps.reduce((sum, sitemap) => sum + (sitemap.kind === 'index' ? 0 : sitemap.urlCount), 0),
        'URL',
      )}.`,
    ...coverage.traps.map(
      ({ pattern, count: left }) =>
        `${plural(left, 'address', 'addresses')} like ${quoted(pattern)} left out: they seem endless.`,
    ),
    ...(coverage.copies ?? []).map(
      ({ pattern, count: left }) =>
        `${plural(left, 'address', 'addresses')} like ${quoted(pattern)} left out: other addresses show the same pages.`,
    ),
    coverage.unreadRules !== undefined &&
      `robots.txt has ${plural(coverage.unreadRules.count, 'more wildcard rule')} than we read; those from line ${coverage.unreadRules.line} on were ignored.`,
    coverage.crawlDelay !== undefined && delayText(coverage.crawlDelay),
    `The crawl took ${(coverage.durationMs / 1000).toFixed(1)} seconds and ${count(Math.round(coverage.bytes / 1000))} KB.`,
  ].filter((line) => line !== false);
}

/** What the user set for the crawl, and what follows from it; none if nothing was set. */
export function settingsLines(settings: CrawlSettings | undefined, quoted: (text: string) => string): string[] {
  if (settings === undefined) return [];
  const set = `Crawl settings: ${settingsText(settings, quoted)}.`;
  return [isPart(settings) ? `${set} The rest of the site was not audited.` : set];
}

/** Addresses that yielded no page to audit. */
export function countLines({ errors, unreachable, blocked, redirects, other }: PageCounts): string[] {
  return [
    errors > 0 && `${plural(errors, 'address', 'addresses')} returned an error.`,
    unreachable > 0 && `${count(unreachable)} could not be fetched.`,
    blocked > 0 &&
      `${count(blocked)} ${blocked === 1 ? 'is' : 'are'} blocked by robots.txt and ${blocked === 1 ? 'was' : 'were'} not fetched.`,
    redirects > 0 && `${plural(redirects, 'address', 'addresses')} ${redirects === 1 ? 'redirects' : 'redirect'}.`,
    other > 0 &&
      `${count(other)} ${other === 1 ? 'is' : 'are'} not HTML and ${other === 1 ? 'was' : 'were'} not checked.`,
  ].filter((line) => line !== false);
}

/** About pages filled in by scripts, if a browser was available. */
function renderingLines({ pages }: Crawl, quoted: (text: string) => string): string[] {
  const shown = pages.filter(({ rendering }) => rendering?.done === true).length;
  const reasons = new Map<string, number>();
  for (const { rendering } of pages) {
    if (rendering && !rendering.done) reasons.set(rendering.why ?? '', (reasons.get(rendering.why ?? '') ?? 0) + 1);
  }
  const failed = [...reasons].map(
    ([why, number]) =>
      `${plural(number, 'page')} that ${number === 1 ? 'needs' : 'need'} scripts could not be rendered: ${quoted(why.replace(/\.$/, ''))}.`,
  );
  return shown === 0
    ? failed
    : [
        `${plural(shown, 'page')} that ${shown === 1 ? 'needs' : 'need'} scripts ${shown === 1 ? 'was' : 'were'} rendered in a browser.`,
        ...failed,
      ];
}

function delayText({ asked, kept }: { readonly asked: number; readonly kept: number }): string {
  const request = `robots.txt asks for ${asked} ${asked === 1 ? 'second' : 'seconds'} between requests`;
  return asked === kept
    ? `${request}; we kept to it.`
    : `${request}; we waited ${kept}, the most an audit has time for.`;
}

/** Checks that found nothing, not even a hint. */
export function clean(outcomes: readonly CheckOutcome[], findings: readonly Finding[]): readonly CheckOutcome[] {
  const withFindings = new Set(findings.map((finding) => finding.checkId));
  return outcomes.filter(({ state, checkId }) => state === 'passed' && !withFindings.has(checkId));
}

/** Why it was not checked: how much of its data is missing, if nothing else is known. */
export function openText({
  checkId,
  notChecked: open,
  looked,
  because,
}: Pick<CheckOutcome, 'checkId' | 'notChecked' | 'looked' | 'because'>): string {
  if (because !== undefined) return because;
  if (SITE_CHECKS.has(checkId))
    return looked === 0
      ? 'what it checks was not requested or could not be read'
      : 'nothing was found in the part of the site that was read';
  return `${plural(open, 'page')} could be checked only in part or not at all`;
}

/** Checks that could not run, or not everywhere. */
export function notChecked(outcomes: readonly CheckOutcome[]): readonly CheckOutcome[] {
  return outcomes.filter(
    (outcome) =>
      outcome.state === 'not_checked' || outcome.state === 'error' || (outcome.notChecked > 0 && outcome.looked > 0),
  );
}
