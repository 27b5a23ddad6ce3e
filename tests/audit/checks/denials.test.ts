/**
 * Whoever says that a site has none has looked everywhere: the thing is planted in each place that the check names, and
 * is found there.
 */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import type { Site } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { body, head, LONG, ld, main } from './cases/html.ts';

/** A site without the thing, and one for each place that has it there alone. */
type Denial = { readonly without: Site; readonly planted: Readonly<Record<string, Site>> };

const page = main(`<h1>Tea</h1>${LONG}`);
const sized = (icon: string): string => head(icon, `<main><h1>Tea</h1>${LONG}</main>`);
/** On another page than the start page. */
const elsewhere = (html: string): Site => ({ pages: [page, { url: '/tea', html }] });
const withHeader = (name: string, value: string): Site => ({ pages: [{ html: page, headers: { [name]: value } }] });
const microdata = (type: string, inside: string): string =>
  body(`<main><div itemscope itemtype="https://schema.org/${type}">${inside}</div>${LONG}</main>`);
const graph = (...nodes: readonly object[]): object => ({ '@context': 'https://schema.org', '@graph': nodes });

const ORG = {
  '@type': 'Organization',
  name: 'Tea',
  url: 'https://example.com/',
  logo: 'https://example.com/l.png',
  sameAs: ['https://github.com/tea'],
};
const WEBSITE = { '@type': 'WebSite', name: 'Tea', url: 'https://example.com/' };
const CAFE = {
  '@type': 'CafeOrCoffeeShop',
  name: 'Tea house',
  url: 'https://example.com/',
  telephone: '+44 20 7946 0123',
  geo: { latitude: 1, longitude: 2 },
  openingHours: 'Mo-Fr 09:00-17:00',
  address: { '@type': 'PostalAddress', streetAddress: '1 Tea Street', addressLocality: 'London' },
};
const HOURS = '<footer>Open Mon–Fri 9:00–17:00</footer>';
const visit = (markup: string): string => body(`<main><h1>Tea</h1>${LONG}</main>${markup}${HOURS}`);
const article = (link: string): Site => ({
  pages: [
    page,
    ...['a', 'b', 'c'].map((name) => ({
      url: `/blog/${name}`,
      html: sized(name === 'c' ? link : ''),
    })),
  ],
  fileChecks: [{ url: '/feed.xml', kind: 'feed' }],
});
const tracked = (more: string): string =>
  sized(`<script src="https://www.google-analytics.com/analytics.js"></script>${more}`);
const answeringSitemap = (path: string): Site => ({
  pages: [page],
  sitemaps: [{ url: `https://example.com${path}`, locs: ['/'] }],
});

