import { isTurnedAway } from '../../../crawl/outcome.ts';
import { answered, isPageAddress } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isStartPage, pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const pageHttpError = answerCheck({
  id: 'page-http-error',
  title: 'Page answers with an HTTP error',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 45,
  gain: 'A page that errors earns no visits and no citations.',
  timeToResult: '1-2 weeks',
  risk: 'Search engines and assistants drop URLs that keep answering with errors.',
  steps: ['Restore the page, or redirect it permanently to the closest living page.'],
  example: { before: null, after: 'HTTP/1.1 301 Moved Permanently\nLocation: https://example.com/new-page' },
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
