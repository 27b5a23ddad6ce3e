/**
 * No internal address is ever connected to, wherever it comes from: submitted, a redirect, robots.txt, a sitemap, or a
 * page.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import { normaliseSubmission } from '../../../src/audit/crawl/url.ts';
import { whyNotPublic } from '../../../src/integrations/fetcher/addressGuard.ts';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { ResolveHost } from '../../../src/integrations/fetcher/resolveHost.ts';
import { crawlEnv } from '../../audit/crawl/crawlEnv.ts';
import { ssrfCases } from '../../fixtures/ssrfCases.ts';
import { type ConnectionWatch, watchConnections } from '../../servers/connectionWatch.ts';
import { type HostileServer, startHostileServer, writeAnswer, writeHtml } from '../../servers/hostileServer.ts';

const denied = ssrfCases.filter((each) => each.verdict === 'deny');

/** The same address on a port with a listener, as a browser would write it. */
function onListenedPort(raw: string): string[] {
  if (!URL.canParse(raw)) return [];
  const url = new URL(raw);
  if (!/^https?:$/.test(url.protocol) || url.port !== '') return [];
  url.port = '8080';
  return [url.href];
}

const attacks = denied.flatMap(({ url, dns }) => [url, ...onListenedPort(url)].map((each) => ({ url: each, dns })));

