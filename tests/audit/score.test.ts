import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check, CheckOutcome } from '../../src/audit/checks/check.ts';
import { isFoundation } from '../../src/audit/checks/foundations.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { runChecks } from '../../src/audit/checks/runChecks.ts';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { GATE_CHECKS } from '../../src/audit/gate.ts';
import { type Score, scoreSite, weightOf } from '../../src/audit/score.ts';
import { ENGINES, GATE_EXPONENT, LEAST_POINTS, WEIGHTS } from '../../src/audit/weights.ts';
import type { Finding } from '../../src/model/findings.ts';
import { wholeScore } from '../../src/model/scores.ts';
import { type GivenPage, givenSite, SITE, words } from '../given/audit/page.ts';
import { type PageFault, pathOf, type Recipe, siteOf } from '../given/audit/scoreSites.ts';
import { runs } from '../given/fullForm.ts';

const PAGES = 10;
const crawl = givenSite({
  pages: Array.from({ length: PAGES }, (_, index) => ({ url: index === 0 ? '/' : `/${index}`, html: '<p>Tea' })),
});

/** The result of a check that fails on the first `failed` of ten pages. */
function failing(
  check: Check,
  failed: number,
  more: Partial<Finding> = {},
): { findings: Finding[]; outcome: CheckOutcome } {
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
  return {
    findings,
    outcome: {
      checkId: id,
      state: counts > 0 ? 'failed' : 'passed',
      looked: PAGES,
      failed: counts,
      notChecked: 0,
      omitted: 0,
      error: null,
    },
  };
}

function score(given: readonly { findings: Finding[]; outcome: CheckOutcome }[]) {
  return scoreSite(
    crawl,
    given.flatMap((one) => one.findings),
    given.map((one) => one.outcome),
  );
}

const check = (id: string): Check => CHECKS.find((candidate) => candidate.id === id) as Check;
/**
 * Without what costs nothing, and what says why a page is closed: the pages here are open, whatever is found on them.
 */
const counting = CHECKS.filter((each) => !each.hint && !GATE_CHECKS.has(each.id) && WEIGHTS[each.id] !== 0);

/** On the real checks. */
function audited(site: Crawl): Score & { readonly findings: readonly Finding[] } {
  const { findings, outcomes } = runChecks(site);
  return { ...scoreSite(site, findings, outcomes), findings };
}

const tenths = (points: number): number => Math.round(points * 10);

function expectSum({ value, deductions, categories }: Score): void {
  expect(1000 - tenths(value)).toBe(deductions.reduce((sum, { points }) => sum + tenths(points), 0));
  expect(1000 - tenths(value)).toBe(categories.reduce((sum, { lost }) => sum + tenths(lost), 0));
}

test('is 100 without faults, and less with any', () => {
  expect(score(CHECKS.map((each) => failing(each, 0))).value).toBe(100);
  for (const each of counting) expect(score([failing(each, 1)]).value).toBeLessThan(100);
});

test('is never lowered by what is optional, however much', () => {
  expect(score(CHECKS.map((each) => failing(each, PAGES, { hint: true })))).toMatchObject({
    value: 100,
    deductions: [],
    limits: [],
  });
});

test('what is not search is optional and graded by itself', () => {
  const foundations = CHECKS.filter(isFoundation);
  expect(foundations.filter(({ hint }) => !hint)).toEqual([]);
  for (const id of ['analytics-missing', 'search-console-missing', 'csp-missing', 'og-missing', 'llms-txt-missing'])
    expect(foundations.map((each) => each.id)).toContain(id);
  const half = foundations.map((each, index) => failing(each, index % 2 === 0 ? 0 : 1));
  expect(score(half)).toMatchObject({
    value: 100,
    foundations: { grade: 'C', looked: foundations.length, failed: Math.floor(foundations.length / 2) },
  });
  expect(score(foundations.map((each) => failing(each, 0))).foundations?.grade).toBe('A');
  expect(score(foundations.map((each) => failing(each, 1))).foundations?.grade).toBe('E');
  expect(score([failing(check('title-missing'), 0)]).foundations).toBeNull();
});

test('ends at 0 with every fault', () => {
  expect(score(counting.map((each) => failing(each, PAGES))).value).toBe(0);
});

