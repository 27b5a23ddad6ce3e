import { expect, test } from 'vitest';
import { feedProblem } from '../../../src/audit/crawl/sitemaps/feedProblem.ts';

const RSS =
  '<?xml version="1.0"?>\n<!-- a <b> -->\n<rss version="2.0"><channel><item><title><![CDATA[1 < 2 </x>]]></title><link/></item></channel></rss>';

test.each([
  RSS,
  `\uFEFF${RSS}`,
  '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>',
  '<rdf:RDF xmlns:rdf="x"><item/></rdf:RDF>',
  '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
])('accepts %s as a feed', (text) => {
  expect(feedProblem(text, false)).toBeNull();
});

test.each([
  ['', 'empty'],
  ['hello', 'neither XML nor JSON'],
  ['<!doctype html><html></html>', '<html>'],
  ['<rss><channel></rss>', '</rss> closes <channel>'],
  ['<rss><channel></channel>', '<rss> is not closed'],
  ['<rss><!-- ', 'ends inside'],
  ['<!-- only this -->', 'holds no feed'],
  ['{"items":[]}', 'JSON Feed'],
  ['{"items":[', 'JSON cannot be read'],
  [`<rss>${'<a>'.repeat(300)}`, 'nested'],
])('does not accept %j as a feed', (text, problem) => {
  expect(feedProblem(text, false)).toContain(problem);
});

test('a truncated feed is judged by its beginning', () => {
  expect(feedProblem(RSS.slice(0, 100), true)).toBeNull();
  expect(feedProblem('<html><body>', true)).toContain('<html>');
  expect(feedProblem('{"version":"https://jsonfeed.org/version/1","items":[', true)).toBeNull();
});

test('time grows linearly with the length', () => {
  const time = (text: string): number => {
    const start = performance.now();
    feedProblem(text, false);
    return performance.now() - start;
  };
  time('<rss>'.repeat(1000));
  for (const part of ['<a x="', '<!--', '</a>', '<rss/>', '<![CDATA['])
    expect(time(`<rss>${part.repeat(100_000)}`)).toBeLessThan(1500);
});
