import { describe, expect, test } from 'vitest';
import { headerLinks } from '../../../src/audit/crawl/linkHeader.ts';
import { givenAnswer } from '../../given/audit/page.ts';

const URL_OF_PAGE = 'https://site.example/a/';
const linksOf = (link: readonly string[], url = URL_OF_PAGE) => headerLinks(givenAnswer({ url, headers: { link } }));
const many = (count: number, link: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => link(index)).join(', ');

describe('links of the Link header', () => {
  test('none, one, and several in a line', () => {
    expect(headerLinks(givenAnswer({ url: URL_OF_PAGE }))).toEqual([]);
    expect(linksOf(['nothing'])).toEqual([]);
    expect(linksOf(['<b>; rel="Canonical"'])).toEqual([
      { href: 'b', url: `${URL_OF_PAGE}b`, rel: 'canonical', hreflang: null },
    ]);
    expect(linksOf(['</x,y>; rel=alternate; hreflang="de", <http://[>; rel=next'])).toEqual([
      { href: '/x,y', url: 'https://site.example/x,y', rel: 'alternate', hreflang: 'de' },
      { href: 'http://[', url: null, rel: 'next', hreflang: null },
    ]);
  });

  test('as many are read as of the HTML of a page, of each kind', () => {
    const links = linksOf([
      many(700, (index) => `</p${index}>;rel=preload`),
      many(100, (index) => `</c${index}>;rel=canonical`),
      many(400, (index) => `</d${index}>;rel=alternate;hreflang=de`),
      many(400, (index) => `</f${index}>;rel=alternate;hreflang=fr`),
    ]);
    const count = (kind: string): number => links.filter(({ rel }) => rel === kind).length;
    expect([count('canonical'), count('alternate'), count('preload')]).toEqual([20, 500, 500]);
    expect(links.find(({ rel }) => rel === 'canonical')?.href).toBe('/c0');
  });

  test('addresses that become long when resolved take no more memory than long ones', () => {
    const links = linksOf(
      [many(500, (index) => `<?${index}>;rel=alternate;hreflang=de`)],
      `${URL_OF_PAGE}${'a'.repeat(5000)}`,
    );
    expect(links).toHaveLength(19);
  });

  test('an answer that is asked about again is not read again', () => {
    const outcome = givenAnswer({ url: URL_OF_PAGE, headers: { link: '<b>; rel=canonical' } });
    const first = headerLinks(outcome);
    for (let index = 0; index < 60; index += 1) headerLinks(givenAnswer({ url: `${URL_OF_PAGE}${index}` }));
    expect(headerLinks(outcome)).toBe(first);
    for (let index = 0; index < 200; index += 1) headerLinks(givenAnswer({ url: `${URL_OF_PAGE}${index}` }));
    expect(headerLinks(outcome)).not.toBe(first);
    expect(headerLinks(outcome)).toEqual(first);
  });
});
