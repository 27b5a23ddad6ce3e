import { excerpt } from '../../../excerpt.ts';
import { contentPage, isOriginal, severalPages, wholeCrawl } from '../../applies.ts';
import type { SiteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { nearDuplicatePages } from '../../lookups/nearDuplicates.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathOf, siteIndex } from '../../lookups/siteIndex.ts';

export const duplicateContent: SiteCheck = {
  id: 'duplicate-content',
  scope: 'site',
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
  source: 'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  lighthouse: null,
  hint: false,
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: (site) => {
    const pages = siteIndex(site).htmlPages.filter(
      (page) => isOriginal(page, site) && contentPage(page) && page.facts.textHash !== '' && page.facts.wordCount >= MIN_WORDS,
    );
    return nearDuplicatePages(pages).flatMap((duplicates) => {
      const [first] = duplicates;
      return duplicates.slice(1).map((page) => ({
        evidence: seen(page, 'main', excerpt(page.facts.text, 120)),
        message: `${pathOf(page.outcome.url)} has ${page.facts.textHash === first?.facts.textHash ? 'the same' : 'nearly the same'} text as ${first === undefined ? '' : pathOf(first.outcome.url)}.`,
        code: `<link rel="canonical" href="${html(first?.outcome.url ?? '')}">`,
      }));
    });
  },
};

/** Shorter texts can match by chance. */
const MIN_WORDS = 50;
