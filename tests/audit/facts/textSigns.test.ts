/** Figures, repeated phrases, opening hours and addresses. */
import { expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { figuresIn } from '../../../src/audit/facts/text/figures.ts';
import { repeatedPhrase } from '../../../src/audit/facts/text/repetition.ts';
import { visitingSigns } from '../../../src/audit/facts/text/visiting.ts';
import { wordsOf } from '../../../src/audit/facts/text/words.ts';

test.each([
  ['12% of 3,000 people since 1998', 3],
  ['$5, 7 €, EUR 8 and 9 EUR', 3],
  ['20 km at 15 °C in 3 hours', 3],
  ['12 steps, chapter 3, version 2.1', 0],
  ['12 Prozent, 4 Jahre, 3 millions', 3],
  ['', 0],
])('%s holds %d figures', (text, count) => {
  expect(figuresIn(text)).toBe(count);
});

const plain = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');

test('finds the phrase that fills most of a text, except common words', () => {
  expect(repeatedPhrase(wordsOf(`${plain} ${'buy the cheap teapots now. '.repeat(10)}`, 4000))).toMatchObject({
    phrase: 'buy cheap teapots',
    count: 10,
    share: 0.029,
  });
  expect(repeatedPhrase(wordsOf(plain, 4000))).toBeNull();
  expect(repeatedPhrase(wordsOf('cheap teapots '.repeat(100), 4000))).toBeNull();
  expect(repeatedPhrase(wordsOf(`${plain} ${'2024 2025 '.repeat(30)}`, 4000))).toBeNull();
});

test.each([
  ['Mon–Fri 9:00–17:00', 'Mon–Fri 9:00–17:00'],
  ['Monday to Friday: 9 am to 5 pm', 'Monday to Friday: 9 am to 5 pm'],
  ['Mo.-Fr. 8-18 Uhr', 'Mo.-Fr. 8-18 Uhr'],
  ['du lundi: lun 9h00 à 18h00', 'lun 9h00 à 18h00'],
  ['On Monday 3 of 5 came', null],
  ['Sun 10-12 points', null],
  ['Friday, 5 May 2026', null],
])('finds opening hours in %s', (text, hours) => {
  expect(visitingSigns(text, '')?.hours ?? null).toBe(hours);
});

test.each([
  '350 Fifth Avenue, New York, NY 10118',
  '12 Station Road, Leeds LS1 4AB',
  'Hauptstraße 12a, 10115 Berlin',
  '12 rue de la Paix, 75002 Paris',
  'Via Roma 12, 00184 Roma',
  'Sägeweg 3, 24980 Holmbüll',
])('%s is recognized as an address', (text) => {
  expect(visitingSigns('', `Tea house ${text}`)?.address).toBe(text);
});

test.each(['12 Things To Do Before 2025', 'RFC 9309, section 12', 'Lorem 12345 ipsum', 'Version 10115 Build'])(
  '%s is not recognized as an address',
  (text) => {
    expect(visitingSigns(text, text)).toBeNull();
  },
);

test('finds them at the beginning and end of texts', () => {
  expect(visitingSigns(`${'x '.repeat(5000)} Mon–Fri 9:00–17:00`, '')?.hours).toBe('Mon–Fri 9:00–17:00');
});

test('takes the paragraph below a heading as its answer, and marks text hidden from screen readers', () => {
  const html =
    '<h2>How?</h2><div><p>One two three.</p><p>More</p></div><h3>Why?</h3><ul><li>x</li></ul><h2>When?</h2><h3>Where?</h3><p> </p><p>Here now.</p><h2 aria-hidden="true">x</h2><div role="heading" aria-level="3">y</div>';
  const { headings, counts } = parsePage({
    url: 'https://example.com/',
    body: new TextEncoder().encode(html),
    contentType: 'text/html',
  });
  expect(
    headings.map(({ text, level, answerWords, silent, byRole }) => [text, level, answerWords, silent, byRole]),
  ).toEqual([
    ['How?', 2, 3, undefined, undefined],
    ['Why?', 3, undefined, undefined, undefined],
    ['When?', 2, undefined, undefined, undefined],
    ['Where?', 3, 2, undefined, undefined],
    ['x', 2, undefined, true, undefined],
    ['y', 3, undefined, undefined, true],
  ]);
  expect(counts).toMatchObject({ lists: 1, tables: 0 });
});

test('excludes lists in navigation from the content', () => {
  const html =
    '<nav><ul></ul></nav><main><dl></dl><table></table><details></details><blockquote></blockquote></main><footer><ul></ul></footer>';
  const { counts } = parsePage({
    url: 'https://example.com/',
    body: new TextEncoder().encode(html),
    contentType: 'text/html',
  });
  expect(counts).toMatchObject({ lists: 0, definitionLists: 1, tables: 1, details: 1, quotes: 1 });
});
