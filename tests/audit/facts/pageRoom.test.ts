import { expect, test } from 'vitest';
import type { PageFacts } from '../../../src/audit/facts/pageFacts.ts';
import { withinRoom } from '../../../src/audit/facts/pageRoom.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { PAGE_BYTES, weightOf } from '../../../src/audit/memory.ts';

function factsOf(html: string): PageFacts {
  const body = new TextEncoder().encode(html);
  return parsePage({ url: 'https://example.com/page', body, contentType: 'text/html; charset=utf-8' });
}

const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join('');

const HEAD =
  '<!doctype html><html lang="en"><head><title>A title</title><meta name="description" content="Tea"></head><body><h1>Tea</h1>';

test('a page with as many links and images as are kept, of usual length, loses nothing', () => {
  const facts = factsOf(
    `${HEAD}${many(2000, (index) => `<a href="/a-section-of-the-site/an-entry-with-a-long-name-${index}">An entry with a long name, number ${index}</a>`)}${many(1000, (index) => `<img src="/images/a-picture-${index}.jpg" alt="A picture of the thing" width="1" height="1">`)}`,
  );
  expect([facts.links.length, facts.images.length]).toEqual([2000, 1000]);
  expect(facts.partial).toBeUndefined();
});

const LONG = 'x'.repeat(2000);

test.each([
  ['links', many(2000, (index) => `<a href="/${index}${LONG}">here</a>`)],
  [
    'links that differ from their addresses',
    many(2000, (index) => `<a href="/${index}${LONG}#a">${'t'.repeat(200)}</a>`),
  ],
  ['short links beside a long base', `<base href="/${LONG}/">${many(2000, (index) => `<a href="${index}">a</a>`)}`],
  ['images', many(1000, (index) => `<img src="/${index}${LONG}">`)],
  ['files', many(1000, (index) => `<iframe src="/${index}${LONG}"></iframe>`)],
  [
    'texts of two bytes a character',
    many(
      500,
      (index) => `<h2>${index}${'字'.repeat(290)}</h2><a href="javascript:void(0)">${'字'.repeat(190)}</a>`,
    ).repeat(3),
  ],
  [
    'structured data',
    many(
      100,
      (index) =>
        `<script type="application/ld+json">{"@type":"Thing","name":[${index}${`,"${LONG}"`.repeat(20)}]}</script>`,
    ),
  ],
  ['metas', many(300, (index) => `<meta property="og:image" name="a${index}" content="${LONG}">`)],
  [
    'everything',
    many(
      1000,
      (index) =>
        `<a href="/${index}${LONG}">a</a><img src="/${index}${LONG}"><iframe src="/${index}${LONG}"></iframe><h2>${LONG}</h2>`,
    ),
  ],
])('a page of %s stays within the limit of a page', (_, html) => {
  const facts = factsOf(HEAD + html);
  expect(weightOf(facts)).toBeLessThanOrEqual(PAGE_BYTES);
});

test('the longest lists keep their beginning, the others everything; all are counted', () => {
  const facts = factsOf(
    `${HEAD}${many(1000, (index) => `<a href="/${index}${LONG}">here</a><img src="/${index}${LONG}">`)}<h2>The end</h2>`,
  );
  expect(facts.partial).toBe(true);
  expect(facts.totals).toMatchObject({ links: 1000, images: 1000 });
  expect(facts.headings.map(({ text }) => text)).toEqual(['Tea', 'The end']);
  expect(facts.titles[0]?.text).toBe('A title');
  for (const list of [facts.links, facts.images]) {
    expect(list.length).toBeGreaterThan(100);
    expect(list.length).toBeLessThan(1000);
    list.forEach(({ url }, index) => {
      expect(url?.startsWith(`https://example.com/${index}x`)).toBe(true);
    });
  }
});

test('facts within the limit stay the same object', () => {
  const facts = factsOf(HEAD);
  expect(withinRoom(facts)).toBe(facts);
  expect(withinRoom(facts, weightOf(facts) - 1)).toMatchObject({ partial: true });
});
