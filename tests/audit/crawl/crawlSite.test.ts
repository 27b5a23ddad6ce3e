import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlEnv, CrawlOptions, CrawlProgress } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl, CrawledPage } from '../../../src/audit/crawl/site.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { weightOf } from '../../../src/audit/memory.ts';
import { coverageText } from '../../../src/audit/report/coverage.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { startHostileServer } from '../../servers/hostileServer.ts';
import { htmlPage, startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv, type TestEnv } from './crawlEnv.ts';

const OPTIONS: CrawlOptions = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Setup = {
  readonly options?: Partial<CrawlOptions>;
  readonly env?: Partial<CrawlEnv>;
  readonly path?: string;
  readonly allowHosts?: readonly string[];
};
type Audited = {
  readonly site: TestSite;
  readonly crawl: Crawl;
  readonly env: TestEnv;
  readonly byPath: (path: string) => CrawledPage | undefined;
};

async function crawled(
  pages: Record<string, TestPage>,
  { options, env: overrides, path = '/', allowHosts = [] }: Setup = {},
): Promise<Audited> {
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host, ...allowHosts], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher, overrides);
  const discovery = await discover(site.origin + path, env);
  site.requests.length = 0;
  const crawl = await crawlSite(discovery, { ...OPTIONS, ...options }, env);
  expect(JSON.parse(JSON.stringify(crawl))).toEqual(crawl);
  return { site, crawl, env, byPath: (each) => crawl.pages.find((page) => page.url === site.origin + each) };
}

const paths = (crawl: Crawl): string[] => crawl.pages.map((page) => page.url.replace(crawl.discovery.origin, ''));
const gets = (site: TestSite): string[] =>
  site.requests.filter((request) => request.startsWith('GET')).map((request) => request.slice(4));

