import { htmlPage, indexableContent } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { metaOf, propertyOf } from '../lookups/siteCode.ts';
import { ownDescription, ownOpening } from '../lookups/siteFacts.ts';
import { metaSet } from '../lookups/snippets.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const ogDescriptionMissing = pageCheck({
  id: 'og-description-missing',
  title: 'No og:description tag',
  category: 'social',
  group: 'open-graph',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'When someone shares your link, the preview shows the description you wrote.',
  timeToResult: 'immediate',
  risk: 'The page has Open Graph tags but no og:description, so messaging apps and social networks pick some other text for the link preview or show none.',
  steps: [
    'Write one or two sentences that make people want to open the link, or use the meta description.',
    'If a theme or plugin writes your Open Graph tags, enter the text in its description field for social networks.',
    'If you edit the template, add `<meta property="og:description" content="YOUR PAGE SUMMARY">` to the page’s `<head>`.',
    'View the page source and make sure the tag appears once, with your text in it.',
  ],
  example: { before: null, after: '<meta property="og:description" content="YOUR PAGE SUMMARY">' },
  tags: ['open-graph'],
  source: 'The Open Graph protocol (https://ogp.me/)',
  // With no Open Graph tags at all, og-missing covers it.
  appliesTo: (page, site) => indexableContent(page, site) && htmlPage(page) && hasOpenGraph(page),
  run: (page, site) => {
    if (propertyOf(page, 'og:description') !== null || metaOf(page, 'og:description') !== null) return [];
    const text = ownDescription(page, site) ?? ownOpening(page, site, { min: 60, max: THRESHOLDS.descriptionMax });
    return [
      {
        evidence: seen(page, 'head > meta[property="og:description"]', 'missing'),
        message: 'Shared links have no og:description to show.',
        hint: metaOf(page, 'description') !== null,
        snippet: text === null ? null : metaSet(page, 'property', 'og:description', text),
      },
    ];
  },
});

const hasOpenGraph = (page: HtmlPage): boolean =>
  page.facts.properties.some(({ name }) => name.startsWith('og:')) || metaOf(page, 'og:title') !== null;
