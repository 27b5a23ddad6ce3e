import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { keptOut } from '../../../src/audit/checks/lookups/keptOut.ts';
import { isMeantForSearch, isNotForSearch, roleOf } from '../../../src/audit/checks/lookups/roles.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { scoreSite } from '../../../src/audit/score.ts';
import { type GivenPage, type GivenSite, givenSite, SITE, words } from '../../given/audit/page.ts';
import { ROLE_ADDRESSES } from './roleAddresses.ts';

const NOINDEX = '<meta name="robots" content="noindex, follow">';
const html = (head = '', main = '') =>
  `<!doctype html><html lang="en"><head><title>Tea</title>${head}</head><body><main><h1>Tea</h1><p>${words(120)}</p>${main}</main></body></html>`;
const start: GivenPage = { url: '/', html: html() };
/** One page of a site, beside its start page. */
function siteWith(page: GivenPage, more: GivenSite = {}): Crawl {
  return givenSite({ ...more, pages: [{ ...start, ...(more.pages?.[0] as GivenPage | undefined) }, page] });
}
const role = (page: GivenPage, more?: GivenSite) => {
  const site = siteWith(page, more);
  return roleOf(site.pages[1]!, site);
};
const kept = (page: GivenPage, more?: GivenSite) => {
  const site = siteWith(page, more);
  return keptOut(site.pages[1]!, site);
};

describe('the role of a page', () => {
  it.each([
    ['/about', 'content'],
    ['/searching-for-tea', 'content'],
    ['/2024/05/how-to-brew', 'content'],
    ['/p/12345', 'content'],
    ['/?p=12', 'content'],
    ['/?page=1', 'content'],
    ['/teas?utm_source=mail', 'content'],
    ['/cart', 'account'],
    ['/de/mein-konto.php', 'account'],
    ['/?add-to-cart=7', 'account'],
    ['/search/tea', 'search'],
    ['/?s=tea', 'search'],
    ['/privacy-policy/', 'legal'],
    ['/impressum.html', 'legal'],
    ['/tag/green/', 'archive'],
    ['/author/ann', 'archive'],
    ['/2024', 'archive'],
    ['/blog/2024/05/', 'archive'],
    ['/blog/page/2/', 'list-page'],
    ['/teas?page=3', 'list-page'],
    ['/teas?p=2', 'list-page'],
    ['/teas?color=green', 'variant'],
    ['/teas?sort=price&page=2', 'variant'],
    ['/how-to-brew/amp', 'twin'],
    ['/how-to-brew/print.html', 'twin'],
  ])('at %s is %s', (url, expected) => {
    expect(role({ url, html: html() })).toMatchObject({ role: expected });
  });

  it.each(Object.entries(ROLE_ADDRESSES).flatMap(([is, urls]) => urls.map((url) => [is, url] as const)))(
    'is %s at %s',
    (expected, url) => {
      const found = role({ url, html: html() });
      expect(found.role).toBe(expected);
      if (expected !== 'content') expect(found.signals.length).toBeGreaterThan(0);
    },
  );

  it('is told by what answers there', () => {
    expect(roleOf(siteWith(start).pages[0]!, siteWith(start))).toEqual({ role: 'start', signals: [] });
    expect(role({ url: '/gone', status: 410 })).toEqual({ role: 'error', signals: ['it answers 410'] });
    expect(role({ url: '/list.pdf', headers: { 'content-type': 'application/pdf' } })).toMatchObject({ role: 'asset' });
    expect(role({ url: '/boards/oak', html: html('<meta property="og:type" content="product">') })).toMatchObject({
      role: 'product',
    });
    const links = Array.from({ length: 40 }, (_, nth) => `<a href="/teas/${nth}">a green tea from the hills</a>`).join(
      ' ',
    );
    expect(role({ url: '/teas', html: `<title>Teas</title><main><h1>Teas</h1>${links}</main>` })).toMatchObject({
      role: 'list',
    });
  });

  it('is that of a variant where its canonical, or robots.txt, says so', () => {
    const canonical = `<link rel="canonical" href="${SITE}/boards/">`;
    expect(role({ url: '/boards/?wood=oak', html: html(canonical) })).toEqual({
      role: 'variant',
      signals: ['its canonical is its address without parameters'],
    });
    expect(
      role({ url: '/boards/?wood=oak', robotsBlocked: true }, { robots: 'User-agent: *\nDisallow: /*?wood=' }),
    ).toEqual({ role: 'variant', signals: ['robots.txt has the rule "Disallow: /*?wood=" for its parameters'] });
    expect(role({ url: '/boards/?wood=oak', html: html() })).toMatchObject({ role: 'content' });
  });
});

