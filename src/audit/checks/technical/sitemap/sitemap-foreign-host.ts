import { parseRobots } from '../../../crawl/robots/robots.ts';
import type { Crawl } from '../../../crawl/site.ts';
import { hasSitemap } from '../../applies.ts';
import type { SiteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { pathOf, siteIndex } from '../../lookups/siteIndex.ts';
import { areListsWhole } from '../../lookups/sitemapPages.ts';

export const sitemapForeignHost: SiteCheck = {
  id: 'sitemap-foreign-host',
  scope: 'site',
  title: 'Sitemap lists URLs of another host or protocol',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  businessValue: 'All entries count.',
  timeToResult: '1-3 weeks',
  why: 'Foreign entries are ignored.',
  fix: 'Use the live host and https.',
  codeExample: null,
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  lighthouse: null,
  hint: false,
  appliesTo: hasSitemap,
  complete: areListsWhole,
  run: (site) => {
    const { origin, sitemaps } = site.discovery;
    return sitemaps.flatMap((sitemap) => {
      const foreign = sitemap.urls.filter(
        ({ loc }) => !URL.canParse(loc) || (new URL(loc).origin !== origin && !asksFor(new URL(loc).origin, sitemap.url, site)),
      );
      const [first] = foreign;
      if (first === undefined || sitemap.kind === 'index') return [];
      return [
        {
          evidence: { url: sitemap.url, place: 'loc', value: first.loc },
          message: `${pathOf(sitemap.url)} lists ${plural(foreign.length, 'URL')} outside ${origin}, such as ${first.loc}.`,
        },
      ];
    });
  },
};

/** The other host names this very sitemap in its robots.txt. */
function asksFor(origin: string, sitemap: string, site: Crawl): boolean {
  const file = siteIndex(site).fileOf('foreign-robots', `${origin}/robots.txt`);
  return file !== null && parseRobots(file.text).sitemaps.some(({ url }) => url === sitemap);
}
