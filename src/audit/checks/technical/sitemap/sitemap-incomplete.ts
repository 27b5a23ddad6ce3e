import { hasSitemap, isOriginal, wholeCrawl } from '../../applies.ts';
import { type HtmlPage, siteCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pagesWhere } from '../../lookups/pages.ts';
import { html } from '../../lookups/siteCode.ts';
import { addressKey, siteIndex } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const sitemapIncomplete = siteCheck({
  id: 'sitemap-incomplete',
  title: 'Crawled pages are missing from the sitemap',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search engines learn about every page you want indexed.',
  timeToResult: '1-4 weeks',
  risk: 'Your sitemap leaves out pages that can be indexed. Search engines can overlook them, especially those with few links.',
  steps: [
    'In the sitemap settings of your SEO plugin or CMS, switch on the content types of the pages that this report names.',
    'If a script or a person writes the sitemap, generate it from the full list of published pages, ideally automatically. Each page needs `<url><loc>YOUR PAGE ADDRESS</loc></url>`.',
    'Leave out only pages that shouldn’t be indexed.',
    'Open the sitemap in your browser and make sure it lists the pages that this report names, except for those you left out on purpose.',
  ],
  example: { before: null, after: '<url><loc>YOUR PAGE ADDRESS</loc></url>' },
  tags: ['sitemap'],
  source:
    'Screaming Frog SEO Spider issue library: Sitemaps: URLs not in sitemap (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (site) => hasSitemap(site) && areListsComplete(site),
  gathered: (site) => siteIndex(site).htmlPages.length > 0,
  complete: wholeCrawl,
  run: function* (site) {
    const { listedKeys: listed } = siteIndex(site);
    const absent: HtmlPage[] = [];
    const originals = yield* pagesWhere(site, isOriginal);
    for (const page of originals) {
      yield;
      if (!listed.has(addressKey(page.outcome.url))) absent.push(page);
    }
    if (
      absent.length < THRESHOLDS.sitemapMissingPages ||
      absent.length <= originals.length * THRESHOLDS.sitemapMissingShare
    )
      return [];
    const at = site.discovery.sitemaps.find(
      ({ kind, url }) => kind === 'urlset' && new URL(url).origin === site.discovery.origin && isAtRoot(url),
    )?.url;
    const message = `${absent.length} of ${plural(originals.length, 'indexable page')} are in no sitemap.`;
    return absent.map((page) => ({
      evidence: seen(page, 'sitemap', 'not listed'),
      message,
      snippet: at === undefined ? null : { edits: 'sitemap', operation: 'add', at, text: entryOf(page) },
    }));
  },
});

const entryOf = ({ outcome }: HtmlPage): string => `<url><loc>${html(outcome.url)}</loc></url>`;

/** A sitemap may list what lies in its folder. */
const isAtRoot = (url: string): boolean => new URL(url).pathname.lastIndexOf('/') === 0;