describe('a word of the address', () => {
  const self = (url: string) => `<link rel="canonical" href="${SITE + url}">`;
  const long = `<p>${words(300)}</p>`;

  it('does not count against a long text that the sitemap lists', () => {
    const sitemaps = [{ locs: [`${SITE}/account`, `${SITE}/search`, `${SITE}/tag/green/`] }];
    for (const url of ['/account', '/search']) {
      expect(role({ url, html: html(self(url), long) }, { sitemaps }), url).toMatchObject({ role: 'content' });
      expect(role({ url, html: html(self(url)) }, { sitemaps }), url).not.toMatchObject({ role: 'content' });
      expect(role({ url, html: html(self(url), long) }), url).not.toMatchObject({ role: 'content' });
      const form = '<form><input type="password"></form>';
      expect(role({ url, html: html(self(url), long + form) }, { sitemaps })).not.toMatchObject({ role: 'content' });
    }
    // Plugins list archives, too.
    expect(role({ url: '/tag/green/', html: html(self('/tag/green/'), long) }, { sitemaps })).toMatchObject({
      role: 'archive',
    });
  });

  it('counts below a folder of texts if the page has no text', () => {
    const empty = '<title>Search</title><main><h1>Search</h1></main>';
    expect(role({ url: '/docs/search', html: empty })).toMatchObject({ role: 'search' });
    expect(role({ url: '/blog/login', html: `${empty}<input type="password">` })).toMatchObject({ role: 'account' });
    expect(role({ url: '/recherche', html: empty })).toMatchObject({ role: 'search' });
    expect(role({ url: '/recherche', html: html(NOINDEX) })).toMatchObject({ role: 'search' });
    expect(role({ url: '/docs/search', robotsBlocked: true })).toMatchObject({ role: 'search' });
  });

  it('gives way to goods, and to the text of a print shop', () => {
    const product = '<meta property="og:type" content="product">';
    expect(role({ url: '/tags/blue-luggage-tag', html: html(product) })).toMatchObject({ role: 'product' });
    expect(role({ url: '/cookies', html: html(product) })).toMatchObject({ role: 'product' });
    expect(role({ url: '/cards/thank-you', html: html(product) })).toMatchObject({ role: 'product' });
    const offset = { url: '/offset/print', html: html('', '<p>Offset.') };
    const parent = { url: '/offset', html: html('').replace('<title>Tea', '<title>Offset machines') };
    const shop = givenSite({ pages: [start, offset, parent] });
    expect(roleOf(shop.pages[1]!, shop)).toMatchObject({ role: 'content' });
    expect(role({ url: '/offset/print', html: html(self('/offset/print')) })).toMatchObject({ role: 'content' });
    expect(role({ url: '/offset/print', html: html(self('/offset')) })).toMatchObject({ role: 'twin' });
  });
});

describe('a list', () => {
  const links = Array.from({ length: 40 }, (_, nth) => `<a href="/x/${nth}">a green tea from the hills</a>`).join(' ');
  const listed = (head = '') => `<title>Teas</title>${head}<main><h1>Teas</h1>${links}</main>`;

  it('has later pages by a bare number, and filters by path', () => {
    const site = givenSite({
      pages: [
        start,
        { url: '/stories', html: listed() },
        { url: '/stories/2', html: listed() },
        { url: '/stories/red', html: listed(`<link rel="canonical" href="${SITE}/stories">`) },
        { url: '/stories/other', html: html(`<link rel="canonical" href="${SITE}/stories">`) },
      ],
    });
    expect(site.pages.map((page) => roleOf(page, site).role)).toEqual([
      'start',
      'list',
      'list-page',
      'variant',
      'content',
    ]);
  });

  it.each([
    ['CollectionPage', 'list'],
    ['ItemList', 'list'],
    ['BlogPosting', 'content'],
    ['ContactPage', 'content'],
    ['ProfilePage', 'content'],
    ['Product', 'product'],
    ['SearchResultsPage', 'search'],
    ['CheckoutPage', 'account'],
  ])('and other pages are told by structured data: %s is %s', (type, expected) => {
    const data = `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},{"@type":"${type}","name":"X"}]}</script>`;
    expect(role({ url: '/x', html: html(data) })).toMatchObject({ role: expected });
  });

  it('is not made by what a text contains', () => {
    const data = '<script type="application/ld+json">{"@type":"Article","hasPart":{"@type":"ItemList"}}</script>';
    expect(role({ url: '/x', html: html(data) })).toEqual({ role: 'content', signals: ['it calls itself Article'] });
  });
});

