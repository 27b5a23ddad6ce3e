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
  risk: 'Search engines can’t read any page, so the site drops out of search or shows up without descriptions. The rule is often left over from a test site.',
  steps: [
    'Open robots.txt and find the Disallow line named in the finding.',
    'Delete it, or narrow it to the folders that crawlers should stay out of.',
    'Protect test sites with a password instead of robots.txt.',
    'Check the file in the robots.txt report of Google Search Console, and request a recrawl there.',
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
