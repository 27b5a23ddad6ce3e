import { hasStartPage } from '../../applies.ts';
import { type SiteCheck, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiBotsServedDifferently = siteCheck({
  id: 'ai-bots-served-differently',
  title: 'Server seems to refuse AI crawlers',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'high',
  difficulty: 'medium',
  minutes: 30,
  gain: 'AI search engines can reach every page that robots.txt lets them read.',
  timeToResult: '1-2 weeks',
  risk: 'Your server seems to turn AI crawlers away, so AI search engines can’t read or cite the site, even if robots.txt lets them in. We tested this with a request that only names AI crawlers, so the real ones may still get through.',
  steps: [
    'If AI search engines shouldn’t read your site, leave this as it is. Otherwise find the rule that blocks or challenges AI bots in your CDN, your firewall, or your web host’s control panel. Some hosts turn one on by default.',
    'In this rule, allow the AI search crawlers you want, such as OAI-SearchBot and PerplexityBot, by the IP addresses that their makers publish or by your CDN’s list of verified bots. Don’t allow them by name alone, because anyone can copy a name.',
    'If you can’t change any of these yourself, send these steps to your host’s support team.',
    'A few days later, open the server’s access log in your web host’s control panel and make sure requests from OAI-SearchBot and PerplexityBot get status 200.',
  ],
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
