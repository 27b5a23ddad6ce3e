import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageHead } from '../../../src/audit/crawl/probes/imageHead.ts';
import { avif, gif, jpeg, png, webp } from '../../given/audit/images.ts';

test.each([
  ['png', png(1200, 630)],
  ['gif', gif(1200, 630)],
  ['jpeg', jpeg(1200, 630)],
  ['jpeg', jpeg(1200, 630, 60_000)],
  ['webp', webp(1200, 630, 'VP8 ')],
  ['webp', webp(1200, 630, 'VP8L')],
  ['webp', webp(1200, 630, 'VP8X')],
  ['avif', avif(1200, 630)],
])('the size of %s is read', (format, bytes) => {
  expect(imageHead(bytes)).toEqual({ format, width: 1200, height: 630 });
});

test('a head that ends before the size is an image of unknown size', () => {
  expect(imageHead(jpeg(1200, 630, 60_000).slice(0, 1000))).toEqual({ format: 'jpeg', width: null, height: null });
});

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"></svg>', 'svg'],
  ['<?xml version="1.0"?>\n<svg>', 'svg'],
  ['<!doctype html><p>not found', undefined],
  ['', undefined],
])('%j is %s', (text, format) => {
  expect(imageHead(new TextEncoder().encode(text))?.format).toBe(format);
});

test('random bytes never make the reader throw', () => {
  const heads = [png(5, 5), gif(5, 5), jpeg(5, 5), webp(5, 5, 'VP8X'), avif(5, 5)];
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 80 }), fc.nat(80), (head, noise, cut) => {
      const result = imageHead(Uint8Array.from([...head.slice(0, cut), ...noise]));
      expect(result === null || typeof result.format === 'string').toBe(true);
    }),
    { seed: 1707 },
  );
});
