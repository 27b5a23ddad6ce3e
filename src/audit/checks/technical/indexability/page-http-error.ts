import { isTurnedAway } from '../../../crawl/outcome.ts';
import { answered, isPageAddress } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isStartPage, pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const pageHttpError = answerCheck({
  id: 'page-http-error',
  title: 'Page returns an HTTP error',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Visitors and search engines get a working page instead of an error.',
  timeToResult: '1-2 weeks',
  risk: 'This URL returns an error instead of a page. Visitors get nowhere, and search engines drop URLs that keep returning errors.',
  steps: [
    'If the status is 500 or above, find the request in the error log in your web host’s control panel and fix what failed, or ask your host’s support team for help.',
    'If the page was deleted by mistake, restore it. If another page replaces it, set up a 301 redirect to that page in your CMS or your web host’s control panel.',
    'If nothing replaces it or it shouldn’t be public, keep the error status, and remove the links and sitemap entries that this audit lists for it.',
    'Open the Network tab in your browser’s developer tools, open the URL, and make sure it shows 200 or one 301 to the right page. If you kept the error, run the audit again and make sure no link to it is left.',
  ],
  // No code is written: where a lost page went, only the owner knows.
  example: { before: 'HTTP/1.1 404 Not Found', after: 'HTTP/1.1 301 Moved Permanently\nLocation: YOUR NEW ADDRESS' },
  tags: ['status', 'indexing'],
  source: 'Lighthouse: http-status-code',
  lighthouse: 'http-status-code',
  appliesTo: (page) => answered(page) && isPageAddress(page) && (page.outcome.hops.length === 0 || isStartPage(page)),
  gathered: (page) => !isTurnedAway(page.outcome),
  run: (page) => {
    const { status, url } = page.outcome;
    if (status === null || status < 400) return [];
    return [
      {
        evidence: seen(page, 'status', String(status)),
        message: `${pathAndQueryOf(url)} answers with status ${status}.`,
      },
    ];
  },
});
