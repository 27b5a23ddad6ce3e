import { excerpt } from '../../../excerpt.ts';
import { contentPage, isOriginal, severalPages, wholeCrawl } from '../../applies.ts';
import { type HtmlPage, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { nearDuplicatePages } from '../../lookups/duplicates/nearDuplicates.ts';
import { areVersions } from '../../lookups/language/languageVersions.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const duplicateContent = siteCheck({
  id: 'duplicate-content',
  title: 'Pages have the same text',
  category: 'content',
  group: 'content-quality',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  businessValue: 'One strong page instead of two weak ones.',
  timeToResult: '3-8 weeks',
  why: 'Search engines keep just one and may choose wrong.',
  fix: 'Merge, rewrite or set a canonical.',
  codeExample: null,
  tags: ['content', 'duplicate'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: (site) => {
    const pages = siteIndex(site).htmlPages.filter(
      (page) =>
        isOriginal(page, site) && contentPage(page) && page.facts.textHash !== '' && page.facts.wordCount >= MIN_WORDS,
    );
    return nearDuplicatePages(pages).flatMap((duplicates) => {
      const original = originalOf(duplicates);
      return duplicates
        .filter((page) => page !== original && !areVersions(page, original))
        .map((page) => ({
          evidence: seen(page, 'main', excerpt(page.facts.text, 120)),
          message: `${pathAndQueryOf(page.outcome.url)} has ${page.facts.textHash === original.facts.textHash ? 'the same' : 'nearly the same'} text as ${pathAndQueryOf(original.outcome.url)}.`,
          code: `<link rel="canonical" href="${html(original.outcome.url)}">`,
        }));
    });
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
