import { described } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pixelWidth } from '../../lookups/duplicates/nearDuplicates.ts';
import { metaOf } from '../../lookups/siteCode.ts';
import { wholeItems, wholeSentences } from '../../lookups/siteFacts.ts';
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
  gain: 'The description fits the search result and makes good use of its space.',
  timeToResult: '2-4 weeks',
  risk: 'The meta description doesn’t fit the space in search results. If it’s too long, search engines cut it off. If it’s too short, it gives people little reason to click.',
  steps: [
    'Open the page’s meta description in your SEO plugin’s settings, or find `<meta name="description" content="YOUR PAGE SUMMARY">` in the template.',
    'Rewrite the text to about 120 to 155 characters, with what matters most first.',
    'If it was too short, add a detail that helps people choose, such as what’s included or who it’s for.',
    'View the page source and make sure the description is 80 to 160 characters long.',
  ],
  example: null,
  tags: ['description'],
  source: 'Google Search Central: Snippets (https://developers.google.com/search/docs/appearance/snippet)',
  appliesTo: described,
  run: (page) => {
    const text = metaOf(page, 'description') ?? '';
    const length = Math.round(pixelWidth(text) / LATIN_WIDTH);
    const long = text.length > THRESHOLDS.descriptionMax;
    if (!long && (text.length >= THRESHOLDS.descriptionMin || length >= THRESHOLDS.descriptionMin)) return [];
    const shorter = long
      ? (wholeItems(text, THRESHOLDS.descriptionMax) ?? wholeSentences(text, THRESHOLDS.descriptionMax))
      : '';
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
