import type { SitemapUrl } from '../../../crawl/site.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapNews = siteCheck({
  id: 'sitemap-news',
  title: 'News sitemap has old or incomplete entries',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Google can pick up your new articles sooner.',
  timeToResult: 'days',
  risk: 'Your news sitemap has entries that are too old or lack a date or title. Google wants only articles from the last two days there and may ignore other entries.',
  steps: [
    'In the news plugin, CMS, or script that builds the sitemap, remove articles older than two days. If the sitemap is your general one, too, keep them, and remove only their whole `<news:news>` block.',
    'Give every other article a `<news:publication_date>` like `2030-05-01T19:30-05:00`, where `-05:00` is the time zone, and a `<news:title>`.',
    'Have the file rebuilt whenever an article is published, and at least once a day.',
    'Open the news sitemap in your browser, view its source, and make sure every article with a `<news:news>` block is at most two days old and has both tags.',
  ],
  example: {
    before: null,
    after:
      '<news:news>\n  <news:publication>\n    <news:name>YOUR PUBLICATION NAME</news:name>\n    <news:language>en</news:language>\n  </news:publication>\n  <news:publication_date>YOUR PUBLICATION DATE</news:publication_date>\n  <news:title>YOUR ARTICLE TITLE</news:title>\n</news:news>',
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