describe('a crawl', () => {
  test('reaches linked pages, and counts the clicks', async () => {
    const { crawl } = await crawled({
      '/': htmlPage('home', '/a', '/b', '/a#part', 'mailto:x@y.example'),
      '/a': htmlPage('a', '/a/deep', '/'),
      '/b': htmlPage('b', '/a'),
      '/a/deep': htmlPage('deep'),
    });
    expect(crawl.pages.map(({ url, depth, from }) => [url.replace(crawl.discovery.origin, ''), depth, from])).toEqual([
      ['/', 0, 'start'],
      ['/a', 1, 'link'],
      ['/b', 1, 'link'],
      ['/a/deep', 2, 'link'],
    ]);
    expect(crawl.pages[0]?.facts?.titles[0]?.text).toBe('home');
    expect(crawl.coverage).toMatchObject({
      stop: 'complete',
      notFetched: 0,
      traps: [],
      startedAt: '2026-03-01T12:00:00.000Z',
    });
    expect(crawl.coverage.bytes).toBe(crawl.pages.reduce((sum, page) => sum + page.outcome.bytes, 0));
  });

  test('fetches each page once', async () => {
    const { site } = await crawled({
      '/': htmlPage('home', '/a', '/a?', '/a#x', '/a?utm_source=n', '/%61'),
      '/a': htmlPage('a', '/', '/a'),
    });
    expect(gets(site)).toEqual(['/', '/a']);
  });

  test('includes pages of the sitemap that nothing links to', async () => {
    const pages: Record<string, TestPage> = {
      '/': htmlPage('home', '/linked'),
      '/linked': htmlPage('linked'),
      '/orphan': htmlPage('orphan'),
    };
    pages['/sitemap.xml'] = (request, response) => {
      const locs = ['/', '/linked', '/orphan'].map(
        (path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`,
      );
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}<url><loc>https://elsewhere.example/</loc></url></urlset>`,
      );
    };
    const { byPath, crawl } = await crawled(pages);
    expect(crawl.pages).toHaveLength(3);
    expect(byPath('/orphan')).toMatchObject({ depth: null, from: 'sitemap' });
    expect(byPath('/linked')).toMatchObject({ depth: 1, from: 'link' });
  });

  test('follows canonicals, language versions and meta refresh', async () => {
    const head =
      '<link rel="canonical" href="/canonical"><link rel="alternate" hreflang="de" href="/de"><meta http-equiv="refresh" content="9; URL=\'/fresh\'">';
    const { crawl } = await crawled({
      '/': `<!doctype html><title>t</title>${head}`,
      '/canonical': htmlPage('c'),
      '/de': htmlPage('d'),
      '/fresh': htmlPage('f'),
    });
    expect(paths(crawl).sort()).toEqual(['/', '/canonical', '/de', '/fresh']);
  });

  test('does not follow nofollow, of a link or of a page', async () => {
    const { site } = await crawled({
      '/': '<!doctype html><title>t</title><a rel="nofollow" href="/a">a</a><a href="/b">b</a>',
      '/b': '<!doctype html><title>t</title><meta name="Robots" content="noindex, NOFOLLOW"><a href="/c">c</a>',
      '*': htmlPage('x'),
    });
    expect(gets(site)).toEqual(['/', '/b']);
  });

  test('treats www. and the other scheme as the same site, and other hosts as foreign', async () => {
    const other = await startTestSite({ '*': htmlPage('foreign', '/more') });
    closers.push(other.close);
    const { crawl } = await crawled({ '/': htmlPage('home', `${other.origin}/x`) }, { allowHosts: [other.host] });
    expect(crawl.pages).toHaveLength(1);
    expect(crawl.linkChecks).toMatchObject([{ url: `${other.origin}/x`, kind: 'external', outcome: { status: 200 } }]);
    expect(other.requests).toEqual(['HEAD /x']);
  });

  test('fetches one page of each kind before a second of any', async () => {
    const posts = Array.from({ length: 20 }, (_, each) => `/blog/post-${each}`);
    const { crawl } = await crawled(
      { '/': htmlPage('home', ...posts, '/shop/1', '/shop/2', '/about'), '*': htmlPage('x') },
      { options: { maxPages: 4, concurrency: 1, maxLinkChecks: 0 } },
    );
    expect(paths(crawl)).toEqual(['/', '/about', '/blog/post-0', '/shop/1']);
  });

  test('reports its progress', async () => {
    const seen: CrawlProgress[] = [];
    await crawled(
      { '/': htmlPage('home', '/a', '/b'), '*': htmlPage('x') },
      { options: { concurrency: 1, onProgress: (progress) => seen.push(progress) } },
    );
    expect(seen).toEqual([
      { pagesDone: 1, pagesKnown: 3 },
      { pagesDone: 2, pagesKnown: 3 },
      { pagesDone: 3, pagesKnown: 3 },
    ]);
  });

  test('continues when its observer fails', async () => {
    const failing = (): void => {
      throw new Error('no paper');
    };
    const { crawl } = await crawled(
      { '/': htmlPage('home', '/a'), '*': htmlPage('x') },
      { options: { onProgress: failing } },
    );
    expect(crawl.pages).toHaveLength(2);
  });

  test('has the same result twice', async () => {
    const pages = {
      '/': htmlPage('home', ...Array.from({ length: 30 }, (_, each) => `/p/${each}`)),
      '*': htmlPage('x', '/q/1', '/q/2'),
    };
    const first = await crawled(pages);
    const second = await crawled(pages);
    expect(paths(first.crawl)).toEqual(paths(second.crawl));
  });
});

describe('redirects', () => {
  test('are recorded, and so is their target', async () => {
    const { crawl, byPath, site } = await crawled({
      '/': htmlPage('home', '/old'),
      '/old': { status: 301, headers: { location: '/older' } },
      '/older': { status: 302, headers: { location: '/new' } },
      '/new': htmlPage('new', '/next'),
      '/next': htmlPage('next'),
    });
    expect(byPath('/old')).toMatchObject({
      depth: 1,
      facts: null,
      outcome: { status: 200, url: `${site.origin}/new`, hops: [{ status: 301 }, { status: 302 }] },
    });
    expect(byPath('/new')).toMatchObject({
      depth: 1,
      outcome: { status: 200, requestedUrl: `${site.origin}/new`, hops: [] },
    });
    expect(byPath('/new')?.facts?.titles[0]?.text).toBe('new');
    expect(byPath('/next')).toMatchObject({ depth: 2 });
    expect(crawl.pages).toHaveLength(4);
  });

  test('to one page list it once', async () => {
    const { crawl, site } = await crawled({
      '/': htmlPage('home', '/1', '/2', '/new'),
      '/1': { status: 301, headers: { location: '/new' } },
      '/2': { status: 301, headers: { location: '/new' } },
      '/new': htmlPage('new'),
    });
    expect(crawl.pages.filter((page) => page.facts?.titles[0]?.text === 'new')).toHaveLength(1);
    expect(paths(crawl)).toEqual(['/', '/1', '/2', '/new']);
    expect(crawl.pages.filter((page) => page.url.startsWith(site.origin))).toHaveLength(4);
  });

  test('of the start page are recorded with it', async () => {
    const { crawl, site } = await crawled({
      '/': { status: 302, headers: { location: '/en/' } },
      '/en/': htmlPage('english', '/'),
    });
    expect(crawl.pages).toHaveLength(1);
    expect(crawl.pages[0]).toMatchObject({
      url: `${site.origin}/en/`,
      from: 'start',
      depth: 0,
      outcome: { requestedUrl: `${site.origin}/`, hops: [{ status: 302 }] },
    });
    expect(crawl.pages[0]?.facts?.titles[0]?.text).toBe('english');
  });

  test('do not use up the page budget', async () => {
    const moved = Object.fromEntries(
      Array.from({ length: 6 }, (_, each) => [`/old-${each}`, { status: 301, headers: { location: '/' } }]),
    );
    const { crawl } = await crawled(
      { ...moved, '/': htmlPage('home', ...Object.keys(moved), '/last'), '/last': htmlPage('last') },
      { options: { maxPages: 2 } },
    );
    expect(paths(crawl)).toContain('/last');
  });

  test('to other sites or nowhere have no page', async () => {
    const { byPath } = await crawled({
      '/': htmlPage('home', '/away', '/loop', '/inside'),
      '/away': { status: 302, headers: { location: 'https://blocked.internal/' } },
      '/loop': { status: 302, headers: { location: '/loop' } },
      '/inside': { status: 302, headers: { location: 'http://169.254.169.254/' } },
    });
    expect(byPath('/away')).toMatchObject({ facts: null, outcome: { failure: 'blocked', hops: [{ status: 302 }] } });
    expect(byPath('/loop')).toMatchObject({ facts: null, outcome: { failure: 'redirect_loop' } });
    expect(byPath('/inside')).toMatchObject({ facts: null, outcome: { failure: 'blocked' } });
  });
});

describe('robots.txt is obeyed', () => {
  test('lists forbidden pages without fetching them', async () => {
    const { site, byPath, crawl } = await crawled({
      '/': htmlPage('home', '/private/a', '/open'),
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '*': htmlPage('x'),
    });
    expect(gets(site)).toEqual(['/', '/open']);
    expect(byPath('/private/a')).toMatchObject({
      robotsBlocked: true,
      facts: null,
      depth: 1,
      outcome: { status: null, failure: null },
    });
    expect(crawl.linkChecks).toEqual([]);
  });

  test('redirects do not bypass it', async () => {
    const { byPath } = await crawled({
      '/': htmlPage('home', '/way'),
      '/way': { status: 302, headers: { location: '/private' } },
      '/private': htmlPage('secret'),
      '/robots.txt': 'User-agent: *\nDisallow: /private',
    });
    expect(byPath('/private')).toMatchObject({ robotsBlocked: true, facts: null });
  });

  test('the start page has the reason when everything is forbidden', async () => {
    const { crawl, site } = await crawled({ '*': htmlPage('x'), '/robots.txt': 'User-agent: *\nDisallow: /' });
    expect(site.requests).toEqual([]);
    expect(crawl.pages).toMatchObject([
      {
        from: 'start',
        robotsBlocked: true,
        outcome: { status: null, message: 'robots.txt forbids this address to the crawler.' },
      },
    ]);
    expect(crawl.coverage.stop).toBe('complete');
  });

  test('nothing is fetched when it cannot be read', async () => {
    const { crawl, site } = await crawled({ '*': htmlPage('x'), '/robots.txt': { status: 503 } });
    expect(site.requests).toEqual([]);
    expect(crawl.pages).toMatchObject([
      { robotsBlocked: true, outcome: { message: 'robots.txt answers with HTTP 503, so nothing may be fetched.' } },
    ]);
  });

  test('keeps a crawl delay, one request at a time', async () => {
    const { env, site } = await crawled({
      '/': htmlPage('home', '/a', '/b'),
      '/robots.txt': 'User-agent: *\nCrawl-delay: 2',
      '*': htmlPage('x'),
    });
    expect(env.slept).toEqual([2000, 2000]);
    expect(site.mostAtOnce()).toBeLessThanOrEqual(4);
  });

  test('limits an unreasonable delay', async () => {
    const { env } = await crawled({
      '/': htmlPage('home', '/a'),
      '/robots.txt': 'User-agent: *\nCrawl-delay: 86400',
      '*': htmlPage('x'),
    });
    expect(env.slept).toEqual([5000]);
  });
});

describe('politeness', () => {
  test('sends at most four requests at once', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    const pages: Record<string, TestPage> = {
      '/': htmlPage('home', ...Array.from({ length: 12 }, (_, each) => `/p${each}`)),
      '*': (request, response) => {
        if (!/^\/p\d+$/.test(request.url ?? '')) {
          response.writeHead(404).end();
          return;
        }
        most = Math.max(
          most,
          open.push(() => response.setHeader('content-type', 'text/html').end(htmlPage('x'))),
        );
        // Answered only when four wait, or with the last ones.
        if (open.length === 4) for (const answer of open.splice(0)) answer();
      },
    };
    await crawled(pages, { options: { concurrency: 50 } });
    expect(most).toBe(4);
  });

  test('retries once later when asked to', async () => {
    let asked = 0;
    const busy: TestPage = (_request, response) => {
      asked++;
      if (asked === 1) response.writeHead(429, { 'retry-after': '3' }).end();
      else response.setHeader('content-type', 'text/html').end(htmlPage('there'));
    };
    const { byPath, env } = await crawled({ '/': htmlPage('home', '/busy'), '/busy': busy });
    expect(byPath('/busy')).toMatchObject({ outcome: { status: 200 } });
    expect(env.slept).toEqual([3000]);
  });

  test('gives up after repeated requests to wait, a longer time apart each', async () => {
    const { byPath, env } = await crawled({
      '/': htmlPage('home', '/busy'),
      '/busy': { status: 503, headers: { 'retry-after': 'Sun, 01 Mar 2026 12:00:04 GMT' } },
    });
    expect(byPath('/busy')).toMatchObject({ outcome: { status: 503 } });
    expect(env.slept).toEqual([4000, 2000, 4000]);
  });

  test('goes on slowly after a request to wait, and recovers', async () => {
    const site = await startTestSite({
      '/robots.txt': '',
      '/': htmlPage('home', ...Array.from({ length: 60 }, (_, each) => `/p${each}`)),
    });
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
    closers.push(site.close, fetcher.close);
    const env = crawlEnv(fetcher);
    const askedAt: number[] = [];
    // No more than five requests in three seconds, as many sites have it.
    site.pages['*'] = (_, response) => {
      const now = env.now();
      if (askedAt.filter((at) => now - at < 3000).length >= 5) {
        response.writeHead(429, { 'retry-after': '3' }).end();
        return;
      }
      askedAt.push(now);
      response.setHeader('content-type', 'text/html').end(htmlPage('x'));
    };
    const crawl = await crawlSite(
      await discover(`${site.origin}/`, env),
      { ...OPTIONS, maxPages: 61, maxMs: 600_000, maxLinkChecks: 0 },
      env,
    );
    expect(crawl.pages.map(({ outcome }) => outcome.status)).toEqual(Array.from({ length: 61 }, () => 200));
    expect(env.slept.filter((ms) => ms === 3000).length).toBeLessThan(6);
    expect(Math.min(...env.slept)).toBeLessThan(1000);
  });
});

