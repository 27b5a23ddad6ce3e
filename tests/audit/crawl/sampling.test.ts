/** Sites far larger than the budget: the sample is fair, and the omissions are reported. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv, type TestEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Audited = {
  readonly crawl: Crawl;
  readonly site: TestSite;
  readonly env: TestEnv;
  readonly paths: readonly string[];
};

async function crawled(pages: Record<string, TestPage>, options: Partial<CrawlOptions> = {}): Promise<Audited> {
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const discovery = await discover(`${site.origin}/`, env);
  const crawl = await crawlSite(
    discovery,
    { maxPages: 60, maxMs: 600_000, maxBytes: 1e9, concurrency: 4, maxLinkChecks: 0, ...options },
    env,
  );
  return { crawl, site, env, paths: crawl.pages.map((page) => page.url.replace(site.origin, '')) };
}

const many = (count: number, path: (each: number) => string): string[] =>
  Array.from({ length: count }, (_, each) => path(each));
const html = (body: string): TestPage => ({ body });
const sitemap =
  (paths: readonly string[]): TestPage =>
  (request, response) => {
    response.setHeader('content-type', 'application/xml');
    const locs = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`);
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`);
  };

describe('ten thousand pages of one kind', () => {
  const products = many(10_000, (each) => `/product/${each}`);
  const sections = many(8, (each) => `/${'abcdefgh'[each]}-section`);
  const articles = sections.flatMap((section) => many(20, (each) => `${section}/article-${each}`));
  const pages: Record<string, TestPage> = {
    '/': html(htmlPage('home', ...products.slice(0, 500), ...sections)),
    ...Object.fromEntries(
      sections.map((section) => [
        section,
        html(htmlPage(section, ...articles.filter((path) => path.startsWith(`${section}/`)))),
      ]),
    ),
    '/sitemap.xml': sitemap([...products, '/about', '/contact']),
    '*': htmlPage('x', '/', ...sections),
  };

  test('do not crowd out the rest: every section, every kind of page and both single ones are among sixty', async () => {
    const { paths, crawl } = await crawled(pages);
    expect(paths).toHaveLength(60);
    expect(paths).toEqual(expect.arrayContaining(['/', '/about', '/contact', ...sections]));
    const kinds = (start: string): number => paths.filter((path) => path.startsWith(start)).length;
    for (const section of sections) expect(kinds(`${section}/`)).toBeGreaterThanOrEqual(3);
    expect(kinds('/product/')).toBeGreaterThanOrEqual(3);
    expect(kinds('/product/')).toBeLessThanOrEqual(10);
    expect(crawl.coverage).toMatchObject({ stop: 'page_budget', traps: [] });
    expect(crawl.coverage.notFetched).toBe(1 + 10_000 + 8 + 160 + 2 - 60);
  });

  test.each<[string, (each: number) => string, articles: number]>([
    ['at the top of the site', (each) => `/tea${each}`, 16],
    ['below ten thousand names', (each) => `/maker${each}/tea`, 0],
    ['with ten thousand parameters', (each) => `/tea?kind${each}=1`, 16],
  ])('%s do not either: pages linked everywhere come before pages linked once', async (_what, path, fewest) => {
    const shop = html(htmlPage('home', ...many(900, path), ...sections));
    const { paths } = await crawled(
      { ...pages, '/': shop, '/sitemap.xml': sitemap(many(10_000, path)) },
      { maxPages: 120 },
    );
    expect(paths).toEqual(expect.arrayContaining(sections));
    expect(paths.filter((each) => /^\/[a-h]-section\//.test(each)).length).toBeGreaterThanOrEqual(fewest);
  });
});

describe('addresses of one page', () => {
  test('a parameter that the pages declare irrelevant is fetched a few times, then omitted and reported', async () => {
    const sorted = many(400, (each) => `/shop/teas?sort=${each}`);
    const list: TestPage = html(
      `<!doctype html><title>teas</title><link rel="canonical" href="/shop/teas">${htmlPage('teas', ...sorted)}`,
    );
    const { paths, crawl } = await crawled(
      { '/': htmlPage('home', '/shop/teas', '/about'), '/shop/teas': list, '*': htmlPage('x') },
      { maxPages: 200 },
    );
    const asked = paths.filter((path) => path.startsWith('/shop/teas?'));
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked.length).toBeLessThanOrEqual(12);
    expect(crawl.coverage.stop).toBe('complete');
    expect(crawl.coverage.copies).toMatchObject([{ count: 400 - asked.length }]);
  });

  test('sessions of a crawler without cookies end', async () => {
    let visits = 0;
    const page: TestPage = (_request, response) => {
      visits++;
      const session = `${visits}abcdef0123456789abcdef`;
      response
        .setHeader('content-type', 'text/html')
        .end(htmlPage('x', ...many(30, (each) => `/page${each}?visit=${session}`)));
    };
    const { paths, crawl } = await crawled({ '/': page, '*': page }, { maxPages: 500, concurrency: 1 });
    expect(crawl.coverage.stop).toBe('complete');
    expect(new Set(paths.map((path) => path.split('?')[0])).size).toBe(31);
    expect(paths.length).toBeLessThan(120);
    expect(crawl.coverage.copies?.length).toBeGreaterThan(0);
  });

  test.each<[string, (path: string) => string[]]>([
    ['paths that grow', (path) => [`${path === '/' ? '' : path}/more`]],
    ['paths that grow by turns', (path) => [`${path === '/' ? '' : path}/left/right`]],
    ['paths that grow by new names', (path) => [`${path === '/' ? '' : path}/n${path.length}`]],
    ['parameters that grow', (path) => [`${path}${path.includes('?') ? '&' : '?'}f${path.length}=1`]],
    ['values that grow', (path) => [`/?q=${'x'.repeat(path.length * 2)}`]],
    ['pages that count', (path) => [`/list?page=${Number(path.split('=')[1] ?? 0) + 1}`]],
    [
      'days that go on',
      (path) => [
        `/calendar/${2026 + Math.floor(path.length / 40)}/${(Number(path.split('/')[3] ?? 0) % 12) + 1}/${(Number(path.split('/')[4] ?? 0) % 28) + 1}`,
      ],
    ],
    [
      'months that go on',
      (path) => [
        `/calendar?month=${new Date(Date.parse(`${path.split('=')[1] ?? '2026-03'}-15`) + 30 * 86_400_000).toISOString().slice(0, 7)}`,
      ],
    ],
    [
      'filters upon filters',
      (path) => many(6, (each) => `/shop?colour=${each}&size=${path.length % 7}&price=${(path.length * each) % 90}`),
    ],
  ])('%s end, and are reported', async (_what, next) => {
    const page: TestPage = (request, response) =>
      void response
        .setHeader('content-type', 'text/html')
        .end(htmlPage('x', ...next(request.url ?? '/').map((path) => path.replaceAll('&', '&amp;'))));
    const { crawl } = await crawled({ '/robots.txt': '', '/': page, '*': page }, { maxPages: 2000 });
    expect(crawl.coverage.stop).toBe('complete');
    expect(crawl.pages.length).toBeLessThan(150);
  });
});

describe('the pace', () => {
  test('a crawl delay is reported as requested and as kept', async () => {
    const { crawl, env } = await crawled({
      '/robots.txt': 'User-agent: *\nCrawl-delay: 60',
      '/': htmlPage('home', '/a'),
      '*': htmlPage('x'),
    });
    expect(crawl.coverage.crawlDelay).toEqual({ asked: 60, kept: 5 });
    expect(env.slept).toEqual([5000]);
    expect((await crawled({ '/': htmlPage('home') })).crawl.coverage.crawlDelay).toBeUndefined();
  });

  test('requests to a struggling server slow down, and recover once it answers', async () => {
    let asked = 0;
    const page: TestPage = (request, response) => {
      if (request.url?.startsWith('/p/')) asked++;
      if (asked > 0 && asked <= 9) response.writeHead(500).end();
      else response.setHeader('content-type', 'text/html').end(htmlPage('x'));
    };
    const { env } = await crawled(
      { '/': htmlPage('home', ...many(15, (each) => `/p/${each}`)), '/robots.txt': '', '*': page },
      { concurrency: 1 },
    );
    const rests = env.slept.filter((ms) => ms > 0);
    expect(rests.length).toBeGreaterThanOrEqual(3);
    expect(rests).toEqual(rests.map((_, index) => Math.min(500 * 2 ** index, 10_000)));
  });

  test('missing pages do not slow it down', async () => {
    const { env } = await crawled({ '/': htmlPage('home', ...many(15, (each) => `/p/${each}`)), '/robots.txt': '' });
    expect(env.slept).toEqual([]);
  });

  test('forbidden addresses are skipped in batches, so that the clock is checked', async () => {
    const { crawl } = await crawled({
      '/robots.txt': 'User-agent: *\nDisallow: /p/',
      '/': htmlPage('home', ...many(1000, (each) => `/p/${each}`), '/open'),
      '*': htmlPage('x'),
    });
    expect(crawl.pages.filter((page) => page.robotsBlocked)).toHaveLength(300);
    expect(crawl.coverage).toMatchObject({ stop: 'complete', notFetched: 0, forbidden: 1000 });
  });
});
