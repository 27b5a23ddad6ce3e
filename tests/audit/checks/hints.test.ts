/**
 * Hints are reported, but never cost points; and no check promises a rich result that search engines no longer show.
 */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { scoreSite } from '../../../src/audit/score.ts';
import { WEIGHTS } from '../../../src/audit/weights.ts';
import { isExpectedFinding } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { CASES } from './cases/all.ts';

describe.each(CHECKS.map((check) => [check.id, check] as const))('%s', (id, check) => {
  test('a finding lowers the score unless it is a hint, or only the search engine knows', () => {
    for (const given of CASES[id]?.finds ?? []) {
      const site = givenSite(isExpectedFinding(given) ? given.site : given);
      const { findings, outcomes } = runChecks(site, [check]);
      const isFault = findings.some((finding) => !finding.hint);
      expect([outcomes[0]?.state === 'failed', scoreSite(site, findings, outcomes).deductions.length > 0]).toEqual([
        isFault,
        isFault && WEIGHTS[id] !== 0,
      ]);
    }
  });
});

/** Types that are no longer displayed in results. */
const ENDED = ['faq-schema', 'schema-deprecated'];

test('checks of types no longer displayed promise no rich result', () => {
  for (const id of ENDED) {
    const check = CHECKS.find((candidate) => candidate.id === id);
    expect(`${check?.title} ${check?.gain} ${check?.steps}`).not.toMatch(/rich|stars|snippet|shown? in results/i);
    for (const given of CASES[id]?.finds ?? [])
      for (const { message } of runChecks(
        givenSite(isExpectedFinding(given) ? given.site : given),
        check ? [check] : [],
      ).findings)
        expect(message).toMatch(/no longer|no search result|no more/i);
  }
});

test('bots for search, users and training are distinguished', async () => {
  const { AI_SEARCH_BOTS, AI_TRAINING_BOTS, AI_USER_FETCHERS } = await import(
    '../../../src/audit/checks/lookups/bots.ts'
  );
  const all = [...AI_SEARCH_BOTS, ...AI_USER_FETCHERS, ...AI_TRAINING_BOTS].map((bot) => bot.toLowerCase());
  expect(new Set(all).size).toBe(all.length);
  const blocking = (bots: readonly string[]) =>
    givenSite({ pages: ['<p>Tea'], robots: `${bots.map((bot) => `User-agent: ${bot}`).join('\n')}\nDisallow: /` });
  const failing = (bots: readonly string[]) =>
    runChecks(
      blocking(bots),
      CHECKS.filter((check) => check.group === 'ai-visibility'),
    ).findings.map(({ checkId }) => checkId);
  expect(failing(AI_SEARCH_BOTS)).toContain('ai-search-bots-blocked');
  expect(failing(AI_SEARCH_BOTS)).not.toContain('ai-user-fetchers-blocked');
  expect(failing(AI_USER_FETCHERS)).toEqual(expect.arrayContaining(['ai-user-fetchers-blocked']));
  expect(failing(AI_USER_FETCHERS)).not.toContain('ai-search-bots-blocked');
  expect(failing(AI_TRAINING_BOTS).filter((id) => id.endsWith('-blocked'))).toEqual([]);
});
