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
  risk: 'This URL keeps redirecting and never gets to a page. Browsers and crawlers give up, so nobody sees what’s there.',
  steps: [
    'Decide which address visitors should end up on: https, with or without www, with or without the slash at the end.',
    'Go through the URLs that this report lists, and find the redirect that leads away from that address, or from the page to itself.',
    'Look for it in your CMS’s site address and redirect plugin, your CDN’s SSL and redirect settings, your web host’s control panel, and the server’s configuration. Correct or delete it there, and keep the redirect to https.',
    'If your CDN connects to your server over HTTP (in Cloudflare, the SSL/TLS encryption mode “Flexible”) and the server redirects to HTTPS, set the CDN to connect over HTTPS (“Full (strict)”). First ask your host’s support team whether the server has a valid certificate for your domain: without one, every page would show an error.',
    'If you can’t change any of these yourself, send these steps to your host’s support team.',
    'Open the URL in a private window, because browsers remember redirects, and make sure the page opens.',
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
