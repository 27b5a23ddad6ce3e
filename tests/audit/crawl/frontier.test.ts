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

function take(frontier: Frontier): string[] {
  const taken: string[] = [];
  for (let item = frontier.take(); item; item = frontier.take()) taken.push(item.url.replace('https://a.example', ''));
  return taken;
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

  test('is one of each pattern before the second of any', () => {
    expect(take(filled(['/blog/1', 1], ['/blog/2', 1], ['/shop/1', 2], ['/deep/x/1', 5]))).toEqual([
      '/blog/1',
      '/shop/1',
      '/deep/x/1',
      '/blog/2',
    ]);
  });

  test('alternates between patterns', () => {
    expect(take(filled(['/a/1', 1], ['/a/2', 1], ['/a/3', 1], ['/b/1', 1], ['/b/2', 1]))).toEqual([
      '/a/1',
      '/b/1',
      '/a/2',
      '/b/2',
      '/a/3',
    ]);
  });

  test('is the home page first, wherever it was found', () => {
    const frontier = filled(['/a', 1], ['/b', 1]);
    frontier.add({ url: at('/'), from: 'sitemap', depth: Number.POSITIVE_INFINITY });
    expect(take(frontier)).toEqual(['/', '/a', '/b']);
  });

  test('favors near pages, but by at most double', () => {
    const near = Array.from({ length: 100 }, (_, each) => [`/near/${each}`, 1] as const);
    const far = Array.from({ length: 100 }, (_, each) => [`/far/${each}`, 9] as const);
    const order = take(filled(...far, ...near)).map((path) => path.slice(1, path.indexOf('/', 1)));
    expect(order.slice(0, 8)).toEqual(['near', 'far', 'near', 'far', 'near', 'near', 'far', 'far']);
    for (let taken = 1; taken <= 100; taken++) {
      const [nears, fars] = ['near', 'far'].map(
        (name) => order.slice(0, taken).filter((each) => each === name).length,
      ) as [number, number];
      expect(nears).toBeLessThanOrEqual(2 * fars + 1);
      expect(fars).toBeLessThanOrEqual(nears);
    }
  });

  test('is the most linked one of the same pattern and distance', () => {
    const frontier = filled(['/t/1', 1], ['/t/2', 1], ['/t/3', 1], ['/t/4', 0]);
    const third = frontier.add({ url: at('/t/3'), from: 'link', depth: 1 });
    for (let pages = 0; pages < 10; pages++) if (third) frontier.linked(third);
    frontier.add({ url: at('/t/2'), from: 'link', depth: 5 });
    expect(take(frontier)).toEqual(['/t/4', '/t/3', '/t/2', '/t/1']);
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

  test('may be a postponed address', () => {
    const frontier = filled(['/a', 1]);
    const item = frontier.take();
    if (!item) throw new Error('nothing there');
    frontier.postpone(item);
    expect(frontier.waiting()).toBe(1);
    expect(frontier.take()).toBe(item);
    expect(item.postponed).toBe(1);
    expect(frontier.take()).toBeNull();
  });

  test('limits chains within a pattern', () => {
    const frontier = filled(['/list?p=1', 1]);
    const first = frontier.take();
    if (!first) throw new Error('nothing there');
    frontier.add({ url: at('/list?p=2'), from: 'link', depth: 2, parent: first });
    const second = frontier.take();
    expect(second?.chain).toBe(1);
    if (second) frontier.add({ url: at('/other'), from: 'link', depth: 3, parent: second });
    expect(frontier.take()?.chain).toBe(0);
  });

  const population = fc.array(
    fc.record({ pattern: fc.nat(8), depth: fc.oneof(fc.nat(6), fc.constant(Number.POSITIVE_INFINITY)) }),
    {
      minLength: 1,
      maxLength: 150,
    },
  );
  /** 0 for none, 1 for one, 2 for two and three, 3 for four to seven … */
  const turnOf = (taken: number): number => (taken === 0 ? 0 : 1 + Math.floor(Math.log2(taken)));
  const PROPERTY = { seed: 20_260_302, numRuns: runs(300) };
  const entriesOf = (pages: readonly { readonly pattern: number; readonly depth: number }[]): FrontierEntry[] =>
    pages.map(({ pattern, depth }, index) => ({
      url: at(`/${'abcdefghi'[pattern]}/${index}x`),
      from: Number.isFinite(depth) ? 'link' : 'sitemap',
      depth,
    }));
  const inOrder = (entries: readonly FrontierEntry[]): FrontierItem[] => {
    const frontier = createFrontier();
    for (const entry of entries) frontier.add(entry);
    const taken: FrontierItem[] = [];
    for (let item = frontier.take(); item; item = frontier.take()) taken.push(item);
    return taken;
  };

  test('serves every pattern once before any twice, and doubles from there', () => {
    fc.assert(
      fc.property(population, (pages) => {
        const left = new Map<string, number>();
        const had = new Map<string, number>();
        const order = inOrder(entriesOf(pages));
        for (const { pattern } of order) left.set(pattern, (left.get(pattern) ?? 0) + 1);
        for (const { pattern } of order) {
          const before = had.get(pattern) ?? 0;
          for (const [other, waiting] of left)
            if (waiting > 0) expect(turnOf(before)).toBeLessThanOrEqual(turnOf(had.get(other) ?? 0));
          had.set(pattern, before + 1);
          left.set(pattern, (left.get(pattern) ?? 0) - 1);
        }
      }),
      PROPERTY,
    );
  });

  test('is near before far within a pattern, and of two as near the one found first', () => {
    fc.assert(
      fc.property(population, (pages) => {
        const last = new Map<string, FrontierItem>();
        for (const item of inOrder(entriesOf(pages))) {
          const before = last.get(item.pattern);
          if (before)
            expect(before.depth < item.depth || (before.depth === item.depth && before.order < item.order)).toBe(true);
          last.set(item.pattern, item);
        }
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
    const frontier = createFrontier(100_000);
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
            const item = frontier.take();
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
