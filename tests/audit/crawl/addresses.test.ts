/** What a crawl says of the addresses it discovered: each has exactly one end, and the ends add up. */
import { afterEach, expect, test } from 'vitest';
import type { CrawlEnv, CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl, DiscoveredAddresses } from '../../../src/audit/crawl/site.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { coverageLines, coverageText } from '../../../src/audit/report/coverage.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv, type TestEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Given = {
  readonly pages: Record<string, TestPage>;
  readonly options?: Partial<CrawlOptions>;
  readonly env?: (env: () => TestEnv) => Partial<CrawlEnv>;
  readonly path?: string;
};

async function crawled({ pages, options, env: given, path = '/' }: Given): Promise<Crawl> {
  const site = await startTestSite({ '/robots.txt': '', ...pages });
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env: TestEnv = crawlEnv(
    fetcher,
    given?.(() => env),
  );
  const limits = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4, maxLinkChecks: 50, ...options };
  return crawlSite(await discover(site.origin + path, env), limits, env);
}

const many = (count: number, path: (each: number) => string): string[] =>
  Array.from({ length: count }, (_, each) => path(each));
const to = (location: string): TestPage => ({ status: 301, headers: { location } });
const canonical = (path: string, ...links: string[]): string =>
  `<!doctype html><title>t</title><link rel="canonical" href="${path}">${htmlPage('t', ...links)}`;
const sitemap =
  (...paths: string[]): TestPage =>
  (request, response) => {
    const locs = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`);
    response
      .setHeader('content-type', 'application/xml')
      .end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`);
  };

type Ends = {
  readonly [Name in keyof DiscoveredAddresses]?: DiscoveredAddresses[Name] extends number
    ? number
    : Partial<DiscoveredAddresses[Name]>;
};

/** Only what is not zero. */
function endsOf({ coverage }: Crawl): Ends {
  const some = (ends: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(ends).filter(([, count]) => count > 0));
  const { discovered = 0, audited = 0, refused = {}, noPages = {}, notAsked = {} } = coverage.addresses ?? {};
  const parts = Object.entries({ refused: some(refused), noPages: some(noPages), notAsked: some(notAsked) });
  return { discovered, audited, ...Object.fromEntries(parts.filter(([, ends]) => Object.keys(ends).length > 0)) };
}

const wide = (count: number): Record<string, TestPage> => ({
  '/': htmlPage('home', ...many(count, (each) => `/p${each}`)),
  '*': htmlPage('x'),
});

/** Of all ends. */
function sumOf({ audited, refused, noPages, notAsked }: DiscoveredAddresses): number {
  return [refused, noPages, notAsked]
    .flatMap((ends): readonly number[] => Object.values(ends))
    .reduce((sum, count) => sum + count, audited);
}

