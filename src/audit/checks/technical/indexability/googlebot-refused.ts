import type { Crawl } from '../../../crawl/site.ts';
import { siteCheck } from '../../check.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const googlebotRefused = siteCheck({
  id: 'googlebot-refused',
  title: 'Server refuses the name Googlebot',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Rules out that a firewall keeps the site out of Google.',
  timeToResult: '1-2 weeks',
  risk: 'A firewall rule that is meant for impostors may keep Google itself out, and no page shows it.',
  steps: [
    "Inspect the page in Google Search Console. If Google is refused too, let Google's published addresses pass.",
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
