import { isAllowed } from '../../../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf, canonicalTarget, hasForeignCanonical } from '../../lookups/canonicals.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const canonicalToNoindex = pageCheck({
  id: 'canonical-to-noindex',
  title: 'Canonical points to a page that can’t be indexed',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The content gets a URL that search engines can index.',
  timeToResult: '2-4 weeks',
  risk: 'This page’s canonical names a page that is kept out of search, as this report says, so search engines may index neither of the two.',
  steps: [
    'Decide which of the two pages people should find in search.',
    'If it’s the page that the canonical names and it has a noindex, remove `noindex` in your SEO plugin’s settings for that page, or from its `X-Robots-Tag` header in the server’s configuration.',
    'If it’s that page and robots.txt blocks it, add an `Allow` line with its full path below the `Disallow` line that does, in your SEO plugin’s settings or your web host’s file manager.',
    'If it’s this page, clear its canonical field in your SEO plugin, and the plugin writes the page’s own URL. Without a plugin, correct `<link rel="canonical" href="YOUR PAGE ADDRESS">` in the template.',
    'Enter the URL that the canonical now names in URL Inspection in Google Search Console, run “Test live URL”, and make sure it says that indexing is allowed.',
  ],
  example: null,
  tags: ['canonical', 'noindex'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => isForbidden(page, site) || canonicalTarget(page, site)?.answer.page?.facts != null,
  run: (page, site) => {
    const canonical = canonicalOf(page);
    const original = canonicalTarget(page, site)?.answer.page ?? null;
    if (canonical === null || (!isForbidden(page, site) && (original === null || isIndexable(original, site))))
      return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `The canonical address ${canonical.href} is a page that search engines may not list.`,
      },
    ];
  },
});

/** robots.txt blocks Google from the canonical target. */
function isForbidden(page: CrawledPage, site: Crawl): boolean {
  const url = canonicalOf(page)?.url ?? null;
  return (
    url?.startsWith(`${site.discovery.origin}/`) === true &&
    !isAllowed(siteIndex(site).robots, 'Googlebot', url).allowed
  );
}
