/** Whole sites, served on loopback: every finding is expected, and every expected one is found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditResult, audit } from '../../src/audit/audit.ts';
import { createParserPool, type ParserPool } from '../../src/audit/facts/parserPool.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { SITES, siteNames, startSite } from '../servers/siteServer.ts';

let pool: ParserPool;
beforeAll(() => {
  pool = createParserPool({ threads: 2, timeoutMs: 30_000 });
});
afterAll(() => pool.close());

async function auditSite(name: string): Promise<{ result: AuditResult; origin: string }> {
  const site = await startSite(name);
  // A clock that stands still: how fast this machine answers is no property of the site.
  const fetcher = createFetcher({
    allowHosts: [site.host],
    userAgent: 'SeoAuditTest/1.0',
    now: () => 0,
    resolve: () => Promise.reject(new Error('no names in tests')),
  });
  try {
    const env = {
      fetch: fetcher,
      parse: pool.parse,
      now: () => Date.parse('2026-03-01T12:00:00Z'),
      sleep: () => Promise.resolve(),
      userAgent: 'SeoAuditTest/1.0',
    };
    const result = await audit(`${site.origin}/`, { maxPages: 50, maxMs: 60_000, maxBytes: 50_000_000, concurrency: 4 }, env);
    return { result, origin: site.origin };
  } finally {
    await Promise.all([fetcher.close(), site.close()]);
  }
}

/** `check-id` → where, a path for each finding. */
function told({ result, origin }: { result: AuditResult; origin: string }) {
  const lists = { faults: {} as Record<string, string[]>, hints: {} as Record<string, string[]> };
  for (const { checkId, evidence, hint } of result.findings) {
    const list = hint ? lists.hints : lists.faults;
    list[checkId] = [...(list[checkId] ?? []), evidence.url.replace(origin, '')].sort();
  }
  const notChecked = result.outcomes.filter((outcome) => outcome.state === 'not_checked').map((outcome) => outcome.checkId);
  const pages = result.crawl.pages.map((page) => page.url.replace(origin, '')).sort();
  return { score: result.score.value, limits: result.score.limits.map((limit) => limit.reason), pages, ...lists, notChecked };
}

test('there are sites to look at', () => {
  expect(siteNames()).toEqual(expect.arrayContaining(['blog', 'broken', 'perfect', 'shop']));
});

describe.each(siteNames())('the site %s', (name) => {
  test('gives exactly the findings that are expected', async () => {
    const expected = JSON.parse(readFileSync(join(SITES, name, 'expected.json'), 'utf8'));
    const actual = told(await auditSite(name));
    if (process.env.SHOW_SITES) console.log(JSON.stringify(actual, null, 2));
    expect(actual).toEqual(expected);
  });
});