test('deducts the weight for all pages, less for a part of them, and the least for one of many', () => {
  const deduction = (id: string, failed: number) => score([failing(check(id), failed)]).deductions[0];
  expect(deduction('title-missing', 10)).toEqual({
    checkId: 'title-missing',
    category: 'content',
    points: 47,
    weight: 47,
    failed: 10,
    looked: 10,
    base: 10,
  });
  expect(deduction('title-missing', 5)?.points).toBe(23.5);
  expect(deduction('title-missing', 1)?.points).toBe(4.7);
  expect(deduction('doctype-missing', 1)?.points).toBe(0.1);
  const large = siteOf({ pages: 500, faults: (index) => (index === 7 ? ['dead-link'] : []) });
  expect(audited(large)).toMatchObject({
    value: 100 - LEAST_POINTS.high,
    deductions: [{ checkId: 'broken-internal-link', failed: 1, base: 500 }],
  });
});

test('counts no page on which the fault follows from another one', () => {
  const thin = (more: readonly ReturnType<typeof failing>[]) =>
    score([failing(check('thin-content'), 5), ...more]).deductions.find(({ checkId }) => checkId === 'thin-content');
  expect(thin([])?.failed).toBe(5);
  expect(thin([failing(check('frames'), 1)])?.failed).toBe(4);
  expect(thin([failing(check('placeholder-text'), 5)])).toBeUndefined();
});

test('counts content pages, not carts, archives and filters', () => {
  const pages = ['/', '/a', '/b', '/cart', '/tag/green', '/a?sort=price', '/a/page/2'];
  const site = givenSite({ pages: pages.map((url) => ({ url, html: '<p>Tea' })) });
  const found = failing(check('viewport-missing'), 0).outcome;
  const findings = site.pages.map(({ url }, index) => ({
    ...(failing(check('viewport-missing'), 1).findings[0] as Finding),
    id: String(index),
    evidence: { url, place: '', value: '' },
  }));
  const result = scoreSite(site, findings, [{ ...found, failed: pages.length, looked: pages.length }]);
  expect(result.deductions[0]).toMatchObject({ failed: 4, base: 4, points: 25 });
});

test('is never raised by more pages with a fault, or by another fault', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(counting.length - 1), failed: fc.integer({ min: 1, max: PAGES - 1 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      (given) => {
        const distinct = [...new Map(given.map((one) => [one.at, one])).values()];
        const results = [
          distinct.map((one) => failing(counting[one.at] as Check, one.failed)),
          distinct.map((one) => failing(counting[one.at] as Check, one.failed + 1)),
          distinct.slice(1).map((one) => failing(counting[one.at] as Check, one.failed)),
        ].map(score);
        for (const result of results) expectSum(result);
        const [before, worse, fewer] = results.map(({ value }) => value) as [number, number, number];
        expect(worse).toBeLessThanOrEqual(before);
        expect(fewer).toBeGreaterThanOrEqual(before);
      },
    ),
    { seed: 11, numRuns: runs(200) },
  );
});

test('weighs checks by impact: high over medium over low', () => {
  const usual = (['high', 'medium', 'low'] as const).map((impact) => weightOf('none-of-them', impact));
  expect(usual).toEqual(usual.toSorted((a, b) => b - a));
  expect(ENGINES.reduce((sum, { weight }) => sum + weight, 0)).toBe(1);
});

