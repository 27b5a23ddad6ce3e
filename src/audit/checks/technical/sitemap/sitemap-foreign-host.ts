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
  title: 'Sitemap lists URLs of another host or protocol',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'All entries count.',
  timeToResult: '1-3 weeks',
  risk: 'Foreign entries are ignored.',
  steps: ['Use the live host and https.'],
  example: null,
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