describe('the class of the body', () => {
  it.each([
    ['archive tag tag-green tag-7 logged-out', 'archive'],
    ['archive author author-ann', 'archive'],
    ['archive date', 'archive'],
    ['archive category category-teas', 'list'],
    ['archive paged tag paged-2', 'list-page'],
    ['search search-results', 'search'],
    ['single single-post postid-7', 'content'],
    ['tag', 'content'],
    ['page woocommerce-checkout', 'account'],
    ['woocommerce tax-product_tag', 'archive'],
    ['template-cart', 'account'],
    ['template-search', 'search'],
    ['template-product', 'content'],
    ['customer-account-login page-layout-1column', 'account'],
    ['catalogsearch-result-index', 'search'],
    ['is-ctl-checkout is-act-cartpage', 'account'],
    ['is-ctl-navigation', 'content'],
    ['attachment single', 'asset'],
  ])('"%s" is that of %s', (classes, expected) => {
    const text = html().replace('<body>', `<body class="${classes}">`);
    expect(role({ url: '/thema/gruen', html: text })).toMatchObject({ role: expected });
  });
});

describe('what other pages declare', () => {
  const declaring = (head: string): GivenSite => ({ pages: [{ html: html(head) }] });

  it('makes a page a twin, whatever its address says', () => {
    const amp = declaring(`<link rel="amphtml" href="${SITE}/quick/tea">`);
    expect(role({ url: '/quick/tea', html: html() }, amp)).toEqual({
      role: 'twin',
      signals: [`${SITE}/ declares it as its AMP version`],
    });
    const mobile = declaring(`<link rel="alternate" media="only screen and (max-width: 640px)" href="/m/tea">`);
    expect(role({ url: '/m/tea', html: html() }, mobile)).toMatchObject({ role: 'twin' });
    const print = declaring(`<link rel="alternate" media="print" href="/paper/tea">`);
    expect(role({ url: '/paper/tea', html: html() }, print).signals[0]).toContain('its print version');
    const header: GivenSite = { pages: [{ headers: { link: `<${SITE}/quick/tea>; rel="amphtml"` }, html: html() }] };
    expect(role({ url: '/quick/tea', html: html() }, header)).toMatchObject({ role: 'twin' });
  });

  it('does not make one of a stylesheet, a feed, or the page itself', () => {
    const nothing = declaring(
      '<link rel="alternate stylesheet" media="print" href="/tea"><link rel="alternate" type="application/rss+xml" href="/tea">',
    );
    expect(role({ url: '/tea', html: html() }, nothing)).toMatchObject({ role: 'content' });
    expect(role({ url: '/tea', html: html(`<link rel="amphtml" href="${SITE}/tea">`) })).toMatchObject({
      role: 'content',
    });
  });

  const alternates = (...versions: [string, string][]) =>
    versions.map(([lang, path]) => `<link rel="alternate" hreflang="${lang}" href="${SITE}${path}">`).join('');
  const SET = alternates(['en', '/'], ['de', '/de/'], ['fr', '/?lang=fr'], ['x-default', '/']);

  it('makes content in another language its language variant, which is meant for search', () => {
    const site = givenSite({
      pages: [{ html: html(SET) }, { url: '/de/', html: html(SET) }, { url: '/?lang=fr', html: html(SET) }, '<p>x'],
    });
    const [first, de, fr] = site.pages as [Crawl['pages'][0], Crawl['pages'][0], Crawl['pages'][0]];
    expect(roleOf(first, site).role).toBe('start');
    expect(roleOf(de, site)).toEqual({
      role: 'language-variant',
      of: 'content',
      signals: [`${SITE}/ names it as its de version`],
    });
    expect(roleOf(fr, site).role).toBe('language-variant');
    for (const page of [first, de, fr]) {
      expect(isMeantForSearch(page, site)).toBe(true);
      expect(isNotForSearch(page, site)).toBe(false);
    }
  });

  it('leaves pages of the same language, carts, and filters what they are', () => {
    const set = alternates(
      ['en-US', '/'],
      ['en-GB', '/uk/'],
      ['de', '/de/cart'],
      ['fr', '/fr/teas?color=green'],
      ['en-US', '/us'],
    );
    const of = (url: string) => role({ url, html: html() }, declaring(set)).role;
    expect(of('/uk/')).toBe('language-variant');
    expect(of('/us')).toBe('content');
    expect(of('/de/cart')).toBe('account');
    expect(of('/fr/teas?color=green')).toBe('variant');
  });

  it('is believed of parameters for languages alone', () => {
    const plain = `<link rel="canonical" href="${SITE}/teas">`;
    const set = declaring(alternates(['en', '/'], ['fr', '/teas?lang=fr'], ['de', '/teas?src=de']));
    expect(role({ url: '/teas?lang=fr', html: html(plain) }, set)).toMatchObject({ role: 'language-variant' });
    expect(role({ url: '/teas?src=de', html: html(plain) }, set)).toMatchObject({ role: 'variant' });
  });
});

