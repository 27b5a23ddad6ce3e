import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { keptOut } from '../../../src/audit/checks/lookups/keptOut.ts';
import { roleOf } from '../../../src/audit/checks/lookups/roles.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { scoreSite } from '../../../src/audit/score.ts';
import { type GivenPage, type GivenSite, givenSite, SITE, words } from '../../given/audit/page.ts';

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
