/** Whether an address is a page or a file is decided by its answer. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import { createFileAddresses } from '../../../src/audit/crawl/frontier/fileAddresses.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const OPTIONS: CrawlOptions = { maxPages: 20, maxMs: 600_000, maxBytes: 1e9, concurrency: 4 };
const binary = (type: string): TestPage => ({ body: new Uint8Array(100_000), headers: { 'content-type': type } });

async function crawled(pages: Record<string, TestPage>, options: Partial<CrawlOptions> = {}) {
  const site = await startTestSite({ '/robots.txt': '', '/sitemap.xml': { status: 404 }, ...pages });
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const discovery = await discover(`${site.origin}/`, env);
  site.requests.length = 0;
  const crawl = await crawlSite(discovery, { ...OPTIONS, ...options }, env);
  const paths = crawl.pages.map(({ url }) => url.replace(site.origin, ''));
  return { crawl, paths, requests: site.requests, origin: site.origin };
}

describe('an address that looks like a file', () => {
  test('is a page if it answers with one, and so is what it links to', async () => {
    const { crawl, paths, requests } = await crawled({
      '/': htmlPage('home', '/blog/intro-to-node.js', '/data/report.pdf', '/a.zip'),
      '/blog/intro-to-node.js': htmlPage('node', '/blog/vue.js', '/plain'),
      '/blog/vue.js': htmlPage('vue'),
      '/plain': htmlPage('plain'),
      '/data/report.pdf': binary('application/pdf'),
      '/a.zip': binary('application/zip'),
    });
    expect(paths).toEqual(['/', '/blog/intro-to-node.js', '/blog/vue.js', '/plain']);
    expect(crawl.pages.map(({ depth }) => depth)).toEqual([0, 1, 2, 2]);
    expect(crawl.pages[1]?.facts?.titles[0]?.text).toBe('node');
    expect(requests.filter((request) => /pdf|zip/.test(request)).sort()).toEqual([
      'HEAD /a.zip',
      'HEAD /data/report.pdf',
    ]);
    expect(crawl.linkChecks.map(({ kind, outcome }) => [kind, outcome.status])).toEqual([
      ['internal', 200],
      ['internal', 200],
    ]);
  });

  test('may be in the sitemap alone, redirect, or refuse HEAD', async () => {
    const { paths } = await crawled({
      '/robots.txt': 'Sitemap: /map',
      '/map': (request, response) => {
        const loc = `http://${request.headers.host}/listed.js`;
        response.setHeader('content-type', 'application/xml');
        response.end(
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${loc}</loc></url></urlset>`,
        );
      },
      '/': htmlPage('home', '/moved.js', '/get-only.zip'),
      '/listed.js': htmlPage('listed'),
      '/moved.js': { status: 301, headers: { location: '/moved.js/' } },
      '/moved.js/': htmlPage('moved'),
      '/get-only.zip': (request, response) => {
        response.statusCode = request.method === 'HEAD' ? 405 : 200;
        response.setHeader('content-type', 'text/html').end(htmlPage('got'));
      },
    });
    expect(paths).toEqual(['/', '/get-only.zip', '/moved.js', '/moved.js/', '/listed.js']);
  });

  test.each([
    ['an error', { status: 404, headers: { 'content-type': 'text/html' } }],
    ['a file', { body: 'x', headers: { 'content-type': 'text/javascript' } }],
    ['no type', (_request, response) => void response.end('x')],
  ] satisfies [string, TestPage][])('is no page if it answers with %s', async (_, page) => {
    const { paths, crawl } = await crawled({ '/': htmlPage('home', '/a.js'), '/a.js': page });
    expect(paths).toEqual(['/']);
    expect(crawl.linkChecks).toHaveLength(1);
  });

  test('is not asked where robots.txt forbids it, nor beyond the limits', async () => {
    const pages = { '/': htmlPage('home', '/a.js', '/b.js', '/two'), '/two': htmlPage('two'), '*': htmlPage('other') };
    const closed = await crawled({ ...pages, '/robots.txt': 'User-agent: *\nDisallow: /*.js' });
    expect(closed.requests.filter((request) => request.includes('.js'))).toEqual([]);
    const full = await crawled(pages, { maxPages: 2, maxLinkChecks: 0 });
    expect(full.paths).toEqual(['/', '/two']);
    expect(full.requests).toEqual(['GET /', 'GET /two']);
    expect((await crawled(pages, { maxLinkChecks: 0 })).paths).toEqual(['/', '/two']);
    expect((await crawled(pages, { maxPages: 3 })).paths).toEqual(['/', '/a.js', '/two']);
  });

  test('H16: of thousands, as many are asked as links of the site are', async () => {
    const links = Array.from({ length: 1500 }, (_, index) => `/f${index}.pdf`);
    const { requests } = await crawled({ '/': htmlPage('home', ...links), '*': binary('application/pdf') });
    expect(new Set(requests).size).toBe(requests.length);
    expect(requests.filter((request) => request.startsWith('HEAD'))).toHaveLength(80);
  });
});

test('which pages are found does not depend on which answer comes first', async () => {
  const site = (late: number): Record<string, TestPage> => ({
    '/': htmlPage('home', ...Array.from({ length: 12 }, (_, index) => `/p${index}.js`)),
    '*': (request, response) => {
      const each = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      const answer = (): void =>
        void response.setHeader('content-type', 'text/html').end(htmlPage('x', `/q${each}.js`));
      if (each % 2 === late) setTimeout(answer, 15);
      else answer();
    },
  });
  const [even, odd] = [await crawled(site(0), { maxPages: 9 }), await crawled(site(1), { maxPages: 9 })];
  expect(even.paths).toHaveLength(9);
  expect(odd.paths).toEqual(even.paths);
});

test('the most linked come first, each once, and of very many the first are known', () => {
  const files = createFileAddresses();
  const entry = (url: string) => ({ url, from: 'link', depth: 1 }) as const;
  for (const url of ['/b.js', '/a.js', '/c.js']) files.add(url, entry(url));
  files.linked('/c.js');
  files.linked('/unknown.js');
  expect(files.take(2).map(({ url }) => url)).toEqual(['/c.js', '/a.js']);
  expect(files.take(2).map(({ url }) => url)).toEqual(['/b.js']);
  expect(files.take(-1)).toEqual([]);
  for (let index = 0; index < 5000; index++) files.add(`/${index}.js`, entry(`/${index}.js`));
  expect(files.take(10_000).length).toBe(1997);
});