describe('a canonical', () => {
  const naming = (path: string) => html(`<link rel="canonical" href="${SITE}${path}">`);

  it('with fewer parameters, or of another release, makes a copy', () => {
    expect(role({ url: '/viewtopic.php?t=7&from=mail', html: naming('/viewtopic.php?t=7') })).toMatchObject({
      role: 'variant',
    });
    expect(role({ url: '/viewtopic.php?t=7', html: naming('/viewtopic.php?t=8') })).toMatchObject({ role: 'content' });
    expect(role({ url: '/docs/1.9/install', html: naming('/docs/stable/install') })).toMatchObject({ role: 'twin' });
    expect(role({ url: '/docs/v2/install', html: naming('/docs/v3/other') })).toMatchObject({ role: 'content' });
    expect(role({ url: '/boards/12', html: naming('/boards/13') })).toMatchObject({ role: 'content' });
    expect(role({ url: '/tea', html: naming('/coffee') })).toMatchObject({ role: 'content' });
    expect(role({ url: '/amp/tea', html: naming('/tea') })).toMatchObject({ role: 'twin' });
    expect(role({ url: '/tea/embed', html: naming('/tea') })).toMatchObject({ role: 'twin' });
    expect(role({ url: '/m/tea', html: naming('/tea') })).toMatchObject({ role: 'twin' });
    expect(role({ url: '/m/tea', html: naming('/m/tea') })).toMatchObject({ role: 'content' });
  });

  it('or another directive shows that a folder is for members, or for filters', () => {
    for (const [url, is] of [
      ['/members/ann.12/', 'archive'],
      ['/u/ann', 'archive'],
      ['/filter/color-brown', 'variant'],
      ['/members', 'archive'],
    ] as const) {
      expect(role({ url, html: html() }), url).toMatchObject({ role: 'content' });
      expect(role({ url, html: html(NOINDEX) }), url).toMatchObject({ role: is });
      expect(role({ url, robotsBlocked: true }), url).toMatchObject({ role: is });
    }
    expect(role({ url: '/members/benefits', html: html(NOINDEX, `<p>${words(300)}</p>`) })).toMatchObject({
      role: 'content',
    });
  });
});

