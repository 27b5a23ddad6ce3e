import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { openedToAll } from '../../lookups/serverCode.ts';
import { closingRules, isShutToAll } from '../../lookups/shutSite.ts';

export const robotsBlocksAll = siteCheck({
  id: 'robots-blocks-all',
  title: 'robots.txt blocks the whole site',
  category: 'technical',
  group: 'crawling',
  impact: 'high',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Search engines can crawl the site and show its pages again.',
  timeToResult: '1-3 weeks',
  risk: 'Your robots.txt tells search engines to stay away from every page. The site drops out of search, and pages that still appear have no description. The rule is often left over from a test site.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the `Disallow` line that this report names.',
    'If nothing needs to be hidden, delete that line. If crawlers should stay out of some folders, narrow it to them, such as `Disallow: /YOUR FOLDER/`.',
    'If you need to keep a test site private, protect it with a password instead of robots.txt.',
    'Request a recrawl in Google Search Console’s robots.txt report and make sure the file it shows no longer has that line.',
  ],
  example: { before: 'User-agent: *\nDisallow: /', after: 'User-agent: *\nDisallow:' },
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  appliesTo: hasRobotsText,
  run: (site) => {
    if (!isShutToAll(site)) return [];
    const rules = closingRules(site);
    return [
      {
        evidence: seenInRobots(
          site,
          listed(rules.map(({ line }) => `line ${line}`)),
          listed(rules.map(({ rule }) => rule)),
        ),
        message: `${listed(rules.map(({ line, rule, group, groupLine }) => `"${rule}" (line ${line}, under "${group}" in line ${groupLine})`))} ${rules.length === 1 ? 'closes' : 'close'} the whole site to search engines.`,
        snippet: openedToAll(site),
      },
    ];
  },
});

const listed = (texts: readonly string[]): string => texts.join(' and ');