describe('budgets', () => {
  const wide = { '/': htmlPage('home', ...Array.from({ length: 40 }, (_, each) => `/p${each}`)), '*': htmlPage('x') };

  test('pages', async () => {
    const { crawl } = await crawled(wide, { options: { maxPages: 10 } });
    expect(crawl.pages).toHaveLength(10);
    expect(crawl.coverage).toMatchObject({ stop: 'page_budget', notFetched: 31 });
  });

  test('exactly enough pages are a complete crawl', async () => {
    const { crawl } = await crawled(wide, { options: { maxPages: 41 } });
    expect(crawl.coverage).toMatchObject({ stop: 'complete', notFetched: 0 });
  });

  test('a single page', async () => {
    const { crawl, site } = await crawled(wide, { options: { maxPages: 1, maxLinkChecks: 0 } });
    expect(gets(site)).toEqual(['/']);
    expect(crawl.coverage).toMatchObject({ stop: 'page_budget', notFetched: 40 });
  });

  test('bytes', async () => {
    const { crawl } = await crawled(wide, { options: { maxBytes: 3000 } });
    expect(crawl.coverage.stop).toBe('byte_budget');
    expect(crawl.pages.length).toBeLessThan(30);
    expect(crawl.pages.reduce((sum, page) => sum + page.outcome.bytes, 0)).toBeLessThan(3000 + 8 * 200);
  });

  describe('of memory', () => {
    const long = 'x'.repeat(1500);
    const heavy = (page: number): string =>
      htmlPage(
        `heavy ${page}`,
        ...Array.from({ length: 60 }, (_, each) => `/p${each}`),
        ...Array.from({ length: 150 }, (_, each) => `/gone/${page}/${each}/${long}`),
      );
    const site: Record<string, TestPage> = {
      '/': heavy(0),
      ...Object.fromEntries(Array.from({ length: 60 }, (_, page) => [`/p${page}`, heavy(page + 1)])),
    };

    test('ends the crawl: all that is kept stays within it, and the report says so', async () => {
      const siteBytes = 6_000_000;
      const { crawl } = await crawled(site, { env: { siteBytes } });
      expect(crawl.coverage.stop).toBe('byte_budget');
      expect(crawl.coverage.notFetched).toBeGreaterThan(30);
      expect(crawl.pages.length).toBeGreaterThan(5);
      expect(weightOf(crawl.pages)).toBeLessThan(siteBytes);
      expect(weightOf(crawl)).toBeLessThan(siteBytes * 1.1);
      expect(coverageText(crawl)).toMatch(/audited\. Data limit reached: .+ were not audited\.$/);
    });

    test('leaves out nothing of a site that fits', async () => {
      const { crawl } = await crawled(site, { options: { maxPages: 100, maxLinkChecks: 0 } });
      expect(crawl.pages.filter(({ facts }) => facts !== null)).toHaveLength(61);
      expect(crawl.pages.some(({ facts }) => facts?.partial)).toBe(false);
    });

    test('counts the headers and redirects of answers, too', async () => {
      const headers = {
        'content-type': 'text/html',
        ...Object.fromEntries(Array.from({ length: 12 }, (_, each) => [`x-${each}`, long])),
      };
      const wide = (path: string): TestPage => ({ headers, body: path === '/' ? heavy(0) : htmlPage(path) });
      const paths = ['/', ...Array.from({ length: 60 }, (_, page) => `/p${page}`)];
      const { crawl } = await crawled(Object.fromEntries(paths.map((path) => [path, wide(path)])), {
        env: { siteBytes: 1_500_000 },
      });
      expect(crawl.coverage.stop).toBe('byte_budget');
      expect(weightOf(crawl.pages)).toBeLessThan(1_500_000);
    });
  });

  test('time', async () => {
    let env: TestEnv | undefined;
    const slow: Partial<CrawlEnv> = {
      parse: async (input) => {
        env?.advance(1000);
        return parsePage(input);
      },
    };
    const site = await startTestSite(wide);
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
    closers.push(site.close, fetcher.close);
    env = crawlEnv(fetcher, slow);
    const crawl = await crawlSite(
      await discover(`${site.origin}/`, env),
      { ...OPTIONS, maxMs: 10_000, concurrency: 1 },
      env,
    );
    expect(crawl.coverage.stop).toBe('time_budget');
    expect(crawl.coverage.notFetched).toBeGreaterThan(25);
    expect(crawl.coverage.durationMs).toBeGreaterThanOrEqual(8500);
  });

  test('truncates and still parses a page over its size', async () => {
    const { crawl } = await crawled(
      { '/': `${htmlPage('long')}${'x'.repeat(50_000)}` },
      { options: { pageBytes: 10_000 } },
    );
    expect(crawl.pages[0]).toMatchObject({ outcome: { truncated: true, bytes: 10_000 } });
    expect(crawl.pages[0]?.facts?.titles[0]?.text).toBe('long');
  });

  test('H19: an endless site ends', async () => {
    const endless: TestPage = (request, response) => {
      const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('p') ?? 0);
      response.setHeader('content-type', 'text/html').end(htmlPage(`page ${page}`, `/?p=${page + 1}`));
    };
    const { crawl } = await crawled({ '/': endless }, { options: { maxPages: 1000 } });
    expect(crawl.coverage.stop).toBe('complete');
    expect(crawl.coverage.traps).toMatchObject([{ count: 1 }]);
    expect(crawl.pages.length).toBeLessThan(60);
  });
});

