import { described } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pixelWidth } from '../../lookups/duplicates/nearDuplicates.ts';
import { metaOf } from '../../lookups/siteCode.ts';
import { wholeSentences } from '../../lookups/siteFacts.ts';
import { metaSet } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const descriptionLength = pageCheck({
  id: 'description-length',
  title: 'Meta description is too short or too long',
  category: 'content',
  group: 'description',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Uses the space you are given.',
  timeToResult: '2-4 weeks',
  risk: 'Cut or empty-looking results get fewer clicks.',
  steps: ['Aim for 120-155 characters.'],
  example: null,
  tags: ['description'],
  source: 'Google Search Central: Snippets (https://developers.google.com/search/docs/appearance/snippet)',
  appliesTo: described,
  run: (page) => {
    const text = metaOf(page, 'description') ?? '';
    const length = Math.round(pixelWidth(text) / LATIN_WIDTH);
    const long = text.length > THRESHOLDS.descriptionMax;
    if (!long && (text.length >= THRESHOLDS.descriptionMin || length >= THRESHOLDS.descriptionMin)) return [];
    const shorter = long ? wholeSentences(text, THRESHOLDS.descriptionMax) : '';
    return [
      {
        evidence: seen(page, 'head > meta[name=description]', text),
        message: `The meta description has ${plural(text.length, 'character')}; ${THRESHOLDS.descriptionMin} to ${THRESHOLDS.descriptionMax} are shown well.`,
        snippet: shorter.length < THRESHOLDS.descriptionMin ? null : metaSet(page, 'name', 'description', shorter),
      },
    ];
  },
});

/** Average width of a Latin letter, px: in other scripts, each letter says more. */
const LATIN_WIDTH = 9;
