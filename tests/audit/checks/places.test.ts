import { expect, test } from 'vitest';
import { imagePlace, linkPlace } from '../../../src/audit/checks/lookups/places.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';

function facts(html: string) {
  return parsePage({
    url: 'https://example.com/shop/',
    body: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
  });
}

test.each([
  ['<nav><a href="/x">x</a></nav>', 'nav a[href="/x"]'],
  ['<main><a href="/x">x</a></main>', 'a[href="/x"]'],
  [`<a href='/a"b\\c'>x</a>`, 'a[href="/a\\"b\\\\c"]'],
  ['<a href="/a&#10;b">x</a>', 'a[href="/a\\a b"]'],
  [`<a href="/${'x'.repeat(300)}">x</a>`, `a[href^="/${'x'.repeat(119)}"]`],
  ['<p><a href="#">y</a></p>', 'body > p:nth-of-type(1) > a:nth-of-type(1)'],
  ['<a href=" JavaScript:go()">x</a>', 'body > a:nth-of-type(1)'],
  ['<a href="">x</a>', 'body > a:nth-of-type(1)'],
  ['<map><area href="/x"></map>', 'body > map:nth-of-type(1) > area:nth-of-type(1)'],
])('the link of %s', (html, place) => {
  const [link] = facts(html).links;
  expect(link === undefined ? null : linkPlace(link)).toBe(place);
});

test.each([
  ['<header><img src="/logo.png"></header>', 'header img[src="/logo.png"]'],
  ['<img src="https://example.com/a.png">', 'img[src="https://example.com/a.png"]'],
  ['<p><img src="data:image/gif;base64,AAAA"></p>', 'body > p:nth-of-type(1) > img:nth-of-type(1)'],
  ['<img alt="">', 'body > img:nth-of-type(1)'],
])('the image of %s', (html, place) => {
  const [image] = facts(html).images;
  expect(image === undefined ? null : imagePlace(image)).toBe(place);
});
