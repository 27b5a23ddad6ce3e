import { isComplete, isTextPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pagedSeries } from '../../lookups/duplicates/paging.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const thinContent = pageCheck({
  id: 'thin-content',
  title: 'Page has very little text',
  category: 'content',
  group: 'content-quality',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 120,
  gain: 'Substantial pages rank and get cited.',
  timeToResult: '4-8 weeks',
  risk: 'There is nothing to rank or to quote.',
  steps: ['Answer the main questions of the visitor in full.'],
  example: null,
  tags: ['content'],
  source:
    'Google Search Central: Creating helpful content (https://developers.google.com/search/docs/fundamentals/creating-helpful-content)',
  appliesTo: (page, site) => isTextPage(page, site) && pagedSeries(page, site) === null,
  gathered: isComplete,
  run: (page) => {
    const { wordCount } = page.facts;
    if (wordCount >= THRESHOLDS.thinWords) return [];
    return [
      {
        evidence: seen(page, 'main', plural(wordCount, 'word')),
        message: `The main content has ${plural(wordCount, 'word')}; under ${THRESHOLDS.thinWords} there is little to be found for.`,
      },
    ];
  },
});
