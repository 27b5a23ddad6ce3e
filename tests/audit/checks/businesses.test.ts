/** Businesses in the structured data of a site: which descriptions count, and how many are kept. */
import { expect, test, vi } from 'vitest';
import type { Fault } from '../../../src/audit/checks/check.ts';
import { Listing } from '../../../src/audit/checks/listing.ts';
import { businessesOf } from '../../../src/audit/checks/lookups/businesses.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { localbusinessSchema } from '../../../src/audit/checks/schema/localbusiness-schema.ts';
import { THRESHOLDS } from '../../../src/audit/checks/thresholds.ts';
import { atOnce } from '../../../src/audit/timeSlices.ts';
import { givenSite } from '../../given/audit/page.ts';

const LISTED = THRESHOLDS.findingsPerCheck;
/** As many names as are kept. */
const KEPT = 10 * LISTED;

const bare = (name: string) => ({ '@type': 'Store', name });
const whole = (name: string) => ({
  ...bare(name),
  address: '1 Main St, Town',
  telephone: '+1-555-0100',
  openingHours: 'Mo-Fr 09:00-17:00',
  geo: { latitude: 1, longitude: 1 },
  url: 'https://example.com/',
});
const many = (count: number, make: (name: string) => object, from = 0): object[] =>
  Array.from({ length: count }, (_, index) => make(`n${from + index}`));

/** In blocks of a few hundred, since only so many values of a block are read. */
function page(url: string, nodes: readonly object[]): { url: string; html: string } {
  const blocks = Array.from({ length: Math.ceil(nodes.length / 400) }, (_, nth) =>
    JSON.stringify(nodes.slice(nth * 400, (nth + 1) * 400)),
  );
  const data = blocks.map((block) => `<script type="application/ld+json">${block}</script>`).join('');
  return { url, html: `<!doctype html><html lang="en"><title>t</title>${data}<h1>h</h1><p>Some words to read.</p>` };
}

function checked(...pages: readonly (readonly object[])[]) {
  const site = givenSite({ pages: pages.map((nodes, nth) => page(nth === 0 ? '/' : `/${nth}`, nodes)) });
  const { findings, outcomes } = runChecks(site, [localbusinessSchema]);
  return { site, findings, messages: findings.map(({ message }) => message), outcome: outcomes[0] };
}

test('the most complete description of a business counts, on whichever page it is', () => {
  const { messages, outcome } = checked(
    [bare('a'), bare('b'), { ...whole('c'), geo: undefined }],
    [whole('a'), bare('b'), bare('c')],
  );
  expect(messages).toEqual(['The business "b" lacks address.', 'The business "c" would be more useful with geo.']);
  expect(outcome).toMatchObject({ state: 'failed', failed: 1, omitted: 0 });
});

test('a business that a review is about is not the site’s', () => {
  const { outcome } = checked([{ '@type': 'Review', itemReviewed: bare('a') }]);
  expect(outcome?.state).toBe('not_applicable');
});

test('of many, those are written that can be listed, and the others are counted', () => {
  const { findings, outcome } = checked([], many(LISTED + 40, bare), [bare('n0'), ...many(7, whole, 1)]);
  expect(findings).toHaveLength(LISTED);
  expect(outcome).toMatchObject({ state: 'failed', omitted: 33 });
});

test('so many names are kept, and incomplete descriptions of further ones are counted', () => {
  const pages = [0, 1, 2, 3].map((nth) => many(1500, bare, nth * 1500));
  const { site, findings, outcome } = checked([], ...pages, many(100, whole, 6000));
  const { best, beyond } = atOnce(businessesOf(site));
  expect([best.size, beyond]).toEqual([KEPT, 6000 - KEPT]);
  expect(findings).toHaveLength(LISTED);
  expect(outcome?.omitted).toBe(6000 - LISTED);
});

test('nothing passes if there was no room for what is incomplete', () => {
  const pages = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((nth) => many(LISTED, whole, nth * LISTED));
  expect(checked([], ...pages).outcome).toMatchObject({ state: 'passed', omitted: 0 });
  expect(checked([], ...pages, [bare('n0'), bare('other')]).outcome).toMatchObject({
    state: 'not_checked',
    omitted: 0,
  });
});

test('a fault that cannot be listed is not even written', () => {
  const listing = new Listing();
  const write = vi.fn((nth: number): Fault => ({ evidence: { url: 'u', place: 'p', value: String(nth) } }));
  listing.add(() => write(0));
  for (let nth = 0; nth < LISTED + 5; nth += 1) listing.add(() => write(nth));
  expect(listing.faults.map(({ evidence }) => Number(evidence.value))).toEqual([...Array(LISTED).keys()]);
  expect(listing.unlisted).toBe(5);
  expect(write).toHaveBeenCalledTimes(LISTED + 1);
});
