import { describe, expect, test } from 'vitest';
import { type Copies, createCopies } from '../../../src/audit/crawl/frontier/copies.ts';

const at = (path: string): string => `https://a.example${path}`;

function received(...pairs: readonly (readonly [url: string, canonical: string])[]): Copies {
  const copies = createCopies();
  for (const [url, canonical] of pairs) copies.learn(at(url), at(canonical));
  return copies;
}
const plain = (copies: Copies, path: string): string => copies.plain(at(path)).replace('https://a.example', '');

describe('parameters declared irrelevant by pages', () => {
  const sorted = ['up', 'down', 'new'].map((sort) => [`/shop/teas?sort=${sort}`, '/shop/teas'] as const);

  test('are omitted once three pages of one template have declared them', () => {
    const copies = received(...sorted);
    expect(plain(copies, '/shop/teas?sort=old')).toBe('/shop/teas');
    expect(plain(copies, '/shop/cups?sort=old')).toBe('/shop/cups');
    expect(plain(copies, '/shop/teas?a=1&sort=old&b=2')).toBe('/shop/teas?a=1&b=2');
    expect(plain(copies, '/shop/teas?a=1')).toBe('/shop/teas?a=1');
    expect(plain(copies, '/list?sort=old')).toBe('/list?sort=old');
  });

  test.each<[string, readonly (readonly [string, string])[]]>([
    ['two pages are not enough', sorted.slice(1)],
    ['one that says the contrary', [...sorted, ['/shop/teas?sort=best', '/shop/teas?sort=best']]],
    ['a canonical elsewhere', ['1', '2', '3'].map((sort) => [`/shop/teas?sort=${sort}`, '/other'] as const)],
    [
      'a canonical with other parameters',
      ['1', '2', '3'].map((sort) => [`/shop/teas?sort=${sort}`, '/shop/teas?sort=x'] as const),
    ],
  ])('%s: it is kept', (_what, pairs) => {
    expect(plain(received(...pairs), '/shop/teas?sort=old')).toBe('/shop/teas?sort=old');
  });

  test.each(['p', 'page', 'paged', 'start', 'offset'])('%s is kept: it is the only way to some pages', (name) => {
    const copies = received(
      ...['1', '2', '3', '4'].map((value) => [`/shop/teas?${name}=${value}`, '/shop/teas'] as const),
    );
    expect(plain(copies, `/shop/teas?${name}=5`)).toBe(`/shop/teas?${name}=5`);
  });
});

describe('session parameters', () => {
  const value = (each: number): string => `${(each * 7919 + 1_000_003).toString(16)}abcdef0123456789`;

  test('are recognized by new values for the same pages', () => {
    const copies = createCopies();
    for (const visit of [1, 2])
      for (const path of ['/a', '/b', '/c']) copies.see(at(`${path}?visit=${value(visit * 31)}&x=1`));
    copies.learn(at('/other?y=1'), at('/other'));
    expect(plain(copies, `/d?visit=${value(99)}&x=1`)).toBe('/d?x=1');
  });

  test('do not include the only address of many things', () => {
    const copies = createCopies();
    for (let each = 0; each < 500; each++) copies.see(at(`/product?id=${value(each)}`));
    copies.learn(at('/other?y=1'), at('/other'));
    expect(plain(copies, `/product?id=${value(1000)}`)).toBe(`/product?id=${value(1000)}`);
  });

  test('do not include one value on many pages, or readable text', () => {
    const copies = createCopies();
    for (const path of ['/a', '/b', '/c', '/d']) {
      copies.see(at(`${path}?ref=${value(1)}`));
      for (const words of ['green-tea-from-japan', 'black-tea-from-ceylon']) copies.see(at(`${path}?q=${words}`));
    }
    copies.learn(at('/other?y=1'), at('/other'));
    expect(plain(copies, `/e?ref=${value(1)}`)).toBe(`/e?ref=${value(1)}`);
    expect(plain(copies, '/e?q=white-tea-from-nepal')).toBe('/e?q=white-tea-from-nepal');
  });
});
