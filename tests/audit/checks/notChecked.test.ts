/** An unchecked part never passes: the evidence is removed from every site with a fault. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import type { Crawl, CrawledPage, FetchOutcome } from '../../../src/audit/crawl/site.ts';
import { isExpectedFinding } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { CASES } from './cases/all.ts';

const silent = (outcome: FetchOutcome): FetchOutcome => ({
  ...outcome,
  status: null,
  headers: {},
  hops: [],
  failure: 'timeout',
  message: 'no answer',
  httpVersion: '',
});

function unasked({ aiBotAnswer: _, agentAnswers: __, fileChecks: ___, ...site }: Crawl): Crawl {
  const probes = { httpTwin: null, wwwTwin: null, missingPage: null, favicon: null };
  return { ...site, linkChecks: [], discovery: { ...site.discovery, llmsTxt: null, probes } };
}

function withPages(site: Crawl, change: (page: CrawledPage) => CrawledPage): Crawl {
  return { ...site, pages: site.pages.map(change) };
}

const TAKEN: Readonly<Record<string, (site: Crawl) => Crawl>> = {
  'robots.txt forbids every page': (site) =>
    unasked(
      withPages(site, (page) => ({
        ...page,
        facts: null,
        robotsBlocked: true,
        outcome: { ...silent(page.outcome), failure: null },
      })),
    ),
  'no page answers': (site) =>
    unasked(withPages(site, (page) => ({ ...page, facts: null, outcome: silent(page.outcome) }))),
  'every page was cut': (site) =>
    withPages(site, (page) => ({ ...page, outcome: { ...page.outcome, truncated: true } })),
  'nothing but the pages was asked for': unasked,
  'the budget ended after the start page': (site) => {
    const known = unasked(site);
    return {
      ...known,
      pages: known.pages.slice(0, 1),
      coverage: { ...known.coverage, stop: 'page_budget', notFetched: 100 },
    };
  },
  'nothing was asked for at all': (site) => ({
    ...unasked(site),
    pages: [],
    coverage: { ...site.coverage, stop: 'cancelled' },
  }),
};

/** A page check passes on the remaining page; the fault was on another one. */
const ELSEWHERE = 'the budget ended after the start page';

/** The site without one of its answers: a page without a fault, a link or a file. */
function withoutOne(site: Crawl, faulty: ReadonlySet<string>): Crawl[] {
  const budget = { ...site.coverage, stop: 'page_budget' as const, notFetched: 1 };
  return [
    ...site.pages
      .slice(1)
      .flatMap((page) =>
        faulty.has(page.url)
          ? []
          : [{ ...site, coverage: budget, pages: site.pages.filter((other) => other !== page) }],
      ),
    ...site.linkChecks.map((check) => ({ ...site, linkChecks: site.linkChecks.filter((other) => other !== check) })),
    ...(site.fileChecks ?? []).map((file) => ({
      ...site,
      fileChecks: (site.fileChecks ?? []).filter((other) => other !== file),
    })),
  ];
}

/** Checks a sample whatever a site has: less of it is still a sample. */
const SAMPLING: ReadonlySet<string> = new Set(['no-cache-headers']);

describe.each(CHECKS.map((check) => [check.id, check] as const))('%s', (id, check) => {
  test.each(Object.entries(TAKEN))('%s', (what, take) => {
    const sites = (CASES[id]?.finds ?? []).map((given) => givenSite(isExpectedFinding(given) ? given.site : given));
    expect(sites.length).toBeGreaterThan(0);
    const passes = sites
      .filter((site) => what !== ELSEWHERE || check.scope === 'site' || site.pages.length === 1)
      .map((site) => runChecks(take(site), [check]))
      .filter(({ findings, outcomes }) => findings.length === 0 && outcomes[0]?.state === 'passed');
    expect(passes).toEqual([]);
  });

  test.skipIf(SAMPLING.has(id))('does not pass if one response is missing', () => {
    const passes = (CASES[id]?.finds ?? []).flatMap((given) => {
      const site = givenSite(isExpectedFinding(given) ? given.site : given);
      const faulty = new Set(runChecks(site, [check]).findings.map(({ evidence }) => evidence.url));
      return withoutOne(site, faulty)
        .map((less) => runChecks(less, [check]))
        .filter(({ findings, outcomes }) => findings.length === 0 && outcomes[0]?.state === 'passed');
    });
    expect(passes).toEqual([]);
  });
});
