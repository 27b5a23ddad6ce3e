/**
 * Sites whose robots.txt makes each verdict expensive: code that needs verdicts yields to the event loop, and stops on
 * the signal. The clock moves by verdicts only, so that the work between two yields is counted, not measured.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { runChecks, runChecksInSlices } from '../../src/audit/checks/runChecks.ts';
import type { CrawlEnv } from '../../src/audit/crawl/crawlEnv.ts';
import { crawlSite } from '../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../src/audit/crawl/discover.ts';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { coverageLines } from '../../src/audit/report/coverage.ts';
import { givenSite } from '../given/audit/page.ts';
import { crawlEnv } from './crawl/crawlEnv.ts';

const meter = vi.hoisted(() => ({ now: 0, sinceTurn: 0, most: 0, all: 0 }));

vi.mock('../../src/audit/crawl/robots/robots.ts', async (original) => {
  const robots = await original<typeof import('../../src/audit/crawl/robots/robots.ts')>();
  const isAllowed: typeof robots.isAllowed = (...question) => {
    meter.now += VERDICT_MS;
    meter.all += 1;
    meter.sinceTurn += 1;
    meter.most = Math.max(meter.most, meter.sinceTurn);
    return robots.isAllowed(...question);
  };
  return { ...robots, isAllowed };
});

const VERDICT_MS = 5;
/** Verdicts that fit into a slice, and those that one step asks for, most of them again. */
const AT_ONCE = 5;
const ORIGIN = 'https://site.example';
const linksOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `<a href="/a${from}-${index}/aaab">x</a>`).join('');

const rulesOf = (count: number, rule: (index: number) => string): string =>
  `User-agent: *\n${Array.from({ length: count }, (_, index) => `Disallow: ${rule(index)}\n`).join('')}`;

type Hostile = { readonly robots: string; readonly pages: number; readonly links: number };

const SITES: Readonly<Record<string, Hostile>> = {
  'one page, 500 links, 25,860 rules': { robots: rulesOf(25_860, (index) => `/**a${index}x*`), pages: 1, links: 500 },
  '30 pages, 2,000 links each, 11,699 rules': {
    robots: rulesOf(11_699, (index) => `/${'*a'.repeat(12)}*b${index}x$`),
    pages: 30,
    links: 2000,
  },
};

/** Answers from memory. A request yields to everything else. */
function envOf({ robots, pages, links }: Hostile, more: Partial<CrawlEnv> = {}): CrawlEnv {
  let made = 0;
  const page = (): string => {
    made += 1;
    const assets = Array.from({ length: 100 }, (_, index) => `<script src="/a${made}-${index}.js"></script>`).join('');
    return `<!doctype html><html lang="en"><title>${made}</title>${assets}${linksOf(made, links)}</html>`;
  };
  const bodyOf = (path: string): string | null =>
    path === '/robots.txt' ? robots : made < pages && !/\.|-not-here/.test(path) ? page() : null;
  const yieldToEventLoop = async (): Promise<void> => {
    meter.sinceTurn = 0;
  };
  const env = crawlEnv(
    async (url, options) => {
      meter.sinceTurn = 0;
      const text = options?.method === 'HEAD' ? '' : bodyOf(new URL(url).pathname);
      const body = new TextEncoder().encode(text ?? '');
      const headers = { 'content-type': [url.endsWith('.txt') ? 'text/plain' : 'text/html'] };
      const times = { ttfbMs: 1, totalMs: 1, httpVersion: '2', transferBytes: body.length, truncated: false };
      return { ok: true, status: text === null ? 404 : 200, requestedUrl: url, url, headers, body, hops: [], ...times };
    },
    { now: () => meter.now, yieldToEventLoop },
  );
  return { ...env, ...more };
}

const BOUNDS = { maxPages: 30, maxMs: 1e9, maxBytes: 1e9, concurrency: 4 };
const crawled = async (site: Hostile): Promise<Crawl> => {
  const env = envOf(site);
  return crawlSite(await discover(`${ORIGIN}/`, env), BOUNDS, env);
};

beforeEach(() => Object.assign(meter, { now: 0, sinceTurn: 0, most: 0, all: 0 }));

