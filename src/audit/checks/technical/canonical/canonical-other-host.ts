import { siteHost } from '../../../crawl/url.ts';
import { hasCanonical } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { isStartPage } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherHost = pageCheck({
  id: 'canonical-other-host',
  title: 'Canonical points to another site',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Your own page can be indexed instead of the one on the other site.',
  timeToResult: '2-6 weeks',
  risk: 'This page’s canonical names a page on another site. It asks search engines to index that one instead, so your page can drop out of search.',
  steps: [
    'If this page is the original, change its canonical to the page’s own URL in your SEO plugin’s settings or in the template.',
    'If the canonical names an old domain or a test server, correct the site address in your CMS settings too, because it often stays behind after a move or a launch.',
    'If the page republishes someone else’s text and should stay out of search, leave the canonical as it is.',
    'View the page source and make sure the URL in `<link rel="canonical" href="YOUR PAGE ADDRESS">` is on your own host, unless you left it as it was.',
  ],
  example: {
    before: '<link rel="canonical" href="https://YOUR OLD HOST/YOUR PATH">',
    after: '<link rel="canonical" href="https://YOUR HOST/YOUR PATH">',
  },
  tags: ['canonical', 'host'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasCanonical,
  run: (page, site) => {
    const canonical = canonicalOf(page);
    if (canonical === null || canonical.url === null || siteHost(canonical.url) === siteHost(page.outcome.url))
      return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `The page names ${canonical.url}, on another site, as its original.`,
        snippet: canonicalSet(page, site, canonical.place, page.outcome.url),
        // A syndicated text may name its source as the original, but a start page is never syndicated.
        impact: isStartPage(page) ? 'high' : 'medium',
      },
    ];
  },
});
