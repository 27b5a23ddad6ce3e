import { isArticle, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { cut, headingOf } from '../../lookups/siteCode.ts';
import { nodesOf, textOf } from '../../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const dateMissing = pageCheck({
  id: 'date-missing',
  title: 'Article date is missing or old',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search results can show the right date, and readers see that the article is current.',
  timeToResult: '2-6 weeks',
  risk: 'Readers and search engines can’t tell whether the article is still current, and a more recent one looks like the safer choice.',
  steps: [
    'Show the publication date near the headline, in a time element with a machine-readable datetime attribute.',
    'If the article is old, review it, correct what has changed and add the date of the update.',
    'If the page has Article markup, give the same dates there as datePublished and dateModified.',
    'Change the date only when the content has really changed.',
  ],
  example: { before: null, after: '<p>Updated <time datetime="YOUR DATE AS YYYY-MM-DD">YOUR DATE</time></p>' },
  tags: ['ai', 'freshness'],
  source:
    'Google Search Central: Byline dates (https://developers.google.com/search/docs/appearance/publication-dates)',
  appliesTo: isArticle,
  gathered: isComplete,
  run: (page, site) => {
    const { dates, properties } = page.facts;
    const named = [
      ...dates,
      ...properties
        .filter(({ name }) => name === 'article:published_time' || name === 'article:modified_time')
        .map(({ content }) => content),
      ...nodesOf(page.facts).flatMap(({ node }) => [textOf(node, 'datePublished'), textOf(node, 'dateModified')]),
    ];
    const times = named
      .filter((date) => date !== null)
      .map((date) => Date.parse(date))
      .filter((time) => !Number.isNaN(time));
    if (times.length === 0)
      return [
        {
          evidence: seen(page, 'article', 'no date'),
          message: `The article "${cut(headingOf(page), 80)}" shows no date that machines can read.`,
        },
      ];
    const newest = Math.max(...times);
    const oldest = Date.parse(site.coverage.startedAt) - THRESHOLDS.dateMonths * MONTH_MS;
    if (newest >= oldest) return [];
    return [
      {
        evidence: seen(page, 'article', new Date(newest).toISOString().slice(0, 10)),
        message: `The article was last changed on ${new Date(newest).toISOString().slice(0, 10)}, more than ${THRESHOLDS.dateMonths} months ago.`,
        hint: true,
      },
    ];
  },
});

const MONTH_MS = 30.44 * 86_400_000;
