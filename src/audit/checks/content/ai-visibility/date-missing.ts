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
  risk: 'Readers and search engines can’t tell whether the article is still current. Without a machine-readable date, search results may not show one. If its latest date is more than 18 months old, it looks out of date.',
  steps: [
    'If the article has no date, show one near the headline, usually in the article template: `<time datetime="2030-05-01">May 1, 2030</time>`, with your article’s date in both places.',
    'If the article is old, review it. If nothing needs to change, leave the date as it is. If you change the content, show the date of the update, too.',
    'If the page has Article markup (JSON-LD), put the first date in `datePublished` and the date of the update in `dateModified`.',
    'View the page source and make sure the `datetime` attribute of the `<time>` tag has the right date.',
  ],
  // No code is written: only the owner knows when it was published.
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
