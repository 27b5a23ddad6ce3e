import { expect, it } from 'vitest';
import { parserMemoryOf, siteBytesOf } from '../../src/start/siteBytes.ts';

it('leaves most of the heap to everything else, whatever runs in parallel', () => {
  for (const heap of [512e6, 2e9, 4e9])
    for (const parallel of [1, 4, 16]) expect(siteBytesOf(parallel, heap) * parallel).toBeLessThanOrEqual(heap * 0.31);
  expect(siteBytesOf(4, 2e9)).toBe(150_000_000);
  expect(siteBytesOf(32, 100e6)).toBe(4_000_000);
});

it('leaves most of the memory of a machine or container to everything but the parser threads', () => {
  const GB = 1024 ** 3;
  expect([1, 2, 4, 16].map((gb) => parserMemoryOf(2, gb * GB))).toEqual([102, 204, 384, 384]);
  expect(parserMemoryOf(8, GB)).toBe(48);
});
