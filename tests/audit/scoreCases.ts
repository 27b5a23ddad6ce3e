/**
 * Sites with the score that a specialist gives them, and the task that comes first. The first twenty are a fixed set;
 * those behind them are their neighbors.
 */
import type { GivenPage } from '../given/audit/page.ts';
import { SITE } from '../given/audit/page.ts';
import { type PageFault, pathOf, type Recipe } from '../given/audit/scoreSites.ts';

export type ScoreCase = {
  readonly name: string;
  readonly recipe: Recipe;
  readonly from: number;
  readonly to: number;
  /** Checks of which one is the first task; null: nothing costs points. */
  readonly first: readonly string[] | null;
  /** What the first task says, and the most minutes it may take. */
  readonly says?: RegExp;
  readonly minutes?: number;
  /** Checks that must not be among the first ten tasks. */
  readonly never?: readonly string[];
};

const all =
  (...faults: readonly PageFault[]) =>
  () =>
    faults;
const some = (pages: number, share: number, fault: PageFault) => (index: number) =>
  share === 1 || (index > 0 && index <= pages * share) ? [fault] : [];
const only = (at: number, fault: PageFault) => (index: number) => (index === at ? [fault] : []);

const HEAD =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';

/** A page that lists others, kept out of search. */
function archive(url: string, title: string, more = '<meta name="robots" content="noindex, follow">'): GivenPage {
  const entries = [1, 2, 3, 4, 5, 6].map((index) => `<p><a href="${pathOf(index)}">Entry ${index} of ${title}</a></p>`);
  return {
    url,
    html: `${HEAD}<title>${title} on Leaf and Kettle</title>${more}<meta name="description" content="Everything that we wrote about ${title}, newest first, with the dates and the authors."></head><body><main><h1>${title}</h1>${entries.join('')}</main></body></html>`,
  };
}

const ARCHIVES = [
  '/tag/black',
  '/tag/green',
  '/tag/white',
  '/tag/black/page/2',
  '/author/ada',
  '/author/bo',
  '/author/cy',
  '/2025/12',
  '/2026/01',
  '/2026/02',
  '/page/2',
  '/page/3',
].map((url, index) => archive(url, `Archive ${index + 1}`));

const SIZES = [4, 8, 12].map((size) =>
  archive(
    `/guides?size=${size}`,
    `Guides of size ${size}`,
    `<meta name="robots" content="noindex"><link rel="canonical" href="${SITE}/guides">`,
  ),
);
const FILTERS = ['color=brown', 'color=red', 'sort=price', 'sort=name'].map((query) => ({
  url: `/guides?${query}`,
  robotsBlocked: true,
}));
const SITEMAP = `Sitemap: ${SITE}/sitemap.xml\n`;

const FOUNDATIONS = ['analytics-missing', 'search-console-missing', 'csp-missing', 'og-missing', 'llms-txt-missing'];

/** Kept out by noindex: the share of pages, and the scores that fit. */
const shares: readonly (readonly [number, number, number])[] = [
  [0.25, 60, 78],
  [0.5, 35, 55],
  [0.75, 12, 28],
  [1, 0, 5],
];

