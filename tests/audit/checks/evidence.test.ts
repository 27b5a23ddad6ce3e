/** Required of every finding of every check: a page, a place, a value, and a message that reads as a sentence. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { excerpt } from '../../../src/audit/excerpt.ts';
import { isExpectedFinding, type Site } from '../../given/audit/checkCases.ts';
import { givenSite } from '../../given/audit/page.ts';
import { CASES } from './cases/all.ts';

/** Forbidden in messages, places and values: missing values turned into text. */
const NOTHING = /\bundefined\b|\bNaN\b|\[object|\bInfinity\b/;
/** `1 pages`, `3 page`: the nouns that messages count. */
const WRONG_PLURAL =
  /(?<![\d.,])1 (?:pages|addresses|links|words|characters|files|images|redirects|scripts|hosts|entries|URLs|lines|headings|elements|levels|places|articles)\b|(?<![\d.,])(?:[02-9]|\d{2,}) (?:page|address|link|word|character|file|image|redirect|script|host|entry|URL|line|heading|place)\b/;

function findingsOf(id: string, site: Site) {
  const crawl = givenSite(site);
  const checks = CHECKS.filter((check) => check.id === id);
  return runChecks(crawl, checks).findings;
}

describe.each(CHECKS.map((check) => check.id))('a finding of %s', (id) => {
  const sites = (CASES[id]?.finds ?? []).map((given) => (isExpectedFinding(given) ? given.site : given));
  const findings = sites.flatMap((site) => findingsOf(id, site));

  test('names its page, its place and the evidence there', () => {
    expect(findings.length).toBeGreaterThan(0);
    for (const { evidence, message } of findings) {
      expect(URL.canParse(evidence.url), evidence.url).toBe(true);
      expect(evidence.place.trim(), message).not.toBe('');
      expect(evidence.value.trim(), message).not.toBe('');
      expect(evidence.place).not.toMatch(NOTHING);
    }
  });

  test('describes the problem in one sentence', () => {
    for (const { message } of findings) {
      expect(message).toMatch(/[.!?…]["”)]?$/);
      expect(message).not.toMatch(/\.\.$|\s\.$|\s{2}/);
      // Text of a page is in quotation marks.
      const ours = message.replace(/"[^"]*"/g, '');
      expect(ours).not.toMatch(NOTHING);
      expect(ours).not.toMatch(WRONG_PLURAL);
    }
  });
});

describe('a long text', () => {
  const long = 'Mugs from the workshop '.repeat(40);
  const ld = (json: string): string => `<script type="application/ld+json">${json}</script>`;
  const page = (body: string, head = ''): Site => ({
    pages: [{ html: `<html><head>${head}</head><body><main>${body}</main></body></html>` }],
  });
  const hidden = `<p style="text-indent:-9999px">${long}</p>`;

  test.each([
    ['jsonld-parse-error', page('', ld(`{"name": ${long}}`))],
    ['jsonld-context', page('', ld(`{"name": "${long}"}`))],
    ['placeholder-text', page(`<p>Lorem ipsum dolor sit amet ${long}</p>`)],
    ['hidden-text', page(hidden)],
  ])('in the evidence of %s ends with a mark where it was cut', (id, site) => {
    const values = findingsOf(id, site).map(({ evidence }) => evidence.value);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(value).toMatch(/[^\s]…$/);
  });

  test('is cut to the length, not within a character, and a shorter one stays', () => {
    expect(excerpt('abcdef', 6)).toBe('abcdef');
    expect(excerpt('abcdefg', 6)).toBe('abcde…');
    expect(excerpt('ab  cdefg', 5)).toBe('ab…');
    expect(excerpt('abcd😀efg', 6)).toBe('abcd…');
  });
});
