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
  risk: 'This page has nothing to list but returns a 200 status, so Google may treat it as an error page (a soft 404). We flagged it because of its wording and its few links, so look at the page before you change anything.',
  steps: [
    'If the page has entries after all, or is fine as it is, leave it. If the list will stay empty, delete the page in your CMS so that its URL returns a 404 or 410 status.',
    'If the list will fill up again, keep the page, and add `<meta name="robots" content="noindex">` to its `<head>` for as long as it’s empty.',
    'If you keep the page, link to it from menus and other lists only while it has entries.',
    'Open the Network tab in your browser’s developer tools, open the URL, click its entry, and make sure the status is 404 or 410. If you kept the empty page, make sure its source contains the noindex tag.',
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
