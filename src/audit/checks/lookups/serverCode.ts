/** Code for the server, from addresses of the site: redirects, and rules of robots.txt. Pure. */

import type { Snippet } from '../../../model/findings.ts';
import { parseUrl } from '../../../model/parseUrl.ts';
import {
  groupsFor,
  isAllowed,
  parseRobots,
  type RobotsGroup,
  type RobotsRules,
  ruleInLine,
} from '../../crawl/robots/robots.ts';
import type { RobotsRule } from '../../crawl/robots/robotsRuleset.ts';
import type { Crawl, FetchOutcome } from '../../crawl/site.ts';
import type { Pausable } from '../../timeSlices.ts';
import type { HtmlPage } from '../check.ts';
import { closingRules } from './shutSite.ts';
import { header, hostOf, siteIndex } from './siteIndex.ts';
import { answeredBy, asFile, inRobots } from './snippets.ts';

/**
 * Programs whose configuration is written here, as far as the answer names one. What stands behind another host says
 * nothing about the one that answers `url`.
 */
function softwareOf(url: string, outcome: FetchOutcome): 'apache' | 'nginx' | null {
  if (hostOf(url) !== hostOf(outcome.url)) return null;
  const name = header(outcome, 'server') ?? '';
  if (/^(?:nginx|openresty)\b/i.test(name)) return 'nginx';
  return /^(?:apache|litespeed)\b/i.test(name) ? 'apache' : null;
}

/**
 * Sends one address straight on, and nothing else: as a rule for the server that answers there, or else as the answer
 * itself. Null where a rule would need more than the two addresses tell.
 */
export function redirected(from: string, to: string, outcome: FetchOutcome): Snippet | null {
  const [source, target] = [parseUrl(from), parseUrl(to)].map((url) => url?.href.split('#', 1)[0]);
  if (source === undefined || source === target) return null;
  const software = softwareOf(source, outcome);
  const answer = `HTTP/1.1 301 Moved Permanently\nLocation: ${to}`;
  const rule = software === 'apache' ? apacheRule(from, to) : software === 'nginx' ? nginxRule(from, to) : answer;
  return rule === null ? null : answeredBy(from, rule);
}

