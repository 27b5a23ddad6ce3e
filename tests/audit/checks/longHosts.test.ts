/**
 * Converting a host to ASCII costs the square of its length, so a host that is too long to be one is never handed to
 * the parser of addresses.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { llmsLinks } from '../../../src/audit/checks/lookups/llmsText.ts';
import { robotsLineFaults } from '../../../src/audit/checks/lookups/robotsText.ts';
import { valueProblem } from '../../../src/audit/checks/schemaOrg/schemaValues.ts';
import { parseRobots } from '../../../src/audit/crawl/robots/robots.ts';
import { allowedLink } from '../../../src/integrations/analyst/modelText.ts';

const parsed: string[] = [];
beforeEach(() => {
  parsed.length = 0;
  const { parse, canParse } = URL;
  vi.spyOn(URL, 'parse').mockImplementation((text, base) => {
    parsed.push(String(text));
    return parse.call(URL, text, base);
  });
  vi.spyOn(URL, 'canParse').mockImplementation((text, base) => {
    parsed.push(String(text));
    return canParse.call(URL, text, base);
  });
});
afterEach(() => void vi.restoreAllMocks());

const HOST = '漢'.repeat(1_900);

it.each<[what: string, read: (address: string) => unknown, found: unknown]>([
  [
    'robots.txt, checked',
    (address) => robotsLineFaults(`Sitemap: ${address}`)[0]?.problem,
    'the sitemap address is not absolute',
  ],
  [
    'robots.txt, obeyed',
    (address) => parseRobots(`Sitemap: ${address}`).issues.map(({ kind }) => kind),
    ['bad_sitemap'],
  ],
  ['structured data', (address) => valueProblem('sameAs', address), 'it must be a whole http or https address'],
  ['llms.txt', (address) => llmsLinks(`- [a](${address})`, 'https://example.com/llms.txt'), []],
  ['a text of a language model', (address) => allowedLink(address, 'https://example.com/'), null],
])('an endless host in %s', (_, read, found) => {
  for (const before of ['http://', 'https:\\\\', 'http:///']) {
    expect(read(`${before}${HOST}`)).toEqual(found);
    expect(parsed.filter((text) => text.includes(HOST))).toEqual([]);
  }
});
