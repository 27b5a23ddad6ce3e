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

test('counts words, sentences and paragraphs, but not code and figures', () => {
  expect(
    readingCounts(['We make bowls. Do you like them?', 'No full stop here', 'Run npm_install --now 3 times.']),
  ).toEqual({
    words: 6 + 1 + 4 + 2,
    sentences: 4,
    syllables: expect.any(Number),
  });
  expect(readingCounts(['"Well," she said, "it\'s mother-in-law\'s tea."'])).toMatchObject({ words: 6, sentences: 1 });
  expect(readingCounts([])).toBeNull();
  expect(readingCounts(['123 456'])).toBeNull();
});

test('uses the beginning of a long text', () => {
  expect(readingCounts(Array.from({ length: 100 }, () => 'word '.repeat(200)))?.words).toBeLessThan(2000);
});
