import { describe, expect, test } from 'vitest';
import { createPatterns, DISTINCT_NAMES } from '../../../src/audit/crawl/frontier/urlPatterns.ts';
import { urlPattern } from '../../../src/audit/crawl/url.ts';

const at = (path: string): string => `https://a.example${path}`;
const patternsOf = (paths: readonly string[]): string[] => paths.map(at).map(createPatterns());
const many = (count: number, path: (each: number) => string): string[] =>
  Array.from({ length: count }, (_, each) => path(each));

describe('learned patterns', () => {
  test('are the plain ones on a small site', () => {
    const paths = ['/', '/about', '/contact/', '/blog/one', '/blog/two', '/p?id=1', '/2024/05/a', '/team/anna/profile'];
    expect(patternsOf(paths)).toEqual(paths.map(at).map(urlPattern));
  });

  test.each<[string, (each: number) => string, string]>([
    ['pages at the top', (each) => `/tea${each}`, 'a.example/*'],
    ['people with pages of their own', (each) => `/user${each}/profile`, 'a.example/*/*'],
    ['deep inside', (each) => `/shop/brand${each}/teas/one`, 'a.example/shop/*/teas/*'],
    ['names of parameters', (each) => `/list?filter${each}=1`, 'a.example/list?*'],
    ['with a slash at the end', (each) => `/tea${each}/`, 'a.example/*/'],
  ])('%s: after many names further ones share a pattern', (_what, path, pattern) => {
    const patterns = patternsOf(many(1000, path));
    expect(new Set(patterns).size).toBe(DISTINCT_NAMES + 1);
    expect(patterns.at(-1)).toBe(pattern);
    expect(patterns.filter((each) => each === pattern)).toHaveLength(1000 - DISTINCT_NAMES);
  });

  test('earlier names keep their own pattern', () => {
    const patternOf = createPatterns();
    const before = patternOf(at('/about'));
    for (const path of many(1000, (each) => `/tea${each}`)) patternOf(at(path));
    expect(patternOf(at('/about'))).toBe(before);
    expect(patternOf(at('/about?x=1'))).toBe('a.example/about?x=');
    expect(patternOf(at('/new'))).toBe('a.example/*');
  });

  test('are learned per position', () => {
    const patternOf = createPatterns();
    for (const path of many(1000, (each) => `/x/tea${each}/y`)) patternOf(at(path));
    expect(patternOf(at('/z/green/y'))).toBe('a.example/z/green/*');
  });
});
