import type { Crawl } from '../../crawl/site.ts';
import type { Pausable } from '../../timeSlices.ts';
import { isArticle, isComplete } from '../applies.ts';
import { type HtmlPage, siteCheck } from '../check.ts';
import { plural, seen } from '../evidence.ts';
import { pagesWhere } from '../lookups/pages.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { namesType } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const feedMissing = siteCheck({
  id: 'feed-missing',
  title: 'Blog feed is missing or broken',
  category: 'tools',
  group: 'distribution',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'New posts reach subscribers on their own, and search engines can use the feed to find them.',
  timeToResult: '1-2 weeks',
  risk: 'The blog has no feed that works, so readers can’t subscribe to new posts, and services that follow blogs by RSS or Atom pass yours by.',
  steps: [
    'If your posts already link to a feed, open its URL in your browser. If it shows an error, turn the feed on in your blog software, or correct the link to the feed’s present URL. If your browser names an error in the XML, correct it in the post or template.',
    'If they don’t, turn on the feed in your blog software, or generate an RSS or Atom file of the latest posts.',
    'Add `<link rel="alternate" type="application/rss+xml" title="YOUR BLOG NAME" href="YOUR FEED ADDRESS">` to the `<head>` of the post template. If the feed is Atom, the type is `application/atom+xml`.',
    'Subscribe to the feed in a feed reader and make sure your latest posts appear.',
  ],
  // No code is written: there is no feed to name.
  example: {
    before: null,
    after: '<link rel="alternate" type="application/rss+xml" title="YOUR BLOG NAME" href="YOUR FEED ADDRESS">',
  },
  tags: ['feed'],
  source: 'WHATWG HTML: link type alternate (https://html.spec.whatwg.org/multipage/links.html#rel-alternate)',
  looksIn: ['feed links of articles'],
  appliesTo: function* (site) {
    return (yield* articlesOf(site)).pages.length >= THRESHOLDS.feedArticles;
  },
  gathered: function* (site) {
    const { pages, feed, isAnyFetched } = yield* articlesOf(site);
    return pages.every(isComplete) && (feed === null || isAnyFetched);
  },
  run: function* (site) {
    const { pages, feed, isAnyFine } = yield* articlesOf(site);
    const [first] = pages;
    if (first === undefined) return [];
    if (feed === null)
      return [
        {
          evidence: seen(first, 'head > link[rel=alternate]', 'missing'),
          message: `None of ${plural(pages.length, 'article')} names a feed of new posts.`,
        },
      ];
    if (isAnyFine) return [];
    return [
      {
        evidence: seen(first, 'head > link[rel=alternate]', feed),
        message: `The feed ${feed} cannot be read: ${problemOf(feed, site)}.`,
      },
    ];
  },
});

type Articles = {
  readonly pages: readonly HtmlPage[];
  /** The first feed that one of them names; null if there is none. */
  readonly feed: string | null;
  readonly isAnyFetched: boolean;
  /** Also true for a feed that was not fetched. */
  readonly isAnyFine: boolean;
};

const known = new WeakMap<Crawl, Articles>();

/** Gathered once. Each page may name hundreds of feeds, so they are asked about as they come, and not kept. */
function* articlesOf(site: Crawl): Pausable<Articles> {
  const articles = known.get(site) ?? (yield* gathering(site));
  known.set(site, articles);
  return articles;
}

function* gathering(site: Crawl): Pausable<Articles> {
  const pages = yield* pagesWhere(site, (page) => isArticle(page, site) && isPost(page));
  let feed: string | null = null;
  let [isAnyFetched, isAnyFine] = [false, false];
  for (const { facts } of pages) {
    yield;
    for (const { kind, url } of facts.resources) {
      if (kind !== 'feed') continue;
      feed ??= url;
      isAnyFetched ||= siteIndex(site).fileOf('feed', url) !== null;
      isAnyFine ||= problemOf(url, site) === null;
    }
  }
  return { pages, feed, isAnyFetched, isAnyFine };
}

/** Posts and news only: people do not subscribe to manual chapters or papers. */
function isPost({ facts }: HtmlPage): boolean {
  return !namesType(facts, 'TechArticle') && !namesType(facts, 'ScholarlyArticle');
}

/** Null also for a feed that was not fetched. */
function problemOf(url: string, site: Crawl): string | null {
  const file = siteIndex(site).fileOf('feed', url);
  if (file === null || file.outcome.status === 200) return file?.problem ?? null;
  return file.outcome.status === null ? 'it does not answer' : `it answers with status ${file.outcome.status}`;
}
