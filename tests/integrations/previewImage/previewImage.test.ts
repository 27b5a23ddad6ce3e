/** The preview image of a posted link supports the scripts of its font. */
import { describe, expect, it } from 'vitest';
import { readMetrics } from '../../../src/integrations/previewImage/font.ts';
import { drawPreview, previewSvg } from '../../../src/integrations/previewImage/previewImage.ts';

const card = (...headings: string[]) => ({ headings, score: null, notJudged: false, lines: [] });
const heading = (svg: string): string => /y="300"[^>]*>([^<]*)<\/text>/.exec(svg)?.[1] ?? '';

/** An image of just this character, as text: equal images have equal texts. */
const drawn = async (character: string): Promise<string> =>
  Buffer.from(await drawPreview(card(character))).toString('base64');

describe('the heading', () => {
  it('is drawn in Latin, Greek and Cyrillic, with distinct letters', async () => {
    const words = 'Füße Ελλάδα Привет';
    expect(heading(previewSvg(card(words, 'ascii')))).toBe(words);
    // The Cyrillic е looks like the Latin e.
    const letters = [...new Set(words.replaceAll(' ', ''))].filter((letter) => letter !== 'е');
    const pictures = await Promise.all([...letters, '?', ' '].map(drawn));
    expect(new Set(pictures).size).toBe(letters.length + 2);
  });

  it.each([
    ['日本.example', 'xn--wgv71a.example', 'xn--wgv71a.example'],
    ['e\u0301t\u00e9.example', 'xn--t-9fab.example', 'été.example'],
    ['日本', '日本', '??'],
    ['a\u0000<b>&amp;', 'a\u0000<b>&amp;', 'a?&lt;b>&amp;amp;'],
  ])('%j, or else %j, is written as %j', (best, ascii, written) => {
    expect(heading(previewSvg(card(best, ascii)))).toBe(written);
  });

  it('is truncated between characters if it is too long', () => {
    const cut = heading(previewSvg(card(`${'Привет-'.repeat(40)}.example`)));
    expect(cut).toMatch(/^(?:Привет-)+П?р?и?в?е?т?\.\.\.$/);
    expect(cut.length).toBeLessThan(60);
  });
});

describe('the score', () => {
  const scored = (score: number | null, notJudged = false) => previewSvg({ ...card('example.com'), score, notJudged });
  it('is a whole number, with the color of its band', () => {
    expect(scored(99.6)).toContain('>99</text>');
    expect(scored(89.5)).toContain('>90</text>');
    expect(scored(89.5)).toContain('#1b673a');
  });
  it('is replaced by words where the site was not scored', () => {
    expect(scored(null, true)).toContain('>Not scored</text>');
    expect(scored(null, true)).not.toContain('of 100');
    expect(scored(null)).not.toContain('Not scored');
  });
});

it('refuses a file that is not a font', () => {
  expect(() => readMetrics(new Uint8Array(12))).toThrow('The font has no table head.');
  expect(() => readMetrics(new Uint8Array(4))).toThrow(RangeError);
});
