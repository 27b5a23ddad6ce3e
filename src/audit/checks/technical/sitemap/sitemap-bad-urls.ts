import { isRefusal } from '../../../crawl/outcome.ts';
import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { Listing } from '../../listing.ts';
import type { ListedPage } from '../../lookups/siteIndex.ts';
import { areListedKnown, listedPages } from '../../lookups/sitemapPages.ts';

export const sitemapBadUrls = siteCheck({
  id: 'sitemap-bad-urls',
  title: 'Sitemap lists URLs that fail or redirect',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search engines find only working pages in your sitemap.',
  timeToResult: '1-3 weeks',
  risk: 'Your sitemap lists URLs that fail or redirect. Search engines waste requests on them and trust the sitemap less.',
  steps: [
    'Open each URL that this report lists. You change the sitemap in the CMS or the script that builds it. In an SEO plugin, you don’t edit single URLs: exclude the page, or correct its address, and the plugin rebuilds the sitemap.',
    'If the URL redirects, replace it with the final URL.',
    'If the page is gone, remove the URL.',
    'If the page should work, fix the page, or ask your host’s support team. If a script builds the sitemap, make it list only published pages that return a 200 status.',
    'Open the sitemap in your browser and make sure each of these URLs is gone or opens a working page, with status 200 in the Network tab in your browser’s developer tools.',
  ],
  example: null,
  tags: ['sitemap', 'broken'],
  source:
    'Screaming Frog SEO Spider issue library: Sitemaps: Non-200 URLs (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: hasSitemap,
  gathered: (site) => listedPages(site).length > 0,
  complete: areListedKnown,
  run: function* (site) {
    const listing = new Listing();
    for (const listed of listedPages(site)) {
      yield;
      const { outcome, redirects } = listed.answer;
      if (redirects > 0 || outcome.status === null || (outcome.status >= 400 && !isRefusal(outcome.status)))
        listing.add(() => faultOf(listed));
    }
    return listing;
  },
});

function faultOf({ loc, answer }: ListedPage): Fault {
  const { status, failure, url } = answer.outcome;
  const what =
    answer.redirects > 0
      ? `redirects to ${url}`
      : status === null
        ? `could not be fetched (${failure ?? 'no answer'})`
        : `answers with status ${status}`;
  return {
    evidence: { url: loc, place: 'sitemap loc', value: String(answer.redirects > 0 ? url : (status ?? failure)) },
    message: `The sitemap lists ${loc}, which ${what}.`,
  };
}
