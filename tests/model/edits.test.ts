/** What a snippet changes, in words. */
import { describe, expect, it } from 'vitest';
import { editedPlace, editText, isOnPage } from '../../src/model/edits.ts';
import type { Edit } from '../../src/model/findings.ts';

const URL = 'https://shop.example/tea?a=1';
const quoted = (text: string): string => `“${text}”`;

const CASES: readonly (readonly [Edit, code: string, text: string, place: string, onPage: boolean])[] = [
  [
    { edits: 'head', operation: 'add', at: 'head' },
    '<title>Tea</title>',
    'Add to the head',
    'the head of /tea?a=1',
    true,
  ],
  [
    { edits: 'head', operation: 'add', at: 'start of head' },
    '<meta charset="utf-8">',
    'Add at the start of the head',
    'the head of /tea?a=1',
    true,
  ],
  [
    { edits: 'head', operation: 'add', at: 'head', on: 'https://shop.example/de' },
    '<link rel="alternate">',
    'Add to the head of “https://shop.example/de”',
    'the head of /de',
    false,
  ],
  [
    { edits: 'head', operation: 'replace', at: 'head > title' },
    '<title>Tea</title>',
    'Replace “head > title” with this',
    'the head of /tea?a=1',
    true,
  ],
  [
    { edits: 'element', operation: 'replace', at: 'html' },
    '<html lang="de">',
    'Set on “html” and keep its other attributes',
    'html on /tea?a=1',
    true,
  ],
  [
    { edits: 'element', operation: 'replace', at: 'head meta[name="robots" i]' },
    '<meta name="robots" content="noarchive">',
    'Set on “head meta[name="robots" i]” and keep its other attributes',
    'head meta[name="robots" i] on /tea?a=1',
    true,
  ],
  [
    { edits: 'element', operation: 'replace', at: 'h4' },
    '<h2>Tea</h2>',
    'Replace “h4” with this',
    'h4 on /tea?a=1',
    true,
  ],
  [{ edits: 'element', operation: 'remove', at: 'a' }, 'rel="nofollow"', 'Remove from “a”', 'a on /tea?a=1', true],
  [
    { edits: 'element', operation: 'add', at: 'doctype' },
    '<!doctype html>',
    'Add at the very start of the page',
    'the doctype of /tea?a=1',
    true,
  ],
  [
    { edits: 'header', operation: 'remove', at: 'x-robots-tag' },
    'X-Robots-Tag: noindex',
    'Stop sending this response header',
    'the header x-robots-tag of /tea?a=1',
    true,
  ],
  [
    { edits: 'robots.txt', operation: 'add', at: 'end' },
    'Sitemap: x',
    'Add at the end of robots.txt',
    'robots.txt',
    false,
  ],
  [
    { edits: 'sitemap', operation: 'add', at: 'https://shop.example/sitemap.xml' },
    '<url></url>',
    'Add to “https://shop.example/sitemap.xml”',
    '/sitemap.xml',
    false,
  ],
  [{ edits: 'file', operation: 'replace', at: '/llms.txt' }, '# Tea', 'The whole file “/llms.txt”', '/llms.txt', false],
  [
    { edits: 'server', operation: 'replace', at: 'https://shop.example/old' },
    'return 301',
    'Have the server answer “https://shop.example/old” with',
    'how the server answers /old',
    false,
  ],
];

describe('an edit', () => {
  it.each(CASES)('is told in words: %o', (edit, code, text, place, onPage) => {
    expect(editText(edit, code, quoted)).toBe(text);
    expect(editedPlace(edit, URL)).toBe(place);
    expect(isOnPage(edit)).toBe(onPage);
  });
});
