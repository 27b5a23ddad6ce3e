import { isOriginal, severalPages, wholeCrawl } from '../../applies.ts';
import { type HtmlPage, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { depthsBySeries } from '../../lookups/duplicates/paging.ts';
import { pagesWhere } from '../../lookups/pages.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const deepPage = siteCheck({
  id: 'deep-page',
  title: 'Pages are many clicks from the home page',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Visitors and crawlers reach these pages sooner.',
  timeToResult: '4-8 weeks',
  risk: 'These pages take more than three clicks to reach. Few visitors get that far, and search engines tend to crawl such pages less often.',
  steps: [
    'Pick the pages that matter most to you from the ones that this report lists.',
    'Link to them from the home page, the menu, a category page, or a popular page on the same subject.',
    'If a long list is split over many pages, show more entries per page or add subcategories.',
    'Start at your home page and make sure you get to each of these pages in at most three clicks.',
  ],
  example: null,
  tags: ['links', 'structure'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: function* (site) {
    const bySeries = yield* depthsBySeries(site);
    const clicksTo = ({ depth, outcome }: HtmlPage): number =>
      Math.min(depth ?? 0, bySeries.get(outcome.url) ?? Number.POSITIVE_INFINITY);
    const deep = yield* pagesWhere(site, (page) => clicksTo(page) > THRESHOLDS.clickDepth && isOriginal(page, site));
    return deep.map((page) => ({
      // In words of former versions, because a finding is known by its place.
      evidence: seen(page, 'clicks from the start page', String(page.depth)),
      message: `${pathAndQueryOf(page.outcome.url)} is ${page.depth} clicks from the home page; ${THRESHOLDS.clickDepth} is the limit.`,
    }));
  },
});
