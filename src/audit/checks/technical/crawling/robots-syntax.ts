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
  risk: 'Your robots.txt has lines that crawlers can’t read. They skip these without telling you, so a rule that you count on may have no effect.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and go to the line numbers that this report lists.',
    'Write each line as a directive, a colon, and a value, such as `Disallow: /YOUR FOLDER/`. The usual directives are `User-agent`, `Allow`, `Disallow`, and `Sitemap`.',
    'Put every `Allow` and `Disallow` line below the `User-agent` line it’s meant for, start paths with `/` or `*` (which stands for any characters), and use a dollar sign only at the end.',
    'If it’s a `Sitemap` line, write the full URL, including https://.',
    'Open Google Search Console’s robots.txt report and make sure it shows no errors or warnings for the file.',
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
