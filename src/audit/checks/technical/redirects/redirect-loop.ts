import type { FetchFailure } from '../../../../model/fetching.ts';
import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const redirectLoop = answerCheck({
  id: 'redirect-loop',
  title: 'Redirect never ends',
  category: 'technical',
  group: 'redirects',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Brings a completely unreachable page back.',
  timeToResult: '1-7 days',
  risk: 'Browsers and crawlers give up on the page.',
  steps: ['Fix the rule pair that sends the visitor in circles.'],
  example: null,
  tags: ['redirect'],
  source:
    'Google Search Central: HTTP status codes and network errors (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (page) => answered(page) || page.outcome.failure !== null,
  gathered: ({ outcome }) => outcome.status !== null || isEndless(outcome.failure),
  run: (page) => {
    const { failure, hops } = page.outcome;
    if (!isEndless(failure)) return [];
    const path = hops.map((hop) => hop.url).join(' → ');
    return [
      {
        evidence: seen(page, 'redirects', path),
        message:
          failure === 'redirect_loop'
            ? `${pathAndQueryOf(page.url)} redirects in a circle.`
            : `${pathAndQueryOf(page.url)} was still redirecting after ${hops.length} hops.`,
      },
    ];
  },
});

function isEndless(failure: FetchFailure | null): boolean {
  return failure === 'redirect_loop' || failure === 'too_many_redirects';
}
