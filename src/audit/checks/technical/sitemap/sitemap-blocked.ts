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
  risk: 'Your sitemap lists pages that robots.txt forbids search engines to read, so the two contradict each other.',
  steps: [
    'Look at the pages that this report lists, and decide whether people should find them in search.',
    'If they should, open robots.txt in your SEO plugin’s settings or your web host’s file manager. Delete the `Disallow` line that this report names, or add a longer line for these pages to the same group, such as `Allow: /YOUR FOLDER/`.',
    'If they shouldn’t, take them out of the sitemap. In an SEO plugin, exclude the pages or their content type in its sitemap settings, and the plugin rebuilds the sitemap. In a script, skip the paths that robots.txt blocks.',
    'If you can’t change either of these yourself, send these steps to your host’s support team.',
    'Open /robots.txt and the sitemap in your browser and make sure no page in the sitemap matches a `Disallow` line.',
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
