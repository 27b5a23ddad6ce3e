import { isFilledByScript } from '../../../facts/appShell.ts';
import { arePagesComplete, hasSitemap, severalPages, wholeCrawl } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { everyPage, pagesWhere } from '../../lookups/pages.ts';
import { addressKey, isStartPage, pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const orphanPage = siteCheck({
  id: 'orphan-page',
  title: 'Page is in the sitemap but nothing links to it',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Hidden pages gain visitors and authority.',
  timeToResult: '3-6 weeks',
  risk: 'Pages without links rank poorly.',
  steps: ['Link it from a related page or the menu.'],
  example: null,
  tags: ['links', 'sitemap'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: (site) => hasSitemap(site) && severalPages(site),
  // Content filled in by scripts may link to anything.
  gathered: function* (site) {
    return (
      wholeCrawl(site) && arePagesComplete(site) && (yield* everyPage(site, ({ facts }) => !isFilledByScript(facts)))
    );
  },
  run: function* (site) {
    const { listedKeys: listed, linkedFrom } = siteIndex(site);
    const linked = new Set<string>();
    for (const url of linkedFrom.keys()) {
      linked.add(addressKey(url));
      yield;
    }
    const orphans = yield* pagesWhere(
      site,
      (page) =>
        !isStartPage(page) &&
        listed.has(addressKey(page.url)) &&
        !linked.has(addressKey(page.url)) &&
        !linked.has(addressKey(page.outcome.url)),
    );
    return orphans.map((page) => ({
      evidence: seen(page, 'links', 'none lead here'),
      message: `${pathAndQueryOf(page.url)} is in the sitemap, but no crawled page links to it.`,
    }));
  },
});
