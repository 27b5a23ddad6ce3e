import type { Crawl } from '../../../crawl/site.ts';
import { siteCheck } from '../../check.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const googlebotRefused = siteCheck({
  id: 'googlebot-refused',
  title: 'Server refuses the Googlebot user agent',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'You can be sure that no firewall keeps your site out of Google.',
  timeToResult: '1-2 weeks',
  risk: 'Your server refuses a request that calls itself Googlebot, while a plain request gets the page. If the rule stops the real Googlebot as well as impostors, the site can drop out of Google.',
  steps: [
    'In Google Search Console, enter the page’s URL in URL Inspection and run “Test live URL” to see what Google gets.',
    'If Google gets the page, leave the rule as it is.',
    'If Google is refused, find the rule in your firewall, CDN, or bot protection, and let requests from Google’s published IP ranges pass. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Don’t allow requests by the name alone, because anyone can send it.',
    'Run “Test live URL” again and make sure it says that the URL is available to Google.',
  ],
  example: null,
  tags: ['googlebot', 'firewall'],
  source:
    'Google Search Central: HTTP and network errors (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (site) => siteIndex(site).htmlPages.length > 0,
  gathered: (site) =>
    answersOf(site).some(({ outcome }) => outcome.status === 200 || REFUSALS.has(outcome.status ?? 0)),
  run: (site) => {
    const refused = answersOf(site).find(({ outcome }) => REFUSALS.has(outcome.status ?? 0));
    if (refused === undefined) return [];
    const { page, outcome } = refused;
    return [
      {
        evidence: {
          url: page,
          place: 'User-Agent',
          value: `200 for the audit, ${outcome.status} with Googlebot named`,
        },
        message: `A request that names Googlebot gets status ${outcome.status}, the plain request gets the page. The real Googlebot may still pass: servers can verify crawlers by their addresses.`,
      },
    ];
  },
});

/** 429 and 503 ask to wait, which any request may provoke. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 451]);

function answersOf({ agentAnswers = [] }: Crawl) {
  return agentAnswers.filter(({ agent, outcome }) => agent === 'googlebot' && !outcome.challenged);
}
