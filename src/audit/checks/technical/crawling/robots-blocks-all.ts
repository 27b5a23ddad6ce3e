import { groupsFor, isAllowed } from '../../../crawl/robots/robots.ts';
import type { Crawl } from '../../../crawl/site.ts';
import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const robotsBlocksAll = siteCheck({
  id: 'robots-blocks-all',
  title: 'robots.txt blocks the whole site for everyone',
  category: 'technical',
  group: 'crawling',
  impact: 'high',
  difficulty: 'easy',
  minutes: 5,
  businessValue: 'Gives the complete site back to search.',
  timeToResult: '1-3 weeks',
  why: 'A leftover staging rule keeps all crawlers out.',
  fix: 'Remove Disallow: / from the * group.',
  codeExample: 'User-agent: *\nDisallow:',
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  appliesTo: hasRobotsText,
  run: (site) => {
    const { origin, robots } = site.discovery;
    const home = isAllowed(siteIndex(site).robots, '*', `${origin}/`);
    if (home.allowed || !/^Disallow: (?:\/|\*|\/\*)\s*$/i.test(home.rule ?? '') || reopens(site)) return [];
    const code = robots.text.replace(/^([ \t]*disallow[ \t]*:[ \t]*)\/\*?[ \t]*$/gim, '$1').slice(0, 2000);
    return [
      {
        evidence: seenInRobots(site, `line ${home.line ?? 0}`, home.rule ?? ''),
        message: `"${home.rule}" for all crawlers closes the whole site.`,
        code,
      },
    ];
  },
});

/** An allow rule for all crawlers reopens some pages. */
function reopens(site: Crawl): boolean {
  return groupsFor(siteIndex(site).robots, '*').some((group) =>
    group.rules.some((rule) => rule.allow && rule.text !== ''),
  );
}
