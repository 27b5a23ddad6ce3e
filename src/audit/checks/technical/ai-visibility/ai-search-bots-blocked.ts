import { isAllowed } from '../../../crawl/robots/robots.ts';
import { hasRobotsText } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { AI_SEARCH_BOTS } from '../../lookups/bots.ts';
import { opened } from '../../lookups/serverCode.ts';
import { isShutToAll } from '../../lookups/shutSite.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiSearchBotsBlocked = siteCheck({
  id: 'ai-search-bots-blocked',
  title: 'AI search crawlers are blocked',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  gain: 'AI search engines can read your pages and cite them in their answers.',
  timeToResult: '1-4 weeks',
  risk: 'Your robots.txt blocks crawlers of AI search engines, so AI assistants and search engines that rely on them can’t show or cite your pages.',
  steps: [
    'If AI search engines shouldn’t read your site, leave the file as it is.',
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the line that this report names. It’s part of a group: a `User-agent` line and the rules below it.',
    'If the group names only AI search crawlers, delete the line. They can then read everything that it blocked.',
    'If other crawlers in the group should stay blocked, give the AI search crawlers their own group with `Allow: /`. Repeat the `Disallow` lines for private paths in it, because a crawler follows only the group that names it. Training crawlers such as GPTBot can stay blocked.',
    'Open /robots.txt in your browser and make sure the group for each AI search crawler no longer contains that line.',
  ],
  example: {
    before: 'User-agent: OAI-SearchBot\nUser-agent: GPTBot\nDisallow: /',
    after: 'User-agent: OAI-SearchBot\nAllow: /\nDisallow: /YOUR PRIVATE PATH/\n\nUser-agent: GPTBot\nDisallow: /',
  },
  tags: ['ai', 'robots.txt'],
  source:
    'ai-robots-txt/ai.robots.txt robots.json (https://github.com/ai-robots-txt/ai.robots.txt); OpenAI crawler documentation (https://platform.openai.com/docs/bots)',
  // Where nobody may crawl, that is what to fix.
  appliesTo: (site) => hasRobotsText(site) && !isShutToAll(site),
  run: function* (site) {
    const faults: Fault[] = [];
    for (const bot of AI_SEARCH_BOTS) {
      yield;
      const { allowed, line, rule } = isAllowed(siteIndex(site).robots, bot, site.discovery.startUrl);
      if (allowed) continue;
      faults.push({
        evidence: seenInRobots(site, `line ${line ?? 0}`, `${bot}: ${rule}`),
        message: `${bot} may not read the home page: robots.txt line ${line ?? 0} says "${rule}".`,
        snippet: opened(bot, rule, site),
      });
    }
    return faults;
  },
});
