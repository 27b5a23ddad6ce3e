import { expect, test } from 'vitest';
import { CHECKS } from '../../src/audit/checks/index.ts';
import type { JobFacts } from '../../src/domain/job/job.ts';
import { analystInput, evaluate } from '../../src/workers/evaluation.ts';
import { givenSite } from '../given/page.ts';

test('what passed is told without hints: their absence is no good news', async () => {
  const crawl = givenSite('<!doctype html><html lang="en"><title>Tea</title><p>Tea');
  const { outcomes } = await evaluate(crawl);
  const passed = CHECKS.filter((check) => outcomes.some((outcome) => outcome.checkId === check.id && outcome.state === 'passed'));
  expect(passed.some((check) => check.hint)).toBe(true);
  const input = await analystInput({ host: 'example.com', url: 'https://example.com/' } as JobFacts, crawl);
  expect(input.passed).toEqual(passed.filter((check) => !check.hint).map((check) => check.title));
  expect(input.passed.length).toBeGreaterThan(0);
});