/** Answers only from the list. Names that are not in it, or would lead to the public internet, do not exist. */
const stubbed = new Map(
  denied.flatMap(({ url, dns }) =>
    dns?.some((address) => whyNotPublic(address)) && URL.canParse(url) ? [[new URL(url).hostname, dns] as const] : [],
  ),
);
const resolve: ResolveHost = async (hostname) => {
  const answers = stubbed.get(hostname);
  if (!answers) throw new Error('not found');
  return answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('\n', '&#10;');

let watch: ConnectionWatch;
let server: HostileServer;
let fetcher: ClosableFetcher;
let robots = '';
let sitemap = '';
let page = '';
let headers: readonly string[] = [];

beforeAll(async () => {
  watch = await watchConnections();
  server = await startHostileServer({
    '/robots.txt': ({ socket }) => writeAnswer(socket, '200 OK', ['Content-Type: text/plain'], robots),
    '/sitemap.xml': ({ socket }) => writeAnswer(socket, '200 OK', ['Content-Type: application/xml'], sitemap),
    '/sitemap.txt': ({ socket }) => writeAnswer(socket, '200 OK', ['Content-Type: text/plain'], sitemap),
    '/': ({ socket }) => writeHtml(socket, page, headers),
  });
  fetcher = createFetcher({ allowHosts: [server.host], userAgent: 'GuardTest/1.0', resolve });
});

afterAll(async () => {
  await fetcher.close();
  await server.close();
  await watch.close();
});

beforeEach(() => {
  robots = '';
  sitemap = '';
  headers = [];
  page = '<!doctype html><title>start</title>';
  watch.forget();
});

/** Only the test's own server was connected to. */
function expectNoInnerConnection(ownBefore: number): void {
  expect(watch.accepted()).toEqual([]);
  expect(watch.opened()).toBe(server.connections() - ownBefore);
}

async function audit(startUrl: string): Promise<Crawl> {
  const env = crawlEnv(fetcher);
  const discovery = await discover(startUrl, env);
  return crawlSite(discovery, { maxPages: 50, maxMs: 60_000, maxBytes: 1e8, concurrency: 4, maxLinkChecks: 2000 }, env);
}

describe('the watch itself', () => {
  test('sees a connection', async () => {
    expect(watch.listening.length).toBeGreaterThan(0);
    const open = createFetcher({ allowHosts: watch.listening, userAgent: 'GuardTest/1.0' });
    const [at = ''] = watch.listening;
    expect(await open(`http://${at}/`)).toMatchObject({ ok: true });
    expect(watch.accepted()).toEqual([at]);
    expect(watch.opened()).toBe(1);
    await open.close();
  });
});

describe('entry point: submitted address', () => {
  test.each(attacks)('$url is refused without a connection', async ({ url }) => {
    const own = server.connections();
    expect(await fetcher(url)).toMatchObject({ ok: false });
    const submission = normaliseSubmission(url);
    if (submission.ok) {
      const crawl = await audit(submission.url);
      expect(crawl.pages[0]?.facts).toBeNull();
      expect(crawl.pages[0]?.outcome.failure).not.toBeNull();
    }
    expectNoInnerConnection(own);
  });

  test('there are enough of them', () => {
    expect(attacks.length).toBeGreaterThan(200);
  });
});

describe('entry point: redirect', () => {
  // No server can send characters that are invalid in a header.
  const targets = attacks.filter(({ url }) => url.trim() !== '' && !/[\r\n]/.test(url));
  const leavesTheServer = (url: string): boolean =>
    URL.canParse(url, server.origin) && new URL(url, server.origin).origin !== server.origin;

  test.each(targets)('a 302 to $url is not followed', async ({ url }) => {
    const own = server.connections();
    const result = await fetcher(`${server.origin}/redirect?to=${encodeURIComponent(url)}`);
    if (leavesTheServer(url)) expect(result).toMatchObject({ ok: false, hops: [{ status: 302 }] });
    expectNoInnerConnection(own);
  });

  test.each(
    [301, 302, 303, 307, 308].flatMap((code) =>
      ['http://127.0.0.1/', 'http://169.254.169.254/', 'file:///etc/passwd', 'http://[::1]/'].map((to) => ({
        code,
        to,
      })),
    ),
  )('H1: $code to $to is blocked', async ({ code, to }) => {
    const own = server.connections();
    const result = await fetcher(`${server.origin}/redirect?code=${code}&to=${encodeURIComponent(to)}`);
    expect(result).toMatchObject({ ok: false, failure: 'blocked', url: to });
    expectNoInnerConnection(own);
  });
});

describe('entry point: robots.txt and sitemaps', () => {
  test('internal sitemap addresses in robots.txt are not fetched', async () => {
    const lines = attacks.map(({ url }) => url).filter((url) => !/[\r\n]/.test(url));
    for (let at = 0; at < lines.length; at += 20) {
      const own = server.connections();
      watch.forget();
      robots = lines
        .slice(at, at + 20)
        .map((url) => `Sitemap: ${url}`)
        .join('\n');
      const crawl = await audit(`${server.origin}/`);
      expect(crawl.pages[0]?.facts).not.toBeNull();
      for (const file of crawl.discovery.sitemaps)
        if (!file.url.startsWith(server.origin))
          expect(file).toMatchObject({ kind: 'invalid', outcome: { status: null } });
      expectNoInnerConnection(own);
    }
  });

  test('a robots.txt that redirects to an internal address counts as missing', async () => {
    const moved = await startHostileServer({
      '/robots.txt': ({ socket }) =>
        writeAnswer(socket, '302 Found', ['Location: http://169.254.169.254/', 'Content-Length: 0']),
      '/': ({ socket }) => writeHtml(socket, '<!doctype html><title>open</title>'),
    });
    const open = createFetcher({ allowHosts: [moved.host], userAgent: 'GuardTest/1.0' });
    const before = moved.connections();
    const crawl = await crawlSite(
      await discover(`${moved.origin}/`, crawlEnv(open)),
      { maxPages: 5, maxMs: 60_000, maxBytes: 1e8, concurrency: 4 },
      crawlEnv(open),
    );
    expect(crawl.discovery.robots).toMatchObject({ verdict: 'allow_all', outcome: { failure: 'blocked' } });
    expect(crawl.pages[0]?.facts).not.toBeNull();
    expect(watch.accepted()).toEqual([]);
    expect(watch.opened()).toBe(moved.connections() - before);
    await open.close();
    await moved.close();
  });

  test.each(['urlset', 'sitemapindex'])('entries of a %s are not fetched', async (root) => {
    const own = server.connections();
    const entry = root === 'urlset' ? 'url' : 'sitemap';
    sitemap = `<?xml version="1.0"?><${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${attacks.map(({ url }) => `<${entry}><loc>${escaped(url)}</loc></${entry}>`).join('')}</${root}>`;
    const crawl = await audit(`${server.origin}/`);
    expect(crawl.discovery.sitemaps[0]).toMatchObject({ kind: root === 'urlset' ? 'urlset' : 'index', error: null });
    expect(crawl.discovery.sitemaps[0]?.urlCount).toBeGreaterThan(200);
    expectNoInnerConnection(own);
  });
});

describe('entry point: other kinds of sitemaps', () => {
  const written = attacks.filter(({ url }) => url.trim() !== '');
  test.each([
    [
      'language versions',
      () =>
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>${server.origin}/</loc>${written
          .slice(0, 100)
          .map(({ url }) => `<xhtml:link rel="alternate" hreflang="de" href="${escaped(url)}"/>`)
          .join('')}</url></urlset>`,
    ],
    [
      'images',
      () =>
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>${server.origin}/</loc>${written
          .slice(0, 100)
          .map(({ url }) => `<image:image><image:loc>${escaped(url)}</image:loc></image:image>`)
          .join('')}</url></urlset>`,
    ],
    [
      'an RSS feed',
      () =>
        `<rss version="2.0"><channel>${written.map(({ url }) => `<item><link>${escaped(url)}</link></item>`).join('')}</channel></rss>`,
    ],
    [
      'an Atom feed',
      () =>
        `<feed xmlns="http://www.w3.org/2005/Atom">${written.map(({ url }) => `<entry><link href="${escaped(url)}"/></entry>`).join('')}</feed>`,
    ],
    [
      'a list in text',
      () =>
        written
          .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url) && !/[\r\n]/.test(url))
          .map(({ url }) => url)
          .join('\n'),
    ],
  ])('%s are not fetched', async (_kind, made) => {
    const own = server.connections();
    sitemap = made();
    robots = `Sitemap: ${server.origin}/sitemap.${sitemap.startsWith('<') ? 'xml' : 'txt'}`;
    const crawl = await audit(`${server.origin}/`);
    expect(crawl.discovery.sitemaps[0]).toMatchObject({ from: 'robots', error: null });
    expectNoInnerConnection(own);
  });
});

