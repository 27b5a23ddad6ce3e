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
  risk: 'The page has very little text, so it may not answer what visitors came for or rank for much. We flagged it because of its word count alone, so a short page that does its job is fine.',
  steps: [
    'If the page does its job as it is, leave it. Otherwise list what visitors want to know, such as what it is, who it’s for, how it works, and what comes next.',
    'Answer each point in your own words, with photos, figures, and experience that nobody else has. Don’t pad the text just to reach a word count.',
    'If there’s nothing more to say, move its text into a related page and set up a 301 redirect to that page, in your CMS, your web host’s control panel, or the server’s configuration.',
    'Read the page as a first-time visitor and make sure it answers each point on your list. If you set up the redirect, make sure the old URL opens the related page.',
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