describe('stopping', () => {
  test('by the caller ends the crawl with the results so far', async () => {
    const controller = new AbortController();
    const { crawl } = await crawled(
      { '/': htmlPage('home', ...Array.from({ length: 20 }, (_, each) => `/p${each}`)), '*': htmlPage('x') },
      {
        env: { signal: controller.signal },
        options: { concurrency: 1, onProgress: ({ pagesDone }) => pagesDone === 5 && controller.abort() },
      },
    );
    expect(crawl.coverage).toMatchObject({ stop: 'cancelled', notFetched: 16 });
    expect(crawl.pages).toHaveLength(5);
    expect(crawl.linkChecks).toEqual([]);
  });

  test('before it begins gives the start page the reason', async () => {
    const { crawl } = await crawled({ '/': htmlPage('home') }, { env: { signal: AbortSignal.abort() } });
    expect(crawl.coverage.stop).toBe('cancelled');
    expect(crawl.pages[0]?.outcome.failure).toBe('aborted');
  });
});

describe('sites that cannot be audited say why', () => {
  test.each([
    ['a host that hangs', () => undefined, { failure: 'timeout' }],
    [
      'a host that resets',
      ({ socket }: { socket: { resetAndDestroy: () => unknown } }) => void socket.resetAndDestroy(),
      { failure: 'reset' },
    ],
  ])('%s', async (_what, behaviour, outcome) => {
    const server = await startHostileServer({ '*': behaviour });
    const fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'TestBot/1.0', headersMs: 200 });
    closers.push(server.close, fetcher.close);
    const env = crawlEnv(fetcher);
    const crawl = await crawlSite(await discover(`${server.origin}/`, env), OPTIONS, env);
    expect(crawl.pages).toMatchObject([{ from: 'start', facts: null, robotsBlocked: false, outcome }]);
    expect(crawl.pages[0]?.outcome.message).toMatch(/^robots\.txt could not be fetched/);
  });

  test('a start page that hangs although robots.txt answers', async () => {
    const server = await startHostileServer({ '/': () => undefined });
    const fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'TestBot/1.0', headersMs: 200 });
    closers.push(server.close, fetcher.close);
    const env = crawlEnv(fetcher);
    const crawl = await crawlSite(await discover(`${server.origin}/`, env), OPTIONS, env);
    expect(crawl.pages).toMatchObject([{ from: 'start', facts: null, outcome: { failure: 'timeout' } }]);
  });

  test('an unknown host name', async () => {
    const fetcher = createFetcher({ allowHosts: [], userAgent: 'TestBot/1.0', resolve: async () => [] });
    closers.push(fetcher.close);
    const env = crawlEnv(fetcher);
    const crawl = await crawlSite(await discover('https://nowhere.example/', env), OPTIONS, env);
    expect(crawl.pages).toMatchObject([{ outcome: { failure: 'dns' } }]);
  });

  test.each([
    ['an empty page', { body: '' }, 'The answer is empty.'],
    [
      'a picture',
      { body: 'x', headers: { 'content-type': 'image/png' } },
      'The answer is image/png, not an HTML page.',
    ],
    [
      'a picture that claims to be a page',
      { body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) },
      'The answer is a PNG image, not an HTML page.',
    ],
    ['noise that claims to be a page', { body: new Uint8Array(2000) }, 'The answer is binary data, not an HTML page.'],
    [
      'text of no type',
      { body: 'hello', headers: { 'content-type': '' } },
      'The answer has no type and does not look like an HTML page.',
    ],
  ] as const)('%s', async (_what, page, message) => {
    const { crawl } = await crawled({ '/': page });
    expect(crawl.pages).toMatchObject([{ facts: null, outcome: { status: 200, failure: null, message } }]);
  });

  test('an error', async () => {
    const { crawl } = await crawled({ '/': { status: 500, body: htmlPage('broken', '/a') } });
    expect(crawl.pages).toMatchObject([{ facts: null, outcome: { status: 500, message: null } }]);
  });

  test('a page that crashes every parser', async () => {
    const { crawl } = await crawled(
      { '/': htmlPage('home') },
      { env: { parse: () => Promise.reject(new Error('stack overflow')) } },
    );
    expect(crawl.pages).toMatchObject([
      { facts: null, outcome: { status: 200, message: 'The page could not be parsed.' } },
    ]);
  });

  test.each([
    ['UTF-16', Buffer.from('\uFEFF<!doctype html><title>wide</title>', 'utf16le'), 'text/html', 'wide'],
    [
      'a charset that is a lie',
      Buffer.from('<!doctype html><title>ok</title><p>caf\u00e9', 'latin1'),
      'text/html; charset=utf-8',
      'ok',
    ],
    [
      'a charset that does not exist',
      Buffer.from('<!doctype html><title>ok</title>'),
      'text/html; charset=klingon',
      'ok',
    ],
    ['no type but markup', Buffer.from('\uFEFF<!doctype html><title>ok</title>'), '', 'ok'],
  ])('H15: %s is parsed nevertheless', async (_what, body, type, title) => {
    const { crawl } = await crawled({ '/': { body, headers: { 'content-type': type } } });
    expect(crawl.pages[0]?.facts?.titles[0]?.text).toBe(title);
  });
});