describe.each(Object.entries(SITES))('H17, H14: %s', (_name, site) => {
  let made: Promise<Crawl> | undefined;
  /** Checks change nothing in it. */
  const crawlForChecks = (): Promise<Crawl> => {
    made ??= crawled(site);
    return made;
  };

  test('a whole audit never blocks the event loop, and needs no more verdicts than allowed', async () => {
    const { crawl, outcomes } = await audit(`${ORIGIN}/`, BOUNDS, envOf(site));
    expect(meter.most).toBeLessThanOrEqual(AT_ONCE);
    expect(crawl.pages.filter(({ facts }) => facts !== null)).toHaveLength(site.pages);
    expect(outcomes.filter(({ state }) => state === 'error')).toEqual([]);
    expect(coverageLines(crawl, (text) => text).join(' ')).toMatch(
      /robots\.txt has [\d,]+ more wildcard rules? than we read; those from line \d+ on were ignored\./,
    );
    // Of the links a few times as many as are fetched, and the checks' own verdicts.
    expect(meter.all).toBeLessThan(1000 + site.pages * 300);
  });

  test('a cancelled crawl needs no further verdict', async () => {
    const stop = new AbortController();
    let after = 0;
    const env = envOf(site, {
      signal: stop.signal,
      yieldToEventLoop: async () => {
        meter.sinceTurn = 0;
        stop.abort();
        after = meter.all;
      },
    });
    const crawl = await crawlSite(await discover(`${ORIGIN}/`, env), BOUNDS, env);
    expect(crawl.coverage.stop).toBe('cancelled');
    expect(meter.all - after).toBe(0);
  });

  test('cancelled checks stop in the middle', async () => {
    const crawl = await crawlForChecks();
    const stop = new AbortController();
    let turns = 0;
    let before = 0;
    const yieldToEventLoop = async (): Promise<void> => {
      turns += 1;
      if (turns === 2) stop.abort(new Error('cancelled'));
      before = meter.all;
    };
    const checks = CHECKS.filter(({ id }) => id === 'robots-blocks-resources');
    await expect(
      runChecksInSlices(crawl, { now: () => meter.now, yieldToEventLoop, signal: stop.signal }, checks),
    ).rejects.toThrow('cancelled');
    expect(turns).toBe(2);
    expect(meter.all).toBe(before);
  });

  test('checks that run out of time report what they have not checked', async () => {
    const crawl = await crawlForChecks();
    const endsAt = meter.now + 100;
    const { outcomes, cutShort } = await runChecksInSlices(crawl, {
      now: () => meter.now,
      yieldToEventLoop: async () => undefined,
      endsAt,
    });
    expect(cutShort).toBe(true);
    expect(meter.now - endsAt).toBeLessThan(AT_ONCE * VERDICT_MS);
    expect(outcomes.find(({ checkId }) => checkId === 'robots-blocks-resources')).toMatchObject({
      state: 'not_checked',
      failed: 0,
    });
    expect(outcomes).toHaveLength(CHECKS.length);
  });
});

describe('what findings repeat of a robots.txt', () => {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  /** Matches every path, in more letters than a finding needs. */
  const long = `/${'*'.repeat(12_000)}a`;
  const FILES: Readonly<Record<string, string>> = {
    'rules of kilobytes': `User-agent: *\n${lines(20, (index) => `Disallow: ${long}${index}`)}\nDisallow: ${long}`,
    'rules of kilobytes, and many groups without them': `User-agent: *\n${lines(20, (index) => `Disallow: ${long}${index}`)}\n${lines(200, (index) => `User-agent: bot${index}\nAllow:`)}`,
    'thousands of names in a group': `User-agent: googlebot\n${lines(10_000, (index) => `User-agent: bot${index}`)}\nDisallow: /*a`,
  };
  const IDS = ['robots-bot-group-overrides', 'robots-blocks-page', 'robots-blocks-resources', 'sitemap-blocked'];

  test.each(Object.entries(FILES))('is bounded: %s', (_name, robots) => {
    const html = `<!doctype html><html lang="en"><title>x</title>${lines(20, (index) => `<script src="/a${index}.js"></script>`)}</html>`;
    const pages = [{ html }, { html, url: '/open' }, { html, url: '/a', robotsBlocked: true }];
    const crawl = givenSite({ pages, robots, sitemaps: [{ locs: ['/a', '/ab'] }] });
    const checks = CHECKS.filter(({ id }) => IDS.includes(id));
    const findings = runChecks(crawl, checks).findings;
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(({ message, code }) => message.length > 3_000 || (code ?? '').length > 10_000)).toEqual([]);
  });
});
