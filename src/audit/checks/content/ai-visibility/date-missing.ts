import { isArticle, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { cut, headingOf } from '../../lookups/siteCode.ts';
import { nodesOf, textOf } from '../../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const dateMissing = pageCheck({
  id: 'date-missing',
  title: 'No visible date or outdated content',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Fresh pages are preferred for answers.',
  timeToResult: '2-6 weeks',
  risk: 'Nobody can tell whether it still holds.',
  steps: ['Show published and updated dates and keep them true.'],
  example: { before: null, after: '<time datetime="2026-02-01">Updated 1 February 2026</time>' },
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
