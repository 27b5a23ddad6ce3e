import { isAllowed } from '../../../crawl/robots/robots.ts';
import { isInternal } from '../../../crawl/url.ts';
import { hasRobotsText, hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { Listing } from '../../listing.ts';
import { areRulesRead, siteIndex } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapBlocked = siteCheck({
  id: 'sitemap-blocked',
  title: 'Sitemap lists pages that robots.txt blocks',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search engines can read every page you point them to.',
  timeToResult: '1-3 weeks',
  risk: 'Your sitemap lists pages that robots.txt tells search engines not to read, so the two contradict each other.',
  steps: [
    'For each page that this report lists, decide whether people should find it in search.',
    'If they should, open robots.txt in your SEO plugin’s settings or your web host’s file manager. Delete the `Disallow` line that this report names if it blocks nothing else you want to hide. Otherwise add an `Allow` line with a longer path below it, such as `Allow: /YOUR FOLDER/YOUR PAGE`.',
    'If they shouldn’t, exclude the pages or their content type in your SEO plugin’s sitemap settings. In a script, skip the paths that robots.txt blocks.',
    'If you can’t change either of these yourself, send these steps to your host’s support team.',
    'Open /robots.txt and the sitemap in your browser and make sure every page left in the sitemap is allowed: no `Disallow` line matches it, or an `Allow` line with a longer path does.',
  ],
  example: null,
  tags: ['sitemap', 'robots.txt'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: (site) => hasSitemap(site) && hasRobotsText(site),
  complete: (site) =>
    areListsComplete(site) &&
    areRulesRead(site, 'Googlebot') &&
    site.discovery.sitemaps.every(({ urls }) => urls.length <= MAX_URLS),
  run: function* (site) {
    const { origin, sitemaps } = site.discovery;
    const listing = new Listing();
    for (const { loc } of sitemaps.flatMap((sitemap) => sitemap.urls.slice(0, MAX_URLS))) {
      yield;
      if (loc.length > MAX_LENGTH || !isInternal(loc, origin)) continue;
      const { allowed, rule, line } = isAllowed(siteIndex(site).robots, 'Googlebot', loc);
      if (allowed) continue;
      listing.add(() => ({
        evidence: { url: loc, place: `robots.txt line ${line ?? 0}`, value: rule ?? '' },
        message: `The sitemap lists ${loc}, but robots.txt says "${rule}".`,
      }));
    }
    return listing;
  },
});

/** Per sitemap. */
const MAX_URLS = 5000;
/** Longer addresses are not valid entries. */
const MAX_LENGTH = 2048;
