import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { blockingHeader, blockingMeta } from '../../lookups/directives.ts';
import { isToBeListed, seenAs, seenOn } from '../../lookups/otherAgents.ts';

export const noindexByAgent = pageCheck({
  id: 'noindex-by-agent',
  title: 'Noindex is sent only to phones or Googlebot',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 20,
  gain: 'Google gets the same permission to index the page as everyone else.',
  timeToResult: '1-2 weeks',
  risk: 'Phones, or requests that call themselves Googlebot, get a noindex that other visitors don’t. Google crawls mostly as a phone, so it can drop the page even though it looks fine on your computer.',
  steps: [
    'Search the settings of your mobile theme, your plugins, your CDN, and the server for a rule that treats phones or Googlebot differently. If you can’t find it, ask your host’s support team which rule depends on the user agent.',
    'Change it so that phones and Googlebot get the same robots meta tag and `X-Robots-Tag` header as everyone else.',
    'Enter the page’s URL in URL Inspection in Google Search Console, run “Test live URL”, and make sure it says that indexing is allowed.',
  ],
  example: null,
  tags: ['noindex', 'mobile', 'googlebot'],
  source:
    'Google Search Central: Mobile-first indexing (https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing)',
  appliesTo: isToBeListed,
  gathered: (page, site) => AGENTS.some(([agent]) => seenAs(agent, page, site) !== null),
  complete: (page, site) => AGENTS.every(([agent]) => seenAs(agent, page, site) !== null),
  run: (page, site) => {
    for (const [agent, name] of AGENTS) {
      const other = seenAs(agent, page, site);
      if (other === null) continue;
      const found = blockingMeta(other.as, 'Googlebot', site) ?? blockingHeader(other.as, 'Googlebot', site);
      if (found === null) continue;
      const { place, value } = found.evidence;
      return [
        {
          evidence: seen(page, `${name} get: ${place}`, value),
          message: `${name} get "${value}" (${place}), which the plain request does not: Google may not list this page${seenOn(page, other)}.`,
        },
      ];
    }
    return [];
  },
});

const AGENTS = [
  ['phone', 'Phones'],
  ['googlebot', 'Requests that name Googlebot'],
] as const;
