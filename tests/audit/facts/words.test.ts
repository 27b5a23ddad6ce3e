import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/audit/facts/parse/element.ts';
import { likeness, simHash, simHashDistance, sketchOf } from '../../../src/audit/facts/text/simHash.ts';
import { countWords, wordsOf } from '../../../src/audit/facts/text/words.ts';
import { words } from '../../given/audit/page.ts';
import { runs } from '../../given/fullForm.ts';

test.each([
  ['', 0],
  ['One two-three don’t 4.5', 5],
  ['naïve Straße Привет мир', 4],
  ['— … !', 0],
  ['한국어 단어 셋', 3],
])('%j has %i words', (text, count) => {
  expect(countWords(text)).toBe(count);
});

test.each([
  ['日本の茶園で育てられた茶葉', 6, 10],
  ['สวัสดีครับ', 1, 3],
  ['緑茶 and tea', 3, 4],
])('%j, in a script without spaces, has from %i to %i words', (text, least, most) => {
  expect(countWords(text)).toBeGreaterThanOrEqual(least);
  expect(countWords(text)).toBeLessThanOrEqual(most);
});

test('splits into words in lower case, and East Asian letters one by one', () => {
  expect(wordsOf('Green TEA, 緑茶!', 10)).toEqual(['green', 'tea', '緑', '茶']);
});

test('folds like the plain expression', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000', 'a', 'b', 'é', '\u2009') }),
      (text) => {
        expect(fold(text)).toBe(text.replace(/\s+/g, ' ').trim());
      },
    ),
    { seed: 7, numRuns: runs(500) },
  );
});

test('similar texts have similar hashes, other texts do not', () => {
  const text = words(400);
  expect(simHash(text)).toMatch(/^[0-9a-f]{272}$/);
  const sketch = (of: string) => sketchOf(simHash(of));
  expect(simHashDistance(sketch(text), sketch(`${text} and a little more`))).toBeLessThanOrEqual(3);
  expect(simHashDistance(sketch(text), sketch(words(400, 'pot')))).toBeGreaterThan(10);
  expect(likeness(sketch(text), sketch(text))).toBe(1);
  expect(likeness(sketch(text), sketch(`${text} and a little more`))).toBeGreaterThan(0.95);
  expect(likeness(sketch(text), sketch(words(400, 'pot')))).toBeLessThan(0.1);
  expect(Math.abs(likeness(sketch(text), sketch(words(200))) - 0.5)).toBeLessThan(0.15);
  expect(simHash('too short')).toBe('');
});

test('case and punctuation do not change the hash', () => {
  expect(simHash(words(60).toUpperCase())).toBe(simHash(words(60).replaceAll('.', ' !')));
});
