/** The score of named sites, and the first task of their audits, are those of a specialist. */
import { describe, expect, test } from 'vitest';
import { runChecks } from '../../src/audit/checks/runChecks.ts';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import { scoring, withImpacts } from '../../src/audit/score.ts';
import { atOnce } from '../../src/audit/timeSlices.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { analystInputOf } from '../../src/workers/evaluation.ts';
import { SCORE_CASES } from '../audit/scoreCases.ts';
import { SITE } from '../given/audit/page.ts';
import { siteOf } from '../given/audit/scoreSites.ts';

async function audited(site: Crawl) {
  const { findings: found, outcomes } = runChecks(site);
  const scored = atOnce(scoring(site, found, outcomes));
  const { score } = scored;
  const findings = withImpacts(found, scored);
  const input = analystInputOf({ host: 'example.com', url: `${SITE}/` }, site, { findings, outcomes, score });
  const tasks = (await createRulesAnalyst().recommend(input)).value;
  const faults = new Set(findings.filter(({ hint }) => !hint).map(({ id }) => id));
  return {
    score,
    findings,
    faults,
    tasks,
    costing: tasks.filter((task) => task.findingIds.some((id) => faults.has(id))),
  };
}

const tenths = (points: number): number => Math.round(points * 10);

describe.each(SCORE_CASES.map((each) => [each.name, each] as const))(
  '%s',
  (_, { recipe, from, to, first, says, minutes, never }) => {
    test('has its score and its first task', async () => {
      const { score, tasks, costing } = await audited(siteOf(recipe));
      expect(score.value).toBeGreaterThanOrEqual(from);
      expect(score.value).toBeLessThanOrEqual(to);
      expect(1000 - tenths(score.value)).toBe(score.deductions.reduce((sum, { points }) => sum + tenths(points), 0));
      if (first === null) expect(costing.map(({ checkId }) => checkId)).toEqual([]);
      else {
        expect(first).toContain(costing[0]?.checkId);
        expect(costing[0]).toBe(tasks[0]);
      }
      const [task] = tasks;
      if (says)
        expect(
          `${task?.title} ${task?.problem} ${task?.evidence.map(({ place, value }) => `${place} ${value}`)}`,
        ).toMatch(says);
      if (minutes) expect(task?.timeEstimate).toBeLessThanOrEqual(minutes);
      expect(
        costing.slice(0, 10).filter(({ checkId, findingIds }) => never?.includes(checkId) && findingIds.length > 0),
      ).toEqual([]);
    });
  },
);

test('pages kept out with or without a sitemap score about the same', async () => {
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const recipe = SCORE_CASES.find(({ name }) => name === `12: ${100 * share} % noindex`)?.recipe;
    if (!recipe) throw new Error('no such case');
    const listed = (await audited(siteOf(recipe))).score.value;
    const unlisted = (await audited(siteOf({ ...recipe, sitemap: false }))).score.value;
    expect(unlisted - listed).toBeLessThanOrEqual(10);
  }
});

test('impact belongs to the issue: one title on all pages is high, a viewport missing on one page is not', async () => {
  const same = await audited(siteOf({ pages: 20, faults: () => ['same-title'] }));
  expect(
    new Set(same.findings.filter(({ checkId }) => checkId === 'title-duplicate').map(({ impact }) => impact)),
  ).toEqual(new Set(['high']));
  const one = await audited(siteOf({ pages: 49, faults: (index) => (index === 9 ? ['no-viewport'] : []) }));
  expect(one.findings.find(({ checkId }) => checkId === 'viewport-missing')?.impact).not.toBe('high');
});
