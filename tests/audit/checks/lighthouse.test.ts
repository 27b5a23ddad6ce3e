/** Where the catalog names a Lighthouse audit, our checks combined reach its verdict on the same bytes. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { givenSite } from '../../given/audit/page.ts';
import { LIGHTHOUSE_CASES, STRICTER, type Verdict } from './lighthouseCases.ts';

/** Fails when one of them does. Checks that only give hints count by their findings. */
function verdictOf(audit: string, given: Parameters<typeof givenSite>[0]): Verdict {
  const checks = CHECKS.filter((check) => check.lighthouse === audit);
  const { outcomes, findings } = runChecks(givenSite(given), checks);
  const hinting = new Set(checks.filter((check) => check.hint).map((check) => check.id));
  if (outcomes.some(({ state }) => state === 'failed') || findings.some(({ checkId }) => hinting.has(checkId)))
    return 'fail';
  return outcomes.some(({ state }) => state === 'passed') ? 'pass' : 'n/a';
}

const audits = [...new Set(CHECKS.map((check) => check.lighthouse).filter((audit) => audit !== null))].sort();

test('every named Lighthouse audit has cases of both verdicts', () => {
  expect(Object.keys(LIGHTHOUSE_CASES).sort()).toEqual(audits);
  for (const [audit, cases] of Object.entries(LIGHTHOUSE_CASES))
    expect([audit, [...new Set(cases.map(([verdict]) => verdict))].sort()]).toEqual([
      audit,
      expect.arrayContaining(['fail', 'pass']),
    ]);
});

describe.each(audits)('%s', (audit) => {
  test.each(
    (LIGHTHOUSE_CASES[audit] ?? []).map(
      ([verdict, given]) => [verdict, JSON.stringify(given).slice(0, 300), given] as const,
    ),
  )('%s: %s', (verdict, _, given) => {
    expect(verdictOf(audit, given)).toBe(verdict);
  });
});

test('is stricter where Lighthouse passes what Google or Bing may not list', () => {
  for (const [audit, cases] of Object.entries(STRICTER))
    for (const [verdict, given] of cases) expect([verdict, verdictOf(audit, given)]).toEqual(['pass', 'fail']);
});
