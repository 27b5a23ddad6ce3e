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
  gain: 'Visitors can find the page, and search engines see where it belongs on your site.',
  timeToResult: '3-6 weeks',
  risk: 'The sitemap lists this page, but no link on the crawled pages leads to it. Visitors can’t click their way there, and search engines tend to see such pages as unimportant.',
  steps: [
    'If the page is still needed, link to it from a related page, its category, or the menu, with a link text that says what it’s about.',
    'If another page replaces it, set up a 301 redirect to that page in your CMS, your web host’s control panel, or the server’s configuration.',
    'If you no longer need the page and nothing replaces it, delete it.',
    'If you deleted or redirected the page, take its URL out of the sitemap: in the settings of the CMS or plugin that writes the sitemap (most drop deleted pages on their own), or in the sitemap file itself.',
    'If you kept the page, start at your home page and make sure you can click your way to it. If you deleted or redirected it, make sure its URL is gone from the sitemap.',
  ],
  // No code is written: which page should link to it is the owner’s choice.
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
