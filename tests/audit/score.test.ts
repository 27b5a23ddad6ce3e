import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check, CheckOutcome } from '../../src/audit/checks/check.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { runChecks } from '../../src/audit/checks/runChecks.ts';
import { scoreSite, weightOf } from '../../src/audit/score.ts';
import {
  CATEGORY_CAPS,
  GOOGLE_LIMITS,
  LIMITS,
  MOSTLY_ERRORS,
  NEEDS_SCRIPTS,
  NOTHING_AUDITED,
} from '../../src/audit/weights.ts';
import type { Finding } from '../../src/model/findings.ts';
import { type GivenPage, type GivenSite, givenSite, SITE, words } from '../given/audit/page.ts';
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

test('is 100 without faults, and less with any', () => {
  expect(score(CHECKS.map((each) => failing(each, 0))).value).toBe(100);
  for (const each of CHECKS.filter((candidate) => !candidate.hint))
    expect(score([failing(each, 1)]).value).toBeLessThan(100);
});

test('is never lowered by hints, however many', () => {
  expect(score(CHECKS.map((each) => failing(each, PAGES, { hint: true })))).toMatchObject({
    value: 100,
    deductions: [],
    limits: [],
  });
});

test('ends at 0 with every fault, limited by the caps of the categories', () => {
  expect(Object.values(CATEGORY_CAPS).reduce((sum, cap) => sum + cap, 0)).toBe(100);
  const all = score(CHECKS.filter((each) => !each.hint).map((each) => failing(each, PAGES)));
  expect(all.value).toBeLessThan(10);
  for (const { lost, cap } of all.categories) expect(lost).toBeLessThanOrEqual(cap);
});

test('deducts the weight times the share of pages, at least a tenth, and shows both', () => {
  const deduction = (failed: number) => score([failing(check('title-missing'), failed)]).deductions[0];
  expect(deduction(10)).toEqual({
    checkId: 'title-missing',
    category: 'content',
    points: 8,
    weight: 8,
    failed: 10,
    looked: 10,
    base: 10,
  });
  expect(deduction(5)?.points).toBe(4);
  expect(deduction(1)?.points).toBe(0.8);
});

test('counts checks of few pages as of half of them, and checks of the site in full', () => {
  const one = failing(check('product-schema'), 1);
  expect(score([{ ...one, outcome: { ...one.outcome, looked: 1 } }]).deductions[0]).toMatchObject({
    points: 1.6,
    failed: 1,
    looked: 1,
    base: 5,
  });
  const four = failing(check('product-schema'), 4);
  expect(score([{ ...four, outcome: { ...four.outcome, looked: 7 } }]).deductions[0]).toMatchObject({
    failed: 4,
    looked: 7,
    base: 7,
  });
  const site = failing(check('sitemap-invalid'), 1);
  expect(score([{ ...site, outcome: { ...site.outcome, looked: 1 } }]).deductions[0]).toMatchObject({
    points: 8,
    base: 1,
  });
});

test('is never raised by more pages with a fault, or by another fault', () => {
  const counting = CHECKS.filter((each) => !each.hint);
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(counting.length - 1), failed: fc.integer({ min: 1, max: PAGES - 1 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      (given) => {
        const distinct = [...new Map(given.map((one) => [one.at, one])).values()];
        const before = score(distinct.map((one) => failing(counting[one.at] as Check, one.failed)));
        const worse = score(distinct.map((one) => failing(counting[one.at] as Check, one.failed + 1)));
        const fewer = score(distinct.slice(1).map((one) => failing(counting[one.at] as Check, one.failed)));
        expect(worse.value).toBeLessThanOrEqual(before.value);
        expect(fewer.value).toBeGreaterThanOrEqual(before.value);
      },
    ),
    { seed: 11, numRuns: runs(200) },
  );
});

test('weighs checks by impact: high over medium over low', () => {
  const weights = CHECKS.map((each) => [each.impact, weightOf(each.id, each.impact)] as const);
  const of = (impact: string) => weights.filter(([name]) => name === impact).map(([, weight]) => weight);
  expect(Math.min(...of('high'))).toBeGreaterThan(Math.max(...of('medium')));
  expect(Math.min(...of('medium'))).toBeGreaterThan(Math.max(...of('low')));
});