export const SCORE_CASES: readonly ScoreCase[] = [
  { name: '1: clean', recipe: { pages: 20 }, from: 98, to: 100, first: null },
  {
    name: '2: one dead link on one page',
    recipe: { pages: 20, faults: only(7, 'dead-link') },
    from: 96,
    to: 99,
    first: ['broken-internal-link'],
    says: /our old list of prices.*\/gone/s,
  },
  {
    name: '3: no analytics, consoles, llms.txt or profiles',
    recipe: { pages: 20, measured: false },
    from: 100,
    to: 100,
    first: null,
  },
  { name: '4: no security headers', recipe: { pages: 20, headers: false }, from: 100, to: 100, first: null },
  {
    name: '5: no structured data, sitemap or Open Graph tags',
    recipe: { pages: 20, sitemap: false, faults: all('no-schema', 'no-og') },
    from: 85,
    to: 94,
    first: ['sitemap-missing', 'schema-missing', 'organization-incomplete'],
    never: FOUNDATIONS,
  },
  {
    name: '6: no titles',
    recipe: { pages: 20, faults: all('no-title') },
    from: 0,
    to: 55,
    first: ['title-missing'],
  },
  {
    name: '7: no titles, headings or descriptions',
    recipe: { pages: 20, faults: all('no-title', 'no-h1', 'no-description') },
    from: 0,
    to: 40,
    first: ['title-missing'],
  },
  {
    name: '8: one title',
    recipe: { pages: 20, faults: all('same-title') },
    from: 60,
    to: 75,
    first: ['title-duplicate'],
  },
  {
    name: '9: placeholder text',
    recipe: { pages: 20, faults: all('lorem') },
    from: 0,
    to: 40,
    first: ['placeholder-text'],
  },
  {
    name: '10: no viewport',
    recipe: { pages: 20, faults: all('no-viewport') },
    from: 70,
    to: 80,
    first: ['viewport-missing'],
    minutes: 5,
  },
  {
    name: '11: one page of sixty noindex, in sitemap and navigation',
    recipe: { pages: 60, faults: only(3, 'noindex') },
    from: 93,
    to: 98,
    first: ['noindex-meta'],
    says: /the sitemap lists it and the navigation leads to it/,
  },
  ...shares.map(
    ([share, from, to]): ScoreCase => ({
      name: `12: ${100 * share} % noindex`,
      recipe: { pages: 40, navigation: 0, faults: some(40, share, 'noindex') },
      from,
      to,
      first: ['noindex-meta'],
      says: new RegExp(`${40 * share} (?:of 40 )?pages|all 40 pages`),
    }),
  ),
  {
    name: '13: robots.txt shuts out everybody',
    recipe: { pages: 8, robots: 'User-agent: *\nDisallow: /' },
    from: 0,
    to: 5,
    first: ['robots-blocks-all'],
    says: /Disallow: \//,
    never: ['ai-search-bots-blocked', 'ai-user-fetchers-blocked'],
  },
  {
    name: '14: robots.txt shuts out Google',
    recipe: { pages: 8, robots: `User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /\n${SITEMAP}` },
    from: 3,
    to: 10,
    first: ['robots-blocks-page', 'robots-blocks-all'],
    says: /Googlebot/,
  },
  {
    name: '15: archives of a blog, noindex',
    recipe: { pages: 11, more: ARCHIVES },
    from: 95,
    to: 100,
    first: null,
    never: ['noindex-meta'],
  },
  {
    name: '16: filters and sizes of a shop',
    recipe: {
      pages: 20,
      robots: `User-agent: *\nDisallow: /*?color=\nDisallow: /*?sort=\n${SITEMAP}`,
      more: [...FILTERS, ...SIZES],
    },
    from: 95,
    to: 100,
    first: null,
    never: ['noindex-meta', 'robots-blocks-page'],
  },
  {
    name: '17: five of six addresses fail',
    recipe: { pages: 6, faults: (index) => (index > 0 ? ['error'] : []) },
    from: 0,
    to: 20,
    first: ['page-http-error'],
  },
  {
    name: '18: three dead links in every footer',
    recipe: { pages: 60, faults: all('dead-footer') },
    from: 88,
    to: 95,
    first: ['broken-internal-link'],
    minutes: 12,
    never: ['page-http-error'],
  },
  {
    name: '20: documentation of 521 pages without descriptions',
    recipe: { pages: 521, faults: all('no-description', 'two-h1') },
    from: 78,
    to: 90,
    first: ['description-missing'],
    never: ['analytics-missing', 'organization-incomplete', 'duplicate-content'],
  },
  // Neighbors.
  { name: 'clean, 8 pages', recipe: { pages: 8 }, from: 98, to: 100, first: null },
  { name: 'clean, 60 pages', recipe: { pages: 60 }, from: 98, to: 100, first: null },
  {
    name: 'a fifth of the titles missing',
    recipe: { pages: 60, faults: some(60, 0.2, 'no-title') },
    from: 85,
    to: 93,
    first: ['title-missing'],
  },
  {
    name: 'half of the titles missing',
    recipe: { pages: 60, faults: some(60, 0.5, 'no-title') },
    from: 70,
    to: 80,
    first: ['title-missing'],
  },
  {
    name: 'one title missing',
    recipe: { pages: 60, faults: only(9, 'no-title') },
    from: 97,
    to: 99.9,
    first: ['title-missing'],
  },
  {
    name: 'no main headings',
    recipe: { pages: 20, faults: all('no-h1') },
    from: 85,
    to: 95,
    first: ['h1-missing'],
  },
  {
    name: 'no descriptions',
    recipe: { pages: 20, faults: all('no-description') },
    from: 80,
    to: 92,
    first: ['description-missing'],
  },
  {
    name: 'a few words on every page',
    recipe: { pages: 20, faults: all('short') },
    from: 60,
    to: 90,
    first: ['thin-content'],
  },
  {
    name: 'placeholder text on one page',
    recipe: { pages: 20, faults: only(4, 'lorem') },
    from: 92,
    to: 98,
    first: ['placeholder-text'],
  },
  {
    name: 'a missing viewport on one page stands behind a dead link everywhere',
    recipe: { pages: 20, faults: (index) => (index === 4 ? ['no-viewport', 'dead-footer'] : ['dead-footer']) },
    from: 85,
    to: 93,
    first: ['broken-internal-link'],
  },
  {
    name: 'the start page noindex',
    recipe: { pages: 20, faults: only(0, 'noindex') },
    from: 80,
    to: 90,
    first: ['noindex-meta'],
    says: /although it is the home page/,
  },
  {
    name: 'noindex beside missing titles: what cannot be found comes first',
    recipe: { pages: 20, faults: (index) => (index === 3 ? ['noindex', 'no-title'] : ['no-title']) },
    from: 35,
    to: 55,
    first: ['noindex-meta'],
  },
  {
    name: 'one page fails',
    recipe: { pages: 20, faults: only(5, 'error') },
    from: 90,
    to: 96,
    first: ['page-http-error'],
    never: ['broken-internal-link'],
  },
  {
    name: 'Google alone is kept out by meta',
    recipe: { pages: 20, faults: all('noindex-google') },
    from: 3,
    to: 10,
    first: ['noindex-meta'],
  },
  {
    name: 'Bing alone is kept out',
    recipe: { pages: 20, robots: `User-agent: bingbot\nDisallow: /\n\nUser-agent: *\nAllow: /\n${SITEMAP}` },
    from: 90,
    to: 94,
    first: ['robots-blocks-page'],
  },
  {
    name: 'AI crawlers are kept out',
    recipe: {
      pages: 20,
      robots: `User-agent: GPTBot\nUser-agent: OAI-SearchBot\nUser-agent: PerplexityBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n${SITEMAP}`,
    },
    from: 98,
    to: 100,
    first: null,
  },
  {
    name: 'carts and log-ins noindex',
    recipe: { pages: 20, more: ['/cart', '/login', '/account/orders'].map((url) => archive(url, `Your ${url}`)) },
    from: 98,
    to: 100,
    first: null,
    never: ['noindex-meta'],
  },
  {
    name: 'one landing page noindex, named nowhere',
    recipe: { pages: 40, sitemap: false, navigation: 0, faults: only(9, 'noindex') },
    from: 92,
    to: 98,
    first: ['sitemap-missing', 'noindex-meta'],
  },
  {
    name: 'inner pages name the start page as canonical',
    recipe: { pages: 20, faults: some(20, 1, 'elsewhere') },
    from: 0,
    to: 10,
    first: ['canonical-to-root'],
  },
  {
    name: 'everything at once',
    recipe: {
      pages: 20,
      headers: false,
      measured: false,
      sitemap: false,
      faults: all('no-title', 'no-h1', 'no-description', 'no-viewport', 'no-schema', 'no-og', 'lorem'),
    },
    from: 0,
    to: 10,
    first: ['title-missing', 'viewport-missing', 'placeholder-text'],
  },
];
