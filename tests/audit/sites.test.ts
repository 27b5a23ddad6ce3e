/** Whole sites, served on loopback: every finding is expected, and every expected one is found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditResult, audit } from '../../src/audit/audit.ts';
import { createParserPool, type ParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { NameNotResolved } from '../../src/integrations/fetcher/resolveHost.ts';
import { SITES, siteNames, startSite } from '../servers/siteServer.ts';

const LOOPBACK = Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);

let pool: ParserPool;
beforeAll(() => {
  pool = createParserPool({ processes: 2, timeoutMs: 30_000 });
});
afterAll(() => pool.close());

async function auditSite(name: string): Promise<{ result: AuditResult; origin: string }> {
  const site = await startSite(name);
  // A fixed clock: the speed of this machine is no property of the site.
  const fetcher = createFetcher({
    allowHosts: site.hosts,
    userAgent: 'SeoAuditTest/1.0',
    now: () => 0,
    resolve: (name) =>
      site.hosts.some((host) => host.startsWith(`${name}:`))
        ? LOOPBACK
        : Promise.reject(new NameNotResolved('not_found')),
  });
  try {
    const env = {
      fetch: fetcher,
      parse: pool.parse,
      now: () => Date.parse('2026-03-01T12:00:00Z'),
      sleep: () => Promise.resolve(),
      userAgent: 'SeoAuditTest/1.0',
    };
    const result = await audit(
      `${site.origin}/`,
      { maxPages: 50, maxMs: 60_000, maxBytes: 50_000_000, concurrency: 4, askAsAiBot: true, askAsOthers: true },
      env,
    );
    return { result, origin: site.origin };
  } finally {
    await Promise.all([fetcher.close(), site.close()]);
  }
}

/** `check-id` → where, a path for each finding. */
function received({ result, origin }: { result: AuditResult; origin: string }) {
  const lists = { faults: {} as Record<string, string[]>, hints: {} as Record<string, string[]> };
  for (const { checkId, evidence, hint } of result.findings) {
    const list = hint ? lists.hints : lists.faults;
    list[checkId] = [...(list[checkId] ?? []), evidence.url.replace(origin, '')].sort();
  }
  // Of a site that was not scored, hardly anything could be.
  const outcomes = result.notJudged === null ? result.outcomes : [];
  const notChecked = outcomes.filter((outcome) => outcome.state === 'not_checked').map((outcome) => outcome.checkId);
  const pages = result.crawl.pages.map((page) => page.url.replace(origin, '')).sort();
  return {
    score: result.score?.value ?? result.notJudged,
    limits: result.score?.limits.map((limit) => limit.reason) ?? [],
    pages,
    ...lists,
    notChecked,
  };
}

/** Nothing without scripts, and no browser to run them. */
const NOT_JUDGED = ['spa'];

/** The sites as an expert would rank them, best first. Sites of one line are about equal. */
const BANDS: readonly { readonly sites: readonly string[]; readonly from: number; readonly to: number }[] = [
  // Well made: nothing, or next to nothing, to fix.
  { sites: ['perfect', 'docs', 'japanese', 'multilingual'], from: 98, to: 100 },
  // Good sites with something to fix.
  { sites: ['local', 'recipes-and-events', 'news'], from: 95, to: 99 },
  // An incomplete move: the texts are good, many old addresses lead nowhere.
  { sites: ['migrated'], from: 75, to: 89 },
  // One of six pages names the start page as its original.
  { sites: ['shop'], from: 60, to: 74 },
  // Six pages: one of placeholder text, one copied, two with one title, two with a few words.
  { sites: ['blog'], from: 40, to: 50 },
  // Unchanged since 2001.
  { sites: ['legacy'], from: 10, to: 30 },
  // Kept out of search, by noindex or robots.txt; or asks to be removed from the results.
  { sites: ['broken', 'spam', 'closed'], from: 0, to: 5 },
];

const audits = new Map<string, Promise<{ result: AuditResult; origin: string }>>();

function audited(name: string): Promise<{ result: AuditResult; origin: string }> {
  let one = audits.get(name);
  if (one === undefined) {
    one = auditSite(name);
    audits.set(name, one);
  }
  return one;
}

test('each site has its place in the order', () => {
  expect([...NOT_JUDGED, ...BANDS.flatMap(({ sites }) => sites)].sort()).toEqual(siteNames());
});

describe.each(siteNames())('the site %s', (name) => {
  test('has exactly the expected findings', async () => {
    const expected = JSON.parse(readFileSync(join(SITES, name, 'expected.json'), 'utf8'));
    const actual = received(await audited(name));
    if (process.env.SHOW_SITES) console.log(JSON.stringify(actual, null, 2));
    expect(actual).toEqual(expected);
  });

  test('has the score that an expert would give', async () => {
    const band = BANDS.find(({ sites }) => sites.includes(name));
    const { score } = (await audited(name)).result;
    if (NOT_JUDGED.includes(name)) return expect(score).toBeNull();
    expect(score?.value).toBeGreaterThanOrEqual(band?.from ?? 101);
    expect(score?.value).toBeLessThanOrEqual(band?.to ?? -1);
  });
});

test('the better site has the better score', async () => {
  const scores = await Promise.all(
    BANDS.map(({ sites }) =>
      Promise.all(sites.map(async (name) => (await audited(name)).result.score?.value ?? Number.NaN)),
    ),
  );
  for (const [index, worse] of scores.slice(1).entries())
    expect(Math.max(...worse)).toBeLessThanOrEqual(Math.min(...(scores[index] as number[])));
});

test('the perfect site has nothing to fix, hints included', async () => {
  const { findings, outcomes } = (await audited('perfect')).result;
  expect(findings).toEqual([]);
  expect(outcomes.filter(({ state }) => state === 'error' || state === 'failed')).toEqual([]);
});
