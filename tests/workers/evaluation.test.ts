import { expect, test } from 'vitest';
import { CHECKS } from '../../src/audit/checks/index.ts';
import type { JobFacts } from '../../src/domain/job/job.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { analystInput, evaluate } from '../../src/workers/evaluation.ts';
import { givenSite } from '../given/audit/page.ts';

test('passed checks are reported without hints: a missing hint is no good news', async () => {
  const crawl = givenSite('<!doctype html><html lang="en"><title>Tea</title><p>Tea');
  const { outcomes } = await evaluate(crawl, { now: () => 0 });
  const passed = CHECKS.filter((check) =>
    outcomes.some((outcome) => outcome.checkId === check.id && outcome.state === 'passed'),
  );
  expect(passed.some((check) => check.hint)).toBe(true);
  const input = await analystInput({ host: 'example.com', url: 'https://example.com/' } as JobFacts, crawl, {
    now: () => 0,
  });
  expect([...input.passed].sort()).toEqual(
    passed
      .filter((check) => !check.hint)
      .map((check) => check.title)
      .sort(),
  );
  expect(input.passed.length).toBeGreaterThan(0);
});

test('the most important passed checks come first, from many subjects', async () => {
  const input = await analystInput(
    { host: 'example.com', url: 'https://example.com/' } as JobFacts,
    givenSite('<!doctype html><html lang="en"><title>Tea</title><p>Tea'),
    { now: () => 0 },
  );
  const checks = input.passed.map((title) => CHECKS.find((check) => check.title === title));
  const ranks = checks.map((check) => ['high', 'medium', 'low'].indexOf(check?.impact ?? ''));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  expect(new Set(checks.slice(0, 5).map((check) => check?.group)).size).toBe(5);
});

test('the analyst gets the number of pages per check, and the largest deductions', async () => {
  const page = (body: string) =>
    `<!doctype html><html lang="en"><title>Tea from the hills of Nara</title>${body}<p>Tea`;
  const crawl = givenSite({ pages: [page('<meta name="robots" content="noindex">'), { url: '/b', html: page('') }] });
  const input = await analystInput({ host: 'example.com', url: 'https://example.com/' } as JobFacts, crawl, {
    now: () => 0,
  });
  expect(input.checks.find((check) => check.id === 'noindex-meta')).toMatchObject({ looked: 2, failed: 1 });
  expect(input.checks.find((check) => check.id === 'organization-incomplete')?.looked).toBeNull();
  expect(input.limits?.[0]).toEqual({
    cap: expect.any(Number),
    reason: 'Search engines may not list the home page',
    checkIds: ['noindex-meta'],
  });
  const [first] = (await createRulesAnalyst().recommend(input)).value;
  expect([first?.checkId, first?.reason]).toEqual([
    'noindex-meta',
    `Keeps the score from rising above ${input.limits?.[0]?.cap}: fix it first, about 5 minutes of work.`,
  ]);
});
