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
  title: 'AI assistants are blocked from opening pages',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'People who ask an assistant about you get answers from your own pages.',
  timeToResult: '1-2 weeks',
  risk: 'When people ask an AI assistant about your site, it may not open the page and answers from other sources instead.',
  steps: [
    'Open robots.txt and find the rule named in the finding.',
    'Remove it for agents that fetch a page because a user asked for it, such as ChatGPT-User and Claude-User.',
    'If they need a group of their own, repeat your private paths in it.',
  ],
  example: {
    before: 'User-agent: ChatGPT-User\nDisallow: /',
    after: 'User-agent: ChatGPT-User\nAllow: /\nDisallow: /YOUR PRIVATE PATH/',
  },
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
