import { expect, test } from 'vitest';
import { isComplete } from '../../../src/audit/checks/applies.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { coverageLines, pageCounts } from '../../../src/audit/report/coverage.ts';
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
