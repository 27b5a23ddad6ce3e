import { groupsFor } from '../../../crawl/robots/robots.ts';
import { hasRobotsText } from '../../applies.ts';
import type { SiteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const robotsBotGroupOverrides: SiteCheck = {
  id: 'robots-bot-group-overrides',
  scope: 'site',
  title: 'A bot-specific group drops the general rules',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  businessValue: 'Private sections stay private for every bot.',
  timeToResult: '1 week',
  why: 'A crawler follows only its most specific group, not both.',
  fix: 'Repeat the private paths in each named group.',
  codeExample: 'User-agent: GPTBot\nUser-agent: *\nDisallow: /admin/',
  tags: ['robots.txt', 'ai'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  lighthouse: null,
  hint: false,
  appliesTo: hasRobotsText,
  run: (site) => {
    const { groups } = siteIndex(site).robots;
    const closed = groupsFor(siteIndex(site).robots, '*').flatMap((group) => group.rules.filter((rule) => !rule.allow && rule.text !== ''));
    // Blocking everyone except the named bots is intentional.
    if (closed.some((rule) => /^(?:\/|\*|\/\*)$/.test(rule.text))) return [];
    if (closed.length === 0) return [];
    const paths = closed.slice(0, 5).map((rule) => rule.text);
    return groups
      .filter((group) => !group.agents.includes('*') && group.rules.every((rule) => rule.text === '' || (rule.allow && rule.text === '/')))
      .map((group) => ({
        evidence: seenInRobots(site, `line ${group.line}`, group.names.join(', ')),
        message: `The group for ${group.names.join(', ')} replaces the general one, so ${paths.join(', ')} is open to it.`,
        code: [...group.names.map((agent) => `User-agent: ${agent}`), ...closed.slice(0, 20).map((rule) => `Disallow: ${rule.text}`)].join('\n'),
      }));
  },
};
