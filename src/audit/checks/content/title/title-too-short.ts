import { isIndexable, titled } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pixelWidth } from '../../lookups/duplicates/nearDuplicates.ts';
import { titleOf } from '../../lookups/siteCode.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const titleTooShort = pageCheck({
  id: 'title-too-short',
  title: 'Title is too short',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'More search terms covered, more clicks.',
  timeToResult: '2-4 weeks',
  risk: 'Little context for searchers.',
  steps: ['Add topic and brand.'],
  example: null,
  tags: ['title'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: (page, site) => titled(page) && isIndexable(page, site),
  run: (page) => {
    const title = titleOf(page);
    const length = pixelWidth(title) / LATIN_WIDTH;
    if (title.length >= THRESHOLDS.titleMin || length >= THRESHOLDS.titleMin) return [];
    return [
      {
        evidence: seen(page, 'head > title', title),
        message: `The title "${title}" has ${plural(title.length, 'character')}; ${THRESHOLDS.titleMin} to ${THRESHOLDS.titleMax} say what a page is about.`,
      },
    ];
  },
});

/** Average width of a Latin letter, px: in other scripts, each letter says more. */
const LATIN_WIDTH = 9;
