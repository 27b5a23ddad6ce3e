import { expect, it } from 'vitest';
import { visibleText } from '../../src/model/visibleText.ts';

it.each([
  ['a text that is turned round', 'user\u202egpj.exe', 'user[U+202E]gpj.exe'],
  ['isolates', '\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['Arabic and Hebrew as they are', 'شاي אדום', 'شاي אדום'],
  ['an empty text', '', ''],
])('shows %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
