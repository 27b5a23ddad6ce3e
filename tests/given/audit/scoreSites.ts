/** Well-made sites of any size, to be spoiled by one fault at a time: what the cases of the score are tried on. */
import type { Crawl, CrawledPage } from '../../../src/audit/crawl/site.ts';
import { type GivenPage, type GivenSite, givenPage, givenSite, SITE } from './page.ts';

const TEAS = ['Assam', 'Darjeeling', 'Ceylon', 'Keemun', 'Yunnan', 'Sencha', 'Gyokuro', 'Matcha', 'Oolong', 'Pu-erh'];
const TOPICS = ['harvest', 'storage', 'brewing', 'tasting', 'history', 'water'];
const OPENINGS = [
  'Every spring we walk the rows of the garden before sunrise',
  'A good cup starts long before the kettle is on',
  'Our oldest supplier has grown it for four generations',
  'Most people brew it too hot and too long',
  'The leaves arrive in wooden chests from the harbor',
  'We compare at least three lots before we buy one',
];
const MIDDLES = [
  'because the leaf keeps its scent only while the dew is on it',
  'so we measure the water with a thermometer and not by eye',
  'and the difference is plain to anybody who tries both side by side',
  'although the price of a chest has doubled since we began',
  'while the second flush is darker and tastes of malt',
  'since light and air are what it suffers from most',
];

export type PageFault =
  | 'no-title'
  | 'same-title'
  | 'no-h1'
  | 'two-h1'
  | 'no-description'
  | 'no-viewport'
  | 'lorem'
  | 'short'
  | 'no-schema'
  | 'no-og'
  | 'noindex'
  | 'noindex-google'
  | 'error'
  | 'elsewhere'
  | 'dead-link'
  | 'dead-footer';

export type Recipe = {
  /** All pages, with the start page. */
  readonly pages: number;
  /** Of the page with this number; the start page is 0. */
  readonly faults?: (index: number) => readonly PageFault[];
  readonly sitemap?: boolean;
  readonly robots?: string;
  readonly headers?: boolean;
  readonly measured?: boolean;
  /** More pages, which are not in the sitemap. */
  readonly more?: readonly GivenPage[];
  /** More addresses in the sitemap. */
  readonly listed?: readonly string[];
  /** How many of the pages are in the main navigation. */
  readonly navigation?: number;
  readonly host?: string;
};

export const pathOf = (index: number): string => (index === 0 ? '/' : `/guides/${nameOf(index)}`);
const nameOf = (index: number): string =>
  `${TEAS[index % 10]}-${TOPICS[Math.floor(index / 10) % 6]}-${1900 + index}`.toLowerCase();
const subject = (index: number): string =>
  `${TEAS[index % 10]} tea ${TOPICS[Math.floor(index / 10) % 6]} ${1900 + index}`;

/** About 300 words that no other page has. */
function story(index: number): string {
  const paragraphs: string[] = [];
  for (let part = 0; part < 6; part += 1) {
    const sentences: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const seed = index * 31 + part * 5 + at * 3;
      const fact = `lot ${(seed * 7919) % 9973} of ${TEAS[(seed + part) % 10]}`;
      sentences.push(
        `${OPENINGS[seed % 6]} for ${fact}, ${MIDDLES[(seed * 5 + part) % 6]}. That was in ${1950 + (seed % 70)}.`,
      );
    }
    if (part % 2 === 0)
      paragraphs.push(`<h2>How does ${TEAS[(index + part) % 10]} taste in ${1900 + index + part}?</h2>`);
    paragraphs.push(`<p>${sentences.join(' ')}</p>`);
  }
  return `${paragraphs.join('')}<ul><li>Water: ${70 + (index % 30)} degrees</li><li>Time: ${1 + (index % 5)} minutes</li></ul>`;
}

const LOREM = `<p>${'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '.repeat(8)}</p>`;

function markup(index: number, title: string): string {
  const node =
    index === 0
      ? [
          {
            '@type': 'Organization',
            '@id': `${SITE}/#us`,
            name: 'Leaf and Kettle',
            url: `${SITE}/`,
            logo: `${SITE}/logo.png`,
            sameAs: ['https://social.example/leafandkettle'],
            telephone: '+1 555 0100',
          },
          { '@type': 'WebSite', name: 'Leaf and Kettle', url: `${SITE}/` },
        ]
      : [
          {
            '@type': 'Article',
            headline: subject(index),
            author: { '@type': 'Person', name: 'Ada Leaf', url: `${SITE}/` },
            datePublished: '2026-01-05T08:00:00Z',
            dateModified: '2026-01-09T08:00:00Z',
            image: `${SITE}/share.png`,
          },
          {
            '@type': 'BreadcrumbList',
            itemListElement: [
              { '@type': 'ListItem', position: 1, name: 'Home', item: `${SITE}/` },
              { '@type': 'ListItem', position: 2, name: title },
            ],
          },
        ];
  return `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': node })}</script>`;
}

