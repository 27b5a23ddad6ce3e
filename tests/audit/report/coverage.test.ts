import { expect, test } from 'vitest';
import { isComplete } from '../../../src/audit/checks/applies.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { coverageLines, openText, pageCounts } from '../../../src/audit/report/coverage.ts';
import { givenSite } from '../../given/audit/page.ts';

function lines(coverage: Partial<Crawl['coverage']>): string[] {
  const crawl = givenSite({ pages: ['<p>Tea'] });
  return coverageLines({ ...crawl, coverage: { ...crawl.coverage, ...coverage } }, (text) => `'${text}'`);
}

test('omissions are reported by pattern, with the reason', () => {
  const withFindings = lines({
    traps: [{ pattern: 'a.example/cal/{n}', count: 12 }],
    copies: [{ pattern: 'a.example/shop?sort=', count: 1 }],
    forbidden: 1200,
  });
  expect(withFindings).toContain("12 addresses like 'a.example/cal/{n}' left out: they seem endless.");
  expect(withFindings).toContain(
    "1 address like 'a.example/shop?sort=' left out: other addresses show the same pages.",
  );
  expect(withFindings).toContain('1,200 are blocked by robots.txt and were not fetched.');
});

test.each([
  [{}, '1 address discovered: 1 audited.'],
  [{ redirects: 1 }, '2 addresses discovered: 1 audited; 1 not a page (redirect).'],
  [
    { redirects: 1, missing: 2, failing: 1, files: 1 },
    '6 addresses discovered: 1 audited; 5 not pages (1 redirect, 2 not found, 1 with an error or no response, 1 file).',
  ],
  [{ redirects: 2, files: 3 }, '6 addresses discovered: 1 audited; 5 not pages (2 redirects, 3 files).'],
])('of addresses that are no pages, %o', (ends, text) => {
  const noPages = { redirects: 0, missing: 0, failing: 0, others: 0, files: 0, ...ends };
  const discovered = 1 + Object.values(noPages).reduce((sum, number) => sum + number, 0);
  const addresses = {
    discovered,
    audited: 1,
    refused: { robots: 0, server: 0, guard: 0 },
    noPages,
    notAsked: { limit: 0, full: 0, endless: 0, copies: 0 },
  };
  expect(lines({ addresses })).toContain(text);
});

test.each([
  ['image-too-heavy', 2, '2 pages could be checked only in part or not at all'],
  ['image-too-heavy', 1, '1 page could be checked only in part or not at all'],
  ['ai-bots-served-differently', 1, 'what it checks was not requested or could not be read'],
])('%s, not checked %i times, is not said to be about pages that were cut off', (checkId, open, text) => {
  expect(openText({ checkId, notChecked: open, looked: 0 })).toBe(text);
});

test('pages that the site refuses to the crawler were not fetched; they are no errors', () => {
  const crawl = givenSite({
    pages: ['<p>Tea', { url: '/a', status: 403 }, { url: '/b', status: 429 }, { url: '/c', status: 404 }],
  });
  expect(pageCounts(crawl)).toMatchObject({ html: 1, errors: 1, unreachable: 2 });
  expect(coverageLines(crawl, (text) => text)).toContain('2 could not be fetched.');
});

test('a crawl delay is reported as requested, and as kept if that was too long', () => {
  expect(lines({ crawlDelay: { asked: 1, kept: 1 } })).toContain(
    'robots.txt asks for 1 second between requests; we kept to it.',
  );
  expect(lines({ crawlDelay: { asked: 60, kept: 5 } })).toContain(
    'robots.txt asks for 60 seconds between requests; we waited 5, the most an audit has time for.',
  );
  expect(lines({}).join(' ')).not.toContain('between requests');
});

test('pages with more than is kept are counted, and nothing is called missing from them', () => {
  const links = Array.from({ length: 1000 }, (_, index) => `<a href="/${index}${'x'.repeat(2000)}">Tea</a>`).join('');
  const crawl = givenSite({ pages: [links, { url: '/b', html: '<p>Tea' }] });
  expect(coverageLines(crawl, (text) => text)).toContain(
    '1 page has more links, images or markup than an audit keeps; the rest was not checked.',
  );
  expect(crawl.pages.map(isComplete)).toEqual([false, true]);
});
