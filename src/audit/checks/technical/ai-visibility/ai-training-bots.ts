import { isAllowed } from '../../../crawl/robots/robots.ts';
import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { AI_TRAINING_BOTS } from '../../lookups/bots.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const aiTrainingBots = siteCheck({
  id: 'ai-training-bots',
  title: 'AI training crawlers: allowed or blocked',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'A conscious choice between reach and protection.',
  timeToResult: 'months',
  risk: 'A mixed policy is usually an accident.',
  steps: ['Decide on one policy. Blocking training does not remove you from AI search.'],
  example: { before: null, after: 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /' },
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
