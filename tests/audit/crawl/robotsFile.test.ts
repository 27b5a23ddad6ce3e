import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchRobots, robotsPermission } from '../../../src/audit/crawl/robots/robotsFile.ts';
import type { RobotsFile } from '../../../src/audit/crawl/site.ts';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { FetchFailure } from '../../../src/model/fetching.ts';
import { startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const RULES = 'User-agent: *\nDisallow: /private\n';

let site: TestSite;
let fetcher: ClosableFetcher;
/** For sites that answer nothing: a busy machine takes longer than it waits. */
let impatient: ClosableFetcher;

beforeAll(async () => {
  site = await startTestSite({});
  fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  impatient = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0', headersMs: 250 });
});
afterAll(async () => {
  await Promise.all([fetcher.close(), impatient.close()]);
  await site.close();
});
beforeEach(() => {
  for (const path of Object.keys(site.pages)) delete site.pages[path];
});

async function fetched(pages: Record<string, TestPage>, by = fetcher): Promise<RobotsFile> {
  Object.assign(site.pages, pages);
  return fetchRobots(site.origin, crawlEnv(by));
}

const moved = (to: string, status = 301): TestPage => ({ status, headers: { location: to } });
/** `hops` redirects before the file. */
const chain = (hops: number): Record<string, TestPage> => ({
  '/robots.txt': moved('/r1'),
  ...Object.fromEntries(
    Array.from({ length: hops - 1 }, (_, each) => [
      `/r${each + 1}`,
      moved(`/r${each + 2}`, [302, 303, 307, 308][each % 4]),
    ]),
  ),
  [`/r${hops}`]: RULES,
});

describe('the meaning of the robots.txt response', () => {
  test.each([
    ...[200, 201, 203, 206].map((status) => [status, 'rules'] as const),
    ...[300, 304, 305].map((status) => [status, 'allow_all'] as const),
    ...[400, 401, 402, 403, 404, 405, 408, 410, 418, 451, 499].map((status) => [status, 'allow_all'] as const),
    [429, 'disallow_all'] as const,
    ...[500, 501, 502, 503, 504, 520, 599].map((status) => [status, 'disallow_all'] as const),
  ])('HTTP %i means %s', async (status, verdict) => {
    const robots = await fetched({ '/robots.txt': { status, ...(status === 304 ? {} : { body: RULES }) } });
    expect(robots.verdict).toBe(verdict);
    const may = robotsPermission(robots, 'TestBot/1.0');
    expect([may(`${site.origin}/a`), may(`${site.origin}/private`)]).toEqual([
      verdict !== 'disallow_all',
      verdict === 'allow_all',
    ]);
  });

  test.each([1, 2, 5])('%i redirects are followed', async (hops) => {
    expect(await fetched(chain(hops))).toMatchObject({
      verdict: 'rules',
      text: RULES,
      outcome: { hops: { length: hops } },
    });
  });

  test.each<[string, Record<string, TestPage>, FetchFailure]>([
    ['six redirects', chain(6), 'too_many_redirects'],
    ['redirects in a circle', { '/robots.txt': moved('/other'), '/other': moved('/robots.txt') }, 'redirect_loop'],
    ['a redirect without a usable target', { '/robots.txt': moved('http://[') }, 'bad_redirect'],
    ['a redirect to the inside', { '/robots.txt': moved('http://169.254.169.254/robots.txt') }, 'blocked'],
    ['a redirect to a file', { '/robots.txt': moved('file:///etc/passwd') }, 'blocked'],
  ])('%s: there is no file, so everything is allowed', async (_what, pages, failure) => {
    expect(await fetched(pages)).toMatchObject({ verdict: 'allow_all', text: '', sitemaps: [], outcome: { failure } });
  });

  test('a redirect to an error is that error', async () => {
    expect((await fetched({ '/robots.txt': moved('/gone') })).verdict).toBe('allow_all');
    expect((await fetched({ '/robots.txt': moved('/broken'), '/broken': { status: 500 } })).verdict).toBe(
      'disallow_all',
    );
  });

  test.each<[string, TestPage, FetchFailure]>([
    ['no answer', () => undefined, 'timeout'],
    ['a broken connection', (request) => void request.socket.resetAndDestroy(), 'reset'],
    [
      'half an answer',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': 100 }).write('User', () => response.destroy()),
      'reset',
    ],
    [
      'compressed data that ends too early',
      { body: gzipSync(RULES.repeat(50)).subarray(0, -12), headers: { 'content-encoding': 'gzip' } },
      'bad_encoding',
    ],
    ['a coding that is not there', { body: RULES, headers: { 'content-encoding': 'gzip' } }, 'bad_encoding'],
  ])('%s: unknown, so nothing is allowed', async (_what, page, failure) => {
    const by = failure === 'timeout' ? impatient : fetcher;
    expect(await fetched({ '/robots.txt': page }, by)).toMatchObject({
      verdict: 'disallow_all',
      text: '',
      outcome: { failure },
    });
  });

  test('a host of the internal network is not contacted', async () => {
    expect(await fetchRobots('http://10.0.0.1', crawlEnv(fetcher))).toMatchObject({
      verdict: 'disallow_all',
      outcome: { failure: 'blocked' },
    });
  });

  test('compressed rules are decompressed', async () => {
    const robots = await fetched({ '/robots.txt': { body: gzipSync(RULES), headers: { 'content-encoding': 'gzip' } } });
    expect(robots).toMatchObject({ verdict: 'rules', text: RULES });
  });

  test('500 KiB are counted after decompression, without a half line', async () => {
    const body = gzipSync(`${RULES}${'Disallow: /ab\n'.repeat(50_000)}`);
    const robots = await fetched({ '/robots.txt': { body, headers: { 'content-encoding': 'gzip' } } });
    expect(robots).toMatchObject({ verdict: 'rules', outcome: { truncated: true, bytes: 512_000 } });
    expect(robots.text.endsWith('Disallow: /ab\n')).toBe(true);
  });

  test('a decompression bomb is a file whose first 500 KiB have no rules', async () => {
    const robots = await fetched({
      '/robots.txt': { body: gzipSync(Buffer.alloc(20_000_000)), headers: { 'content-encoding': 'gzip' } },
    });
    expect(robots).toMatchObject({ verdict: 'rules', text: '', outcome: { truncated: true, bytes: 512_000 } });
  });

  test.each([
    ['comments before a page', `<!-- a --> <!-- b -->${'\n'}<!DOCTYPE html><html></html>`, 'text/plain', true],
    ['a comment without end', '<!-- <html>', 'text/plain', false],
    ['comments without end, one in another', `<!--${'--><!--'.repeat(280)}`, 'text/plain', false],
    ['rules', RULES, 'text/html', false],
  ])('%s: a page is decided at once', async (_what, body, type, isPage) => {
    expect((await fetched({ '/robots.txt': { body, headers: { 'content-type': type } } })).looksLikeHtml).toBe(isPage);
  });

  test('each sitemap is listed once, a thousand at most', async () => {
    const lines = Array.from({ length: 3000 }, (_, each) => `Sitemap: https://a.example/${each % 1500}.xml\n`);
    expect((await fetched({ '/robots.txt': lines.join('') })).sitemaps).toHaveLength(1000);
  });
});
