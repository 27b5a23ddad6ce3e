import { withoutTracking } from '../../../crawl/url.ts';
import { hasCanonical, hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { foldedInto, isOriginalKnown } from '../../lookups/folded.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { isMeantForSearch, roleOf } from '../../lookups/roles.ts';
import { isDistinct } from '../../lookups/siteFacts.ts';
import { isStartPage, pathAndQueryOf, pathOf } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherContent = pageCheck({
  id: 'canonical-other-content',
  title: 'Canonical names a page with other content',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Search engines list the page itself again, with what only it says.',
  timeToResult: '2-4 weeks',
  risk: 'A canonical asks search engines to list the other page in place of this one, so what only this page says cannot be found.',
  steps: ['Let the page name itself as canonical.'],
  example: { before: null, after: '<link rel="canonical" href="https://example.com/this-page">' },
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
        snippet: isDistinct(page, site) ? canonicalSet(page, canonical.place, withoutTracking(page.outcome.url)) : null,
        ...(isLater ? { impact: 'medium' as const } : {}),
      },
    ];
  },
});
