import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { robotsLineFaults } from '../../lookups/robotsText.ts';

export const robotsSyntax = siteCheck({
  id: 'robots-syntax',
  title: 'robots.txt has invalid lines',
  category: 'technical',
  group: 'crawling',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Crawlers follow your rules the way you meant them.',
  timeToResult: '1-2 weeks',
  risk: 'Crawlers skip lines they can’t read without telling you, so a rule that you count on may have no effect.',
  steps: [
    'Open robots.txt and go to the line numbers in the findings.',
    'Write each line as a directive, a colon and a value, such as User-agent, Allow, Disallow or Sitemap.',
    'Put every Allow and Disallow line below a User-agent line, start paths with / or *, and use $ only at the end.',
    'Write out the sitemap’s full URL, including https://.',
  ],
  example: {
    before: 'Disalow /YOUR PRIVATE PATH/',
    after: 'User-agent: *\nDisallow: /YOUR PRIVATE PATH/',
  },
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