describe('checking linked resources', () => {
  test('fetches the headers of files, foreign pages, images and canonicals', async () => {
    const other = await startTestSite({ '/ok': htmlPage('x') });
    closers.push(other.close);
    const { crawl, site } = await crawled(
      {
        '/': `<!doctype html><title>t</title><link rel="canonical" href="${other.origin}/ok"><a href="/file.pdf">f</a><a href="/gone.zip">g</a><a href="${other.origin}/missing">m</a><img src="/i.png" alt=""><img src="data:image/gif;base64,x" alt="">`,
        '/file.pdf': { body: 'pdf', headers: { 'content-type': 'application/pdf' } },
        '/i.png': { body: 'png', headers: { 'content-type': 'image/png' } },
      },
      { allowHosts: [other.host] },
    );
    expect(
      crawl.linkChecks
        .map(({ url, kind, outcome }) => [
          url.replace(site.origin, '').replace(other.origin, 'other'),
          kind,
          outcome.status,
        ])
        .sort(),
    ).toEqual([
      ['/file.pdf', 'internal', 200],
      ['/gone.zip', 'internal', 404],
      ['/i.png', 'image', 200],
      ['other/missing', 'external', 404],
      ['other/ok', 'canonical', 200],
    ]);
    expect(site.requests.filter((request) => request.startsWith('HEAD'))).toContain('HEAD /file.pdf');
    expect(site.requests).not.toContain('GET /file.pdf');
  });

  test('uses GET for a server without HEAD', async () => {
    const noHead: TestPage = (request, response) => response.writeHead(request.method === 'HEAD' ? 501 : 200).end();
    const { crawl } = await crawled({ '/': htmlPage('home', '/a.pdf'), '/a.pdf': noHead });
    expect(crawl.linkChecks).toMatchObject([{ outcome: { status: 200 } }]);
  });

  test('checks pages beyond the budget, most linked first', async () => {
    const left = Array.from({ length: 30 }, (_, each) => `/p${each}`);
    const { crawl, site } = await crawled(
      { '/': htmlPage('home', '/popular', ...left), '*': htmlPage('x', '/popular', '/p29') },
      { options: { maxPages: 1, maxLinkChecks: 10 } },
    );
    expect(crawl.linkChecks).toHaveLength(4);
    expect(crawl.linkChecks.every((check) => check.kind === 'internal')).toBe(true);
    expect(site.requests.filter((request) => request.startsWith('GET'))).toEqual(['GET /']);
  });

  test('stops when the time is over', async () => {
    let env: TestEnv | undefined;
    const site = await startTestSite({ '/': htmlPage('home', '/a.pdf') });
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
    closers.push(site.close, fetcher.close);
    env = crawlEnv(fetcher, {
      parse: async (input) => {
        env?.advance(100_000);
        return parsePage(input);
      },
    });
    const crawl = await crawlSite(await discover(`${site.origin}/`, env), OPTIONS, env);
    expect(crawl.linkChecks).toEqual([]);
  });
});
