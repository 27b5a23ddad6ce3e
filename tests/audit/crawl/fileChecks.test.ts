import { afterEach, expect, test } from 'vitest';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { png } from '../../given/audit/images.ts';
import { startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const OPTIONS: CrawlOptions = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function crawled(
  pages: Record<string, TestPage>,
  options: Partial<CrawlOptions> = {},
): Promise<{ site: TestSite; crawl: Crawl; slept: readonly number[] }> {
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const discovery = await discover(`${site.origin}/`, env);
  site.requests.length = 0;
  return { site, crawl: await crawlSite(discovery, { ...OPTIONS, ...options }, env), slept: env.slept };
}

const page = (head: string): string =>
  `<!doctype html><html><head><title>x</title>${head}</head><body><main>text</main></body></html>`;
const received = (crawl: Crawl) =>
  crawl.fileChecks?.map(({ url, kind, outcome }) => [kind, url.replace(crawl.discovery.origin, ''), outcome.status]);
const share = (origin: string, path: string): string => `<meta property="og:image" content="${origin}${path}">`;

test('fetches each kind of file once, with the right method', async () => {
  const pages: Record<string, TestPage> = {
    '/site.css': { headers: { 'content-type': 'text/css' } },
    '/app.js': { headers: { 'content-type': 'text/javascript' } },
    '/icon.png': { headers: { 'content-type': 'image/png' }, body: png(48, 48) },
    '/app.webmanifest': { headers: { 'content-type': 'application/manifest+json' }, body: '{"name":"x"}' },
    '/feed.xml': { headers: { 'content-type': 'application/rss+xml' }, body: '<rss><channel></channel></rss>' },
  };
  pages['/'] = page(
    '<link rel="stylesheet" href="/site.css"><script src="/app.js"></script><script src="https://elsewhere.example/x.js"></script><link rel="icon" href="/icon.png"><link rel="manifest" href="/app.webmanifest"><link rel="alternate" type="application/rss+xml" href="/feed.xml">',
  );
  const { crawl, site } = await crawled(pages);
  expect(received(crawl)).toEqual([
    ['asset', '/app.js', 200],
    ['asset', '/site.css', 200],
    ['feed', '/feed.xml', 200],
    ['icon', '/icon.png', 200],
    ['manifest', '/app.webmanifest', 200],
  ]);
  expect(site.requests.filter((request) => request !== 'GET /').sort()).toEqual([
    'GET /app.webmanifest',
    'GET /feed.xml',
    'HEAD /app.js',
    'HEAD /icon.png',
    'HEAD /site.css',
  ]);
  expect(crawl.fileChecks?.map(({ text, problem }) => text || problem).filter(Boolean)).toEqual(['{"name":"x"}']);
  expect(crawl.coverage.bytes).toBe((crawl.pages[0]?.outcome.bytes ?? 0) + 12 + 30);
});

test('fetches the share images named by most pages, and counts their bytes', async () => {
  const pages: Record<string, TestPage> = {
    '/share.png': { headers: { 'content-type': 'image/png' }, body: png(1200, 630) },
  };
  const site = await startTestSite(pages);
  closers.push(site.close);
  for (let each = 0; each < 30; each++)
    pages[`/p${each}`] = page(share(site.origin, each % 2 ? '/share.png' : `/share-${each}.png`));
  pages['/'] = page('').replace(
    'text',
    Array.from({ length: 30 }, (_, each) => `<a href="/p${each}">${each}</a>`).join(''),
  );
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(fetcher.close);
  const env = crawlEnv(fetcher);
  const crawl = await crawlSite(await discover(`${site.origin}/`, env), { ...OPTIONS, maxFileChecks: 9 }, env);
  expect(crawl.fileChecks).toHaveLength(5);
  expect(crawl.fileChecks?.find(({ url }) => url.endsWith('/share.png'))).toMatchObject({
    image: { format: 'png', width: 1200, height: 630 },
  });
});

test('obeys robots.txt, the crawl delay and the budgets', async () => {
  const pages = (robots: string): Record<string, TestPage> => ({
    '/': page(
      '<link rel="stylesheet" href="/private/a.css"><link rel="stylesheet" href="/b.css"><link rel="stylesheet" href="/c.css">',
    ),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: `User-agent: *\nDisallow: /private/\n${robots}` },
    '*': { headers: { 'content-type': 'text/css' } },
  });
  expect(received((await crawled(pages(''))).crawl)?.map(([, path]) => path)).toEqual(['/b.css', '/c.css']);
  expect((await crawled(pages('Crawl-delay: 2'))).slept.filter((ms) => ms === 2000).length).toBeGreaterThanOrEqual(2);
  expect(received((await crawled(pages(''), { maxFileChecks: 0 })).crawl)).toEqual([]);
  expect(received((await crawled(pages(''), { maxBytes: 10 })).crawl)).toEqual([]);
});

test('fetches the start page as an AI search bot only when requested and allowed', async () => {
  const agents: (string | undefined)[] = [];
  const pages = (robots: string): Record<string, TestPage> => ({
    '/': (request, response) => {
      const agent = request.headers['user-agent'];
      if (request.method === 'GET') agents.push(agent);
      const isRefused = agent?.includes('PerplexityBot');
      response
        .writeHead(isRefused ? 403 : 200, { 'content-type': 'text/html' })
        .end(isRefused ? '<title>Just a moment...</title>' : page(''));
    },
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: robots },
  });
  expect((await crawled(pages(''))).crawl.aiBotAnswer).toBeUndefined();
  expect(
    (await crawled(pages('User-agent: OAI-SearchBot\nDisallow: /'), { askAsAiBot: true })).crawl.aiBotAnswer,
  ).toBeUndefined();
  expect(agents).toHaveLength(2);
  const { crawl } = await crawled(pages(''), { askAsAiBot: true });
  expect(crawl.aiBotAnswer).toMatchObject({ outcome: { status: 403 }, challenged: true });
  expect(agents.at(-1)).toMatch(/^TestBot\/1\.0 .*OAI-SearchBot/);
});
