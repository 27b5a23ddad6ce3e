import { isAllowed } from '../../../crawl/robots/robots.ts';
import { hasRobotsText } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { AI_USER_FETCHERS } from '../../lookups/bots.ts';
import { opened } from '../../lookups/serverCode.ts';
import { isShutToAll } from '../../lookups/shutSite.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiUserFetchersBlocked = siteCheck({
  id: 'ai-user-fetchers-blocked',
  title: 'Assistants may not open the page for a user',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Users who ask about you get your own words.',
  timeToResult: '1-2 weeks',
  risk: 'The assistant answers from other sources.',
  steps: ['Allow these agents.'],
  example: { before: null, after: 'User-agent: ChatGPT-User\nAllow: /' },
  tags: ['ai', 'robots.txt'],
  source: 'ai-robots-txt/ai.robots.txt robots.json (https://github.com/ai-robots-txt/ai.robots.txt)',
  // Where nobody may crawl, that is what to fix.
  appliesTo: (site) => hasRobotsText(site) && !isShutToAll(site),
  run: function* (site) {
    const faults: Fault[] = [];
    for (const bot of AI_USER_FETCHERS) {
      yield;
      const { allowed, line, rule } = isAllowed(siteIndex(site).robots, bot, site.discovery.startUrl);
      if (allowed) continue;
      faults.push({
        evidence: seenInRobots(site, `line ${line ?? 0}`, `${bot}: ${rule}`),
        message: `${bot} may not fetch the start page for a person who asks about it: line ${line ?? 0} says "${rule}".`,
        snippet: opened(bot, rule, site),
      });
    }
    return faults;
  },
});
