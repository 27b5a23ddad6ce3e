import { isInContent } from '../../../facts/reading.ts';
import { contentPage, isComplete, isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { roleOf } from '../../lookups/roles.ts';
import { NOTHING_LISTED } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const emptyList = pageCheck({
  id: 'empty-list',
  title: 'Empty list page returns status 200',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Crawlers spend their visits on lists that have something to offer.',
  timeToResult: '2-4 weeks',
  risk: 'The page says it has nothing to list, and Google may treat it as an error page (a soft 404). This is judged by its wording and its few links, so look before you change it.',
  steps: [
    'If the list will stay empty, remove it and return status 404 or 410.',
    'If it will fill up again, keep the page, and add a noindex for as long as it’s empty.',
    'Link to it from menus and other lists only while it has entries.',
  ],
  example: { before: null, after: '<meta name="robots" content="noindex">' },
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
