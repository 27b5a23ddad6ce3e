import { expect, test } from 'vitest';
import type { HtmlPage } from '../../../src/audit/checks/check.ts';
import { areVersions } from '../../../src/audit/checks/lookups/language/languageVersions.ts';
import { givenSite } from '../../given/audit/page.ts';

const url = (number: number): string => `https://www.example.com/${number}`;

test('the versions that a page names are gathered once, however many pages it is compared with', () => {
  let reads = 0;
  const pages = Array.from({ length: 40 }, (_, number) => ({
    url: url(number),
    outcome: { url: url(number), requestedUrl: url(number), headers: {}, hops: [] },
    facts: {
      links: [],
      images: [],
      resources: [],
      get alternates() {
        reads += 1;
        return [1, -1].map((step) => ({ hreflang: 'en', href: '', url: url(number + step) }));
      },
    },
  })) as unknown as readonly HtmlPage[];
  const site = { ...givenSite(), pages };
  const pairs = pages.flatMap((page) => pages.filter((other) => areVersions(page, other, site)));
  // Each page and its two neighbors name each other; the first and the last have one.
  expect(pairs).toHaveLength(2 * 39);
  expect(reads).toBe(40);
});
