import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { blockingHeader, blockingMeta } from '../../lookups/directives.ts';
import { isToBeListed, seenAs, seenOn } from '../../lookups/otherAgents.ts';

export const noindexByAgent = pageCheck({
  id: 'noindex-by-agent',
  title: 'Page is excluded where Google looks',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 20,
  gain: 'Recovers pages hidden by a rule that nobody sees on a desktop.',
  timeToResult: '1-2 weeks',
  risk: 'The server sends a noindex to phones or to Googlebot alone. Google obeys what they get.',
  steps: ['Send phones and Googlebot the same directives as everyone.'],
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
