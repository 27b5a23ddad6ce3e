import { isTurnedAway } from '../../../crawl/outcome.ts';
import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const redirectToError = answerCheck({
  id: 'redirect-to-error',
  title: 'Redirect ends on an error page',
  category: 'technical',
  group: 'redirects',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Visitors and links to the old URL end up on a page that works.',
  timeToResult: '1-2 weeks',
  risk: 'Visitors and crawlers are forwarded to an error page, so links to the old URL are wasted.',
  steps: [
    'If the target should work, fix its error.',
    'If the target is mistyped or has moved, correct the redirect.',
    'If another page covers the same subject, redirect to that page.',
    'If no page does, remove the redirect, and return status 404 or 410 instead of sending visitors to the home page.',
  ],
  example: null,
  tags: ['redirect', 'broken'],
  source:
    'Screaming Frog SEO Spider issue library: Response codes: Redirect target 4xx (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => answered(page) && page.outcome.hops.length > 0,
  gathered: (page) => !isTurnedAway(page.outcome),
  run: (page) => {
    const { status, url, requestedUrl } = page.outcome;
    if (status === null || status < 400) return [];
    return [
      {
        evidence: seen(page, 'redirects', `${status} ${url}`),
        message: `${pathAndQueryOf(requestedUrl)} redirects to ${url}, which answers with status ${status}.`,
      },
    ];
  },
});
