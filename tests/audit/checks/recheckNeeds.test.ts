/**
 * Every check's findings can be rechecked on their own: what a check reads beyond its page is declared in
 * `recheckNeeds.ts`.
 */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { RECHECK_NEEDS } from '../../../src/audit/checks/recheckNeeds.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { judge } from '../../../src/audit/judgment.ts';
import { findingsDocument } from '../../../src/audit/report/findingsJson.ts';
import { type VerifiedFinding, verifyFindings } from '../../../src/audit/verify.ts';
import { caseNetwork } from '../../given/audit/caseNetwork.ts';
import { isExpectedFinding, type Site } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { crawlEnv } from '../crawl/crawlEnv.ts';
import { CASES } from './cases/all.ts';

async function again(id: string, then: Site, now: Site): Promise<readonly VerifiedFinding[]> {
  const crawl = givenSite(then);
  const { findings, outcomes } = runChecks(
    crawl,
    CHECKS.filter((check) => check.id === id),
  );
  const about = {
    url: crawl.pages[0]?.outcome.requestedUrl ?? crawl.discovery.startUrl,
    host: 'example.com',
    generatedAt: '2026-03-01T12:00:00.000Z',
    checks: CHECKS,
  };
  const document = findingsDocument({
    ...about,
    crawl,
    ...judge(crawl, findings, outcomes),
  });
  const { results } = await verifyFindings({ document, only: [id] }, {}, crawlEnv(caseNetwork(now)));
  return results;
}

test('every check of the whole site is declared, and no unknown check', () => {
  const ids = CHECKS.map((check) => check.id);
  expect(Object.keys(RECHECK_NEEDS).filter((id) => !ids.includes(id))).toEqual([]);
  expect(
    CHECKS.filter((check) => check.scope === 'site' && !(check.id in RECHECK_NEEDS)).map((check) => check.id),
  ).toEqual([]);
  expect(Object.keys(RECHECK_NEEDS)).toEqual([...Object.keys(RECHECK_NEEDS)].sort());
});

/** Their cases have these inputs as numbers, not as bytes of a network. */
const NOT_IN_BYTES: Readonly<Record<string, readonly number[]>> = {
  'deep-page': [0, 1, 2],
  'og-image-invalid': [6, 7],
  'robots-blocks-page': [0],
  'sitemap-too-large': [0, 1],
};

/** Their passing cases have other addresses than the failing ones, or files that no page names. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'canonical-other-language',
  'hreflang-no-self',
  'no-cache-headers',
  'url-double-slash',
  'url-too-long',
  'url-underscores',
]);

describe.each(CHECKS.map((check) => check.id))('%s', (id) => {
  const sites = (CASES[id]?.finds ?? [])
    .map((given) => (isExpectedFinding(given) ? given.site : given))
    .filter((_, index) => !NOT_IN_BYTES[id]?.includes(index));

  test.runIf(sites.length > 0)('reports an unchanged finding as still there, never as fixed', async () => {
    const results = (await Promise.all(sites.map((site) => again(id, site, site)))).flat();
    expect(results.filter(({ state }) => state === 'fixed')).toEqual([]);
    expect(results.map(({ state }) => state)).toContain('still_there');
  });

  test.runIf(sites.length > 0 && !ELSEWHERE.has(id))('reports a resolved finding as fixed', async () => {
    const pairs = sites.flatMap((then) => (CASES[id]?.passes ?? []).map((now) => [then, now] as const));
    const states: string[] = [];
    for (const [then, now] of pairs) {
      states.push(...(await again(id, then, now)).map(({ state }) => state));
      if (states.includes('fixed')) break;
    }
    expect(states).toContain('fixed');
  });
});
