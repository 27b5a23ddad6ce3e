import { expect, test } from 'vitest';
import { readingCounts, syllables } from '../../../src/audit/facts/text/readability.ts';

test.each([
  ['tea', 1],
  ['make', 1],
  ['table', 2],
  ['pottery', 3],
  ['walked', 1],
  ['wanted', 2],
  ['yellow', 2],
  ['readability', 5],
  ['international', 5],
])('%s has %d syllables', (word, count) => {
  expect(syllables(word)).toBe(count);
});

test('words, sentences and paragraphs are counted, code and figures are not', () => {
  expect(readingCounts(['We make bowls. Do you like them?', 'No full stop here', 'Run npm_install --now 3 times.'])).toEqual({
    words: 6 + 1 + 4 + 2,
    sentences: 4,
    syllables: expect.any(Number),
  });
  expect(readingCounts(['"Well," she said, "it\'s mother-in-law\'s tea."'])).toMatchObject({ words: 6, sentences: 1 });
  expect(readingCounts([])).toBeNull();
  expect(readingCounts(['123 456'])).toBeNull();
});

test('of a long text the beginning is enough', () => {
  expect(readingCounts(Array.from({ length: 100 }, () => 'word '.repeat(200)))?.words).toBeLessThan(2000);
});
