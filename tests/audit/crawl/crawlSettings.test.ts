/** Crawls of the part of a site that the settings name. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import { createPart } from '../../../src/audit/crawl/frontier/sitePart.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import { htmlPage, startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const OPTIONS: CrawlOptions = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const sitemapOf =
  (...paths: readonly string[]): TestPage =>
  (request, response) => {
    response.setHeader('content-type', 'application/xml');
    const locs = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`);
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`);
  };
const redirectTo =
  (path: string): TestPage =>
  (_, response) => {
    response.writeHead(301, { location: path });
    response.end();
  };

const SHOP: Readonly<Record<string, TestPage>> = {
  '/': htmlPage('home', '/blog/', '/shop/', '/blog'),
  '/blog': htmlPage('blog without a slash'),
  '/blog/': htmlPage('blog', '/blog/tea', '/blog/moved', '/blog/tag/a', '/shop/cup', '/blog/?sort=old'),
  '/blog/?sort=old': htmlPage('sorted'),
  '/blog/tea': htmlPage('tea', '/shop/gone'),
  '/blog/moved': redirectTo('/shop/moved'),
  '/blog/tag/a': htmlPage('tag'),
  '/blog/unlinked': htmlPage('unlinked'),
  '/shop/': htmlPage('shop', '/shop/cup'),
  '/shop/cup': htmlPage('cup', '/blog/from-shop'),
  '/shop/moved': htmlPage('moved'),
  '/sitemap.xml': sitemapOf('/', '/blog/tea', '/blog/unlinked', '/shop/cup'),
};

async function crawled(
  settings: CrawlSettings | undefined,
  { path = '/', pages = SHOP }: { path?: string; pages?: Readonly<Record<string, TestPage>> } = {},
): Promise<{ crawl: Crawl; paths: readonly string[]; asked: readonly string[] }> {
  const site = await startTestSite({ ...pages });
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const discovery = await discover(`${site.origin}${path}`, env);
  const crawl = await crawlSite(discovery, { ...OPTIONS, settings }, env);
  return {
    crawl,
    paths: crawl.pages.map((page) => page.url.replace(site.origin, '')).sort(),
    asked: crawl.linkChecks.map(({ url }) => url.replace(site.origin, '')),
  };
}

describe('the settings of a crawl', () => {
  test('keep it in a folder, besides the address submitted; other addresses are only asked for', async () => {
    const { crawl, paths, asked } = await crawled({ folder: '/blog/' });
    expect(paths).toEqual([
      '/',
      '/blog',
      '/blog/',
      '/blog/?sort=old',
      '/blog/moved',
      '/blog/tag/a',
      '/blog/tea',
      '/blog/unlinked',
    ]);
    // The redirect is an answer of the folder; the page it leads to is not.
    expect(crawl.pages.find(({ url }) => url.endsWith('/blog/moved'))?.facts).toBeNull();
    expect(asked).toEqual(expect.arrayContaining(['/shop/', '/shop/cup', '/shop/gone']));
    expect(crawl.coverage).toMatchObject({ stop: 'complete', notFetched: 0, settings: { folder: '/blog/' } });
  });

  test('may start at the folder’s own page', async () => {
    const { paths } = await crawled({ folder: '/blog/', exclude: ['/blog/tag/', '*?sort='] }, { path: '/blog/' });
    expect(paths).toEqual(['/blog/', '/blog/moved', '/blog/tea', '/blog/unlinked']);
  });

  test('include and exclude by path and query, the start page excepted', async () => {
    expect((await crawled({ include: ['/shop/*', '/blog/$'], exclude: ['*moved'] })).paths).toEqual([
      '/',
      '/blog/',
      '/shop/',
      '/shop/cup',
    ]);
    expect((await crawled({ exclude: ['/'] })).paths).toEqual(['/']);
  });

  test('let it read only what the sitemap lists, and no link be followed', async () => {
    expect((await crawled({ sitemapOnly: true })).paths).toEqual(['/', '/blog/tea', '/blog/unlinked', '/shop/cup']);
    expect((await crawled({ sitemapOnly: true, folder: '/blog/' })).paths).toEqual([
      '/',
      '/blog/tea',
      '/blog/unlinked',
    ]);
    const { '/sitemap.xml': _, ...withoutSitemap } = SHOP;
    expect((await crawled({ sitemapOnly: true }, { pages: withoutSitemap })).paths).toEqual(['/']);
  });

  test('leave everything in if there are none, or only a limit of pages', async () => {
    const all = (await crawled(undefined)).paths;
    expect(all).toContain('/blog/from-shop');
    expect((await crawled({ maxPages: 40 })).paths).toEqual(all);
  });

  test('keep an address that was asked for by its parameter, though it shows what another one shows', async () => {
    const copy: TestPage = (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<html><head><title>${request.url}</title><link rel="canonical" href="/list"></head><body><a href="/list?color=red">red</a> <a href="/list?color=blue">blue</a> <a href="/list?color=green">green</a></body></html>`,
      );
    };
    const pages = { '/': htmlPage('home', '/list?color=red'), '/list': copy, '*': copy };
    const { paths } = await crawled({ include: ['*?color='] }, { pages });
    expect(paths).toEqual(['/', '/list?color=blue', '/list?color=green', '/list?color=red']);
  });
});

describe('an address of the part', () => {
  test.each<[CrawlSettings | undefined, string, boolean]>([
    [undefined, '/x', true],
    [{}, '/', true],
    [{ folder: '/blog/' }, '/blog/a?b=c', true],
    [{ folder: '/blog/' }, '/blog', true],
    [{ folder: '/blog/' }, '/blog?page=2', true],
    [{ folder: '/blog/' }, '/blogger', false],
    [{ folder: '/caf%c3%a9/' }, '/caf%C3%A9/a', true],
    [{ include: ['/café*'] }, '/caf%C3%A9-au-lait', true],
    [{ include: ['/a', '/b$'] }, '/b', true],
    [{ include: ['/a', '/b$'] }, '/bc', false],
    [{ include: ['*.html$'] }, '/a.html?b', false],
    [{ exclude: ['*?sort='] }, '/a?sort=x', false],
    [{ exclude: ['*?sort='] }, '/a?page=2', true],
    [{ folder: '/a/', include: ['*tea*'], exclude: ['*cup*'] }, '/a/tea', true],
    [{ folder: '/a/', include: ['*tea*'], exclude: ['*cup*'] }, '/a/tea-cup', false],
  ])('under %j: %s is %s', (settings, path, expected) => {
    expect(createPart(settings)(`https://example.com${path}`)).toBe(expected);
  });

  test('costs as much time for hostile patterns as its length, times their number', () => {
    const hostile = Array.from({ length: 20 }, (_, each) => `/${'*a'.repeat(90)}*${each}$`);
    const isInPart = createPart({ include: hostile, exclude: hostile });
    const urls = Array.from({ length: 500 }, (_, each) => `https://example.com/${'a'.repeat(2000)}${each}x`);
    const before = performance.now();
    expect(urls.some(isInPart)).toBe(false);
    // With backtracking, one of them would take longer than the universe is old.
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});
