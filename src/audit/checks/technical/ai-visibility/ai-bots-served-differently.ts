import { hasStartPage } from '../../applies.ts';
import { type SiteCheck, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiBotsServedDifferently = siteCheck({
  id: 'ai-bots-served-differently',
  title: 'Server refuses AI crawlers',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Removes a wall nobody on the team knows about.',
  timeToResult: '1-2 weeks',
  risk: 'Firewalls and CDN bot rules often block AI crawlers although robots.txt allows them.',
  steps: ['Allow verified AI search bots in the firewall or CDN.'],
  example: null,
  tags: ['ai', 'firewall'],
  source:
    'GitHub MarkusNeusinger/anyplot PR 9618 (CDN-managed bot blocking, https://github.com/MarkusNeusinger/anyplot/pull/9618)',
  appliesTo: hasStartPage,
  gathered: (site) => site.aiBotAnswer !== undefined && !isChallenged(site),
  run: (site) => {
    const { start } = siteIndex(site);
    const answer = site.aiBotAnswer;
    if (start === null || answer === undefined) return [];
    const { status } = answer.outcome;
    if (!answer.challenged && !(status !== null && REFUSALS.has(status))) return [];
    const what = answer.challenged ? 'a page that tests whether a person is there' : `status ${status}`;
    return [
      {
        evidence: seen(
          start,
          'User-Agent',
          `${start.outcome.status} for the audit, ${answer.challenged ? 'challenge' : status} with OAI-SearchBot and PerplexityBot named`,
        ),
        message: `A request that names AI search crawlers gets ${what}, the plain request gets the page. Real crawlers may still pass: firewalls also look at their addresses.`,
      },
    ];
  },
});

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** The normal request got a bot challenge too, so there is nothing to compare. */
function isChallenged(site: Parameters<SiteCheck['run']>[0]): boolean {
  const title = siteIndex(site).start?.facts?.titles[0]?.text ?? '';
  return /^(?:just a moment|attention required|access denied|checking your browser)/i.test(title);
}