describe('the host', () => {
  it.each([
    ['https://staging.example.com', 'staging'],
    ['https://staging2.example.com', 'staging'],
    ['https://shop-staging.example.co.uk', 'staging'],
    ['https://dev.example.com', 'staging'],
    ['https://shop-dev.example.com', 'staging'],
    ['https://test.example.com', 'staging'],
    ['https://preview.example.com', 'staging'],
    ['https://www.uat.example.com', 'staging'],
    ['https://shop-staging.herokuapp.com', 'staging'],
    ['https://deploy-preview-12--tea.netlify.app', 'staging'],
    ['https://www.example.com', 'content'],
    ['https://dev.to', 'content'],
    ['https://test.de', 'content'],
    ['https://www.test.de', 'content'],
    ['https://developer.example.com', 'content'],
    ['https://speed-test.example.com', 'content'],
    ['https://testimonials.example.com', 'content'],
    ['https://backstage.example.com', 'content'],
    ['http://localhost:8080', 'content'],
    ['http://127.0.0.1:8080', 'content'],
  ])('%s makes pages %s', (origin, expected) => {
    const site = givenSite({ origin, pages: [start, { url: '/tea', html: html() }, { url: '/cart', html: html() }] });
    expect(site.pages.map((page) => roleOf(page, site).role)).toEqual(['start', expected, 'account']);
    expect(site.pages.map((page) => isMeantForSearch(page, site))).toEqual([true, true, false]);
  });

  it('of a staging site does not make its noindex right: the site cannot be found as it is', () => {
    const origin = 'https://staging.example.com';
    const site = givenSite({
      origin,
      pages: [start, { url: '/tea', html: html(NOINDEX) }, { url: '/tag/a/', html: html(NOINDEX) }],
    });
    expect(keptOut(site.pages[1]!, site)).toEqual({ verdict: 'fault', but: '' });
    expect(keptOut(site.pages[2]!, site)).toMatchObject({ verdict: 'intended' });
  });

  it('of developers who want to be found is no staging host', () => {
    const origin = 'https://dev.example.com';
    const pages = [start, { url: '/tea', html: html() }];
    const listed = givenSite({ origin, pages, sitemaps: [{ locs: [`${origin}/`] }] });
    expect(roleOf(listed.pages[1]!, listed)).toMatchObject({ role: 'content' });
    const hidden = givenSite({
      origin,
      pages: [{ html: html(NOINDEX) }, pages[1]!],
      sitemaps: [{ locs: [`${origin}/`] }],
    });
    expect(roleOf(hidden.pages[1]!, hidden)).toMatchObject({ role: 'staging', of: 'content' });
  });
});

describe('a page without HTML', () => {
  it('is an error, a file, or content that could not be read', () => {
    expect(role({ url: '/slow', failure: 'timeout' })).toEqual({ role: 'error', signals: ['it does not answer'] });
    expect(role({ url: '/cart', status: 503 })).toMatchObject({ role: 'error' });
    expect(role({ url: '/a', headers: { 'content-type': 'image/png' } })).toMatchObject({ role: 'asset' });
    expect(role({ url: '/unparsed' })).toMatchObject({ role: 'content' });
    expect(role({ url: '/secret', robotsBlocked: true })).toMatchObject({ role: 'content' });
  });

  it('is not meant for search if it redirects', () => {
    const moved: GivenPage = {
      url: '/old',
      hops: [{ url: `${SITE}/old`, status: 301, location: '/new' }],
      finalUrl: `${SITE}/new`,
    };
    const site = siteWith(moved);
    expect(isMeantForSearch(site.pages[1]!, site)).toBe(false);
  });
});