describe('on the real checks, a site that cannot be found never has a good score', () => {
  const page = '<!doctype html><html lang="en"><title>Loose leaf teas by hand</title><h1>Teas</h1>';
  const audited = (given: GivenSite) => {
    const site = givenSite(given);
    const { findings, outcomes } = runChecks(site);
    return scoreSite(site, findings, outcomes);
  };

  test.each<[string, GivenSite, number]>([
    [
      'noindex on the start page',
      {
        pages: [
          page.replace('<title>', '<meta name="robots" content="noindex"><title>'),
          ...['/a', '/b', '/c'].map((url) => ({ url, html: page })),
        ],
      },
      20,
    ],
    ['noindex header on the start page', { pages: [{ html: page, headers: { 'x-robots-tag': 'none' } }] }, 20],
    ['robots.txt closes everything', { pages: [{ robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /' }, 10],
    ['robots.txt closes everything to others', { pages: [page], robots: 'User-agent: *\nDisallow: /' }, 10],
    ['robots.txt fails', { pages: [{ failure: 'timeout' }], robots: { status: 500 } }, 10],
    ['the start page is an error', { pages: [{ status: 500 }, { url: '/a', html: page }] }, 10],
    ['the start page cannot be reached', { pages: [{ failure: 'dns' }] }, 10],
    ['the start page redirects in a circle', { pages: [{ failure: 'redirect_loop' }] }, 10],
    [
      'most pages are noindex',
      {
        pages: [
          page,
          ...['/a', '/b', '/c'].map((url) => ({
            url,
            html: page.replace('<title>', '<meta name="robots" content="noindex"><title>'),
          })),
        ],
      },
      30,
    ],
    [
      'most pages hide text that nobody can read',
      {
        pages: [
          page,
          ...['/a', '/b'].map((url) => ({
            url,
            html: `${page}<p style="left:-9999px">${'cheap tea for all '.repeat(9)}</p>`,
          })),
        ],
      },
      15,
    ],
    ['no HTML at all', { pages: [{ headers: { 'content-type': 'application/pdf' } }] }, 10],
  ])('%s', (_, given, cap) => {
    const result = audited(given);
    expect(result.value).toBeLessThanOrEqual(cap);
    expect(result.limits.length).toBeGreaterThan(0);
    expect(result.value).toBeLessThan(50);
  });

  test('a cart and a log-in that are noindex are no such case', () => {
    const closed = page.replace('<title>', '<meta name="robots" content="noindex"><title>');
    expect(audited({ pages: [page, { url: '/cart', html: closed }, { url: '/login', html: closed }] }).limits).toEqual(
      [],
    );
  });

  test('text for screen readers on all pages is no such case', () => {
    const own = `${page}<p style="position:absolute;left:-9999px">${words(30)}</p>`;
    const result = audited({ pages: [own, { url: '/a', html: own }] });
    expect(result.limits).toEqual([]);
    expect(result.deductions.map(({ checkId }) => checkId)).not.toContain('hidden-text');
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

  test.each<[string, GivenSite, number]>([
    [
      'Google alone is kept out by meta',
      { pages: [page.replace('<title>', '<meta name="googlebot" content="noindex"><title>')] },
      40,
    ],
    [
      'a rule for Google does not lift the noindex for all',
      {
        pages: [
          page.replace(
            '<title>',
            '<meta name="robots" content="noindex"><meta name="googlebot" content="max-snippet:50"><title>',
          ),
        ],
      },
      40,
    ],
    ['noindex in the body of the start page', { pages: [`${page}<meta name="robots" content="noindex">`] }, 40],
    [
      'Google alone is kept out by header',
      { pages: [{ html: page, headers: { 'x-robots-tag': 'googlebot: noindex' } }] },
      40,
    ],
    ['Google alone is kept out by robots.txt', { pages: [page], robots: 'User-agent: Googlebot\nDisallow: /' }, 40],
    [
      'Google alone is kept out of most pages',
      {
        pages: [
          page,
          ...['/a', '/b', '/c'].map((url) => ({
            url,
            html: page.replace('<title>', '<meta name="googlebot" content="noindex"><title>'),
          })),
        ],
      },
      45,
    ],
    ['a page for a login, with status 401', { pages: [{ status: 401, html: page }] }, 0],
    [
      'a page for a login, with status 200',
      { pages: [`${page}<form><input name="name"><input type="password" name="word"></form>`] },
      25,
    ],
    [
      'the start page leads to a login',
      {
        pages: [
          {
            finalUrl: 'https://example.com/login',
            hops: [{ url: 'https://example.com/', status: 302, location: 'https://example.com/login' }],
            html: `${page}<form><input type="password"></form>`,
          },
        ],
      },
      25,
    ],
    [
      'another site is named as the original',
      { pages: [page.replace('<title>', '<link rel="canonical" href="https://old.example/"><title>')] },
      30,
    ],
    [
      'another site is named as the original of most pages',
      {
        pages: [
          page,
          ...['/a', '/b'].map((url) => ({
            url,
            html: page.replace('<title>', `<link rel="canonical" href="https://old.example${url}"><title>`),
          })),
        ],
      },
      40,
    ],
    [
      'the start page is named as the original of most pages',
      {
        pages: [
          page,
          ...['/a', '/b'].map((url) => ({
            url,
            html: `${page.replace('<title>', '<link rel="canonical" href="https://example.com/"><title>')}<p>Tea of ${url}`,
          })),
        ],
      },
      40,
    ],
    [
      'the start page says that it is not there',
      { pages: ['<!doctype html><html lang="en"><title>Page not found</title><h1>404</h1>'] },
      20,
    ],
    [
      'most pages say that they are not there',
      { pages: [page, ...['/a', '/b'].map((url) => ({ url, html: page.replace('<h1>Teas', '<h1>Page not found') }))] },
      40,
    ],
    [
      'most addresses are errors',
      { pages: [page, ...['/a', '/b', '/c', '/d', '/e'].map((url) => ({ url, status: 404 }))] },
      40,
    ],
  ])('%s', (_, given, cap) => {
    const result = audited(given);
    expect(result.limits.map((limit) => limit.cap)).toContain(cap);
    expect(result.value).toBeLessThanOrEqual(cap);
  });

  test('addresses that robots.txt blocks are not missing pages', () => {
    const filters = Array.from({ length: 30 }, (_, index) => ({ url: `/filter/${index}`, robotsBlocked: true }));
    expect(
      audited({ pages: [page, { url: '/a', html: page }, ...filters], robots: 'User-agent: *\nDisallow: /filter/' })
        .limits,
    ).toEqual([]);
  });

  test('a crawler that is refused says nothing about the pages', () => {
    const refused = [401, 403, 429, 429, 429, 403].map((status, index) => ({ url: `/${index}`, status }));
    expect(audited({ pages: [page, ...refused] }).limits).toEqual([]);
  });

  test('a text copied from elsewhere, and a few dead links, are no such cases', () => {
    const copy = page.replace('<title>', '<link rel="canonical" href="https://old.example/"><title>');
    expect(audited({ pages: [page, { url: '/a', html: copy }, { url: '/b', html: page }] }).limits).toEqual([]);
    expect(audited({ pages: [page, { url: '/a', status: 404 }, { url: '/b', status: 404 }] }).limits).toEqual([]);
  });

  test('the stricter of two limits of one kind is shown', () => {
    const closed = page.replace('<title>', '<meta name="robots" content="noindex"><title>');
    expect(audited({ pages: [closed, { url: '/a', html: closed }] }).limits.map((limit) => limit.cap)).toEqual([
      20, 30,
    ]);
  });

  test('every limit about being found keeps a site below half', () => {
    for (const limit of [...LIMITS, ...GOOGLE_LIMITS, MOSTLY_ERRORS, NOTHING_AUDITED])
      expect(limit.cap).toBeLessThan(50);
    expect(NEEDS_SCRIPTS.cap).toBeLessThan(90);
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
    const site = givenSite({ pages });
    const { findings, outcomes } = runChecks(site);
    return scoreSite(site, findings, outcomes).value;
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
