import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { isExpectedFinding, type Site } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { CASES } from './cases/all.ts';

function look(id: string, site: Site) {
  const check = CHECKS.filter((candidate) => candidate.id === id);
  const { findings, outcomes } = runChecks(givenSite(site), check);
  const [outcome] = outcomes;
  return { findings, state: outcome?.state, error: outcome?.error };
}

function title(site: Site): string {
  return JSON.stringify(site).slice(0, 150);
}

describe.each(CHECKS.map((check) => check.id))('%s', (id) => {
  const cases = CASES[id];
  if (cases === undefined) throw new Error(`${id} has no cases`);

  test.each(cases.passes.map((site) => [title(site), site] as const))('passes %s', (_, site) => {
    expect(look(id, site)).toEqual({ findings: [], state: 'passed', error: null });
  });

  test.each(cases.finds.map((given) => [title(isExpectedFinding(given) ? given.site : given), given] as const))(
    'fails on %s',
    (_, given) => {
      const received = isExpectedFinding(given) ? given : { site: given };
      const { findings, error } = look(id, received.site);
      expect(error).toBeNull();
      expect(findings.length).toBeGreaterThan(0);
      if (received.count !== undefined) expect(findings).toHaveLength(received.count);
      if (received.tells !== undefined)
        expect(
          findings.map(({ message, evidence }) => `${message} ${evidence.place} ${evidence.value}`).join('\n'),
        ).toContain(received.tells);
      if (received.hint !== undefined) expect(findings.every((finding) => finding.hint === received.hint)).toBe(true);
      if (received.impact !== undefined) expect(findings[0]?.impact).toBe(received.impact);
      if (received.code !== undefined)
        expect(findings.map((finding) => finding.code).join('\n')).toContain(received.code);
    },
  );

  test.each((cases.skips ?? []).map((site) => [title(site), site] as const))('does not apply to %s', (_, site) => {
    expect(look(id, site)).toEqual({ findings: [], state: 'not_applicable', error: null });
  });

  test.each((cases.unchecked ?? []).map((site) => [title(site), site] as const))('is not checked for %s', (_, site) => {
    expect(look(id, site)).toEqual({ findings: [], state: 'not_checked', error: null });
  });
});
