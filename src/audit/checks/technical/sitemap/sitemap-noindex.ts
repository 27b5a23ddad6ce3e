import { hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { Listing } from '../../listing.ts';
import { blockingHeader, blockingMeta } from '../../lookups/directives.ts';
import { areListedKnown, listedPages } from '../../lookups/sitemapPages.ts';

export const sitemapNoindex = siteCheck({
  id: 'sitemap-noindex',
  title: 'Sitemap lists noindex pages',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Your sitemap and your pages give search engines the same message.',
  timeToResult: '1-3 weeks',
  risk: 'Your sitemap lists pages that are set to noindex. It asks search engines to index them, and the pages themselves forbid it.',
  steps: [
    'If a page should be found, remove `noindex` from its robots meta tag or `X-Robots-Tag` header, in your SEO plugin’s settings for the page, the template, or the server’s configuration.',
    'If a page should stay out of search, remove it from the sitemap. If a plugin builds the sitemap, set it to leave out noindex pages.',
    'Open the sitemap and the pages that this report lists and make sure each page is gone from the sitemap, or its source and response headers no longer say noindex.',
  ],
  example: null,
  tags: ['sitemap', 'noindex'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: hasSitemap,
  gathered: (site) => listedPages(site).some(({ answer }) => answer.page?.facts != null),
  complete: areListedKnown,
  run: function* (site) {
    const listing = new Listing();
    for (const { loc, answer } of listedPages(site)) {
      yield;
      const { page } = answer;
      const place =
        page === null ? null : (blockingMeta(page, 'Googlebot', site) ?? blockingHeader(page, 'Googlebot', site));
      if (place === null || answer.redirects > 0) continue;
      listing.add(() => ({
        evidence: { ...place.evidence, url: loc },
        message: `The sitemap lists ${loc}, but the page says "${place.evidence.value}".`,
      }));
    }
    return listing;
  },
});