const DENIALS: Readonly<Record<string, Denial>> = {
  'analytics-missing': {
    without: page,
    planted: {
      'addresses of scripts': elsewhere(sized('<script src="https://plausible.io/js/script.js"></script>')),
      'preloaded files': elsewhere(
        sized('<link rel="preload" as="script" href="https://www.googletagmanager.com/gtm.js">'),
      ),
      'inline scripts': elsewhere(sized('<script>_paq.push(["trackPageView"])</script>')),
    },
  },
  'contact-missing': {
    without: page,
    planted: {
      'text of pages': elsewhere(body(`<main>${LONG}</main><footer>Call +44 20 7946 0123</footer>`)),
      'address elements': elsewhere(body(`<main>${LONG}<address>1 Tea Street, London N1 9GU</address></main>`)),
      'links to numbers and mail addresses': elsewhere(
        body(`<main>${LONG}<a href="mailto:tea@example.com">Write</a></main>`),
      ),
      'names of links': elsewhere(body(`<main>${LONG}<a href="/x">Aviso legal</a></main>`)),
      'addresses of links': elsewhere(body(`<main>${LONG}<a href="/contact">Hello</a></main>`)),
      'addresses of pages': { pages: [page, { url: '/impressum', html: page }] },
      'structured data': elsewhere(head(ld({ ...ORG, telephone: '+44 20 7946 0123' }), `<main>${LONG}</main>`)),
    },
  },
  'cookie-consent-missing': {
    without: tracked(''),
    planted: {
      'addresses of scripts': tracked('<script src="https://consent.cookiebot.com/uc.js"></script>'),
      'addresses of stylesheets': tracked('<link rel="stylesheet" href="/klaro/klaro.min.css">'),
      'inline scripts': tracked('<script>gtag("consent", "default", {})</script>'),
    },
  },
  'csp-missing': {
    without: page,
    planted: {
      'response header': withHeader(
        'content-security-policy',
        "default-src 'self'; object-src 'none'; base-uri 'none'",
      ),
      'meta tag': sized(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; object-src 'none'; base-uri 'none'">`,
      ),
    },
  },
  'favicon-missing': {
    without: { pages: [page], favicon: { status: 404 } },
    planted: {
      'icon links': {
        pages: [sized('<link rel="icon" href="/icon.png">')],
        favicon: { status: 404 },
        fileChecks: [{ url: '/icon.png', kind: 'icon', headers: { 'content-type': 'image/png' } }],
      },
      '/favicon.ico': { pages: [page], favicon: { headers: { 'content-type': 'image/x-icon' } } },
    },
  },
  'feed-missing': {
    without: article(''),
    planted: {
      'feed links of articles': article('<link rel="alternate" type="application/rss+xml" href="/feed.xml">'),
    },
  },
  'frame-protection': {
    without: page,
    planted: {
      'X-Frame-Options': withHeader('x-frame-options', 'SAMEORIGIN'),
      'frame-ancestors of the policy': withHeader('content-security-policy', "frame-ancestors 'none'"),
    },
  },
  'hsts-missing': {
    without: page,
    planted: { 'response header': withHeader('strict-transport-security', 'max-age=63072000') },
  },
  'llms-txt-missing': { without: page, planted: { '/llms.txt': { pages: [page], llmsTxt: '# Tea' } } },
  'localbusiness-schema': {
    without: visit(''),
    planted: {
      'JSON-LD of the home page': visit(ld(CAFE)),
      'JSON-LD of other pages': { pages: [visit(''), { url: '/visit', html: head(ld(CAFE)) }] },
      'nodes in a @graph': visit(ld(graph(WEBSITE, CAFE))),
      'nested nodes': visit(ld({ ...WEBSITE, publisher: CAFE })),
      microdata: visit(
        '<div itemscope itemtype="https://schema.org/CafeOrCoffeeShop"><p itemprop="name">Tea house</p><a itemprop="url" href="/">x</a><p itemprop="telephone">1</p><p itemprop="openingHours">Mo</p><p itemprop="address">1 Tea Street</p><p itemprop="geo">1</p></div>',
      ),
    },
  },
  'manifest-invalid': {
    without: page,
    planted: {
      'manifest link': {
        pages: [sized('<link rel="manifest" href="/app.webmanifest">')],
        fileChecks: [
          {
            url: '/app.webmanifest',
            kind: 'manifest',
            text: JSON.stringify({
              name: 'Tea',
              start_url: '/',
              display: 'standalone',
              icons: [192, 512].map((size) => ({ src: `/${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
            }),
          },
        ],
      },
    },
  },
  'nosniff-missing': {
    without: page,
    planted: { 'response header': withHeader('x-content-type-options', 'nosniff') },
  },
  'organization-incomplete': {
    without: page,
    planted: {
      'JSON-LD': head(ld(ORG)),
      'nodes in a @graph': head(ld(graph(WEBSITE, ORG))),
      'publisher of the site': head(ld({ ...WEBSITE, publisher: ORG })),
      microdata: microdata(
        'Organization',
        '<p itemprop="name">Tea</p><a itemprop="url" href="/">x</a><img itemprop="logo" src="/l.png" alt=""><a itemprop="sameAs" href="https://github.com/tea">x</a>',
      ),
      'a person who runs it': head(ld({ '@type': 'Person', name: 'Anna', url: 'https://example.com/' })),
    },
  },
  'robots-missing': {
    without: { pages: [page], robots: { status: 404 } },
    planted: { '/robots.txt': { pages: [page], robots: 'User-agent: *\nDisallow:' } },
  },
  'robots-no-sitemap': {
    without: { pages: [page], robots: 'User-agent: *\nDisallow:', sitemaps: [{ locs: ['/'] }] },
    planted: {
      'lines of robots.txt': {
        pages: [page],
        robots: 'User-agent: *\nDisallow:\nSitemap: https://example.com/sitemap.xml',
        sitemaps: [{ locs: ['/'] }],
      },
    },
  },
  'search-console-missing': {
    without: page,
    planted: Object.fromEntries(
      [
        ['Google', 'google-site-verification'],
        ['Bing', 'msvalidate.01'],
        ['Yandex', 'yandex-verification'],
        ['Baidu', 'baidu-site-verification'],
        ['Naver', 'naver-site-verification'],
      ].map(([engine, name]) => [`meta tags of ${engine}`, sized(`<meta name="${name}" content="x">`)]),
    ),
  },
  'sitemap-missing': {
    without: page,
    planted: {
      'robots.txt': {
        pages: [page],
        robots: 'User-agent: *\nDisallow:\nSitemap: https://example.com/maps/all.xml',
        sitemaps: [{ url: 'https://example.com/maps/all.xml', from: 'robots', locs: ['/'] }],
      },
      '/sitemap.xml': answeringSitemap('/sitemap.xml'),
      '/sitemap_index.xml': answeringSitemap('/sitemap_index.xml'),
      '/sitemap-index.xml': answeringSitemap('/sitemap-index.xml'),
    },
  },
  'social-profiles-missing': {
    without: page,
    planted: {
      links: body(`<main>${LONG}<a href="https://www.instagram.com/tea">Instagram</a></main>`),
      sameAs: head(ld(ORG)),
      'sameAs in a @graph': head(ld(graph(WEBSITE, ORG))),
    },
  },
  'website-schema': {
    without: page,
    planted: {
      'JSON-LD': head(ld(WEBSITE)),
      'nodes in a @graph': head(ld(graph(ORG, WEBSITE))),
      microdata: microdata('WebSite', '<p itemprop="name">Tea</p><a itemprop="url" href="https://example.com/">x</a>'),
    },
  },
};

/** About the address of the site itself: there is nowhere to look. */
const OF_THE_ADDRESS = ['https-missing'];

test('every check that denies something says where it looked', () => {
  const named = CHECKS.filter(({ looksIn }) => looksIn !== undefined);
  expect(named.map(({ id }) => id).sort()).toEqual(Object.keys(DENIALS).sort());
  const denying = CHECKS.filter(({ id, scope }) => scope === 'site' && id.endsWith('-missing')).map(({ id }) => id);
  expect(denying.length).toBeGreaterThan(10);
  expect(denying.filter((id) => !(id in DENIALS))).toEqual(OF_THE_ADDRESS);
});

describe.each(Object.entries(DENIALS))('%s', (id, { without, planted }) => {
  const check = CHECKS.find((each) => each.id === id);
  const found = (site: Site): readonly string[] =>
    runChecks(givenSite(site), check === undefined ? [] : [check]).findings.map(({ message }) => message);

  test('finds none where there is none', () => {
    expect(found(without)).not.toEqual([]);
  });

  test('has each of its places tried', () => {
    expect(Object.keys(planted)).toEqual(check?.looksIn);
  });

  test.each(Object.entries(planted))('looks in: %s', (_, site) => {
    expect(found(site)).toEqual([]);
  });
});
