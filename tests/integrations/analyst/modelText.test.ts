import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedLink, modelLine, modelParagraphs, modelTitle } from '../../../src/integrations/analyst/modelText.ts';
import { runs } from '../../given/fullForm.ts';
import { HOSTILE } from './inputs.ts';
import { rendered } from './rendered.ts';

const SITE = 'https://shop.example/';
const line = (text: string) => modelLine(text, SITE, 2000);

describe('links in model text', () => {
  it.each([
    'https://shop.example/a',
    'http://www.shop.example/b?c=d',
    'https://developers.google.com/search/docs',
    'https://schema.org/Product',
  ])('may go to %s', (address) => {
    expect(rendered(line(`Read [more](${address}).`)).links).toEqual([address]);
    expect(rendered(line(`Read ${address}.`)).links).toEqual([address]);
  });

  it.each([
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://user:pass@shop.example/',
    'https://shop.example:8443/',
    'http://schema.org/Product',
    'https://evil.schema.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example/',
    '/relative',
    'www.evil.example',
    'mailto:a@evil.example',
  ])('may not go to %s', (address) => {
    expect(allowedLink(address, SITE)).toBeNull();
    for (const text of [
      `Read [more](${address}) now`,
      `Read [more](<${address}> "t") now`,
      `Read ${address} now`,
      `Read <${address}> now`,
      `Read ![more](${address}) now`,
      `[more]: ${address}\n\n[more]`,
    ]) {
      const result = rendered(line(text));
      expect([text, result.links, result.images, result.rawHtml]).toEqual([text, [], 0, false]);
    }
  });

  it('leave a complete sentence behind when removed', () => {
    expect(line('See [the guide](https://evil.example/x) for details.')).toBe('See the guide for details.');
    expect(line('See https://evil.example/x.')).toBe('See.');
    expect(line('Set `<title>` and `https://evil.example` now')).toBe('Set `<title>` and now');
  });
});

describe('markup in model text', () => {
  it.each(HOSTILE)('becomes text: %j', (text) => {
    for (const markdown of [
      line(text),
      line(`Well: ${text}`),
      modelParagraphs(`One.\n\n${text}\n\nTwo.`, SITE, 5000),
    ]) {
      const result = rendered(markdown);
      expect([result.links, result.images, result.rawHtml, result.headings]).toEqual([[], 0, false, []]);
    }
  });

  it('becomes text whatever characters it has', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...'<>[]()!`*_~#&;:/@."| \n-+1aw'.split(''),
        'http://',
        '](https://evil.example)',
        'www.',
        '![',
        '<b>',
        '&lt;',
        '``',
      ),
      maxLength: 50,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        const result = rendered(`Then ${line(text)}`);
        expect([result.links, result.images, result.rawHtml, result.headings]).toEqual([[], 0, false, []]);
      }),
      { seed: 4712, numRuns: runs(400) },
    );
  });
});

describe('titles from a model', () => {
  it('are rejected unless they are plain and have the right number of pages', () => {
    expect(modelTitle('**Write** a `<title>` for [each](https://evil.example) page', 3)).toBe(
      'Write a title for each page',
    );
    expect(modelTitle('Write titles on 3 pages', 3)).toBe('Write titles on 3 pages');
    expect(modelTitle('Write titles on 40 pages', 3)).toBeNull();
    expect(modelTitle('https://evil.example', 3)).toBeNull();
    expect(modelTitle('x'.repeat(500), 3)).toHaveLength(120);
  });
});
