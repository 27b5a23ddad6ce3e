/** What a page's structured data may cost the checks, counted by the primitives that read it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { faqProblem, wordPairs } from '../../../src/audit/checks/lookups/faqs.ts';
import { propertyMeantBy } from '../../../src/audit/checks/schemaOrg/schemaProperties.ts';
import { typeMeantBy } from '../../../src/audit/checks/schemaOrg/schemaTypes.ts';
import { atOnce } from '../../../src/audit/timeSlices.ts';

afterEach(() => void vi.restoreAllMocks());

const question = (name: string) => ({ '@type': 'Question', name, acceptedAnswer: { '@type': 'Answer', text: 'Yes.' } });
const TEXT = 'Questions. What is green tea? Tea that was not left to wither. 何を売っていますか';
const problemOf = (...names: string[]): string | null => atOnce(faqProblem(names.map(question), wordPairs(TEXT)));

describe('questions in FAQ markup', () => {
  test('are shown as a phrase, whatever stands around it', () => {
    expect(problemOf('What is green tea?', 'what is  GREEN tea', '何を売っていますか', 'Questions')).toBeNull();
    for (const name of ['Is green what tea?', 'What is black tea?', '何を買っていますか', 'Tea that'.repeat(3)])
      expect(problemOf(name), name).toContain('which the page does not show');
  });

  test('are looked for word by word, with pauses, not by searching the text for each', () => {
    const includes = vi.spyOn(String.prototype, 'includes');
    const text = `${'a'.repeat(60)}b`.repeat(300);
    const names = Array.from({ length: 700 }, (_, index) => question(`b${'a'.repeat(600 + index)}`));
    expect(atOnce(faqProblem(names, wordPairs(text)))).toContain('does not show');
    const good = Array.from({ length: 700 }, () => question(text.slice(0, 5000)));
    let pauses = 0;
    for (const work = faqProblem(good, wordPairs(text.slice(0, 5000))); work.next().done !== true; ) pauses += 1;
    expect(pauses).toBe(10);
    expect(includes.mock.calls.filter(([pattern]) => pattern.length > 100)).toEqual([]);
  });
});

test.each([
  ['types', typeMeantBy, 'blogposting', 'BlogPosting'],
  ['properties', propertyMeantBy, 'datepublished', 'datePublished'],
] as const)('unknown %s are looked up, not compared with each one there is', (_, meantBy, written, meant) => {
  expect(meantBy(written)).toBe(meant);
  const lower = vi.spyOn(String.prototype, 'toLowerCase');
  for (let at = 0; at < 1000; at += 1) expect(meantBy(`unknown${at}`)).toBeNull();
  expect(lower.mock.calls.length).toBeLessThan(3000);
});
