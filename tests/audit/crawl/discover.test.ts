import { afterEach, describe, expect, test } from 'vitest';
import { discover, discoverEither } from '../../../src/audit/crawl/discover.ts';
import type { Discovery } from '../../../src/audit/crawl/site.ts';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { Fetcher, FetchResult } from '../../../src/model/fetching.ts';
import { startHostileServer } from '../../servers/hostileServer.ts';
import { htmlPage, startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function site(pages: Record<string, TestPage>): Promise<TestSite> {
  const started = await startTestSite(pages);
  closers.push(started.close);
  return started;
}

function fetcherFor(...hosts: readonly string[]): ClosableFetcher {
  return withTimeout(10_000, hosts);
}

function withTimeout(headersMs: number, hosts: readonly string[]): ClosableFetcher {
  const fetcher = createFetcher({ allowHosts: hosts, userAgent: 'TestBot/1.0', headersMs });
  closers.push(fetcher.close);
  return fetcher;
}

async function discovered(
  pages: Record<string, TestPage>,
  path = '/',
): Promise<{ site: TestSite; discovery: Discovery }> {
  const started = await site(pages);
  return { site: started, discovery: await discover(started.origin + path, crawlEnv(fetcherFor(started.host))) };
}

describe('discovery', () => {
  test('collects what a site declares about itself', async () => {
    const { site: started, discovery } = await discovered({
      '/': htmlPage('home'),
      '/robots.txt': { body: 'User-agent: *\nDisallow: /private\n', headers: { 'content-type': 'text/plain' } },
      '/sitemap.xml': {
        body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://x.example/</loc></url></urlset>',
      },
      '/llms.txt': { body: '# Site\n', headers: { 'content-type': 'text/plain' } },
      '/favicon.ico': { body: 'icon', headers: { 'content-type': 'image/x-icon' } },
    });
    expect(discovery).toMatchObject({
      startUrl: `${started.origin}/`,
      origin: started.origin,
      robots: { verdict: 'rules', text: 'User-agent: *\nDisallow: /private\n', looksLikeHtml: false, sitemaps: [] },
      sitemaps: [{ from: 'guess', kind: 'urlset', urlCount: 1 }],
      llmsTxt: { text: '# Site\n', outcome: { status: 200 } },
      probes: { httpTwin: null, wwwTwin: null, missingPage: { status: 404 }, favicon: { status: 200 } },
    });
    expect(JSON.parse(JSON.stringify(discovery))).toEqual(discovery);
    expect(started.requests[0]).toBe('GET /robots.txt');
    expect(started.mostAtOnce()).toBeLessThanOrEqual(4);
  });

  test('tries an address without a scheme over http if the port has no TLS, and not otherwise', async () => {
    const started = await site({ '/': htmlPage('home'), '/robots.txt': 'User-agent: *\nAllow: /' });
    const env = crawlEnv(fetcherFor(started.host));
    const guessed = started.origin.replace('http:', 'https:');
    expect(await discoverEither(`${guessed}/`, env)).toMatchObject({
      startUrl: `${started.origin}/`,
      origin: started.origin,
      robots: { verdict: 'rules' },
    });
    expect(await discover(`${guessed}/`, env)).toMatchObject({
      origin: guessed,
      robots: { outcome: { failure: 'tls' } },
    });
    await started.close();
    expect(await discoverEither(`${guessed}/`, env)).toMatchObject({
      startUrl: `${guessed}/`,
      robots: { outcome: { failure: 'refused' } },
    });
  });

  test('takes the final address of the start page as the site', async () => {
    const target = await site({ '/': htmlPage('home'), '/robots.txt': 'User-agent: *\nDisallow: /b' });
    const moved = await site({ '/': { status: 301, headers: { location: `${target.origin}/` } } });
    const discovery = await discover(`${moved.origin}/`, crawlEnv(fetcherFor(moved.host, target.host)));
    expect(discovery).toMatchObject({
      startUrl: `${moved.origin}/`,
      origin: target.origin,
      robots: { verdict: 'rules', outcome: { url: `${target.origin}/robots.txt` } },
    });
  });

  test('uses GET for a server that refuses HEAD', async () => {
    const target = await site({ '/': htmlPage('home') });
    const moved = await site({
      '/': (request, response) => {
        response.writeHead(
          request.method === 'HEAD' ? 405 : 302,
          request.method === 'HEAD' ? {} : { location: `${target.origin}/` },
        );
        response.end();
      },
    });
    expect((await discover(`${moved.origin}/`, crawlEnv(fetcherFor(moved.host, target.host)))).origin).toBe(
      target.origin,
    );
  });

  test.each([
    ['200', { body: 'User-agent: *\nDisallow:' }, 'rules'],
    ['204', { status: 204 }, 'rules'],
    ['301 to nowhere', { status: 301, headers: { location: 'http://[' } }, 'allow_all'],
    ['401', { status: 401 }, 'allow_all'],
    ['403', { status: 403 }, 'allow_all'],
    ['404', { status: 404 }, 'allow_all'],
    ['410', { status: 410 }, 'allow_all'],
    ['429', { status: 429 }, 'disallow_all'],
    ['500', { status: 500 }, 'disallow_all'],
    ['503', { status: 503 }, 'disallow_all'],
  ] as const)('robots.txt with %s means %s', async (_status, robots, verdict) => {
    const { discovery, site: started } = await discovered({ '/': htmlPage('home'), '/robots.txt': robots });
    expect(discovery.robots.verdict).toBe(verdict);
    if (verdict === 'disallow_all') expect(started.requests).toEqual(['GET /robots.txt']);
  });

  test('reports a web page in place of robots.txt', async () => {
    const { discovery } = await discovered({ '/': htmlPage('home'), '/robots.txt': htmlPage('oops') });
    expect(discovery.robots).toMatchObject({ verdict: 'rules', looksLikeHtml: true });
  });

  test('obeys a robots.txt that forbids everything: fetches nothing else', async () => {
    const { discovery, site: started } = await discovered({
      '*': htmlPage('x'),
      '/robots.txt': 'User-agent: TestBot\nDisallow: /\nSitemap: /sitemap.xml',
    });
    expect(started.requests).toEqual(['GET /robots.txt']);
    expect(discovery).toMatchObject({ sitemaps: [], llmsTxt: null, probes: { missingPage: null, favicon: null } });
  });

  test('ignores rules for other bots', async () => {
    const { discovery } = await discovered({ '/': htmlPage('x'), '/robots.txt': 'User-agent: OtherBot\nDisallow: /' });
    expect(discovery.probes.missingPage?.status).toBe(404);
  });

  test('H17: a robots.txt of 100 MB is cut after its last whole line', async () => {
    const server = await startHostileServer({
      '/robots.txt': ({ socket }) => {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n${`Disallow: /${'x'.repeat(88)}\n`.repeat(8000)}`,
        );
        socket.end();
      },
    });
    closers.push(server.close);
    const { robots } = await discover(`${server.origin}/`, crawlEnv(fetcherFor(server.host)));
    expect(robots).toMatchObject({ verdict: 'rules', outcome: { truncated: true, bytes: 512_000 } });
    expect(robots.text.endsWith('\n')).toBe(true);
  });

  test('H10, H17: a host that never answers ends with a reason', async () => {
    const server = await startHostileServer({ '*': () => undefined });
    closers.push(server.close);
    const discovery = await discover(`${server.origin}/`, crawlEnv(withTimeout(250, [server.host])));
    expect(discovery).toMatchObject({
      robots: { verdict: 'disallow_all', outcome: { status: null, failure: 'timeout' } },
      sitemaps: [],
      llmsTxt: null,
    });
    expect(server.asked).toEqual(['/robots.txt']);
  });
});

describe('the twins of the site', () => {
  /** Answers 200 to everything and records the requests. */
  function recorder(): { fetch: Fetcher; asked: string[] } {
    const asked: string[] = [];
    const fetch: Fetcher = async (url): Promise<FetchResult> => {
      asked.push(url);
      return {
        ok: true,
        requestedUrl: url,
        url,
        status: 200,
        headers: {},
        hops: [],
        body: new Uint8Array(),
        truncated: false,
        transferBytes: 0,
        ttfbMs: 0,
        totalMs: 0,
        httpVersion: '2',
      };
    };
    return { fetch, asked };
  }

  test.each([
    ['https://example.com/', 'http://example.com/', 'https://www.example.com/'],
    ['https://www.example.com/', 'http://www.example.com/', 'https://example.com/'],
    ['https://blog.example.com/', 'http://blog.example.com/', null],
    ['http://example.com/', null, 'http://www.example.com/'],
    ['https://example.com:8443/', null, 'https://www.example.com:8443/'],
  ])('of %s are %s and %s', async (url, httpTwin, www) => {
    const { fetch, asked } = recorder();
    const { probes } = await discover(url, crawlEnv(fetch));
    expect(probes.httpTwin?.url ?? null).toBe(httpTwin);
    expect(probes.wwwTwin?.url ?? null).toBe(www);
    expect(asked.filter((each) => each.includes('not-here'))).toHaveLength(1);
  });
});
