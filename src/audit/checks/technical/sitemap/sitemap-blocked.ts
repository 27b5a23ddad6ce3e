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
    'Pick the case that fits. If the pages should be found, open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support), and delete or narrow the line that this report names.',
    'If the pages should stay blocked, leave them out in the SEO plugin, CMS, or script that builds the sitemap.',
    'To check, open /robots.txt and the sitemap in your browser: no page in the sitemap matches a `Disallow` line.',
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
