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
  gain: 'The title covers more of what people search for and gives them a reason to click.',
  timeToResult: '2-4 weeks',
  risk: 'The title is very short, so it gives searchers little to go on and leaves out words they may search for.',
  steps: [
    'Open the title in your SEO plugin’s settings, or find the `<title>` tag in the template.',
    'Add what sets the page apart, such as the kind of product, the place, the audience, or the benefit.',
    'End with the site’s name: `<title>YOUR PRODUCT for YOUR AUDIENCE | YOUR SITE NAME</title>`.',
    'View the page source and make sure the text in `<title>` has 20 to 60 characters.',
  ],
  example: {
    before: '<title>YOUR PRODUCT</title>',
    after: '<title>YOUR PRODUCT for YOUR AUDIENCE | YOUR SITE NAME</title>',
  },
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
