import { isAllowed } from '../../../crawl/robots/robots.ts';
import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { AI_TRAINING_BOTS } from '../../lookups/bots.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiTrainingBots = siteCheck({
  id: 'ai-training-bots',
  title: 'Mixed rules for AI training crawlers',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Your robots.txt says clearly whether AI models may train on your content.',
  timeToResult: 'months',
  risk: 'Your robots.txt blocks some AI training crawlers and invites others by name, which is rarely intended.',
  steps: [
    'Decide whether AI models may train on your content. Blocking training doesn’t remove you from search or AI search.',
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and put all training crawlers that this report lists into one group: a `User-agent` line for each and, below them, `Disallow: /` to block them or `Allow: /` to let them read everything.',
    'Delete their `User-agent` lines from every other group. If a group has no `User-agent` line left, delete its rules, too, or they will apply to the group above and may block your whole site.',
    'Keep search crawlers such as OAI-SearchBot out of the new group.',
    'Open /robots.txt in your browser and make sure each training crawler is in that one group only, every other group still starts with a `User-agent` line, and the rules for `*` and for search crawlers haven’t changed.',
  ],
  // No code is written: whether to open or to close is the owner’s choice.
  example: {
    before: 'User-agent: GPTBot\nDisallow: /\n\nUser-agent: CCBot\nAllow: /',
    after: 'User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Google-Extended\nDisallow: /',
  },
  tags: ['ai', 'robots.txt'],
  source: 'ai-robots-txt/ai.robots.txt robots.json (https://github.com/ai-robots-txt/ai.robots.txt)',
  hint: true,
  appliesTo: hasRobotsText,
  run: function* (site) {
    const { robots } = siteIndex(site);
    const blocked: string[] = [];
    const welcome: string[] = [];
    for (const bot of AI_TRAINING_BOTS) {
      yield;
      if (!isAllowed(robots, bot, site.discovery.startUrl).allowed) blocked.push(bot);
      else if (robots.groups.some((group) => group.agents.includes(bot.toLowerCase()))) welcome.push(bot);
    }
    if (blocked.length === 0 || welcome.length === 0) return [];
    return [
      {
        evidence: seenInRobots(site, 'groups', `blocked: ${blocked.join(', ')}; allowed: ${welcome.join(', ')}`),
        message: `robots.txt blocks ${blocked.join(', ')} from training, but invites ${welcome.join(', ')}.`,
      },
    ];
  },
});
