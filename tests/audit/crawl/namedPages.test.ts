import { afterEach, expect, test } from 'vitest';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function crawled(pages: Record<string, TestPage>, only: (origin: string) => NonNullable<CrawlOptions['only']>) {
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const discovery = await discover(`${site.origin}/`, env, { start: false, sitemaps: false, probes: [] });
  const crawl = await crawlSite(
    discovery,
    { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4, only: only(site.origin) },
    env,
  );
  return { crawl, requests: site.requests.sort(), paths: crawl.pages.map((page) => page.url.replace(site.origin, '')) };
}

const SITE = {
  '/': htmlPage('home', '/a', '/b', '/c'),
  '/a': htmlPage('a', '/b', '/c'),
  '/b': htmlPage('b', '/c'),
  '/c': htmlPage('c'),
};
const nothing = () => false;

test('fetches the named pages and robots.txt, and nothing else', async () => {
  const { crawl, requests } = await crawled(SITE, (origin) => ({
    urls: [`${origin}/b`, `${origin}/a`],
    fetches: nothing,
  }));
  expect(requests).toEqual(['GET /a', 'GET /b', 'GET /robots.txt']);
  expect(crawl.pages.map(({ from, depth, facts }) => [from, depth, facts !== null])).toEqual([
    ['link', null, true],
    ['link', null, true],
  ]);
  expect(crawl.coverage.stop).toBe('complete');
});

test('recognizes the start page among them', async () => {
  const { crawl } = await crawled(SITE, (origin) => ({ urls: [`${origin}/a`, `${origin}/`], fetches: nothing }));
  expect(crawl.pages[0]).toMatchObject({ from: 'start', depth: 0 });
});

test('follows one redirect, and no further', async () => {
  const leads: NonNullable<CrawlOptions['only']>['leads'] = (facts) => facts.links.flatMap(({ url }) => url ?? []);
  const { paths } = await crawled(SITE, (origin) => ({ urls: [`${origin}/b`], leads, fetches: nothing }));
  expect(paths).toEqual(['/b', '/c']);
});

test('checks only the requested resources of the given pages', async () => {
  const pages = {
    ...SITE,
    '/a': '<title>a</title><a href="/x">x</a><img src="/x.png">',
    '/b': '<title>b</title><a href="/y">y</a>',
  };
  const { crawl } = await crawled(pages, (origin) => ({
    urls: [`${origin}/a`, `${origin}/b`],
    fetches: (page, kind) => page.url.endsWith('/a') && kind === 'image',
  }));
  expect(crawl.linkChecks.map(({ url, kind }) => [new URL(url).pathname, kind])).toEqual([['/x.png', 'image']]);
});

test('obeys robots.txt, stays on the site, and gives a reason for every page not fetched', async () => {
  const forbidden = await crawled(
    { ...SITE, '/robots.txt': { body: 'User-agent: *\nDisallow: /a', headers: { 'content-type': 'text/plain' } } },
    (origin) => ({
      urls: [`${origin}/a`, `${origin}/b`, 'https://elsewhere.example/'],
      fetches: nothing,
    }),
  );
  expect(forbidden.requests).toEqual(['GET /b', 'GET /robots.txt']);
  expect(forbidden.crawl.pages.map(({ robotsBlocked }) => robotsBlocked)).toEqual([true, false]);
  const silent = await crawled({ ...SITE, '/robots.txt': { status: 503 } }, (origin) => ({
    urls: [`${origin}/a`, `${origin}/b`],
    fetches: nothing,
  }));
  expect(silent.requests).toEqual(['GET /robots.txt']);
  expect(silent.crawl.pages.map(({ outcome }) => outcome.message)).toEqual([
    expect.stringContaining('503'),
    expect.stringContaining('503'),
  ]);
});
