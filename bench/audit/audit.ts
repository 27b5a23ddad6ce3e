/**
 * Auditing a generated site on loopback, against fetching it and parsing each page on one thread; and one big page
 * against its bare parse.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'parse5';
import { Pool } from 'undici';
import { audit as runAudit } from '../../src/audit/audit.ts';
import { runChecks } from '../../src/audit/checks/runChecks.ts';
import type { CrawlEnv } from '../../src/audit/crawl/crawlEnv.ts';
import type { Crawl, CrawledPage } from '../../src/audit/crawl/site.ts';
import { parsePage } from '../../src/audit/facts/parse/parsePage.ts';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { startChild } from '../child.ts';
import { compare, type Figure, kilobytes, milliseconds, type Row, rateRow, timed } from '../measure.ts';
import { sitePage } from './sitePages.ts';

const PAGES = 200;
const PAGE_BYTES = 41_000;
const BIG_PAGE_BYTES = 200_000;
const CONCURRENCY = 4;
const USER_AGENT = 'SeoWorkbenchBench/1.0';

/** Everything an audit does: discover, crawl, check, score. */
export async function auditSite(url: string, env: CrawlEnv): Promise<Crawl> {
  const result = await runAudit(
    url,
    { maxPages: PAGES, maxMs: 120_000, maxBytes: 500_000_000, concurrency: CONCURRENCY },
    env,
  );
  return result.crawl;
}

export function crawlEnv(
  port: number,
  parser: Pick<ReturnType<typeof createParserPool>, 'parse'>,
  fetcher = createFetcher({ allowHosts: [`127.0.0.1:${port}`], userAgent: USER_AGENT }),
) {
  const sleep = (ms: number, signal?: AbortSignal) =>
    wait(ms, undefined, signal ? { signal } : {}).then(
      () => undefined,
      () => undefined,
    );
  const env: CrawlEnv = { fetch: fetcher, parse: parser.parse, now: Date.now, sleep, userAgent: USER_AGENT };
  return { env, close: () => fetcher.close() };
}

async function fetchAndParse(port: number): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY });
  let next = 0;
  const work = async () => {
    while (next < PAGES) {
      const page = next;
      next += 1;
      const { body } = await pool.request({
        path: `/page-${page}`,
        method: 'GET',
        headers: { 'user-agent': USER_AGENT },
      });
      parse(await body.text());
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await pool.close();
}

async function siteRows(rounds: number): Promise<readonly Row[]> {
  const site = startChild('audit/siteServer');
  const { port } = await site.ask<{ port: number }>({ pages: PAGES, bytes: PAGE_BYTES });
  const parser = createParserPool({ processes: 2 });
  const { env, close } = crawlEnv(port, parser);
  let factsBytes = 0;
  try {
    const compared = await compare(
      rounds,
      async () => {
        let crawl: Crawl | undefined;
        const took = await timed(async () => {
          crawl = await auditSite(`http://127.0.0.1:${port}/`, env);
        });
        const pages = crawl?.pages.filter((page) => page.facts !== null) ?? [];
        if (pages.length !== PAGES) throw new Error(`The audit saw ${pages.length} of ${PAGES} pages.`);
        factsBytes = pages.reduce((sum, page) => sum + JSON.stringify(page).length, 0) / pages.length;
        return (PAGES * 1000) / took;
      },
      async () => (PAGES * 1000) / (await timed(() => fetchAndParse(port))),
    );
    return [
      rateRow(
        `audit of ${PAGES} pages of ${PAGE_BYTES / 1000} KB vs fetch + parse5 on one thread, pages`,
        compared,
        0.8,
      ),
      {
        what: 'the same: what is kept of a page',
        ours: kilobytes(factsBytes),
        limit: kilobytes(PAGE_BYTES),
        ratio: null,
        goal: '≤ 20 KB a page',
        met: factsBytes <= 20_000,
      },
    ];
  } finally {
    await close();
    await parser.close();
    await site.stop();
  }
}

/** A crawl of this page alone, as the checks see it. */
function crawlOf(url: string, page: CrawledPage): Crawl {
  const { outcome } = page;
  const robots = {
    outcome: { ...outcome, url: new URL('/robots.txt', url).href, status: 404 },
    text: '',
    verdict: 'allow_all',
    looksLikeHtml: false,
    sitemaps: [],
  } as const;
  const discovery = {
    startUrl: url,
    origin: new URL(url).origin,
    robots,
    sitemaps: [],
    llmsTxt: null,
    probes: { httpTwin: null, wwwTwin: null, missingPage: null, favicon: null },
  };
  const coverage = {
    stop: 'complete',
    notFetched: 0,
    traps: [],
    startedAt: '2026-11-21T09:00:00.000Z',
    durationMs: 1,
    bytes: outcome.bytes,
  } as const;
  return { discovery, pages: [page], linkChecks: [], coverage } as unknown as Crawl;
}

async function pageRow(rounds: number): Promise<Row> {
  const url = 'http://127.0.0.1/page-7';
  const text = sitePage(7, PAGES, BIG_PAGE_BYTES);
  const body = new TextEncoder().encode(text);
  const outcome = {
    requestedUrl: url,
    url,
    status: 200,
    headers: { 'content-type': ['text/html; charset=utf-8'] },
    hops: [],
    failure: null,
    message: null,
    bytes: body.length,
    transferBytes: body.length,
    truncated: false,
    ttfbMs: 1,
    totalMs: 2,
    httpVersion: '1.1',
  };
  const TURNS = 15;
  const each = async (work: () => unknown) =>
    (await timed(() => {
      for (let turn = 0; turn < TURNS; turn += 1) work();
    })) / TURNS;
  const compared = await compare(
    rounds,
    () =>
      each(() => {
        const facts = parsePage({ url, body, contentType: 'text/html; charset=utf-8' });
        return runChecks(
          crawlOf(url, {
            url,
            depth: 0,
            from: 'start',
            outcome,
            facts,
            robotsBlocked: false,
          } as unknown as CrawledPage),
        );
      }),
    () => each(() => parse(text)),
  );
  const { ratio } = compared;
  return {
    what: `one page of ${BIG_PAGE_BYTES / 1000} KB: facts and all checks vs parse5 alone`,
    ours: milliseconds(compared.ours),
    limit: milliseconds(compared.limit),
    ratio,
    goal: '≤ 1.8',
    met: ratio <= 1.8,
  };
}

export const audit: Figure = {
  name: 'audit',
  measure: async ({ rounds }) => [...(await siteRows(rounds)), await pageRow(rounds)],
};
