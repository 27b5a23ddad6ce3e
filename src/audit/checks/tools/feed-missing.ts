import type { Crawl } from '../../crawl/site.ts';
import { isArticle, isComplete } from '../applies.ts';
import { type HtmlPage, siteCheck } from '../check.ts';
import { plural, seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { namesType } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const feedMissing = siteCheck({
  id: 'feed-missing',
  title: 'Blog without a feed',
  category: 'tools',
  group: 'distribution',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  businessValue: 'New posts reach readers and crawlers at once.',
  timeToResult: '1-2 weeks',
  why: 'Subscribers and aggregators cannot follow.',
  fix: 'Publish a feed and link it in the head.',
  codeExample: '<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="Blog">',
  tags: ['feed'],
  source: 'WHATWG HTML: link type alternate (https://html.spec.whatwg.org/multipage/links.html#rel-alternate)',
  appliesTo: (site) => articles(site).length >= THRESHOLDS.feedArticles,
  gathered: (site) =>
    articles(site).every(isComplete) &&
    (feeds(site).length === 0 || feeds(site).some((url) => siteIndex(site).fileOf('feed', url) !== null)),
  run: (site) => {
    const pages = articles(site);
    const [first] = pages;
    const named = feeds(site);
    if (first === undefined) return [];
    if (named.length === 0)
      return [
        {
          evidence: seen(first, 'head > link[rel=alternate]', 'missing'),
          message: `None of ${plural(pages.length, 'article')} names a feed of new posts.`,
        },
      ];
    const problems = named.map((url) => [url, problemOf(url, site)] as const);
    const [broken] = problems;
    if (broken === undefined || problems.some(([, problem]) => problem === null)) return [];
    return [
      {
        evidence: seen(first, 'head > link[rel=alternate]', broken[0]),
        message: `The feed ${broken[0]} cannot be read: ${broken[1]}.`,
      },
    ];
  },
});

/** Posts and news only: people do not subscribe to manual chapters or papers. */
function articles(site: Crawl): HtmlPage[] {
  const isPost = ({ facts }: HtmlPage): boolean =>
    !namesType(facts, 'TechArticle') && !namesType(facts, 'ScholarlyArticle');
  return siteIndex(site).htmlPages.filter((page) => isArticle(page, site) && isPost(page));
}

function feeds(site: Crawl): string[] {
  return [
    ...new Set(
      articles(site).flatMap(({ facts }) =>
        facts.resources.filter(({ kind }) => kind === 'feed').map(({ url }) => url),
      ),
    ),
  ];
}

/** Null also for a feed that was not fetched. */
function problemOf(url: string, site: Crawl): string | null {
  const file = siteIndex(site).fileOf('feed', url);
  if (file === null || file.outcome.status === 200) return file?.problem ?? null;
  return file.outcome.status === null ? 'it does not answer' : `it answers with status ${file.outcome.status}`;
}
