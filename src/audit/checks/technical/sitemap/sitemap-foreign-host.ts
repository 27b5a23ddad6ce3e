import { parseUrl } from '../../../../model/parseUrl.ts';
import { parseRobots } from '../../../crawl/robots/robots.ts';
import type { Crawl } from '../../../crawl/site.ts';
import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { pathOf, siteIndex } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapForeignHost = siteCheck({
  id: 'sitemap-foreign-host',
  title: 'Sitemap lists URLs on another host or protocol',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Every entry in your sitemap counts.',
  timeToResult: '1-3 weeks',
  risk: 'Your sitemap lists URLs on another host or protocol than its own. Search engines may ignore entries on a host that the sitemap doesn’t belong to.',
  steps: [
    'In the SEO plugin, CMS, or script that builds the sitemap, write all entries with the protocol and host your site really uses: https, and with or without www.',
    'If the entries have an old or test host, correct the site address in your CMS settings, and rebuild the sitemap.',
    'If the pages really live on another host, put a sitemap there, or name this one in that host’s robots.txt with `Sitemap: YOUR SITEMAP ADDRESS`.',
    'Open the sitemap in your browser and make sure every `<loc>` starts with https:// and your host, or that the robots.txt of its host names this sitemap.',
  ],
  example: { before: '<loc>http://YOUR OLD HOST/YOUR PATH</loc>', after: '<loc>https://YOUR HOST/YOUR PATH</loc>' },
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  appliesTo: hasSitemap,
  complete: areListsComplete,
  run: function* (site) {
    const { origin, sitemaps } = site.discovery;
    const faults: Fault[] = [];
    for (const { url, urls, kind } of sitemaps) {
      const asking = new Map([[origin, true]]);
      const foreign: string[] = [];
      for (const { loc } of kind === 'index' ? [] : urls) {
        yield;
        const host = parseUrl(loc)?.origin;
        if (host !== undefined && !asking.has(host)) asking.set(host, asksFor(host, url, site));
        if (host === undefined || asking.get(host) === false) foreign.push(loc);
      }
      const [first] = foreign;
      if (first === undefined) continue;
      const message = `${pathOf(url)} lists ${plural(foreign.length, 'URL')} outside ${origin}, such as ${first}.`;
      faults.push({ evidence: { url, place: 'loc', value: first }, message });
    }
    return faults;
  },
});

/** The other host's robots.txt names this sitemap. */
function asksFor(origin: string, sitemap: string, site: Crawl): boolean {
  const file = siteIndex(site).fileOf('foreign-robots', `${origin}/robots.txt`);
  return file !== null && parseRobots(file.text).sitemaps.some(({ url }) => url === sitemap);
}