describe('entry point: headers of a page', () => {
  const plain = attacks.map(({ url }) => url).filter((url) => /^[\x21-\x7e]+$/.test(url));
  test.each([
    [
      'Link',
      (urls: readonly string[]) =>
        urls.map((url) => `Link: <${url}>; rel="canonical", <${url}>; rel="alternate"; hreflang="de"`),
    ],
    ['Refresh', (urls: readonly string[]) => urls.slice(0, 1).map((url) => `Refresh: 0; url=${url}`)],
    ['Content-Location', (urls: readonly string[]) => urls.slice(0, 1).map((url) => `Content-Location: ${url}`)],
    ['Alt-Svc', () => ['Alt-Svc: h2="127.0.0.1:8080"; ma=3600, h2="169.254.169.254:80"']],
  ])('%s leads nowhere', async (_name, lines) => {
    for (let from = 0; from < plain.length; from += 20) {
      const urls = plain.slice(from, from + 20);
      headers = lines(urls);
      watch.forget();
      const own = server.connections();
      const crawl = await audit(`${server.origin}/`);
      expect(crawl.pages[0]?.facts).not.toBeNull();
      expectNoInnerConnection(own);
      if (lines([]).length > 0) break;
    }
  });
});

describe('entry point: link in a page', () => {
  test.each([
    ['links', (url: string) => `<a href="${escaped(url)}">x</a>`],
    ['images', (url: string) => `<img src="${escaped(url)}" alt="">`],
    ['canonicals', (url: string) => `<link rel="canonical" href="${escaped(url)}">`],
    ['alternates', (url: string) => `<link rel="alternate" hreflang="de" href="${escaped(url)}">`],
    ['scripts', (url: string) => `<script src="${escaped(url)}"></script>`],
    ['styles', (url: string) => `<link rel="stylesheet" href="${escaped(url)}">`],
    ['icons', (url: string) => `<link rel="icon" href="${escaped(url)}">`],
    ['manifests', (url: string) => `<link rel="manifest" href="${escaped(url)}">`],
    ['feeds', (url: string) => `<link rel="alternate" type="application/rss+xml" href="${escaped(url)}">`],
    ['frames', (url: string) => `<iframe src="${escaped(url)}"></iframe>`],
    ['forms', (url: string) => `<form action="${escaped(url)}"></form>`],
    ['previews', (url: string) => `<meta property="og:image" content="${escaped(url)}">`],
  ])('%s are not fetched', async (_kind, markup) => {
    const own = server.connections();
    page = `<!doctype html><title>links</title>${attacks.map(({ url }) => markup(url)).join('')}`;
    const crawl = await audit(`${server.origin}/`);
    expect(crawl.pages[0]?.facts).not.toBeNull();
    for (const check of crawl.linkChecks)
      if (!check.url.startsWith(server.origin)) expect(check.outcome.status).toBeNull();
    expectNoInnerConnection(own);
  });

  test('the link checks did process them', async () => {
    page =
      '<!doctype html><title>links</title><a href="http://10.0.0.1/">x</a><img src="http://192.168.0.1/i.png" alt="">';
    const crawl = await audit(`${server.origin}/`);
    expect(crawl.linkChecks.map(({ kind, outcome }) => [kind, outcome.failure])).toEqual([
      ['external', 'blocked'],
      ['image', 'blocked'],
    ]);
  });

  test.each([
    ['H4: meta refresh', '<meta http-equiv="refresh" content="0; url=http://127.0.0.1:8080/">'],
    ['H4: base', '<base href="http://127.0.0.1:8080/"><a href="inner">x</a><img src="i.png" alt="">'],
  ])('%s to the inside leads nowhere', async (_name, markup) => {
    const own = server.connections();
    page = `<!doctype html><title>t</title>${markup}`;
    await audit(`${server.origin}/`);
    expectNoInnerConnection(own);
  });
});
