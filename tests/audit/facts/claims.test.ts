import { expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';

function claims(node: object, shown: string) {
  const html = `<script type="application/ld+json">${JSON.stringify(node)}</script><main>${shown}</main>`;
  const { claims } = parsePage({
    url: 'https://example.com/',
    body: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
  });
  return claims.map(({ property, value, seen }) => [property, value, seen]);
}
const priced = (price: unknown, shown: string): unknown =>
  claims({ '@type': 'Product', offers: { price } }, shown)[0]?.[2];

test.each([
  ['49.00', '49,00 €', true],
  ['49.00', '€ 49', true],
  ['49.9', '49.90', true],
  [1299, '1 299,00 kr', true],
  [1299, "1'299.-", true],
  [1299, '1.299 €', true],
  ['1299.00', '$1,299', true],
  ['49.00', '<span>49</span><sup>99</sup>', false],
  ['49.99', '<span>49</span><sup>99</sup>', true],
  ['49.00', '39.00', false],
  ['49.00', 'no price', false],
  ['on request', 'no price', true],
  [7, '1 2 3 4 5 6 7 8 9 10 11 12', true],
])('the price %j shown as %s: %s', (price, shown, seen) => {
  expect(priced(price, shown)).toBe(seen);
});

test('names are compared by words, ignoring case, accents, punctuation and entities', () => {
  expect(claims({ '@type': 'BlogPosting', headline: 'L&#39;Été – à Paris!' }, 'L’été à PARIS')).toEqual([
    ['headline', 'L&#39;Été – à Paris!', true],
  ]);
  expect(
    claims({ '@type': 'Article', headline: 'How to brew', author: [{ name: 'A' }, { name: 'B' }] }, 'Brewing'),
  ).toEqual([['headline', 'How to brew', false]]);
});

test('the subject is the first node that a page can be about, not frames or sites', () => {
  expect(
    claims(
      {
        '@graph': [
          { '@type': 'WebSite', name: 'x' },
          { '@type': 'WebPage', name: 'y' },
        ],
      },
      'Tea',
    ),
  ).toEqual([]);
  expect(
    claims(
      {
        '@graph': [
          { '@type': 'WebSite', name: 'x' },
          { '@type': ['Event', 'Thing'], name: 'Tea night' },
        ],
      },
      'Tea night',
    ),
  ).toEqual([['name', 'Tea night', true]]);
  expect(claims({ '@type': 'Product' }, 'Tea')).toEqual([]);
});

test('text in the frame of the page counts as shown', () => {
  expect(claims({ '@type': 'Article', headline: 'Tea', author: 'Anna' }, 'Tea</main><footer>By Anna</footer>')).toEqual(
    [
      ['headline', 'Tea', true],
      ['author', 'Anna', true],
    ],
  );
});
