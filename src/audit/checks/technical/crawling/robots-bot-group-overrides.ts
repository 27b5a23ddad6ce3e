import { groupsFor } from '../../../crawl/robots/robots.ts';
import { excerpt } from '../../../excerpt.ts';
import { hasRobotsText } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { inRobots } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const robotsBotGroupOverrides = siteCheck({
  id: 'robots-bot-group-overrides',
  title: 'Bots named in robots.txt skip the general rules',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The paths you closed stay closed for every crawler that obeys robots.txt.',
  timeToResult: '1 week',
  risk: 'Your robots.txt has a separate group for some crawlers, without the paths that you closed to all others. A crawler follows only the group that names it, so those paths are open to it.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the group that this report names: a `User-agent` line and the rules below it.',
    'If these crawlers should stay out of the closed paths, copy the `Disallow` lines from the group `User-agent: *` into their group, together with the `Allow` lines that make exceptions to them.',
    'If the group needs no rules of its own, delete it. These crawlers then follow the group `User-agent: *`.',
    'If these crawlers are meant to see those paths, leave the group as it is.',
    'Open /robots.txt in your browser and make sure the group is gone or has the same `Disallow` and `Allow` lines as `User-agent: *`, unless you left it as it was.',
  ],
  example: {
    before: 'User-agent: *\nDisallow: /YOUR PRIVATE PATH/\n\nUser-agent: GPTBot\nAllow: /',
    after: 'User-agent: *\nDisallow: /YOUR PRIVATE PATH/\n\nUser-agent: GPTBot\nDisallow: /YOUR PRIVATE PATH/',
  },
  tags: ['robots.txt', 'ai'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  appliesTo: hasRobotsText,
  run: function* (site) {
    const { groups } = siteIndex(site).robots;
    const closed = groupsFor(siteIndex(site).robots, '*').flatMap((group) =>
      group.rules.filter((rule) => !rule.allow && rule.text !== ''),
    );
    // Blocking everyone except the named bots is intentional.
    if (closed.some((rule) => /^(?:\/|\*|\/\*)$/.test(rule.text))) return [];
    if (closed.length === 0) return [];
    const shown = closed.slice(0, MAX.paths).map((rule) => excerpt(rule.text, MAX.text));
    const repeated = closed.filter((rule) => rule.text.length <= MAX.text).slice(0, MAX.rules);
    // Groups of the same bot count together.
    const reopens = groupsFor(siteIndex(site).robots, '*').some(({ rules }) =>
      rules.some((rule) => rule.allow && rule.text !== ''),
    );
    const restricted = new Set(
      groups.flatMap(({ agents, rules }) => (rules.some((rule) => !rule.allow && rule.text !== '') ? agents : [])),
    );
    const faults: Fault[] = [];
    for (const { agents, names, line, rules: own } of groups) {
      yield;
      if (agents.every((agent) => restricted.has(agent))) continue;
      if (agents.includes('*') || !own.every((rule) => rule.text === '' || (rule.allow && rule.text === '/'))) continue;
      const bots = excerpt(names.slice(0, MAX.names).join(', '), MAX.text);
      faults.push({
        evidence: seenInRobots(site, `line ${line}`, bots),
        message: `The group for ${bots}${names.length > MAX.names ? ' and others' : ''} replaces the general one, so ${shown.join(', ')} is open to it.`,
        // Of thousands of groups, only the first are listed; a part of the rules would leave the others open.
        snippet:
          faults.length >= THRESHOLDS.findingsPerCheck || repeated.length < closed.length || reopens
            ? null
            : inRobots(
                [
                  ...names.map((agent) => `User-agent: ${agent}`),
                  ...repeated.map((rule) => `Disallow: ${rule.text}`),
                ].join('\n'),
              ),
      });
    }
    return faults;
  },
});

/**
 * Of the site's own rules and names, which every finding repeats: there may be thousands of groups, and kilobytes in a
 * rule.
 */
const MAX = { paths: 5, rules: 20, names: 10, text: 200 } as const;
