import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { closingRules, isShutToAll } from '../../lookups/shutSite.ts';
import { asFile } from '../../lookups/snippets.ts';

export const robotsBlocksAll = siteCheck({
  id: 'robots-blocks-all',
  title: 'Search engines may not crawl this site',
  category: 'technical',
  group: 'crawling',
  impact: 'high',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Gives the complete site back to search.',
  timeToResult: '1-3 weeks',
  risk: 'A search engine that may not read a site cannot show its pages. Often the rule is left over from a test site.',
  steps: [
    'Remove the Disallow line that closes the whole site from robots.txt, or narrow it to what should stay private.',
  ],
  example: { before: null, after: 'User-agent: *\nDisallow:' },
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  appliesTo: hasRobotsText,
  run: (site) => {
    if (!isShutToAll(site)) return [];
    const rules = closingRules(site);
    const { text } = site.discovery.robots;
    const code = text.replace(/^([ \t]*disallow[ \t]*:[ \t]*)(?:\/\*?|\*)[ \t]*$/gim, '$1');
    return [
      {
        evidence: seenInRobots(
          site,
          listed(rules.map(({ line }) => `line ${line}`)),
          listed(rules.map(({ rule }) => rule)),
        ),
        message: `${listed(rules.map(({ line, rule, group, groupLine }) => `"${rule}" (line ${line}, under "${group}" in line ${groupLine})`))} ${rules.length === 1 ? 'closes' : 'close'} the whole site to search engines.`,
        snippet: code === text || code.length > MOST_CODE ? null : asFile('/robots.txt', code),
      },
    ];
  },
});

const listed = (texts: readonly string[]): string => texts.join(' and ');

/** Characters; of a longer file, nobody would find the line. */
const MOST_CODE = 2000;