function nginxRule(from: string, to: string): string | null {
  const source = parseUrl(from);
  const path = source === null || source.search !== '' ? null : decoded(source.pathname);
  // The rule holds for all hosts of the server.
  return path === null || parseUrl(to)?.pathname === source?.pathname || /[$;{}"'\\]/.test(path + to)
    ? null
    : `location = ${path} {\n  return 301 ${to};\n}`;
}

function apacheRule(from: string, to: string): string | null {
  const [source, target] = [parseUrl(from), parseUrl(to)];
  if (source === null || target === null) return null;
  if (source.pathname + source.search === target.pathname + target.search)
    return source.origin === target.origin ? null : originCode(source, target);
  const path = literal(source.pathname);
  if (path === null || /[$%\s"\\]/.test(to)) return null;
  // Without a condition for its query, a rule for a path also matches what it redirects to.
  if (source.search === '' && source.pathname !== target.pathname) return `RedirectMatch 301 ^${path}$ ${to}`;
  const query = source.search.slice(1).replace(SPECIAL, '\\$&');
  if (/[\s"]/.test(query)) return null;
  const end = target.search === '' && source.search !== '' ? `${to}?` : to;
  return `RewriteEngine On\nRewriteCond %{QUERY_STRING} ^${query}$\nRewriteRule ^/?${path.slice(1)}$ ${end} [R=301,L]`;
}

/** Every address of the old host, or of the old scheme. */
function originCode(source: URL, target: URL): string {
  const isOther = source.host !== target.host;
  const host = `RewriteCond %{HTTP_HOST} ^${source.host.replace(SPECIAL, '\\$&')}$ [NC]`;
  const scheme = isOther ? '' : `\nRewriteCond %{HTTPS} ${source.protocol === 'https:' ? 'on' : 'off'}`;
  return `RewriteEngine On\n${host}${scheme}\nRewriteRule ^ ${target.origin}%{REQUEST_URI} [R=301,L]`;
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

const literal = (path: string): string | null => decoded(path)?.replace(SPECIAL, '\\$&') ?? null;

/** As servers compare it. Null for characters that their configuration would have to quote. */
function decoded(path: string): string | null {
  try {
    if (/%(?:2f|5c)/i.test(path)) return null;
    const text = decodeURIComponent(path);
    return /[\s"\p{Cc}]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Sends every address of another host to the same one here; null for a server whose rules are not known. */
export function hostRedirected(from: string, origin: string, outcome: FetchOutcome): Snippet | null {
  const [source, target] = [parseUrl(from), parseUrl(origin)];
  const software = softwareOf(from, outcome);
  if (source === null || target === null || software === null) return null;
  const rule =
    software === 'apache'
      ? originCode(source, target)
      : `server {\n  server_name ${source.hostname};\n  return 301 ${target.origin}$request_uri;\n}`;
  return answeredBy(from, rule);
}

/** Compresses all text of the site; null for a server whose rules are not known. */
export function compressed(page: HtmlPage): Snippet | null {
  const software = softwareOf(page.outcome.url, page.outcome);
  const types = 'text/css text/javascript application/javascript application/json image/svg+xml';
  if (software === null) return null;
  const text =
    software === 'nginx'
      ? `# nginx, in the http block\ngzip on;\ngzip_vary on;\ngzip_proxied any;\ngzip_types ${types};`
      : `# Apache, with mod_deflate\nAddOutputFilterByType DEFLATE text/html ${types}`;
  return { edits: 'server', operation: 'add', at: new URL(page.outcome.url).origin, text };
}

/**
 * Lifts a block of robots.txt for each group that blocks one of the bots: by Allow lines that are sure to win, or else by
 * naming the lines to remove. `allows` are the paths to allow, the preferred one first. Null if nothing blocks
 * the address, or if it takes too many lines or both kinds of change.
 */
export function* unblocking(
  url: string,
  robots: RobotsRules,
  bots: readonly string[],
  allows: readonly string[],
): Pausable<Snippet | null> {
  const added = new Map<number, string>();
  const removed = new Map<number, RobotsRule>();
  for (const bot of bots) {
    yield;
    const { allowed, line } = isAllowed(robots, bot, url);
    const placed = line === null ? null : ruleInLine(robots, line);
    if (allowed || line === null || placed === null || added.has(line) || removed.has(line)) continue;
    const { group, rule } = placed;
    const allow = group.agents.length > MAX_AGENTS ? undefined : allows.find((path) => doesLift(path, rule, url));
    if (allow !== undefined) {
      added.set(line, `${headOf(group)}\nAllow: ${allow}`);
      continue;
    }
    const rules = blocking(groupsFor(robots, bot), url);
    if (rules === null) return null;
    for (const each of rules) removed.set(each.line, each);
  }
  if (removed.size === 0) return added.size === 0 ? null : inRobots([...added.values()].join('\n\n'));
  if (added.size > 0) return null;
  const rules = [...removed.values()].sort((a, b) => a.line - b.line);
  const text = rules.map((rule) => `# robots.txt, line ${rule.line}: remove\n# ${lineOf(rule)}`).join('\n\n');
  return { edits: 'robots.txt', operation: 'remove', at: rules.map(({ line }) => `line ${line}`).join(', '), text };
}

/** A group with more would be most of each finding's code. */
const MAX_AGENTS = 20;
/** Rules of a bot that are tried for each address, their characters, and lines that somebody is told to remove. */
const MAX = { tried: 200, characters: 10_000, removed: 5 } as const;

/** The blocking rule is the longest of its group that matches, so an Allow that beats it beats all of them. */
function doesLift(path: string, { text }: RobotsRule, url: string): boolean {
  return (
    text !== path && isAllowed(parseRobots(`User-agent: *\nDisallow: ${text}\nAllow: ${path}\n`), '*', url).allowed
  );
}

/** All that have to go before the address is open, as behind the rule that decides another may stand; null if too many. */
function blocking(groups: readonly RobotsGroup[], url: string): readonly RobotsRule[] | null {
  let left = groups.flatMap(({ rules }) => rules);
  if (left.length > MAX.tried || left.reduce((sum, { text }) => sum + text.length, 0) > MAX.characters) return null;
  const found: RobotsRule[] = [];
  while (found.length <= MAX.removed) {
    const { allowed, line } = isAllowed(parseRobots(['User-agent: *', ...left.map(lineOf)].join('\n')), '*', url);
    const rule = line === null ? undefined : left[line - 2];
    if (allowed || rule === undefined) return found;
    found.push(rule);
    left = left.filter((each) => each !== rule);
  }
  return null;
}

const lineOf = ({ allow, text }: RobotsRule): string => `${allow ? 'Allow' : 'Disallow'}: ${text}`;

function headOf({ agents }: RobotsGroup): string {
  return agents.map((agent) => `User-agent: ${agent}`).join('\n');
}

/** Path and query as a pattern that means only itself. */
export function exactPattern(href: string): string {
  const url = parseUrl(href);
  return url === null ? '/' : (url.pathname + url.search).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** Rules that a group repeats at most. */
const MAX_REPEATED = 20;

/**
 * Opens the site to one bot, but for what is closed to all: a group of its own would open that, too. Null if another rule
 * than the plain one closes the site, which might still win.
 */
export function opened(bot: string, rule: string | null, site: Crawl): Snippet | null {
  const { robots } = siteIndex(site);
  const closed = groupsFor(robots, '*').flatMap(({ rules }) =>
    rules.filter(({ allow, text }) => !allow && text !== '' && text !== '/'),
  );
  const reopens = groupsFor(robots, '*').some(({ rules }) => rules.some(({ allow, text }) => allow && text !== ''));
  // In a group of its own, that line has to go, or two groups would contradict each other.
  const isNamed = robots.groups.some(({ agents }) => agents.includes(bot.toLowerCase()));
  if (rule !== 'Disallow: /' || isNamed || reopens || closed.length > MAX_REPEATED) return null;
  return inRobots([`User-agent: ${bot}`, 'Allow: /', ...closed.map(({ text }) => `Disallow: ${text}`)].join('\n'));
}

/** Characters; in a longer file, nobody would find the line. */
const MOST_CODE = 2000;

/** The whole robots.txt, without the rules that close the site. */
export function openedToAll(site: Crawl): Snippet | null {
  const { text } = site.discovery.robots;
  if (text.length > MOST_CODE) return null;
  const closing = new Set(closingRules(site).map(({ line }) => line));
  const code = text
    .split('\n')
    .map((line, index) => (closing.has(index + 1) ? line.replace(/:.*/, ':') : line))
    .join('\n');
  return code === text ? null : asFile('/robots.txt', code);
}