const SITES: readonly (readonly [what: string, given: Given, ends: Ends, text: string])[] = [
  ['one page', { pages: { '/': htmlPage('home') } }, { discovered: 1, audited: 1 }, 'No discovered page was left out.'],
  [
    'pages, found several times',
    { pages: { '/': htmlPage('home', '/a', '/a#x', '/b?utm_source=n', '/'), '*': htmlPage('x', '/a', '/b') } },
    { discovered: 3, audited: 3 },
    'No discovered page was left out.',
  ],
  [
    'the limit of pages',
    { pages: wide(40), options: { maxPages: 10 } },
    { discovered: 41, audited: 10, notAsked: { limit: 31 } },
    'Page limit reached: 31 known addresses were not audited.',
  ],
  [
    'the limit of data',
    { pages: wide(40), options: { maxBytes: 1800, concurrency: 1 } },
    { discovered: 41, audited: 9, notAsked: { limit: 32 } },
    'Data limit reached: 32 known addresses were not audited.',
  ],
  [
    'robots.txt',
    {
      pages: {
        '/robots.txt': 'User-agent: *\nDisallow: /closed',
        '/': htmlPage('home', '/open', '/way', ...many(500, (each) => `/closed/${each}`)),
        '/way': to('/closed/way'),
        '*': htmlPage('x'),
      },
    },
    { discovered: 504, audited: 2, refused: { robots: 501 }, noPages: { redirects: 1 } },
    '501 other discovered addresses could not be audited.',
  ],
  [
    'a site that is closed',
    { pages: { '/robots.txt': 'User-agent: *\nDisallow: /', '*': htmlPage('x') } },
    { discovered: 1, audited: 0, refused: { robots: 1 } },
    'could be audited.',
  ],
  [
    'robots.txt that fails',
    { pages: { '/robots.txt': { status: 503 }, '*': htmlPage('x') } },
    { discovered: 1, audited: 0, refused: { robots: 1 } },
    'could be audited.',
  ],
  [
    'redirects',
    {
      pages: {
        '/': to('/en/'),
        '/en/': htmlPage('home', '/', '/1', '/2', '/new', '/loop', '/away'),
        '/1': to('/new'),
        '/2': to('/hidden'),
        '/new': htmlPage('new'),
        '/hidden': htmlPage('hidden'),
        '/loop': to('/loop'),
        '/away': to('http://10.0.0.1/'),
      },
    },
    { discovered: 8, audited: 3, refused: { guard: 1 }, noPages: { redirects: 3, failing: 1 } },
    '2 other discovered addresses could not be audited.',
  ],
  [
    'answers that are no pages',
    {
      pages: {
        '/': htmlPage('home', '/gone', '/failing', '/data', '/login', '/slow-down', '/reset'),
        '/failing': { status: 500 },
        '/data': { body: '{}', headers: { 'content-type': 'application/json' } },
        '/login': { status: 401 },
        '/slow-down': { status: 429 },
        '/reset': ({ socket }) => void socket.destroy(),
      },
    },
    {
      discovered: 7,
      audited: 1,
      refused: { server: 2 },
      noPages: { missing: 1, failing: 2, others: 1 },
    },
    '4 other discovered addresses could not be audited.',
  ],
  [
    'missing pages and files',
    {
      pages: {
        '/': htmlPage('home', '/gone', '/a.pdf', '/a.pdf#2', '/b.js', '/to-file'),
        '/a.pdf': { headers: { 'content-type': 'application/pdf' } },
        '/b.js': htmlPage('an article about b.js', '/c.js'),
        '/c.js': { headers: { 'content-type': 'text/javascript' } },
        '/to-file': to('/d.js'),
        '/d.js': htmlPage('an article about d.js', '/d.js'),
      },
    },
    { discovered: 7, audited: 3, noPages: { redirects: 1, missing: 1, files: 2 } },
    'No discovered page was left out.',
  ],
  [
    'copies',
    {
      pages: {
        '/': htmlPage('home', '/shop'),
        '/shop': canonical('/shop', ...many(60, (each) => `/shop?sort=${each}`), '/shop?sort=1#top'),
      },
    },
    { discovered: 62, audited: 7, notAsked: { copies: 55 } },
    'No discovered page was left out.',
  ],
  [
    'endless addresses',
    {
      pages: {
        '/': htmlPage('home', '/a/a/a/a', '/a/a/a/a#x', ...many(3, (each) => `/cal/209${each}/1`)),
      },
    },
    { discovered: 5, audited: 1, notAsked: { endless: 4 } },
    '4 other discovered addresses could not be audited.',
  ],
  [
    'a sitemap',
    {
      pages: {
        '/': htmlPage('home', '/a'),
        '/a': htmlPage('a'),
        '/orphan': htmlPage('o'),
        '/sitemap.xml': sitemap('/', '/a', '/orphan', '/old', '/f.pdf'),
      },
    },
    { discovered: 5, audited: 3, noPages: { missing: 1, files: 1 } },
    'No discovered page was left out.',
  ],
  [
    'the time limit',
    {
      pages: wide(30),
      options: { maxMs: 10_000, concurrency: 1 },
      env: (env) => ({
        parse: async (input) => {
          env().advance(1000);
          return parsePage(input);
        },
      }),
    },
    { discovered: 31, audited: 9, notAsked: { limit: 22 } },
    'Time limit reached: 22 known addresses were not audited.',
  ],
  [
    'a start page that is not read in time',
    {
      pages: wide(3),
      options: { maxMs: 1000 },
      env: (env) => ({
        parse: async (input) => {
          env().advance(5000);
          return parsePage(input);
        },
      }),
      path: '/p1',
    },
    { discovered: 1, audited: 1 },
    'No discovered page was left out.',
  ],
];

test.each(SITES)('of %s: each address has one end', async (_what, given, ends, text) => {
  const crawl = await crawled(given);
  const { addresses } = crawl.coverage;
  expect(endsOf(crawl)).toEqual(ends);
  expect(addresses && sumOf(addresses)).toBe(addresses?.discovered);
  expect(coverageText(crawl).endsWith(text)).toBe(true);
  expect(coverageLines(crawl, (line) => line)[1]).toMatch(
    new RegExp(`^${ends.discovered} address(?:es)? discovered: ${ends.audited} audited`),
  );
});

test('a crawl that is stopped says so of what it had not asked', async () => {
  const stop = new AbortController();
  const crawl = await crawled({
    pages: wide(20),
    options: { concurrency: 1, onProgress: ({ pagesDone }) => pagesDone === 5 && stop.abort() },
    env: () => ({ signal: stop.signal }),
  });
  expect(endsOf(crawl)).toEqual({ discovered: 21, audited: 5, notAsked: { limit: 16 } });
  expect(coverageLines(crawl, (line) => line)[1]).toBe(
    '21 addresses discovered: 5 audited; 16 not requested (crawl stopped).',
  );
});
