/** Audits of an unchanged site that is larger than the limit: the same result, however long its answers take. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import type { CrawlEnv, CrawlOptions } from '../../src/audit/crawl/crawlEnv.ts';
import { parsePage } from '../../src/audit/facts/parse/parsePage.ts';
import { compareRuns } from '../../src/audit/report/compare.ts';
import type { FindingsDocument } from '../../src/audit/report/findingsFormat.ts';
import { findingsDocument } from '../../src/audit/report/findingsJson.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { startTestSite, type TestPage, type TestSite } from '../servers/testSite.ts';

const LIMIT = 40;
const PAGES = 150;
const KINDS = ['shop', 'blog', 'guides', 'help'];

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pathOf = (page: number): string =>
  page % 11 === 0
    ? `/list?sort=${page}&session=${page}`
    : `/${KINDS[page % 4]}/${page % 3 === 0 ? 'new/' : ''}p${page}`;

function htmlOf(page: number, elsewhere: string): string {
  const random = randomOf(page + 1);
  const some = (most: number, name: (each: number) => string): string =>
    Array.from({ length: most }, () => name(Math.floor(random() * PAGES)))
      .map((href) => `<a href="${href}">More about ${href}</a>`)
      .join(' ');
  const links = [
    some(page === 0 ? 9 : 5, pathOf),
    some(1, (each) => `/moved/${each}`),
    some(1, (each) => `/gone/${each}`),
    some(1, (each) => `/closed/${each}`),
    some(1, (each) => `/files/${each}.${each % 2 === 0 ? 'pdf' : 'js'}`),
    some(2, (each) => `${elsewhere}/${each % 5 === 0 ? 'gone' : 'there'}/${each}`),
  ];
  const picture = `<img src="/pictures/${Math.floor(random() * PAGES)}.png"${page % 4 === 0 ? '' : ' alt="Tea"'}>`;
  const canonical = page % 11 === 0 && page > 0 ? '<link rel="canonical" href="/list">' : '';
  const title = page % 9 === 0 ? 'Tea' : `Page ${page} about tea and about cups`;
  return `<!doctype html><html lang="en"><head><title>${title}</title>${canonical}</head><body><main><h1>Page ${page}</h1><p>All of it.</p>${links.join(' ')}${picture}</main></body></html>`;
}

const servers: TestSite[] = [];
let site: TestSite;
let delay: () => number = () => 0;

beforeAll(async () => {
  const late =
    (answer: (path: string) => TestPage): TestPage =>
    async (request, response) => {
      await wait(delay());
      const page = answer(request.url ?? '/');
      const {
        body = '',
        status = 200,
        headers = {},
      } = typeof page === 'string'
        ? { body: page }
        : (page as { body?: string; status?: number; headers?: Record<string, string> });
      response
        .writeHead(status, { 'content-type': 'text/html', ...headers })
        .end(request.method === 'HEAD' ? '' : body);
    };
  const other = await startTestSite({
    '*': late((path) => (path.startsWith('/gone') ? { status: 404 } : '<title>There</title>')),
  });
  site = await startTestSite({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /closed/', headers: { 'content-type': 'text/plain' } },
    '*': late((path) => {
      const page = Number(/(?:p|sort=)(\d+)/.exec(path)?.[1] ?? -1);
      if (path === '/') return htmlOf(0, other.origin);
      if (path.startsWith('/moved/')) return { status: 301, headers: { location: pathOf(Number(path.slice(7))) } };
      if (path.startsWith('/files/') && path.endsWith('js')) return { headers: { 'content-type': 'text/javascript' } };
      if (path.startsWith('/pictures/'))
        return { status: path.endsWith('3.png') ? 404 : 200, headers: { 'content-type': 'image/png' } };
      return page < 0 || path.startsWith('/gone/') ? { status: 404 } : htmlOf(page, other.origin);
    }),
  });
  servers.push(site, other);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** One audit whose answers come late by chance, and what it found. */
async function audited(seed: number, options: Partial<CrawlOptions> = {}): Promise<FindingsDocument> {
  const random = randomOf(seed);
  delay = () => random() * 12;
  // A stopped clock: how long an answer took is no property of the site.
  const allowHosts = servers.map(({ host }) => host);
  const fetcher = createFetcher({ allowHosts, userAgent: 'TestBot/1.0', now: () => 0 });
  const env: CrawlEnv = {
    fetch: fetcher,
    parse: async (input) => parsePage(input),
    now: Date.now,
    sleep: (ms) => wait(ms),
    userAgent: 'TestBot/1.0',
  };
  const limits = { maxPages: LIMIT, maxMs: 300_000, maxBytes: 1e9, concurrency: 4 };
  const result = await audit(`${site.origin}/`, { ...limits, ...options }, env);
  await fetcher.close();
  return findingsDocument({
    url: site.origin,
    host: site.host,
    generatedAt: '2026-03-01T12:00:00.000Z',
    checks: CHECKS,
    ...result,
  });
}

describe('ten audits of an unchanged site', () => {
  test('look at the same pages and find the same, with any number of requests at once', {
    timeout: 120_000,
  }, async () => {
    const first = await audited(1);
    expect(first.coverage.stop).toBe('page_budget');
    expect(first.pages.filter(({ audited: isRead }) => isRead).length).toBeGreaterThan(25);
    expect(first.findings.length).toBeGreaterThan(50);
    expect(first.findings.some(({ checkId }) => checkId === 'broken-external-link')).toBe(true);
    let former = first;
    for (let run = 2; run <= 10; run++) {
      // Every second one knows the one before, as in the app.
      const next = await audited(run, {
        concurrency: [1, 4, 16][run % 3] ?? 4,
        ...(run % 2 === 0 ? { former: former.pages.map(({ url }) => url) } : {}),
      });
      const compared = compareRuns(former, next);
      expect([compared.new, compared.fixed, compared.notIdentical]).toEqual([[], [], null]);
      expect(next.pages).toEqual(first.pages);
      expect(next.tried).toEqual(first.tried);
      expect(next.findings).toEqual(first.findings);
      expect(next.score).toEqual(first.score);
      former = next;
    }
  });
});

test('pages of the former run come before others equally far', async () => {
  const all = await audited(1, { maxPages: 1000 });
  const far = all.pages.filter(({ audited: isRead }) => isRead).map(({ url }) => url);
  // Those that no audit would choose by their addresses.
  const former = far.sort().reverse().slice(0, 60);
  const [without, withThem] = [await audited(2), await audited(3, { former })];
  const shared = ({ pages }: FindingsDocument): number => pages.filter(({ url }) => former.includes(url)).length;
  expect(shared(withThem)).toBeGreaterThan(shared(without));
});
