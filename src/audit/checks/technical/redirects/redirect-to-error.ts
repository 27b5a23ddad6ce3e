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
  gain: 'Rescues visitors and authority that now end in an error.',
  timeToResult: '1-2 weeks',
  risk: 'The redirect promises a page that does not exist.',
  steps: ['Point it at a living page or remove it.'],
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
