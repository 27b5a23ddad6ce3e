import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { robotsLineFaults } from '../../lookups/robotsText.ts';

export const robotsSyntax = siteCheck({
  id: 'robots-syntax',
  title: 'robots.txt has lines crawlers cannot read',
  category: 'technical',
  group: 'crawling',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Your crawl rules do what you meant.',
  timeToResult: '1-2 weeks',
  risk: 'Unreadable lines are skipped silently.',
  steps: ['Correct the listed lines.'],
  example: { before: null, after: 'User-agent: *\nDisallow: /cart/' },
  tags: ['robots.txt'],
  source: 'Lighthouse: robots-txt',
  lighthouse: 'robots-txt',
  appliesTo: hasRobotsText,
  run: (site) =>
    robotsLineFaults(site.discovery.robots.text).map(({ line, text, problem }) => ({
      evidence: seenInRobots(site, `line ${line}`, text),
      message: `robots.txt line ${line}: ${problem}.`,
    })),
});
