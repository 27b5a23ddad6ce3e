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
  risk: 'Some AI training crawlers are blocked and others are invited by name, which is rarely intended.',
  steps: [
    'Decide whether your content may be used to train AI models. Blocking training doesn’t remove you from search or AI search.',
    'Put all training crawlers into one group of robots.txt with one rule, Disallow: / to block them or Allow: / to admit them.',
    'Keep search crawlers such as OAI-SearchBot out of that group.',
  ],
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
