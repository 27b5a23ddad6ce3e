import { excerpt } from '../../../excerpt.ts';
import { contentPage, isOriginal, severalPages, wholeCrawl } from '../../applies.ts';
import { type Fault, type HtmlPage, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { nearDuplicatePages } from '../../lookups/duplicates/nearDuplicates.ts';
import { areVersions } from '../../lookups/language/languageVersions.ts';
import { pagesWhere } from '../../lookups/pages.ts';
import { pathAndQueryOf, pathOf } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const duplicateContent = siteCheck({
  id: 'duplicate-content',
  title: 'Duplicate or near-duplicate pages',
  category: 'content',
  group: 'content-quality',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'You get one strong page instead of several weak ones.',
  timeToResult: '3-8 weeks',
  risk: 'Several pages have the same or nearly the same text, so search engines usually show only one of them, maybe not the one you’d choose, and spend time crawling the others.',
  steps: [
    'Decide which of the pages should appear in search results: that one is the main page.',
    'If another page isn’t needed, set up a 301 redirect from it to the main page in your CMS, your web host’s control panel, your CDN, or the server’s configuration (or ask your host’s support team), and update internal links.',
    'If a page has to stay, such as a print version, add `<link rel="canonical" href="YOUR MAIN PAGE ADDRESS">` to its `<head>` in your SEO plugin’s settings or in the template.',
    'If the pages are about different things, rewrite them so that each covers its own subject.',
    'Open each redirected URL and make sure you land on the main page. In the source of each copy that stays, make sure the canonical tag has the main page’s URL. Make sure the pages you rewrote have a text of their own.',
  ],
  example: { before: null, after: '<link rel="canonical" href="YOUR MAIN PAGE ADDRESS">' },
  tags: ['content', 'duplicate'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: function* (site) {
    const pages = yield* pagesWhere(
      site,
      (page) =>
        isOriginal(page, site) && contentPage(page) && page.facts.textHash !== '' && page.facts.wordCount >= MIN_WORDS,
    );
    const faults: Fault[] = [];
    for (const duplicates of yield* nearDuplicatePages(pages)) {
      const original = originalOf(duplicates);
      for (const page of duplicates) {
        yield;
        if (page === original || areVersions(page, original, site)) continue;
        faults.push({
          evidence: seen(page, 'main', excerpt(page.facts.text, 120)),
          message: `${pathAndQueryOf(page.outcome.url)} has ${page.facts.textHash === original.facts.textHash ? 'the same' : 'nearly the same'} text as ${pathAndQueryOf(original.outcome.url)}.`,
          // Of nearly the same texts, the owner decides; a start page is hardly ever meant as the original of others.
          snippet:
            page.facts.textHash !== original.facts.textHash || pathOf(original.outcome.url) === '/'
              ? null
              : canonicalSet(page, site, canonicalsOf(page)[0]?.place ?? null, original.outcome.url),
        });
      }
    }
    return faults;
  },
});

/** The page found first; of addresses that differ in upper and lower case, the one in lower case. */
function originalOf(pages: readonly HtmlPage[]): HtmlPage {
  const first = pages[0] as HtmlPage;
  const lower = first.outcome.url.toLowerCase();
  return pages.find(({ outcome }) => outcome.url === lower) ?? first;
}

/** Shorter texts can match by chance. */
const MIN_WORDS = 50;
