import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFrontier,
  type Frontier,
  type FrontierEntry,
  type FrontierItem,
} from '../../../src/audit/crawl/frontier/frontier.ts';
import { runs } from '../../given/fullForm.ts';

const at = (path: string): string => `https://a.example${path}`;

function itemsOf(frontier: Frontier): FrontierItem[] {
  const taken: FrontierItem[] = [];
  while (frontier.open()) for (let item = frontier.take(); item; item = frontier.take()) taken.push(item);
  return taken;
}

function take(frontier: Frontier): string[] {
  return itemsOf(frontier).map(({ url }) => url.replace('https://a.example', ''));
}

function filled(...entries: readonly (readonly [path: string, depth: number])[]): Frontier {
  const frontier = createFrontier();
  for (const [path, depth] of entries) frontier.add({ url: at(path), from: 'link', depth });
  return frontier;
}

describe('the next page', () => {
  test('is near before far', () => {
    expect(take(filled(['/a', 2], ['/b', 1], ['/c', 3], ['/d', 1]))).toEqual(['/b', '/d', '/a', '/c']);
  });

  test('is one of each pattern before the second of any, of those equally far', () => {
    expect(take(filled(['/blog/1', 1], ['/blog/2', 1], ['/shop/1', 1], ['/deep/x/1', 5]))).toEqual([
      '/blog/1',
      '/shop/1',
      '/blog/2',
      '/deep/x/1',
    ]);
  });

  test('alternates between patterns, by address', () => {
    expect(take(filled(['/b/2', 1], ['/a/3', 1], ['/a/2', 1], ['/b/1', 1], ['/a/1', 1]))).toEqual([
      '/a/1',
      '/b/1',
      '/a/2',
      '/b/2',
      '/a/3',
    ]);
  });

  test('is of a pattern that had fewer before, also nearer to the start', () => {
    expect(take(filled(['/a/1', 1], ['/a/2', 1], ['/a/3', 2], ['/b/1', 2], ['/b/2', 2], ['/b/3', 2]))).toEqual([
      '/a/1',
      '/a/2',
      '/b/1',
      '/b/2',
      '/a/3',
      '/b/3',
    ]);
  });

  test('is one that the former run looked at before others equally far', () => {
    const frontier = createFrontier({ former: [at('/a/9'), at('/far/1'), at('/b/2?utm_source=n')] });
    for (const [path, depth] of [
      ['/far/1', 2],
      ['/a/1', 1],
      ['/c', 1],
      ['/a/9', 1],
      ['/b/2', 1],
    ] as const)
      frontier.add({ url: at(path), from: 'link', depth });
    expect(take(frontier)).toEqual(['/a/9', '/b/2', '/c', '/a/1', '/far/1']);
  });

  test('is none of a pattern that had its share while others wait, however far', () => {
    const frontier = createFrontier({ maxPages: 24 });
    for (let each = 10; each < 20; each++) frontier.add({ url: at(`/near/${each}`), from: 'link', depth: 1 });
    for (const path of ['/far/1', '/far/2', '/far/3']) frontier.add({ url: at(path), from: 'link', depth: 9 });
    frontier.add({ url: at('/listed'), from: 'sitemap', depth: Number.POSITIVE_INFINITY });
    const near = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `/near/${from + at}`);
    expect(take(frontier)).toEqual([
      ...near(10, 12),
      '/far/1',
      '/far/2',
      '/listed',
      ...near(12, 14),
      '/far/3',
      ...near(14, 20),
    ]);
  });

  test('is the home page first, wherever it was found', () => {
    const frontier = filled(['/a', 1], ['/b', 1]);
    frontier.add({ url: at('/'), from: 'sitemap', depth: Number.POSITIVE_INFINITY });
    expect(take(frontier)).toEqual(['/', '/a', '/b']);
  });

  test('comes from links before the sitemap', () => {
    const frontier = createFrontier();
    frontier.add({ url: at('/s'), from: 'sitemap', depth: Number.POSITIVE_INFINITY });
    frontier.add({ url: at('/l'), from: 'link', depth: 7 });
    expect(take(frontier)).toEqual(['/l', '/s']);
  });

  test('moves forward by a shorter path', () => {
    const frontier = filled(['/near', 2], ['/far', 9]);
    expect(frontier.add({ url: at('/far'), from: 'link', depth: 1 })).toMatchObject({ url: at('/far'), depth: 1 });
    expect(frontier.waiting()).toBe(2);
    expect(take(frontier)).toEqual(['/far', '/near']);
  });

  test('is the same for all spellings of an address', () => {
    const frontier = filled(['/x?b=1&a=2', 1]);
    expect(frontier.add({ url: at('/x?a=2&b=1&utm_source=n'), from: 'link', depth: 1 })?.url).toBe(at('/x?b=1&a=2'));
    expect(take(frontier)).toEqual(['/x?b=1&a=2']);
  });

  test('is never a claimed address', () => {
    const frontier = filled(['/a', 1], ['/b', 1]);
    expect(frontier.claim({ url: at('/a'), from: 'link', depth: 1 })?.url).toBe(at('/a'));
    expect(frontier.claim({ url: at('/a'), from: 'link', depth: 1 })).toBeNull();
    expect(frontier.claim({ url: at('/new'), from: 'link', depth: 1 })?.url).toBe(at('/new'));
    expect(frontier.waiting()).toBe(1);
    expect(take(frontier)).toEqual(['/b']);
  });

  test('can be foretold, which changes nothing', () => {
    const frontier = filled(['/a/2', 1], ['/a/1', 1], ['/b/1', 1], ['/c', 2]);
    const first = (most: number): string[] => frontier.ahead(most).map(({ url }) => url.slice(at('').length));
    expect([first(0), first(2), first(9)]).toEqual([[], ['/a/1', '/b/1'], ['/a/1', '/b/1', '/a/2']]);
    expect(frontier.waiting()).toBe(4);
    expect(take(frontier)).toEqual(['/a/1', '/b/1', '/a/2', '/c']);
    expect(first(1)).toEqual([]);
  });

  test('limits chains within a pattern', () => {
    const frontier = filled(['/list?p=1', 1]);
    const next = () => (frontier.open() ? frontier.take() : null);
    const first = next();
    if (!first) throw new Error('nothing there');
    frontier.add({ url: at('/list?p=2'), from: 'link', depth: 2, parent: first });
    const second = next();
    expect(second?.chain).toBe(1);
    if (second) frontier.add({ url: at('/other'), from: 'link', depth: 3, parent: second });
    expect(next()?.chain).toBe(0);
  });

  const population = fc.array(
    fc.record({ pattern: fc.nat(8), depth: fc.oneof(fc.nat(6), fc.constant(Number.POSITIVE_INFINITY)) }),
    {
      minLength: 1,
      maxLength: 150,
    },
  );
  const PROPERTY = { seed: 20_260_302, numRuns: runs(300) };
  const entriesOf = (pages: readonly { readonly pattern: number; readonly depth: number }[]): FrontierEntry[] =>
    pages.map(({ pattern, depth }, index) => ({
      url: at(`/${'abcdefghi'[pattern]}/${index}x`),
      from: Number.isFinite(depth) ? 'link' : 'sitemap',
      depth,
    }));
  const inOrder = (entries: readonly FrontierEntry[], maxPages?: number): FrontierItem[] => {
    const frontier = createFrontier(maxPages === undefined ? {} : { maxPages });
    for (const entry of entries) frontier.add(entry);
    return itemsOf(frontier);
  };

  test('is never farther than one that waits, and fair to patterns among those equally far', () => {
    fc.assert(
      fc.property(population, (pages) => {
        const left = new Map<string, number>();
        const had = new Map<string, number>();
        const key = ({ pattern, depth }: FrontierItem): string => `${depth} ${pattern}`;
        const order = inOrder(entriesOf(pages));
        for (const item of order) left.set(key(item), (left.get(key(item)) ?? 0) + 1);
        let depth = 0;
        for (const item of order) {
          expect(item.depth).toBeGreaterThanOrEqual(depth);
          ({ depth } = item);
          const before = had.get(item.pattern) ?? 0;
          for (const [other, waiting] of left) {
            const [far = '', pattern = ''] = other.split(' ');
            if (waiting > 0 && far === String(depth)) expect(before).toBeLessThanOrEqual(had.get(pattern) ?? 0);
          }
          had.set(item.pattern, before + 1);
          left.set(key(item), (left.get(key(item)) ?? 0) - 1);
        }
      }),
      PROPERTY,
    );
  });

  test('does not depend on the order in which addresses were found', () => {
    fc.assert(
      fc.property(population, fc.integer({ min: 1, max: 60 }), (pages, maxPages) => {
        const entries = entriesOf(pages);
        const shuffled = entries.filter((_, at) => at % 2 === 0).concat(entries.filter((_, at) => at % 2 === 1));
        const urls = (found: readonly FrontierEntry[]) => inOrder(found, maxPages).map(({ url }) => url);
        expect(urls(shuffled.reverse())).toEqual(urls(entries));
      }),
      PROPERTY,
    );
  });

  test('treats an address found again nearer as if it had been found there at once', () => {
    fc.assert(
      fc.property(population, fc.nat(6), (pages, depth) => {
        const entries = entriesOf(pages);
        const [first] = entries;
        if (!first) return;
        const near = Math.min(depth, first.depth);
        const again = inOrder([...entries, { ...first, from: 'link', depth: near }]).map(({ url }) => url);
        const atOnce = inOrder([{ ...first, depth: near }, ...entries.slice(1)]).map(({ url }) => url);
        expect(again).toEqual(atOnce);
      }),
      PROPERTY,
    );
  });

  test('is one of at most a hundred thousand known addresses; the others are counted', () => {
    const frontier = createFrontier();
    for (let each = 0; each < 100_010; each++) frontier.add({ url: at(`/p?id=${each}`), from: 'link', depth: 1 });
    expect([frontier.waiting(), frontier.dropped()]).toEqual([100_000, 10]);
  });

  test('addresses beyond the memory for them are dropped, and counted', () => {
    const frontier = createFrontier({ mostBytes: 100_000 });
    for (let index = 0; index < 200; index += 1)
      frontier.add({ url: at(`/${index}${'x'.repeat(1800)}`), from: 'link', depth: 1 });
    expect(frontier.waiting()).toBeLessThan(60);
    expect(frontier.waiting() + frontier.dropped()).toBe(200);
  });

  test('returns each address exactly once, whatever happens in between', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), path: fc.nat(40), depth: fc.nat(5) }),
      fc.record({ kind: fc.constant('take' as const) }),
      fc.record({ kind: fc.constant('claim' as const), path: fc.nat(40), depth: fc.nat(5) }),
    );
    const path = (each: number): string => at(`/${'abc'[each % 3]}/${each}`);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const frontier = createFrontier();
        const known = new Set<string>();
        const given: string[] = [];
        for (const each of steps) {
          if (each.kind === 'take') {
            const item = frontier.open() ? frontier.take() : null;
            if (item) given.push(item.url);
            continue;
          }
          const entry = { url: path(each.path), from: 'link' as const, depth: each.depth };
          known.add(entry.url);
          if (each.kind === 'add') frontier.add(entry);
          else if (frontier.claim(entry)) given.push(entry.url);
          expect(frontier.waiting()).toBe(known.size - given.length);
        }
        given.push(...take(frontier).map(at));
        expect([...given].sort()).toEqual([...known].sort());
        expect(frontier.waiting()).toBe(0);
      }),
      { seed: 20_260_301, numRuns: runs(300) },
    );
  });
});