describe('the gate', () => {
  const closing = (fault: PageFault, closed: (index: number) => boolean) => (index: number) =>
    closed(index) ? [fault] : [];
  /** Ways to keep the pages with these numbers from being found. */
  const WAYS: readonly [string, (recipe: Recipe, closed: (index: number) => boolean) => Crawl][] = [
    ['noindex', (recipe, closed) => siteOf({ ...recipe, faults: closing('noindex', closed) })],
    ['noindex for Google', (recipe, closed) => siteOf({ ...recipe, faults: closing('noindex-google', closed) })],
    ['server errors', (recipe, closed) => siteOf({ ...recipe, faults: closing('error', closed) })],
    ['canonicals', (recipe, closed) => siteOf({ ...recipe, faults: closing('elsewhere', closed) })],
    [
      'robots.txt',
      (recipe, closed) => {
        const rules = Array.from({ length: recipe.pages }, (_, index) => index)
          .filter(closed)
          .map((index) => `Disallow: ${pathOf(index)}$`);
        return siteOf({ ...recipe, robots: ['User-agent: *', ...rules, ''].join('\n') });
      },
    ],
    [
      'noindex without a sitemap',
      (recipe, closed) => siteOf({ ...recipe, sitemap: false, navigation: 0, faults: closing('noindex', closed) }),
    ],
  ];
  const GATES = CHECKS.filter(
    ({ id, group }) =>
      group === 'indexability' ||
      group === 'canonical' ||
      id.startsWith('robots-') ||
      id.startsWith('sitemap-') ||
      group === 'links',
  );
  const valueIf = (site: Crawl): number => {
    const { findings, outcomes } = runChecks(site, GATES);
    const result = scoreSite(site, findings, outcomes);
    expectSum(result);
    return result.value;
  };

  test.each(WAYS)('%s: falls with each further page, without a step', (_, make) => {
    for (const [pages, steps] of [
      [8, [0, 1, 2, 3, 4, 5, 6, 7]],
      [60, [0, 1, 2, 5, 6, 14, 15, 29, 30, 44, 45, 57, 58, 59]],
      [500, [0, 1, 250, 251, 498, 499]],
    ] as const) {
      const values = steps.map((closed) => valueIf(make({ pages }, (index) => index > 0 && index <= closed)));
      for (const [at, closed] of steps.entries()) {
        const next = steps[at + 1];
        if (next === undefined) continue;
        const [before, after] = [values[at] as number, values[at + 1] as number];
        expect(after).toBeLessThanOrEqual(before);
        const share = (next - closed) / pages;
        expect(before - after).toBeLessThanOrEqual(150 * share + 3);
      }
      const all = valueIf(make({ pages }, () => true));
      // To show other pages as the start page, or nothing at all, is the same to a canonical of the start page.
      if (make !== WAYS[3]?.[1]) expect(all).toBeLessThanOrEqual(10);
    }
  });

  test('says how high the score can rise in the whole numbers in which scores are shown', () => {
    const { limits } = audited(siteOf({ pages: 6, faults: (index) => (index === 1 ? ['noindex'] : []) }));
    expect(wholeScore(100 * (5 / 6) ** GATE_EXPONENT)).toBe(79);
    expect(limits.map(({ cap }) => cap)).toEqual([79]);
  });

  test('the start page counts as a tenth of the site at least', () => {
    for (const pages of [8, 60, 500]) {
      const closed = (at: number) => valueIf(siteOf({ pages, faults: (index) => (index === at ? ['noindex'] : []) }));
      expect(closed(0)).toBeLessThan(91);
      expect(closed(0)).toBeLessThanOrEqual(closed(1));
    }
  });

  test.each<[string, Crawl, readonly [number, number], string, string]>([
    [
      'all search engines',
      siteOf({ pages: 8, faults: () => ['noindex'] }),
      [0, 0],
      'noindex-meta',
      'Search engines may not list any of the 8 content pages',
    ],
    [
      'Google alone, by robots.txt',
      siteOf({ pages: 8, robots: 'User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /\n' }),
      [3, 10],
      'robots-blocks-page',
      'Google may not list any of the 8 content pages',
    ],
    [
      'Google alone, by meta',
      siteOf({ pages: 8, faults: () => ['noindex-google'] }),
      [3, 10],
      'noindex-meta',
      'Google may not list any of the 8 content pages',
    ],
    [
      'Bing alone',
      siteOf({ pages: 8, robots: 'User-agent: bingbot\nDisallow: /\n\nUser-agent: *\nAllow: /\n' }),
      [90, 94],
      'robots-blocks-page',
      'Bing and others may not list any of the 8 content pages',
    ],
    [
      'nobody may crawl',
      givenSite({ pages: [{ robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /' }),
      [0, 5],
      'robots-blocks-all',
      'Search engines may not list the home page',
    ],
    [
      'robots.txt fails',
      givenSite({ pages: [{ failure: 'timeout' }], robots: { status: 500 } }),
      [0, 5],
      'robots-server-error',
      'Search engines may not list the home page',
    ],
    [
      'the start page fails',
      givenSite({ pages: [{ status: 500 }] }),
      [0, 5],
      'page-http-error',
      'Search engines may not list the home page',
    ],
    [
      'the start page cannot be reached',
      givenSite({ pages: [{ failure: 'dns' }] }),
      [0, 5],
      'page-unreachable',
      'Search engines may not list the home page',
    ],
    [
      'the start page goes in a circle',
      givenSite({ pages: [{ failure: 'redirect_loop' }] }),
      [0, 5],
      'redirect-loop',
      'Search engines may not list the home page',
    ],
    [
      'a login',
      givenSite({ pages: ['<title>Tea</title><form><input name="n"><input type="password"></form>'] }),
      [0, 5],
      'login-wall',
      'Search engines may not list the home page',
    ],
    [
      'another site is the original',
      givenSite({ pages: ['<title>Tea</title><link rel="canonical" href="https://old.example/">'] }),
      [0, 5],
      'canonical-other-host',
      'Search engines may not list the home page',
    ],
    [
      'the start page says that it is not there',
      givenSite({ pages: ['<!doctype html><html lang="en"><title>Page not found</title><h1>404</h1>'] }),
      [0, 5],
      'soft-404',
      'Search engines may not list the home page',
    ],
  ])('%s', (_, site, [from, to], blamed, reason) => {
    const result = audited(site);
    expectSum(result);
    expect(result.value).toBeGreaterThanOrEqual(from);
    expect(result.value).toBeLessThanOrEqual(to);
    expect(result.limits).toEqual([{ cap: expect.any(Number), reason, checkIds: expect.arrayContaining([blamed]) }]);
    expect(result.deductions[0]).toMatchObject({ checkId: blamed, gate: true });
  });

  test.each<[string, Recipe]>([
    [
      'a cart, a log-in and a search that are noindex',
      { pages: 8, more: ['/cart', '/login', '/search?q=tea'].map(hidden) },
    ],
    [
      'addresses of filters that robots.txt blocks',
      {
        pages: 8,
        robots: `User-agent: *\nDisallow: /*?color=\nSitemap: ${SITE}/sitemap.xml\n`,
        more: Array.from({ length: 30 }, (_, index) => ({ url: `/guides?color=${index}`, robotsBlocked: true })),
      },
    ],
    [
      'links that lead elsewhere through a forbidden folder',
      {
        pages: 20,
        robots: `User-agent: *\nDisallow: /go/\nSitemap: ${SITE}/sitemap.xml\n`,
        more: Array.from({ length: 200 }, (_, index) => ({ url: `/go/partner-${index}`, robotsBlocked: true })),
      },
    ],
    [
      'pages that refuse the crawler',
      { pages: 8, more: [401, 403, 429].map((status) => ({ url: `/${status}`, status })) },
    ],
    ['dead addresses', { pages: 8, more: [404, 410].map((status) => ({ url: `/${status}`, status })) }],
    [
      'a text from elsewhere that says so',
      {
        pages: 20,
        more: [
          {
            url: '/guides/syndicated',
            html: '<title>Tea elsewhere</title><link rel="canonical" href="https://old.example/tea"><p>Tea',
          },
        ],
      },
    ],
    [
      'one page for an advertisement',
      { pages: 20, sitemap: false, navigation: 0, faults: (index) => (index === 9 ? ['noindex'] : []) },
    ],
  ])('leaves open: %s', (_, recipe) => {
    expect(audited(siteOf(recipe)).limits).toEqual([]);
  });

  function hidden(url: string): GivenPage {
    return { url, html: '<html lang="en"><meta name="robots" content="noindex"><title>Your tea</title><p>Tea' };
  }

  test('a forbidden folder of pages that the sitemap lists is closed in full', () => {
    const blocked = Array.from({ length: 20 }, (_, index) => `/stories/of-tea-${index}`);
    const result = audited(
      siteOf({
        pages: 20,
        robots: `User-agent: *\nDisallow: /stories/\nSitemap: ${SITE}/sitemap.xml\n`,
        listed: blocked,
        more: blocked.map((url) => ({ url, robotsBlocked: true })),
      }),
    );
    expect(result.limits[0]?.reason).toBe('Search engines may not list 20 of the 40 content pages');
    expect(result.value).toBeLessThan(55);
  });

  test('what the allowance covers is not to blame for what something else closes', () => {
    const { deductions } = audited(
      siteOf({
        pages: 40,
        sitemap: false,
        navigation: 0,
        faults: (index) => (index === 9 || index === 10 ? ['noindex'] : index === 11 ? ['error'] : []),
      }),
    );
    expect(deductions.filter(({ gate }) => gate).map(({ checkId }) => checkId)).toEqual(['page-http-error']);
    expect(deductions.map(({ checkId }) => checkId)).not.toContain('noindex-meta');
  });

  test('a check that closes pages and finds faults on others has one deduction', () => {
    const closed = (url: string) => ({
      url,
      html: '<html lang="en"><meta name="robots" content="noindex"><title>A</title><p>A',
    });
    const { deductions } = audited(
      siteOf({ pages: 20, faults: only(3), listed: ['/tag/green'], more: [closed('/tag/green')] }),
    );
    const own = deductions.filter(({ checkId }) => checkId === 'noindex-meta');
    expect(own).toMatchObject([{ gate: true, failed: 1, base: 20 }]);
    expect(new Set(deductions.map(({ checkId }) => checkId)).size).toBe(deductions.length);

    function only(at: number) {
      return (index: number): readonly PageFault[] => (index === at ? ['noindex'] : []);
    }
  });

  test('a page that fails is charged once, however many links lead to it', () => {
    const { deductions, value } = audited(siteOf({ pages: 60, faults: (index) => (index === 3 ? ['error'] : []) }));
    expect(deductions.map(({ checkId }) => checkId)).toEqual(['page-http-error']);
    expect(value).toBeGreaterThan(97);
  });
});

describe('on the real checks', () => {
  const goodPage = (index: number, faults: readonly string[] = []): GivenPage => {
    const url = index === 0 ? '/' : `/tea-${index}`;
    const has = (fault: string): boolean => faults.includes(fault);
    const title = `Loose leaf tea number ${index} by hand`;
    return {
      url,
      ...(has('gone') ? { status: 404 } : {}),
      html: [
        has('doctype') ? '' : '<!doctype html>',
        has('lang') ? '<html>' : '<html lang="en">',
        `<head><meta charset="utf-8">${has('title') ? '' : `<title>${title}</title>`}`,
        has('description')
          ? ''
          : `<meta name="description" content="Tea number ${index} is picked by hand, dried in the shade and sent within three days from our garden.">`,
        has('viewport') ? '' : '<meta name="viewport" content="width=device-width, initial-scale=1">',
        `<meta name="robots" content="${has('noindex') ? 'noindex' : 'index'}">`,
        `<link rel="canonical" href="${has('elsewhere') ? 'https://old.example' : SITE}${url}">`,
        has('og')
          ? ''
          : `<meta property="og:title" content="${title}"><meta property="og:type" content="website"><meta property="og:url" content="${SITE}${url}">`,
        `</head><body><main>${has('h1') ? '' : `<h1>Tea number ${index}</h1>`}`,
        has('placeholder') ? '<p>Lorem ipsum dolor sit amet.</p>' : '',
        has('image') ? '<img src="/a.png">' : '',
        has('hidden') ? `<p style="font-size:0">${words(30)}</p>` : '',
        has('thin') ? '<p>Tea.</p>' : `<p>${words(260, `tea${index}x`)}</p>`,
        `<a href="/">Home</a></main></body></html>`,
      ].join(''),
    };
  };
  const FAULTS = [
    'doctype',
    'lang',
    'title',
    'description',
    'viewport',
    'og',
    'h1',
    'placeholder',
    'image',
    'hidden',
    'thin',
    'noindex',
    'elsewhere',
    'gone',
  ];
  const pagesOf = (faults: readonly (readonly string[])[]) => faults.map((own, index) => goodPage(index, own));
  const scoreOf = (pages: readonly GivenPage[]): number => {
    const result = audited(givenSite({ pages }));
    expectSum(result);
    return result.value;
  };
  const someFaults = fc.array(fc.subarray(FAULTS), { minLength: 1, maxLength: 5 });

  test('good pages never lower the score', () => {
    fc.assert(
      fc.property(someFaults, fc.integer({ min: 1, max: 4 }), (faults, more) => {
        expect(scoreOf(pagesOf([...faults, ...Array.from({ length: more }, () => [])]))).toBeGreaterThanOrEqual(
          scoreOf(pagesOf(faults)),
        );
      }),
      { seed: 12, numRuns: runs(60) },
    );
  });

  test('a fault on a page without one never raises it', () => {
    fc.assert(
      fc.property(someFaults, fc.constantFrom(...FAULTS), (faults, fault) => {
        expect(scoreOf(pagesOf([...faults, [fault]]))).toBeLessThanOrEqual(scoreOf(pagesOf([...faults, []])));
      }),
      { seed: 13, numRuns: runs(60) },
    );
  });

  test('another fault on a page with some does not either, as long as the page can be found', () => {
    const seen = FAULTS.filter((fault) => fault !== 'noindex' && fault !== 'gone' && fault !== 'elsewhere');
    fc.assert(
      fc.property(
        fc.array(fc.subarray(seen), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...seen),
        fc.nat(4),
        (faults, fault, at) => {
          const worse = faults.map((own, index) =>
            index === at % faults.length ? [...new Set([...own, fault])] : own,
          );
          expect(scoreOf(pagesOf(worse))).toBeLessThanOrEqual(scoreOf(pagesOf(faults)));
        },
      ),
      { seed: 14, numRuns: runs(60) },
    );
  });
});
