import { describe, expect, test } from 'vitest';
import { LEFT_OUT_LIMITS, OTHER_PATTERNS } from '../../../src/audit/crawl/frontier/leftOut.ts';
import { createTraps, TRAP_LIMITS } from '../../../src/audit/crawl/frontier/traps.ts';

const catches = (url: string, chain = 0): boolean =>
  createTraps(2026).catches({ url: `https://a.example${url}`, chain });

/** How many of the addresses are crawled. */
function passed(urls: readonly string[]): number {
  const traps = createTraps(2026);
  return urls.filter((url) => !traps.catches({ url: `https://a.example${url}`, chain: 0 })).length;
}

describe('endless addresses', () => {
  test.each([
    '/a/a/a',
    '/x/a/b/a/b/a/b/y',
    `/${'d/e/'.repeat(12)}`,
    `/${'x'.repeat(2000)}`,
    '/list?a=1&b=2&c=3&d=4&e=5&f=6&g=7',
    '/calendar/2031/05',
    '/calendar?month=2099-01',
    '/calendar?year=2500',
    '/events/2066-10-14',
  ])('%s is omitted', (url) => {
    expect(catches(url)).toBe(true);
  });

  test.each([
    '/',
    '/a/b/c',
    '/a/a/b',
    '/2019/05/an-article',
    '/calendar/2026/05',
    '/events?date=20260501',
    '/product?id=20991231999',
    '/list?page=7&sort=price',
    '/events/1066-10-14',
    '/en/shop/en',
  ])('%s is crawled', (url) => {
    expect(catches(url)).toBe(false);
  });

  test('H19: pages that link to each other endlessly end', () => {
    expect(catches('/?p=41', TRAP_LIMITS.chain)).toBe(false);
    expect(catches('/?p=42', TRAP_LIMITS.chain + 1)).toBe(true);
  });

  test('a calendar is followed for a while', () => {
    const days = Array.from({ length: 300 }, (_, day) => `/calendar/2026/${(day % 12) + 1}/${(day % 28) + 1}`);
    expect(passed(days)).toBe(TRAP_LIMITS.dates);
  });

  test('combinations of filters are too', () => {
    expect(passed(Array.from({ length: 500 }, (_, each) => `/shop?size=${each}&colour=red&sort=price`))).toBe(
      TRAP_LIMITS.combinations,
    );
  });

  test('a shop with many products is no trap', () => {
    expect(passed(Array.from({ length: 3000 }, (_, each) => `/product?id=${each}`))).toBe(3000);
  });

  test('omitted addresses are reported by pattern, the largest first', () => {
    const traps = createTraps(2026);
    for (const year of [2030, 2031, 2032]) traps.catches({ url: `https://a.example/cal?year=${year}`, chain: 0 });
    traps.catches({ url: 'https://a.example/a/a/a', chain: 0 });
    expect(traps.found()).toEqual([
      { pattern: 'a.example/cal?year=', count: 3 },
      { pattern: 'repeating paths', count: 1 },
    ]);
  });
});

test('of as many patterns as addresses, only the most frequent are named', () => {
  const traps = createTraps(2026);
  const letters = (index: number): string =>
    index.toString(36).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '');
  const address = (index: number): string =>
    `https://a.example/list?${[...'1234567'].map((nth) => `${letters(index)}${'x'.repeat(100)}${nth}=1`).join('&')}`;
  for (let index = 0; index < 3_000; index += 1) traps.catches({ url: address(index), chain: 0 });
  traps.catches({ url: address(7), chain: 0 });
  const found = traps.found();
  expect(found).toHaveLength(LEFT_OUT_LIMITS.named + 1);
  expect(found[0]?.count).toBe(2);
  expect(found.at(-1)?.pattern).toBe(OTHER_PATTERNS);
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(3_001);
  expect(JSON.stringify(found).length).toBeLessThan(10_000);
});
