import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, codeBlock, oneLine, prose, sentence } from '../../../src/integrations/analyst/markdown.ts';
import { runs } from '../../given/fullForm.ts';
import { HOSTILE } from './inputs.ts';
import { rendered } from './rendered.ts';

function onlyText(markdown: string): void {
  const result = rendered(markdown);
  expect(result).toMatchObject({ headings: [], links: [], images: 0, rawHtml: false });
  expect([...result.elements].filter((name) => !['#document-fragment', '#text', 'p', 'code'].includes(name))).toEqual(
    [],
  );
}

describe('site text in Markdown', () => {
  it.each(HOSTILE)('stays text as a sentence: %j', (text) => {
    onlyText(prose(text));
    onlyText(`Before ${prose(text)} after.`);
  });

  it.each(HOSTILE)('stays text as a value: %j', (text) => {
    onlyText(code(text));
    onlyText(`Before ${code(text)} after.`);
  });

  it('stays text whatever characters it has', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...'<>[]()!`*_~#&;:/@.\\"\'| \n-+=1aw'.split(''),
        'http://',
        'www.',
        'x@y.z',
        '<b>',
        '&lt;',
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        for (const markdown of [prose(text), code(text), `Before ${prose(text)} after ${code(text)}.`]) {
          const result = rendered(markdown);
          expect([result.headings, result.links, result.images, result.rawHtml]).toEqual([[], [], 0, false]);
        }
      }),
      { seed: 4711, numRuns: runs(400) },
    );
  });

  it('leaves ordinary sentences unchanged', () => {
    for (const text of [
      'The title has 75 characters, 15 too many.',
      'Tea | Home & Garden',
      'snake_case and 5 < 10',
      'It costs $5 (about 4 €)',
    ])
      expect(prose(text)).toBe(text);
    expect(prose('It names "https://a.example/x", not this.')).toBe('It names "`https://a.example/x`", not this.');
    expect(prose('The <title> of https://a.example/x. is long')).toBe(
      'The `<title>` of `https://a.example/x`. is long',
    );
  });

  it('is put on one line, truncated and closed', () => {
    expect(oneLine('  a\n\tb\u0000c  ')).toBe('a b c');
    expect(oneLine('😀'.repeat(20), 5)).toBe('😀😀😀😀…');
    expect(code('')).toBe('(empty)');
    expect(codeBlock('a ``` b', 'html')).toBe('````html\na ``` b\n````');
    expect([sentence('a'), sentence('a.'), sentence('a?'), sentence(' ')]).toEqual(['a.', 'a.', 'a?', '']);
  });
});
