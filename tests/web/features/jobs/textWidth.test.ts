import { expect, it } from 'vitest';
import { fitted } from '../../../../web/features/jobs/onePage/textWidth.ts';

/** Each character takes ten pixels. */
const ten = (text: string): number => 10 * text.length;

it.each([
  ['a text that fits', 'Green tea', 90, 'Green tea', false],
  ['between words', 'Green tea from Uji', 120, 'Green tea …', true],
  ['within a word, where there is no other place', 'Donaudampfschiff', 100, 'Donaudam …', true],
  ['an empty text', '', 10, '', false],
])('cuts where the room ends: %s', (_, text, room, shown, isCut) => {
  expect(fitted(text, '', room, ten)).toEqual({ text: shown, width: ten(text), isCut });
});