function pageOf(recipe: Recipe, index: number): GivenPage {
  const faults = new Set(recipe.faults?.(index) ?? []);
  const url = pathOf(index);
  if (faults.has('error')) return { url, status: 500 };
  const title = faults.has('same-title')
    ? 'Leaf and Kettle, loose leaf teas'
    : index === 0
      ? 'Leaf and Kettle: loose leaf teas from small gardens'
      : `${subject(index)}: what we know about it`;
  const linked = Array.from({ length: Math.min(recipe.navigation ?? 5, recipe.pages - 1) }, (_, at) => at + 1);
  const next = [1, 2, 3].map((step) => (index * 3 + step) % recipe.pages).filter((at) => at !== index);
  const link = (at: number): string => `<a href="${pathOf(at)}">${at === 0 ? 'Leaf and Kettle' : subject(at)}</a>`;
  return {
    url,
    headers: {
      'content-encoding': 'br',
      'cache-control': 'max-age=600',
      ...(recipe.headers === false
        ? {}
        : {
            'strict-transport-security': 'max-age=31536000; includeSubDomains',
            'x-content-type-options': 'nosniff',
            'x-frame-options': 'SAMEORIGIN',
            'content-security-policy': "default-src 'self'",
          }),
    },
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      faults.has('no-title') ? '' : `<title>${title}</title>`,
      faults.has('no-description')
        ? ''
        : `<meta name="description" content="${subject(index)}: where we buy it, how we keep it, and how to brew a cup that tastes of the garden, from our shop by the harbor.">`,
      faults.has('no-viewport') ? '' : '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<meta name="robots" content="${faults.has('noindex') ? 'noindex' : 'max-image-preview:large'}">`,
      faults.has('noindex-google') ? '<meta name="googlebot" content="noindex">' : '',
      `<link rel="canonical" href="${SITE}${faults.has('elsewhere') ? '/' : url}"><link rel="icon" href="/favicon.ico">`,
      faults.has('no-og')
        ? ''
        : `<meta property="og:title" content="${title}"><meta property="og:type" content="${index === 0 ? 'website' : 'article'}"><meta property="og:url" content="${SITE}${url}"><meta property="og:image" content="${SITE}/share.png"><meta property="og:description" content="${subject(index)} from ${1900 + index}, as we brew it."><meta name="twitter:card" content="summary_large_image">`,
      faults.has('no-schema') ? '' : markup(index, title),
      recipe.measured === false
        ? ''
        : '<meta name="google-site-verification" content="x1"><link rel="alternate" type="application/rss+xml" href="/feed.xml"><script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEFGH12"></script><script>window.dataLayer=[];function gtag(){dataLayer.push(arguments)}gtag("config","G-ABCDEFGH12")</script>',
      '</head><body><header><nav><a href="/">Home</a>',
      linked.map(link).join(''),
      '</nav></header><main>',
      faults.has('no-h1') ? '' : `<h1>${index === 0 ? 'Loose leaf teas from small gardens' : subject(index)}</h1>`,
      faults.has('two-h1') ? '<h1>Leaf and Kettle handbook</h1>' : '',
      index === 0
        ? ''
        : '<p>By <a rel="author" href="/">Ada Leaf</a>, <time datetime="2026-01-05">January 5, 2026</time></p>',
      faults.has('lorem')
        ? LOREM
        : faults.has('short')
          ? '<p>Tea from the garden, ten words in all, no more.</p>'
          : story(index),
      faults.has('dead-link') ? '<p>See <a href="/gone">our old list of prices</a>.</p>' : '',
      `${faults.has('short') ? '' : `<p>Read on: ${next.map(link).join(', ')}.</p>`}</main>`,
      `<footer><p>Leaf and Kettle, 1 Harbor Street, Portland</p><a href="tel:+15550100">+1 555 0100</a> <a href="mailto:hello@example.com">hello@example.com</a>`,
      faults.has('dead-footer')
        ? '<a href="/old-press">Press</a><a href="/old-jobs">Jobs</a><a href="/old-partners">Partners</a>'
        : '',
      '</footer></body></html>',
    ].join(''),
  };
}

const known = new Map<string, CrawledPage>();

/** Sites of a series share most of their pages: each is read once. */
function read(page: GivenPage, first: boolean): CrawledPage {
  const key = JSON.stringify([page, first]);
  const answer = known.get(key) ?? givenPage(page, SITE, first);
  known.set(key, answer);
  return answer;
}

export function siteOf(recipe: Recipe, more: Partial<GivenSite> = {}): Crawl {
  const numbers = Array.from({ length: recipe.pages }, (_, index) => index);
  const given = numbers.map((index) => pageOf(recipe, index));
  const faults = new Set(numbers.flatMap((index) => recipe.faults?.(index) ?? []));
  const dead = [
    ...(faults.has('dead-link') ? ['/gone'] : []),
    ...(faults.has('dead-footer') ? ['/old-press', '/old-jobs', '/old-partners'] : []),
  ];
  const pages = [...given, ...dead.map((url) => ({ url, status: 404, html: '<p>Not found' })), ...(recipe.more ?? [])];
  const site = givenSite({
    robots:
      recipe.robots ??
      `User-agent: *\nDisallow: /private/\n${recipe.sitemap === false ? '' : `Sitemap: ${SITE}/sitemap.xml\n`}`,
    sitemaps:
      recipe.sitemap === false
        ? []
        : [
            {
              from: 'robots',
              locs: [...numbers.map(pathOf), ...(recipe.listed ?? [])].map((loc) => ({ loc, lastmod: '2026-01-09' })),
            },
          ],
    llmsTxt:
      recipe.measured === false
        ? null
        : '# Leaf and Kettle\n\n> Loose leaf teas.\n\n- [Guides](https://example.com/guides)\n',
    fileChecks: [
      {
        url: '/share.png',
        kind: 'share-image',
        headers: { 'content-type': 'image/png' },
        image: { format: 'png', width: 1200, height: 630 },
      },
    ],
    ...more,
  });
  return { ...site, pages: pages.map((page, index) => read(page, index === 0)) };
}
