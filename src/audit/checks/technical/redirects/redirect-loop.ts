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
  gain: 'Visitors can open the page again, and search engines can index it.',
  timeToResult: '1-7 days',
  risk: 'This URL redirects in circles or too many times. Browsers and crawlers give up, so nobody sees the page.',
  steps: [
    'Go through the URLs that this report lists, and look for two redirects that contradict each other. They’re usually about http and https, www, or the slash at the end.',
    'Correct or remove one of them where it’s set: in your CMS, your web host’s control panel, your CDN, or the server’s configuration. If you have none of these, ask your host’s support to do exactly this.',
    'If a CDN or proxy is in front of a server that redirects all HTTP requests to HTTPS, make sure it connects to the server over HTTPS.',
    'To check, open the URL in a private window, because browsers remember redirects: the page opens.',
  ],
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
