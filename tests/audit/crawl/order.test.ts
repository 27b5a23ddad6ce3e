/** What a crawl fetches does not depend on the speed of the answers. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlOptions, KnownAnswer } from '../../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../../src/audit/crawl/discover.ts';
import { createFrontier, type FrontierItem } from '../../../src/audit/crawl/frontier/frontier.ts';
import { createSequence, slotOf } from '../../../src/audit/crawl/sequence.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { htmlPage, startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const OPTIONS: CrawlOptions = { maxPages: 20, maxMs: 600_000, maxBytes: 1e9, concurrency: 4, maxLinkChecks: 0 };

async function crawled(
  pages: Record<string, TestPage>,
  options: Partial<CrawlOptions> = {},
  sleep?: (ms: number) => Promise<void>,
) {
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: 'TestBot/1.0' });
  closers.push(site.close, fetcher.close);
  const env = crawlEnv(fetcher, sleep ? { sleep } : {});
  const crawl = await crawlSite(await discover(`${site.origin}/`, env), { ...OPTIONS, ...options }, env);
  return { site, env, crawl, paths: crawl.pages.map(({ url }) => url.replace(site.origin, '')) };
}

/** 60 pages that link to others; odd ones answer late, or even ones. */
function site(late: 0 | 1): Record<string, TestPage> {
  const linksOf = (each: number): string[] =>
    [1, 2, 3, 4, 5].map((step) => `/s${(each + step) % 4}/p${(each * 3 + step * 7) % 60}`);
  const page: TestPage = (request, response) => {
    const each = Number(/\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    const answer = (): void =>
      void response.setHeader('content-type', 'text/html').end(htmlPage('x', ...linksOf(each)));
    if (each % 2 === late) setTimeout(answer, 15);
    else answer();
  };
  return { '/robots.txt': '', '/': htmlPage('home', ...linksOf(0)), '*': page };
}

test('of a site beyond the budget, the same pages are fetched whichever answer first', async () => {
  const [even, odd] = [await crawled(site(0)), await crawled(site(1))];
  expect(even.paths).toHaveLength(20);
  expect(odd.paths).toEqual(even.paths);
  // What was asked ahead and not wanted: one request in ten at most.
  for (const { site: asked, paths } of [even, odd]) {
    const pages = asked.requests.filter((request) => /^GET \/s\d\//.test(request)).map((request) => request.slice(4));
    expect(pages.filter((path) => !paths.includes(path)).length).toBeLessThanOrEqual(pages.length / 10);
    expect(new Set(pages).size).toBe(pages.length);
  }
});

test('a page that hangs does not hold up the others for good', async () => {
  const chain = (each: number): string => htmlPage(`c${each}`, `/c${each + 1}`);
  const pages: Record<string, TestPage> = { '/robots.txt': '', '/': htmlPage('home', '/hangs', '/c0') };
  for (let each = 0; each < 30; each++) pages[`/c${each}`] = chain(each);
  let isOver = false;
  pages['/hangs'] = (_, response) => {
    if (isOver) response.setHeader('content-type', 'text/html').end(htmlPage('late'));
  };
  pages['/c30'] = (_, response) => {
    isOver = true;
    response.setHeader('content-type', 'text/html').end(htmlPage('last'));
  };
  const { crawl, paths, site } = await crawled(pages, { maxPages: 50, requestMs: 1000 });
  expect(paths).toContain('/c30');
  // Given up, and tried once more at the end.
  expect(crawl.pages.find(({ url }) => url.endsWith('/hangs'))?.facts?.titles).toMatchObject([{ text: 'late' }]);
  expect(site.requests.filter((request) => request === 'GET /hangs')).toHaveLength(2);
});

test('a page that never answers is tried twice', async () => {
  const { crawl, site } = await crawled(
    { '/robots.txt': '', '/': htmlPage('home', '/hangs'), '/hangs': () => undefined },
    { requestMs: 500 },
  );
  expect(crawl.pages.map(({ outcome }) => outcome.failure)).toEqual([null, 'timeout']);
  expect(site.requests.filter((request) => request === 'GET /hangs')).toHaveLength(2);
  expect(crawl.coverage).toMatchObject({ stop: 'complete', notFetched: 0 });
});

describe('the sequence', () => {
  const items = ['/a', '/b', '/c'].map((path) => {
    const item = createFrontier().add({ url: `https://a.example${path}`, from: 'link', depth: 1 });
    return item as FrontierItem;
  });

  function three() {
    const sequence = createSequence<string>();
    const slots = items.map((item) => slotOf<string>(item));
    for (const slot of slots) sequence.add(slot);
    const answer = (at: number): void => {
      const slot = slots[at];
      if (slot) slot.isReady = true;
    };
    const taken = (): string | undefined => sequence.takeReady()?.item.url.slice(-1);
    return { sequence, answer, taken };
  }

  test('gives answers in the order of the requests', () => {
    const { answer, taken, sequence } = three();
    for (let asked = 0; asked < 3; asked++) sequence.next();
    answer(2);
    answer(1);
    expect(taken()).toBeUndefined();
    answer(0);
    expect([taken(), taken(), taken(), taken()]).toEqual(['a', 'b', 'c', undefined]);
  });

  test('keeps the place of what is to be asked again', () => {
    const { answer, sequence } = three();
    for (let asked = 0; asked < 3; asked++) sequence.next();
    answer(0);
    answer(1);
    const slot = sequence.takeReady();
    if (slot) sequence.again(slot);
    expect([sequence.takeReady(), sequence.size(), sequence.isNextFirst()]).toEqual([null, 3, true]);
    expect(sequence.next()).toBe(slot);
    answer(0);
    expect(sequence.takeReady()).toBe(slot);
  });

  test('has no room for more than a few addresses with a query', () => {
    const sequence = createSequence<string>();
    const query = createFrontier().add({ url: 'https://a.example/?q=1', from: 'link', depth: 1 }) as FrontierItem;
    for (let each = 0; each < 100; each++) sequence.add(slotOf(items[0] as FrontierItem));
    for (let each = 0; each < 8; each++) {
      expect(sequence.hasRoom()).toBe(true);
      sequence.add(slotOf(query));
    }
    expect(sequence.hasRoom()).toBe(false);
  });

  test('drops what was not requested, or all', () => {
    const { sequence } = three();
    sequence.next();
    expect([sequence.drop('unasked').length, sequence.size(), sequence.next()]).toEqual([2, 1, null]);
    expect([sequence.drop('all').length, sequence.size()]).toEqual([1, 0]);
  });
});

test('a crawl that was interrupted goes on without requesting again what it has received', async () => {
  const whole = await crawled(site(0));
  const kept = new Map<string, KnownAnswer>();
  const stop = new AbortController();
  const known = {
    of: (url: string) => kept.get(url),
    keep(url: string, answer: KnownAnswer) {
      // As it is stored.
      kept.set(url, JSON.parse(JSON.stringify(answer)));
      if (kept.size === 9) stop.abort();
    },
  };
  const { host, origin, requests, close } = await startTestSite(site(0));
  const fetcher = createFetcher({ allowHosts: [host], userAgent: 'TestBot/1.0' });
  closers.push(close, fetcher.close);
  const discovery = await discover(`${origin}/`, crawlEnv(fetcher));
  const options = { ...OPTIONS, known };
  const part = await crawlSite(discovery, options, { ...crawlEnv(fetcher), signal: stop.signal });
  expect(part.coverage.stop).toBe('cancelled');
  const before = requests.length;
  const rest = await crawlSite(discovery, options, crawlEnv(fetcher));
  const again = requests.slice(before).map((request) => request.replace('GET ', origin));
  expect(rest.pages.map(({ url }) => url.replace(origin, ''))).toEqual(whole.paths);
  expect(again.filter((url) => [...kept.keys()].slice(0, 9).includes(url))).toEqual([]);
  expect(again.length).toBeLessThan(20);
  const titles = (pages: typeof rest.pages) => pages.map((page) => page.facts?.titles);
  expect(titles(rest.pages)).toEqual(titles(whole.crawl.pages));
});
