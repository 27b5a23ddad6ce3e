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
  page_budget: 'the limit of pages was reached',
  time_budget: 'the time ran out',
  byte_budget: 'the limit of data was reached',
  cancelled: 'the crawl was stopped',
};

/** One or two sentences. */
export function coverageText(crawl: Crawl): string {
  const { html } = pageCounts(crawl);
  const missed = missedPages(crawl);
  const part = isPart(crawl.coverage.settings);
  const all =
    missed === 0
      ? `all discovered pages ${part ? 'of this part ' : ''}were audited`
      : `${plural(missed, 'other discovered address', 'other discovered addresses')} could not be`;
  const host = readableHost(new URL(crawl.discovery.origin).host);
  const { stop, notFetched } = crawl.coverage;
  const audited =
    html === 0
      ? `No HTML page of ${host} could be audited`
      : `${plural(html, 'HTML page')} of ${part ? 'a part of ' : ''}${host} ${html === 1 ? 'was' : 'were'} audited`;
  const sentence =
    html === 0 && stop === 'complete' ? audited : `${audited}; ${stop === 'complete' ? all : STOPS[stop]}`;
  return notFetched === 0
    ? `${sentence}.`
    : `${sentence}, and ${count(notFetched)} known ${notFetched === 1 ? 'address was' : 'addresses were'} not looked at.`;
}

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
      'by the rules of this installation': refused.guard,
    }),
    part('not pages', {
      redirecting: noPages.redirects,
      missing: noPages.missing,
      'failing or without an answer': noPages.failing,
      'other content': noPages.others,
      files: noPages.files,
    }),
    part('not asked', {
      [`because ${stop === 'complete' ? 'the crawl had ended' : STOPS[stop]}`]: notAsked.limit,
      'because too many are known': notAsked.full,
      'without an end to them': notAsked.endless,
      'that show the same as others': notAsked.copies,
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
      'No sitemap could be read, so nothing but the home page was audited.',
    cut > 0 &&
      `${plural(cut, 'page')} ${cut === 1 ? 'was' : 'were'} cut at ${PAGE_LIMIT}; nothing was looked for in the rest.`,
    ended > 0 &&
      `${plural(ended, 'page')} ended before ${ended === 1 ? 'its' : 'their'} compressed data did; nothing was looked for in the rest.`,
    partial > 0 &&
      `${plural(partial, 'page')} ${partial === 1 ? 'has' : 'have'} more links, images or markup than an audit keeps; nothing was looked for in the rest.`,
    ...countLines({ ...counts, blocked }),
    turnedAway > 0 &&
      `${plural(turnedAway, 'address', 'addresses')} turned our crawler away, so ${turnedAway === 1 ? 'its page is' : 'their pages are'} not judged.`,
    ...renderingLines(crawl, quoted),
    linkChecks.length > 0 &&
      `${plural(linkChecks.length, 'link target')} ${linkChecks.length === 1 ? 'was' : 'were'} tried without being audited.`,
    sitemaps.length > 0 &&
      `${plural(sitemaps.length, 'sitemap')} with ${plural(
        sitemaps.reduce((sum, sitemap) => sum + (sitemap.kind === 'index' ? 0 : sitemap.urlCount), 0),
        'URL',
      )}.`,
    ...coverage.traps.map(
      ({ pattern, count: left }) =>
        `${plural(left, 'address', 'addresses')} like ${quoted(pattern)} left out: there seems to be no end to them.`,
    ),
    ...(coverage.copies ?? []).map(
      ({ pattern, count: left }) =>
        `${plural(left, 'address', 'addresses')} like ${quoted(pattern)} left out: other addresses show the same pages.`,
    ),
    coverage.unreadRules !== undefined &&
      `robots.txt has ${count(coverage.unreadRules.count)} more rules with wildcards than are read; those from line ${coverage.unreadRules.line} on were ignored.`,
    coverage.crawlDelay !== undefined && delayText(coverage.crawlDelay),
    `The crawl took ${(coverage.durationMs / 1000).toFixed(1)} seconds and ${count(Math.round(coverage.bytes / 1000))} KB.`,
  ].filter((line) => line !== false);
}

/** What the user set for the crawl, and what follows from it; none if nothing was set. */
export function settingsLines(settings: CrawlSettings | undefined, quoted: (text: string) => string): string[] {
  if (settings === undefined) return [];
  const set = `Crawl settings: ${settingsText(settings, quoted)}.`;
  return [isPart(settings) ? `${set} Nothing is said of the rest of the site.` : set];
}

/** Addresses that yielded no page to audit. */
export function countLines({ errors, unreachable, blocked, redirects, other }: PageCounts): string[] {
  return [
    errors > 0 && `${plural(errors, 'address', 'addresses')} answered with an error.`,
    unreachable > 0 && `${count(unreachable)} could not be fetched at all.`,
    blocked > 0 &&
      `${count(blocked)} ${blocked === 1 ? 'is' : 'are'} closed to crawlers by robots.txt and ${blocked === 1 ? 'was' : 'were'} not fetched.`,
    redirects > 0 &&
      `${plural(redirects, 'address', 'addresses')} ${redirects === 1 ? 'redirects' : 'redirect'} to another one.`,
    other > 0 && `${count(other)} ${other === 1 ? 'is' : 'are'} no HTML and not judged.`,
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
      `${plural(number, 'page')} filled by scripts could not be shown in a browser: ${quoted(why.replace(/\.$/, ''))}.`,
  );
  return shown === 0
    ? failed
    : [
        `${plural(shown, 'page')} filled by scripts ${shown === 1 ? 'was' : 'were'} read as a browser shows ${shown === 1 ? 'it' : 'them'}.`,
        ...failed,
      ];
}

function delayText({ asked, kept }: { readonly asked: number; readonly kept: number }): string {
  const request = `robots.txt asks for ${asked} ${asked === 1 ? 'second' : 'seconds'} between requests`;
  return asked === kept
    ? `${request}, which was kept.`
    : `${request}; ${kept} were kept, the most that an audit has time for.`;
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
    return looked === 0 ? 'what it looks at was not seen' : 'nothing was found in the part of the site that was seen';
  return `${plural(open, 'page')} of which too little was seen`;
}

/** Checks that could not run, or not everywhere. */
export function notChecked(outcomes: readonly CheckOutcome[]): readonly CheckOutcome[] {
  return outcomes.filter(
    (outcome) =>
      outcome.state === 'not_checked' || outcome.state === 'error' || (outcome.notChecked > 0 && outcome.looked > 0),
  );
}
