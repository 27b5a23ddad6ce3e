import { isInContent } from '../../../facts/reading.ts';
import { contentPage, isComplete, isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { roleOf } from '../../lookups/roles.ts';
import { NOTHING_LISTED } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const emptyList = pageCheck({
  id: 'empty-list',
  title: 'Empty list answers 200',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Crawl effort goes to lists that have something to offer.',
  timeToResult: '2-4 weeks',
  risk: 'Google treats a list without entries as an error page: a soft 404.',
  steps: ['Answer 404, or send noindex, while the list is empty, and link to it only when it is not.'],
  example: { before: null, after: 'HTTP/1.1 404 Not Found' },
  tags: ['status', '404', 'lists'],
  source:
    'Google Search Central: HTTP status codes and soft 404 (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (page, site) =>
    contentPage(page) &&
    page.outcome.status === 200 &&
    isIndexable(page, site) &&
    roleOf(page, site).role !== 'account',
  gathered: isComplete,
  run: ({ facts, ...page }) => {
    const { wordCount, text, links, commerce } = facts;
    if (wordCount >= THRESHOLDS.soft404Words || commerce.buyButton) return [];
    // A breadcrumb, and a way back to the start page.
    if (links.filter((link) => link.internal && isInContent(link)).length > MOST_LINKS) return [];
    const found = NOTHING_LISTED.map((phrase) => phrase.exec(text)?.[0]).find((match) => match !== undefined);
    if (found === undefined) return [];
    return [
      {
        evidence: seen({ ...page, facts }, 'text', found),
        message: `The page says "${found}", lists nothing, and answers with status 200.`,
      },
    ];
  },
});

const MOST_LINKS = 5;
