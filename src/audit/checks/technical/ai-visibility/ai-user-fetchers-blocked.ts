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
  risk: 'Your robots.txt keeps AI assistants from opening your pages for the people who ask about your site, so the answers come from other sources.',
  steps: [
    'If AI assistants shouldn’t open your pages, leave the file as it is.',
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the line that this report names. It’s part of a group: a `User-agent` line and the rules below it.',
    'If the group names only assistants, such as ChatGPT-User and Claude-User, delete the line. They can then open everything that it blocked.',
    'If other crawlers in the group should stay blocked, give the assistants their own group with `Allow: /`, and repeat the `Disallow` lines for private paths in it, because they follow only the group that names them.',
    'Open /robots.txt in your browser and make sure the group for each assistant no longer contains that line.',
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
        message: `${bot} may not fetch the home page for a person who asks about it: line ${line ?? 0} says "${rule}".`,
        snippet: opened(bot, rule, site),
      });
    }
    return faults;
  },
});
