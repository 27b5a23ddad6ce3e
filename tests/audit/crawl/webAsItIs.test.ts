/** Hosts, redirects and encodings of the real web, through the real fetcher and parser. */
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { normaliseSubmission } from '../../../src/audit/crawl/url.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Audited = { readonly crawl: Crawl; readonly site: TestSite; readonly paths: string[] };

/** `host` is a name that resolves to the test site's port. */
async function crawled(pages: Record<string, TestPage>, host = '127.0.0.1', path = '/'): Promise<Audited> {
  const site = await startTestSite(pages);
  const port = site.host.slice(site.host.indexOf(':') + 1);
  const submission = normaliseSubmission(`http://${host}:${port}${path}`);
  if (!submission.ok) throw new Error(submission.reason);
  const fetcher = createFetcher({
    allowHosts: [submission.host, `www.${submission.host}`],
    userAgent: 'TestBot/1.0',
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher);
  const crawl = await crawlSite(
    await discover(submission.url, env),
    { maxPages: 30, maxMs: 60_000, maxBytes: 1e9, concurrency: 2 },
    env,
  );
  const origin = `http://${submission.host}`;
  return { crawl, site, paths: crawl.pages.map((page) => page.url.replace(origin, '')).sort() };
}

const titleOf = (crawl: Crawl, path: string): string | undefined =>
  crawl.pages.find((page) => new URL(page.url).pathname === path && page.facts !== null)?.facts?.titles[0]?.text;
const moved = (status: number, location: string): TestPage => ({ status, headers: { location } });

describe('hosts', () => {
  test('a name in another script is one host in all its spellings', async () => {
    const port: { now: AddressInfo['port'] | string } = { now: 0 };
    const pages: Record<string, TestPage> = {
      '/': (request, response) => {
        port.now = request.headers.host?.split(':')[1] ?? '';
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(
          htmlPage(
            'home',
            `http://bücher.example:${port.now}/a`,
            `http://xn--bcher-kva.example:${port.now}/b`,
            `http://BÜCHER.example:${port.now}/c`,
          ),
        );
      },
      '*': htmlPage('x'),
    };
    const { paths, crawl } = await crawled(pages, 'bücher.example');
    expect(paths).toEqual(['/', '/a', '/b', '/c']);
    expect(crawl.discovery.origin).toBe(`http://xn--bcher-kva.example:${port.now}`);
    expect(crawl.linkChecks).toEqual([]);
  });

  test('a dot after the host does not make a second site', async () => {
    const pages: Record<string, TestPage> = {
      '/': (request, response) => {
        const port = request.headers.host?.split(':')[1] ?? '';
        response.setHeader('content-type', 'text/html');
        response.end(
          htmlPage(
            'home',
            `http://site.example.:${port}/a`,
            `http://site.example:${port}/a`,
            `http://www.site.example.:${port}/b`,
          ),
        );
      },
      '*': htmlPage('x'),
    };
    const { paths, crawl, site } = await crawled(pages, 'site.example.');
    expect(crawl.discovery.startUrl).toMatch(/^http:\/\/site\.example:\d+\/$/);
    expect(crawl.pages.map((page) => [new URL(page.url).pathname, page.depth])).toEqual([
      ['/', 0],
      ['/a', 1],
      ['/b', 1],
    ]);
    expect(paths).toHaveLength(3);
    expect(site.requests.filter((request) => request === 'GET /a')).toHaveLength(1);
  });

  test('a redirect to the host with the dot is a redirect to the host', async () => {
    const { crawl } = await crawled(
      {
        '/': (request, response) => {
          const [host = '', port = ''] = (request.headers.host ?? '').split(':');
          if (host.endsWith('.')) response.setHeader('content-type', 'text/html').end(htmlPage('home', '/a'));
          else response.writeHead(301, { location: `http://${host}.:${port}/` }).end();
        },
        '*': htmlPage('x'),
      },
      'site.example',
    );
    expect(crawl.pages.map((page) => new URL(page.url).pathname)).toEqual(['/', '/a']);
    expect(crawl.pages[0]).toMatchObject({ from: 'start', outcome: { status: 200, hops: [{ status: 301 }] } });
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('a redirect with status %i is followed and recorded', async (status) => {
    const { crawl, paths } = await crawled({
      '/': htmlPage('home', '/old'),
      '/old': moved(status, '/new'),
      '/new': htmlPage('new'),
    });
    expect(paths).toEqual(['/', '/new', '/old']);
    expect(crawl.pages.find((page) => page.url.endsWith('/old'))).toMatchObject({
      facts: null,
      outcome: { hops: [{ status, location: '/new' }] },
    });
  });

  test('a chain of all kinds of redirects is followed', async () => {
    const codes = [301, 302, 303, 307, 308];
    const chain = Object.fromEntries(codes.map((status, index) => [`/${index}`, moved(status, `/${index + 1}`)]));
    const { crawl } = await crawled({ '/': htmlPage('home', '/0'), ...chain, '/5': htmlPage('arrived') });
    expect(crawl.pages.find((page) => page.url.endsWith('/0'))?.outcome.hops.map(({ status }) => status)).toEqual(
      codes,
    );
    expect(titleOf(crawl, '/5')).toBe('arrived');
  });

  test.each([300, 304, 305, 306, 399])('status %i does not count as a redirect', async (status) => {
    const { crawl } = await crawled({
      '/': htmlPage('home', '/old'),
      '/old': moved(status, '/new'),
      '/new': htmlPage('new'),
    });
    expect(crawl.pages.map((page) => new URL(page.url).pathname)).toEqual(['/', '/old']);
  });

  test('meta refreshes in a circle are pages that are read once', async () => {
    const refresh = (to: string): string =>
      `<!doctype html><title>${to}</title><meta http-equiv="refresh" content="0; url=${to}">`;
    const { paths, crawl } = await crawled({ '/': refresh('/a'), '/a': refresh('/b'), '/b': refresh('/a') });
    expect(paths).toEqual(['/', '/a', '/b']);
    expect(crawl.coverage.stop).toBe('complete');
  });

  test.each(['//[', 'http://', 'javascript:alert(1)', 'mailto:a@b.example', 'data:text/html,x', '#top', ''])(
    'to %j leads nowhere and says so',
    async (location) => {
      const { crawl } = await crawled({ '/': htmlPage('home', '/old'), '/old': moved(302, location) });
      const old = crawl.pages.find((page) => page.url.endsWith('/old'));
      expect(old?.facts).toBeNull();
      expect(old?.outcome.message).toMatch(/\.$/);
    },
  );
});

describe('character encodings', () => {
  const text = 'Grüße, 日本';
  const page = (declared = ''): string =>
    `<!doctype html><html lang="de"><head>${declared}<title>${text}</title></head><body><p>x</p></body></html>`;
  const latin = 'Grüße, niño';
  const latinPage = (declared = ''): Buffer =>
    Buffer.from(`<!doctype html><html><head>${declared}<title>${latin}</title></head></html>`, 'latin1');
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
  test.each<[string, Buffer, string, string]>([
    ['UTF-8 by header', Buffer.from(page()), 'text/html; charset=utf-8', text],
    ['UTF-8 by header in quotes', Buffer.from(page()), 'text/html;charset="UTF-8"', text],
    ['UTF-8 by mark, against the header', Buffer.from(`\uFEFF${page()}`), 'text/html; charset=iso-8859-1', text],
    ['UTF-8 by meta', Buffer.from(page('<meta charset="utf-8">')), 'text/html', text],
    [
      'UTF-8 by http-equiv',
      Buffer.from(page('<meta http-equiv="Content-Type" content="text/html; charset=utf-8">')),
      'text/html',
      text,
    ],
    ['UTF-8 without a word', Buffer.from(page()), 'text/html', text],
    ['Latin-1 by header', latinPage(), 'text/html; charset=ISO-8859-1', latin],
    ['Latin-1 by meta', latinPage('<meta charset="iso-8859-1">'), 'text/html', latin],
    ['Latin-1 without a word', latinPage(), 'text/html', latin],
    ['the header against the meta', latinPage('<meta charset="utf-8">'), 'text/html; charset=latin1', latin],
    [
      'Shift_JIS by header',
      Buffer.concat([Buffer.from('<!doctype html><title>'), japanese, Buffer.from('</title>')]),
      'text/html; charset=Shift_JIS',
      '日本',
    ],
    ['UTF-16 little by mark', Buffer.from(`\uFEFF${page()}`, 'utf16le'), 'text/html', text],
    ['UTF-16 big by mark', Buffer.from(`\uFEFF${page()}`, 'utf16le').swap16(), 'text/html', text],
    ['UTF-16 by header', Buffer.from(page(), 'utf16le'), 'text/html; charset=utf-16le', text],
    ['UTF-16 claimed by a meta that could be read', Buffer.from(page('<meta charset="utf-16">')), 'text/html', text],
    ['a name that nobody knows', Buffer.from(page()), 'text/html; charset=klingon', text],
  ])('%s', async (_what, body, type, expected) => {
    const { crawl } = await crawled({ '/': { body, headers: { 'content-type': type } } });
    expect(crawl.pages[0]?.facts?.titles[0]?.text).toBe(expected);
  });
});

describe('compressed pages', () => {
  const body = Buffer.from(htmlPage('compressed', '/next').repeat(30));
  test.each([
    ['gzip', gzipSync(body)],
    ['gzip', Buffer.concat([gzipSync(body), Buffer.from('\n<!-- cached -->')])],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotliCompressSync(body)],
    ['br, gzip', gzipSync(brotliCompressSync(body))],
  ])('%s', async (coding, wire) => {
    const { crawl, paths } = await crawled({
      '/': { body: wire, headers: { 'content-encoding': coding } },
      '*': htmlPage('next'),
    });
    expect(crawl.pages[0]?.outcome).toMatchObject({ bytes: body.length, transferBytes: wire.length });
    expect(paths).toEqual(['/', '/next']);
  });
});
