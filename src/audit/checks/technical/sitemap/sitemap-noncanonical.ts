import { hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { Listing } from '../../listing.ts';
import { canonicalOf, isSelfCanonical } from '../../lookups/canonicals.ts';
import { areListedKnown, listedPages } from '../../lookups/sitemapPages.ts';

export const sitemapNoncanonical = siteCheck({
  id: 'sitemap-noncanonical',
  title: 'Sitemap lists non-canonical pages',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search engines get one clear answer about which version to index.',
  timeToResult: '2-4 weeks',
  risk: 'Your sitemap lists one version of a page, but the page’s canonical names another. Search engines have to decide which one to believe.',
  steps: [
    'Open the pages that this report lists, and find the canonical in their source. It’s right if it names the version that you want people to find.',
    'If the canonical is right, exclude the listed page from the sitemap in the SEO plugin, CMS, or script that builds it, and make sure that the sitemap lists the canonical URL.',
    'If the canonical is wrong, correct it on the page, in your SEO plugin’s settings or the template.',
    'Leave print versions, copies, and URLs with parameters out of the sitemap.',
    'Open the sitemap in your browser and make sure each of these URLs is gone or the canonical in its page source names the same URL.',
  ],
  example: null,
  tags: ['sitemap', 'canonical'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: hasSitemap,
  gathered: (site) => listedPages(site).some(({ answer }) => answer.page?.facts != null),
  complete: areListedKnown,
  run: function* (site) {
    const listing = new Listing();
    for (const { loc, answer } of listedPages(site)) {
      yield;
      if (answer.page === null || answer.redirects > 0 || isSelfCanonical(answer.page)) continue;
      const named = canonicalOf(answer.page)?.url;
      if (named == null) continue;
      listing.add(() => ({
        evidence: { url: loc, place: 'canonical', value: named },
        message: `The sitemap lists ${loc}, whose canonical address is ${named}.`,
      }));
    }
    return listing;
  },
});
