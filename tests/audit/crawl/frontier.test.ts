import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrontier, type Frontier } from '../../../src/audit/crawl/frontier.ts';

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

describe('what comes next', () => {
  test('near before far', () => {
    expect(take(filled(['/a', 2], ['/b', 1], ['/c', 3], ['/d', 1]))).toEqual(['/b', '/d', '/a', '/c']);
  });

  test('one of each pattern before the second of any', () => {
    expect(take(filled(['/blog/1', 1], ['/blog/2', 1], ['/shop/1', 2], ['/deep/x/1', 5]))).toEqual(['/blog/1', '/shop/1', '/deep/x/1', '/blog/2']);
  });

  test('patterns take turns', () => {
    expect(take(filled(['/a/1', 1], ['/a/2', 1], ['/a/3', 1], ['/b/1', 1], ['/b/2', 1]))).toEqual(['/a/1', '/b/1', '/a/2', '/b/2', '/a/3']);
  });

  test('the sitemap comes after the links', () => {
    const frontier = createFrontier();
    frontier.add({ url: at('/s'), from: 'sitemap', depth: Number.POSITIVE_INFINITY });
    frontier.add({ url: at('/l'), from: 'link', depth: 7 });
    expect(take(frontier)).toEqual(['/l', '/s']);
  });

  test('a shorter way moves an address forward', () => {
    const frontier = filled(['/near', 2], ['/far', 9]);
    expect(frontier.add({ url: at('/far'), from: 'link', depth: 1 })).toBe(false);
    expect(frontier.waiting()).toBe(2);
    expect(take(frontier)).toEqual(['/far', '/near']);
  });

  test('an address is known under all its writings', () => {
    const frontier = filled(['/x?b=1&a=2', 1]);
    expect(frontier.add({ url: at('/x?a=2&b=1&utm_source=n'), from: 'link', depth: 1 })).toBe(false);
    expect(take(frontier)).toEqual(['/x?b=1&a=2']);
  });

  test('a claimed address is not given out', () => {
    const frontier = filled(['/a', 1], ['/b', 1]);
    expect(frontier.claim({ url: at('/a'), from: 'link', depth: 1 })?.url).toBe(at('/a'));
    expect(frontier.claim({ url: at('/a'), from: 'link', depth: 1 })).toBeNull();
    expect(frontier.claim({ url: at('/new'), from: 'link', depth: 1 })?.url).toBe(at('/new'));
    expect(frontier.waiting()).toBe(1);
    expect(take(frontier)).toEqual(['/b']);
  });

  test('a postponed address comes again', () => {
    const frontier = filled(['/a', 1]);
    const item = frontier.take();
    if (!item) throw new Error('nothing there');
    frontier.postpone(item);
    expect(frontier.waiting()).toBe(1);
    expect(frontier.take()).toBe(item);
    expect(item.postponed).toBe(1);
    expect(frontier.take()).toBeNull();
  });

  test('chains are counted within a pattern', () => {
    const frontier = filled(['/list?p=1', 1]);
    const first = frontier.take();
    if (!first) throw new Error('nothing there');
    frontier.add({ url: at('/list?p=2'), from: 'link', depth: 2, parent: first });
    const second = frontier.take();
    expect(second?.chain).toBe(1);
    if (second) frontier.add({ url: at('/other'), from: 'link', depth: 3, parent: second });
    expect(frontier.take()?.chain).toBe(0);
  });

  test('each address is given out exactly once, whatever happens in between', () => {
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
      { seed: 20_260_301, numRuns: 300 },
    );
  });
});
