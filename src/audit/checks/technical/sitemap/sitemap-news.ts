import type { SitemapUrl } from '../../../crawl/site.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapNews = siteCheck({
  id: 'sitemap-news',
  title: 'News sitemap lists what is no news',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'New articles are found within minutes.',
  timeToResult: 'days',
  risk: 'Google reads a news sitemap for articles of the last two days, each with its date and title.',
  steps: ['Drop the news tags of articles older than two days, and give each of the others its date and title.'],
  example: {
    before: null,
    after:
      '<news:news><news:publication><news:name>Tea Times</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-02-03T10:00:00+00:00</news:publication_date><news:title>Harvest begins</news:title></news:news>',
  },
  tags: ['sitemap', 'news'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: function* (site) {
    if (!hasSitemap(site)) return false;
    for (const { urls } of site.discovery.sitemaps) if ((yield* newsOf(urls)).length > 0) return true;
    return false;
  },
  complete: areListsComplete,
  run: function* (site) {
    const now = Date.parse(site.coverage.startedAt);
    const faults: Fault[] = [];
    for (const { url, urls } of site.discovery.sitemaps) {
      const articles = yield* newsOf(urls);
      for (const { place, isBad, what } of PROBLEMS) {
        const bad = articles.filter(({ news }) => isBad(news, now));
        const [first] = bad;
        if (first === undefined) continue;
        faults.push({
          evidence: { url, place, value: place === 'news:title' ? first.loc : (first.news.date ?? 'missing') },
          message: `${pathOf(url)}: ${bad.length} of ${plural(articles.length, 'article')} ${what}, such as ${first.loc}.`,
        });
      }
    }
    return faults;
  },
});

type Article = SitemapUrl & { readonly news: NonNullable<SitemapUrl['news']> };

function* newsOf(urls: readonly SitemapUrl[]): Pausable<readonly Article[]> {
  const articles: Article[] = [];
  for (const entry of urls) {
    yield;
    if (entry.news !== undefined) articles.push(entry as Article);
  }
  return articles;
}

/** Two days, and one for time zones and for the next run of whatever writes the file. */
const RECENT_MS = 3 * 86_400_000;

const PROBLEMS: readonly {
  readonly place: string;
  readonly isBad: (news: Article['news'], now: number) => boolean;
  readonly what: string;
}[] = [
  {
    place: 'news:publication_date',
    isBad: ({ date }, now) => date !== null && Date.parse(date) < now - RECENT_MS,
    what: 'with news tags are older than two days',
  },
  {
    place: 'news:publication_date missing',
    isBad: ({ date }) => date === null || Number.isNaN(Date.parse(date)),
    what: 'with news tags have no date that can be read',
  },
  { place: 'news:title', isBad: ({ titled }) => !titled, what: 'with news tags have no title' },
];
