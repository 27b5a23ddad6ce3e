import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check, CheckOutcome, Finding } from '../../src/audit/checks/check.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { runChecks } from '../../src/audit/checks/runChecks.ts';
import { scoreSite, weightOf } from '../../src/audit/score.ts';
import { CATEGORY_CAPS, LIMITS, NOTHING_AUDITED } from '../../src/audit/weights.ts';
import { type GivenSite, givenSite } from '../given/page.ts';

const PAGES = 10;
const crawl = givenSite({ pages: Array.from({ length: PAGES }, (_, index) => ({ url: index === 0 ? '/' : `/${index}`, html: '<p>Tea' })) });

/** What a check leaves behind that fails on the first `failed` of ten pages. */
function failing(check: Check, failed: number, more: Partial<Finding> = {}): { findings: Finding[]; outcome: CheckOutcome } {
  const { id, category, impact, hint } = check;
  const findings = crawl.pages.slice(0, failed).map((page, index) => ({
    id: `${id}-${index}`,
    checkId: id,
    category,
    impact,
    hint,
    message: '',
    evidence: { url: page.url, place: '', value: '' },
    code: null,
    ...more,
  }));
  const counts = findings.some((finding) => !finding.hint) ? failed : 0;
  return { findings, outcome: { checkId: id, state: counts > 0 ? 'failed' : 'passed', looked: PAGES, failed: counts, notChecked: 0, omitted: 0, error: null } };
}

function score(given: readonly { findings: Finding[]; outcome: CheckOutcome }[]) {
  return scoreSite(
    crawl,
    given.flatMap((one) => one.findings),
    given.map((one) => one.outcome),
  );
}

const check = (id: string): Check => CHECKS.find((candidate) => candidate.id === id) as Check;

test('without faults 100, with any fault less', () => {
  expect(score(CHECKS.map((each) => failing(each, 0))).value).toBe(100);
  for (const each of CHECKS.filter((candidate) => !candidate.hint)) expect(score([failing(each, 1)]).value).toBeLessThan(100);
});

test('hints never lower it, however many', () => {
  expect(score(CHECKS.map((each) => failing(each, PAGES, { hint: true })))).toMatchObject({ value: 100, deductions: [], limits: [] });
});

test('everything wrong ends at 0, and the caps of the categories are all there is to lose', () => {
  expect(Object.values(CATEGORY_CAPS).reduce((sum, cap) => sum + cap, 0)).toBe(100);
  const all = score(CHECKS.filter((each) => !each.hint).map((each) => failing(each, PAGES)));
  expect(all.value).toBeLessThan(10);
  for (const { lost, cap } of all.categories) expect(lost).toBeLessThanOrEqual(cap);
});

test('a deduction is the weight times the share of pages, a tenth at least, and says both', () => {
  const deduction = (failed: number) => score([failing(check('title-missing'), failed)]).deductions[0];
  expect(deduction(10)).toEqual({ checkId: 'title-missing', category: 'content', points: 8, failed: 10, looked: 10 });
  expect(deduction(5)?.points).toBe(4);
  expect(deduction(1)?.points).toBe(0.8);
});

test('more pages with a fault never raise the score, nor does another fault', () => {
  const counting = CHECKS.filter((each) => !each.hint);
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(counting.length - 1), failed: fc.integer({ min: 1, max: PAGES - 1 }) }), { minLength: 1, maxLength: 12 }),
      (given) => {
        const distinct = [...new Map(given.map((one) => [one.at, one])).values()];
        const before = score(distinct.map((one) => failing(counting[one.at] as Check, one.failed)));
        const worse = score(distinct.map((one) => failing(counting[one.at] as Check, one.failed + 1)));
        const fewer = score(distinct.slice(1).map((one) => failing(counting[one.at] as Check, one.failed)));
        expect(worse.value).toBeLessThanOrEqual(before.value);
        expect(fewer.value).toBeGreaterThanOrEqual(before.value);
      },
    ),
    { seed: 11, numRuns: 200 },
  );
});

test('the impact of the check decides its weight: high over medium over low', () => {
  const weights = CHECKS.map((each) => [each.impact, weightOf(each.id, each.impact)] as const);
  const of = (impact: string) => weights.filter(([name]) => name === impact).map(([, weight]) => weight);
  expect(Math.min(...of('high'))).toBeGreaterThan(Math.max(...of('medium')));
  expect(Math.min(...of('medium'))).toBeGreaterThan(Math.max(...of('low')));
});

describe('on the real checks, a site that cannot be found never looks healthy', () => {
  const page = '<!doctype html><html lang="en"><title>Loose leaf teas by hand</title><h1>Teas</h1>';
  const audited = (given: GivenSite) => {
    const site = givenSite(given);
    const { findings, outcomes } = runChecks(site);
    return scoreSite(site, findings, outcomes);
  };

  test.each<[string, GivenSite, number]>([
    [
      'noindex on the start page',
      { pages: [page.replace('<title>', '<meta name="robots" content="noindex"><title>'), ...['/a', '/b', '/c'].map((url) => ({ url, html: page }))] },
      30,
    ],
    ['noindex header on the start page', { pages: [{ html: page, headers: { 'x-robots-tag': 'none' } }] }, 30],
    ['robots.txt closes everything', { pages: [{ robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /' }, 10],
    ['robots.txt closes everything to others', { pages: [page], robots: 'User-agent: *\nDisallow: /' }, 30],
    ['robots.txt fails', { pages: [{ failure: 'timeout' }], robots: { status: 500 } }, 10],
    ['the start page is an error', { pages: [{ status: 500 }, { url: '/a', html: page }] }, 10],
    ['the start page cannot be reached', { pages: [{ failure: 'dns' }] }, 10],
    ['the start page redirects in a circle', { pages: [{ failure: 'redirect_loop' }] }, 10],
    [
      'most pages are noindex',
      { pages: [page, ...['/a', '/b', '/c'].map((url) => ({ url, html: page.replace('<title>', '<meta name="robots" content="noindex"><title>') }))] },
      45,
    ],
    ['no HTML at all', { pages: [{ headers: { 'content-type': 'application/pdf' } }] }, 10],
  ])('%s', (_, given, cap) => {
    const result = audited(given);
    expect(result.value).toBeLessThanOrEqual(cap);
    expect(result.limits.length).toBeGreaterThan(0);
    expect(result.value).toBeLessThan(50);
  });

  test('one noindex page among many is no such case', () => {
    const result = audited({
      pages: [
        page,
        ...['/a', '/b', '/c'].map((url) => ({ url, html: page })),
        { url: '/d', html: page.replace('<title>', '<meta name="robots" content="noindex"><title>') },
      ],
    });
    expect(result.limits).toEqual([]);
  });

  test('every limit keeps a site below half', () => {
    for (const limit of [...LIMITS, NOTHING_AUDITED]) expect(limit.cap).toBeLessThan(50);
  });
});
