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
  gain: 'Visitors find a full answer, and the page can rank for more searches.',
  timeToResult: '4-8 weeks',
  risk: 'There may be too little here to answer what visitors came for, or to rank for much. Judged by word count alone, so a short page that does its job is fine.',
  steps: [
    'List what visitors want to know here, such as what it is, who it’s for, how it works and what comes next.',
    'Answer each point in your own words, with specifics nobody else has: photos, figures, experience.',
    'If there’s nothing more to say, merge the page into a related one and redirect it there with a 301.',
    'Don’t pad the text just to reach a word count.',
  ],
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
        message: `The main content has ${plural(wordCount, 'word')}, fewer than ${THRESHOLDS.thinWords}.`,
      },
    ];
  },
});
