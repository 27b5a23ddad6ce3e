/** What a page's structured data may cost the checks, counted by the primitives that read it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HtmlPage } from '../../../src/audit/checks/check.ts';
import { faqProblem, wordPairs } from '../../../src/audit/checks/lookups/faqs.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { describedProduct } from '../../../src/audit/checks/schemaOrg/productGroups.ts';
import { has, textOf, typesOfNode } from '../../../src/audit/checks/schemaOrg/schemaNodes.ts';
import { propertyMeantBy } from '../../../src/audit/checks/schemaOrg/schemaProperties.ts';
import { typeMeantBy } from '../../../src/audit/checks/schemaOrg/schemaTypes.ts';
import { analyticsDuplicate } from '../../../src/audit/checks/tools/analytics-duplicate.ts';
import { atOnce } from '../../../src/audit/timeSlices.ts';
import { givenSite } from '../../given/audit/page.ts';

afterEach(() => void vi.restoreAllMocks());

const question = (name: string) => ({ '@type': 'Question', name, acceptedAnswer: { '@type': 'Answer', text: 'Yes.' } });
const TEXT = 'Questions. What is green tea? Tea that was not left to wither. 何を売っていますか';
const problemOf = (...names: string[]): string | null => atOnce(faqProblem(names.map(question), wordPairs(TEXT)));

describe('questions in FAQ markup', () => {
  test('are shown as a phrase, whatever stands around it', () => {
    expect(problemOf('What is green tea?', 'what is  GREEN tea', '何を売っていますか', 'Questions')).toBeNull();
    for (const name of ['Is green what tea?', 'What is black tea?', '何を買っていますか', 'Tea that'.repeat(3)])
      expect(problemOf(name), name).toContain('which the page does not show');
  });

  test('are looked for word by word, with pauses, not by searching the text for each', () => {
    const includes = vi.spyOn(String.prototype, 'includes');
    const text = `${'a'.repeat(60)}b `.repeat(300);
    const names = Array.from({ length: 700 }, (_, index) => question(`b${'a'.repeat(600 + index)}`));
    expect(atOnce(faqProblem(names, wordPairs(text)))).toContain('does not show');
    const good = Array.from({ length: 700 }, () => question(text.slice(0, 620)));
    let pauses = 0;
    for (const work = faqProblem(good, wordPairs(text)); work.next().done !== true; ) pauses += 1;
    expect(pauses).toBe(10);
    expect(includes.mock.calls.filter(([pattern]) => pattern.length > 100)).toEqual([]);
  });
});

/** Values that say nothing, as many as a page may have. */
const BLANK = Array.from({ length: 4_900 }, () => ' ');

describe('a node that thousands of others refer to', () => {
  test('is judged by its first values and types', () => {
    expect(has({ address: [...BLANK, '1 Main St'] }, 'address')).toBe(false);
    expect(has({ address: [' ', '1 Main St'] }, 'address')).toBe(true);
    expect(textOf({ name: [...BLANK, 'Tea'] }, 'name')).toBeNull();
    expect(textOf({ name: 'x'.repeat(5_000) }, 'name')).toHaveLength(1_000);
    const types = BLANK.map((_, index) => `T${index}`);
    const node = { '@type': types };
    expect(typesOfNode(node)).toHaveLength(20);
    expect(typesOfNode(node)).toBe(typesOfNode(node));
  });

  test('is one variant of a product, however often it is named', () => {
    const offers = Array.from({ length: 500 }, (_, index) => ({ '@type': 'Offer', price: `${index}` }));
    const data = [
      { '@type': 'ProductGroup', name: 'Teapot', hasVariant: BLANK.slice(0, 2400).map(() => ({ '@id': '#a' })) },
      { '@type': 'Product', '@id': '#a', offers },
    ];
    const [page] = givenSite({ pages: [`<script type="application/ld+json">${JSON.stringify(data)}</script>`] }).pages;
    const { offers: known } = describedProduct(page as HtmlPage)?.node ?? {};
    expect((known as unknown[]).length).toBeLessThanOrEqual(100);
  });
});

test('tags that load twice are looked for among a hundred ids', () => {
  const ids = Array.from({ length: 150 }, (_, index) => `"UA-${1000 + index}-1"`).join();
  const site = givenSite({ pages: [`<script>ga('create',${ids.slice(0, 2900)})</script>`] });
  const { findings } = runChecks(site, [analyticsDuplicate]);
  expect(findings.length).toBeLessThanOrEqual(100);
});

test.each([
  ['types', typeMeantBy, 'blogposting', 'BlogPosting'],
  ['properties', propertyMeantBy, 'datepublished', 'datePublished'],
] as const)('unknown %s are looked up, not compared with each one there is', (_, meantBy, written, meant) => {
  expect(meantBy(written)).toBe(meant);
  const lower = vi.spyOn(String.prototype, 'toLowerCase');
  for (let at = 0; at < 1000; at += 1) expect(meantBy(`unknown${at}`)).toBeNull();
  expect(lower.mock.calls.length).toBeLessThan(3000);
});
