import { hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { count, plural } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapLastmod = siteCheck({
  id: 'sitemap-lastmod',
  title: 'Sitemap dates are missing or unreliable',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search engines can tell which pages have changed and recrawl those first.',
  timeToResult: '2-4 weeks',
  risk: 'The dates in your sitemap are missing or unreliable. Google ignores dates it can’t trust, so the sitemap doesn’t tell it which pages have changed.',
  steps: [
    'In the SEO plugin, CMS, or script that builds the sitemap, give each entry a `<lastmod>` with the date of the last real change to the page’s content.',
    'Write the date like `2030-05-01`. If you add a time, add its time zone, too, like `2030-05-01T19:30-05:00`, where `-05:00` is the time zone.',
    'Don’t set every date to the day the sitemap was built.',
    'Open the sitemap in your browser, view its source, and make sure every entry has a `<lastmod>`, the dates aren’t all the same, and none is in the future. If it only lists other sitemaps, look into those.',
  ],
  // No code is written: only the site’s system knows when a page changed.
  example: { before: null, after: '<lastmod>YOUR DATE AS YYYY-MM-DD</lastmod>' },
  tags: ['sitemap', 'freshness'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: (site) =>
    hasSitemap(site) && site.discovery.sitemaps.some((sitemap) => sitemap.kind === 'urlset' && sitemap.urls.length > 0),
  complete: areListsComplete,
  run: (site) => {
    const now = Date.parse(site.coverage.startedAt);
    return site.discovery.sitemaps.flatMap((sitemap) => {
      if (sitemap.kind !== 'urlset' || sitemap.urls.length === 0) return [];
      return problemsOf(
        sitemap.urls.map((entry) => entry.lastmod),
        now,
      ).map(({ value, text }) => ({
        evidence: { url: sitemap.url, place: 'lastmod', value },
        message: `${pathOf(sitemap.url)}: ${text}.`,
      }));
    });
  },
});

const W3C_DATE = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?)?)?$/;
const DAY_MS = 86_400_000;

type Problem = { readonly text: string; readonly value: string };

/** All that is wrong with the dates of a file, each by its first example. */
function problemsOf(dates: readonly (string | null)[], now: number): readonly Problem[] {
  const given = dates.filter((date) => date !== null);
  const absent = dates.length - given.length;
  const problems: Problem[] = [];
  if (absent > dates.length / 2)
    problems.push({
      text: `${count(absent)} of ${plural(dates.length, 'entry', 'entries')} have no lastmod date`,
      value: 'missing',
    });
  const wrong = given.find((date) => !W3C_DATE.test(date) || Number.isNaN(Date.parse(date)));
  if (wrong !== undefined)
    problems.push({ text: `the date "${wrong}" is not written as a sitemap date`, value: wrong });
  const future = given.find((date) => Date.parse(date) > now + DAY_MS);
  if (future !== undefined) problems.push({ text: `the date ${future} is in the future`, value: future });
  const today = new Date(now).toISOString().slice(0, 10);
  if (given.length > 2 && given.every((date) => date.startsWith(today)))
    problems.push({ text: 'every entry says that it was changed today', value: today });
  return problems;
}
