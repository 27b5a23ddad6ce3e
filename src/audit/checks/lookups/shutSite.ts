/** Whether robots.txt closes the whole site to search engines, and where it does. */
import { decide, groupsFor } from '../../crawl/robots/robots.ts';
import type { Crawl } from '../../crawl/site.ts';
import { siteIndex } from './siteIndex.ts';

/** Google has a group of its own on some sites. */
const AGENTS = ['Googlebot', '*'] as const;
const WHOLE_SITE = /^Disallow: (?:\/|\*|\/\*)\s*$/i;

/** Neither Google nor other search engines may read the start of the site, and no rule lets them in anywhere else. */
export function isShutToAll(site: Crawl): boolean {
  const { robots } = siteIndex(site);
  return AGENTS.every((agent) => WHOLE_SITE.test(decide(robots, agent, '/').rule ?? '')) && !reopens(site);
}

/** An allow rule opens some pages again. One for robots.txt or another single file opens none. */
function reopens(site: Crawl): boolean {
  return AGENTS.some((agent) =>
    groupsFor(siteIndex(site).robots, agent).some((group) =>
      group.rules.some((rule) => rule.allow && rule.text !== '' && !/^\/[\w.-]+\.txt\$?$/i.test(rule.text)),
    ),
  );
}

/** The rules that close the site, each with the group it stands in, in the order of the file. */
export function closingRules(
  site: Crawl,
): readonly { readonly line: number; readonly rule: string; readonly group: string; readonly groupLine: number }[] {
  const { robots } = siteIndex(site);
  const rules = AGENTS.flatMap((agent) => {
    const { line, rule } = decide(robots, agent, '/');
    const group = groupsFor(robots, agent).find(({ rules: own }) => own.some((each) => each.line === line));
    if (line === null || rule === null || !group) return [];
    return [{ line, rule, group: `User-agent: ${group.agents.includes('*') ? '*' : agent}`, groupLine: group.line }];
  });
  return rules
    .filter(({ line }, index) => rules.findIndex((each) => each.line === line) === index)
    .sort((a, b) => a.line - b.line);
}