describe('a hostile address', () => {
  it.each([
    `/${'tag/'.repeat(900)}`,
    `/${'-'.repeat(3000)}`,
    `/${'%C3%A4'.repeat(600)}`,
    `/${'%'.repeat(1500)}`,
    `/?${Array.from({ length: 900 }, (_, n) => `p${n}=1`).join('&')}`,
    `/x?route=${'/'.repeat(3000)}`,
  ])('takes little time', (url) => {
    const site = siteWith({ url, html: html() });
    const began = performance.now();
    roleOf(site.pages[1]!, site);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('a page that is kept out of search', () => {
  const noindexed = (url: string, head = ''): GivenPage => ({ url, html: html(NOINDEX + head) });
  const intended = (of: string) => ({
    verdict: 'intended',
    note: `Kept out of search. Intended? It looks like ${of}.`,
  });

  it('is expected, or intended, by what it is', () => {
    expect(kept(noindexed('/cart'))).toEqual({ verdict: 'expected' });
    expect(kept(noindexed('/tag/green/'))).toEqual(intended('an archive by tag, author or date'));
    expect(kept(noindexed('/teas?page=2'))).toEqual(intended('a later page of a list'));
    expect(kept(noindexed('/privacy'))).toEqual(intended('a legal page'));
  });

  it('is a fault if it has content, for which the directive is no reason', () => {
    expect(kept(noindexed('/about'))).toEqual({ verdict: 'fault', but: '' });
  });

  it('is intended if it is a copy of the page that it names as canonical', () => {
    const site = givenSite({
      pages: [start, { url: '/tea', html: html() }, noindexed('/tea-2', `<link rel="canonical" href="${SITE}/tea">`)],
    });
    expect(keptOut(site.pages[2]!, site)).toMatchObject({ verdict: 'intended' });
    const other = noindexed('/x', `<link rel="canonical" href="${SITE}/tea">`);
    const differing = givenSite({
      pages: [start, { url: '/tea', html: html('', `<p>${words(150, 'other')}`) }, other],
    });
    expect(keptOut(differing.pages[2]!, differing)).toEqual({ verdict: 'fault', but: '' });
  });

  it('is a fault if the site says otherwise, and both signals are named', () => {
    const sitemaps = [{ locs: [`${SITE}/tag/green/`, `${SITE}/about`] }];
    const pages = [{ html: html('', '<nav><a href="/about">About</a> <a href="/tag/green/">Green</a></nav>') }];
    expect(kept(noindexed('/tag/green/'), { sitemaps })).toEqual({
      verdict: 'fault',
      but: ', although the sitemap lists it',
    });
    expect(kept(noindexed('/about'), { sitemaps, pages })).toEqual({
      verdict: 'fault',
      but: ', although the sitemap lists it and the navigation leads to it',
    });
    expect(
      kept(noindexed('/privacy'), { pages: [{ html: html('', '<nav><a href="/privacy">Privacy</a></nav>') }] }),
    ).toEqual(intended('a legal page'));
  });
});

describe('the score of a site that keeps pages out on purpose', () => {
  const scored = (given: GivenSite) => {
    const site = givenSite(given);
    const { findings, outcomes } = runChecks(site, CHECKS);
    return { ...scoreSite(site, findings, outcomes), findings };
  };
  const article = (nth: number): GivenPage => ({
    url: `/post-${nth}`,
    html: html('', `<p>Post ${nth}: ${words(150)}</p>`),
  });
  const articles = Array.from({ length: 11 }, (_, nth) => article(nth));
  const archives = [
    '/tag/a/',
    '/tag/b/',
    '/tag/c/',
    '/tag/d/',
    '/author/ann/',
    '/author/bea/',
    '/2024/',
    '/2024/05/',
    '/2024/06/',
    '/page/2/',
    '/page/3/',
    '/tag/a/page/2/',
  ];

  it('is not lowered by the archives of a blog', () => {
    const kept = scored({ pages: [start, ...articles, ...archives.map((url) => ({ url, html: html(NOINDEX) }))] });
    expect(kept.limits.filter(({ reason }) => reason.includes('index'))).toEqual([]);
    expect(kept.findings.filter(({ checkId, hint }) => checkId === 'noindex-meta' && !hint)).toEqual([]);
    expect(kept.findings.filter(({ checkId, hint }) => checkId === 'noindex-meta' && hint)).toHaveLength(12);
    expect(kept.deductions.filter(({ checkId }) => checkId === 'noindex-meta')).toEqual([]);
  });

  it('is not lowered by the filters of a shop', () => {
    const filters = ['/boards/?color=brown', '/boards/?color=black', '/boards/?sort=price'].map((url) => ({
      url,
      robotsBlocked: true,
    }));
    const sizes = { url: '/boards/?size=large', html: html(`${NOINDEX}<link rel="canonical" href="${SITE}/boards/">`) };
    const robots = 'User-agent: *\nDisallow: /*?color=\nDisallow: /*?sort=\n';
    const shop = scored({ robots, pages: [start, { url: '/boards/', html: html() }, sizes, ...filters] });
    expect(shop.limits).toEqual([]);
    const kept = shop.findings.filter(({ checkId }) => ['robots-blocks-page', 'noindex-meta'].includes(checkId));
    expect(kept.map(({ hint }) => hint)).toEqual([true, true, true, true]);
  });

  it('falls if its content is kept out', () => {
    const { limits } = scored({
      pages: [start, ...articles.map(({ url }) => ({ url: url ?? '', html: html(NOINDEX) }))],
    });
    expect(limits.map(({ reason }) => reason)).toEqual(['Search engines may not list 11 of the 12 content pages']);
  });
});
