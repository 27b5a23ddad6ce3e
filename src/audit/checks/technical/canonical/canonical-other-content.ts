import { withoutTracking } from '../../../crawl/url.ts';
import { hasCanonical, hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { foldedInto, isOriginalKnown } from '../../lookups/folded.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { isMeantForSearch, roleOf } from '../../lookups/roles.ts';
import { isStartPage, pathAndQueryOf, pathOf } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherContent = pageCheck({
  id: 'canonical-other-content',
  title: 'Canonical points to a page with different content',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The page can appear in search for what only it says.',
  timeToResult: '2-4 weeks',
  risk: 'This page’s canonical names a page with different content. Search engines may index only that page, so people can’t find what only this one says.',
  steps: [
    'Compare this page with the page that its canonical names. If both have nearly the same content, leave the canonical as it is.',
    'If they differ, change the canonical to the page’s own URL in your SEO plugin’s settings or in the template: `<link rel="canonical" href="YOUR PAGE ADDRESS">`.',
    'If this is a later page of a list, do the same: the canonical of page 2 is page 2, not page 1.',
    'View the page source and make sure the canonical names the URL of this page, unless you left it as it was.',
  ],
  example: {
    before: '<link rel="canonical" href="YOUR OTHER PAGE">',
    after: '<link rel="canonical" href="YOUR PAGE ADDRESS">',
  },
  tags: ['canonical'],
  source:
    'Google Search Central: Pagination, incremental page loading, and their impact (https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading)',
  appliesTo: (page, site) =>
    hasCanonical(page) && (isMeantForSearch(page, site) || roleOf(page, site).role === 'list-page'),
  gathered: isOriginalKnown,
  run: (page, site) => {
    const canonical = canonicalOf(page);
    const named = canonical?.url ?? null;
    if (canonical === null || named === null || foldedInto(page, site) !== 'other-content') return [];
    // Other checks speak of these.
    const isVersion = hasHreflang(page) && hreflangsOf(page).some(({ url }) => url === named);
    if (isVersion || (pathOf(named) === '/' && !isStartPage(page))) return [];
    const isLater = roleOf(page, site).role === 'list-page';
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: isLater
          ? `This later page of a list names ${pathAndQueryOf(named)} as its original, although it lists other entries.`
          : `The page names ${pathAndQueryOf(named)} as its original, which says something else.`,
        snippet: canonicalSet(page, site, canonical.place, withoutTracking(page.outcome.url)),
        ...(isLater ? { impact: 'medium' as const } : {}),
      },
    ];
  },
});
