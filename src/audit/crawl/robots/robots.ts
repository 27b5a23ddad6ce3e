/**
 * robots.txt as defined by RFC 9309, following Google's open-source parser and matcher even where they deviate:
 * misspelled names and missing colons are accepted, escapes are compared literally (`%61` is not `a`), and an allowed
 * index.html opens its directory. Pure.
 */
import { parseUrl } from '../../../model/parseUrl.ts';
import { excerpt } from '../../excerpt.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import { capitalEscapes, escapePattern, pathOf } from './robotsPattern.ts';
import { createRuleset, type RobotsRule, type Ruleset, type UnreadRules } from './robotsRuleset.ts';

export type RobotsGroup = {
  /** Product tokens in lower case as Google reads them, without digits and dots; '*' for everyone. */
  readonly agents: readonly string[];
  /** The same in full, since other crawlers have digits and dots in their names: `ai2bot`. */
  readonly names: readonly string[];
  /** Line of its first User-agent, from 1. */
  readonly line: number;
  readonly rules: readonly RobotsRule[];
};

type RobotsDelay = { readonly group: number; readonly agents: number; readonly seconds: number; readonly line: number };

type RobotsIssueKind =
  | 'no_separator'
  | 'unknown_directive'
  | 'misspelt_directive'
  | 'rule_without_agent'
  | 'empty_agent'
  | 'bad_pattern_start'
  | 'dollar_not_at_end'
  | 'bad_sitemap'
  | 'bad_crawl_delay'
  | 'line_too_long';

type RobotsIssue = { readonly line: number; readonly kind: RobotsIssueKind; readonly text: string };

export type RobotsRules = {
  readonly groups: readonly RobotsGroup[];
  /** Apply to the first `agents` of the group at index `group`: unlike a rule, a delay does not end the agent list. */
  readonly delays: readonly RobotsDelay[];
  readonly sitemaps: readonly { readonly url: string; readonly line: number }[];
  /** At most 200, in line order. */
  readonly issues: readonly RobotsIssue[];
};

/** `line` and `rule` identify the deciding rule; null if no rule matched. */
export type RobotsDecision = { readonly allowed: boolean; readonly line: number | null; readonly rule: string | null };

/** Octets of the file that crawlers read. */
export const ROBOTS_MAX_BYTES = 500 * 1024;
/** Octets per line; the rest is ignored. */
const MAX_LINE = 2083 * 8 - 1;
const MAX_ISSUES = 200;

type Directive = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'known' | 'unknown';

/** All accepted spellings; the first of each list is the correct one. */
const SPELLINGS: readonly (readonly [Directive, readonly string[]])[] = [
  ['user-agent', ['user-agent', 'useragent', 'user agent']],
  ['allow', ['allow']],
  ['disallow', ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']],
  ['sitemap', ['sitemap', 'site-map']],
  ['crawl-delay', ['crawl-delay']],
];

/** Supported by other crawlers or obsolete; not mistakes. */
const KNOWN = new Set([
  'host',
  'clean-param',
  'request-rate',
  'visit-time',
  'noindex',
  'content-signal',
  'content-usage',
  'ai-usage',
  'license',
]);

type OpenGroup = { agents: string[]; names: string[]; line: number; rules: RobotsRule[] };
type Reading = {
  readonly groups: OpenGroup[];
  readonly delays: RobotsDelay[];
  readonly sitemaps: { url: string; line: number }[];
  readonly issues: RobotsIssue[];
  /** A rule was read since the last User-agent line, so the next one opens a new group. */
  closed: boolean;
};

export function parseRobots(text: string): RobotsRules {
  return atOnce(parsingRobots(text));
}

/** The same, pausable after each line. */
export function* parsingRobots(text: string): Pausable<RobotsRules> {
  const reading: Reading = { groups: [], delays: [], sitemaps: [], issues: [], closed: true };
  const lines = wholeLines(text)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    readLine(reading, line, index + 1);
    yield;
  }
  return { groups: reading.groups, delays: reading.delays, sitemaps: reading.sitemaps, issues: reading.issues };
}

/** Drops a last line cut by the size limit: half a rule means something else. */
function wholeLines(text: string): string {
  const cut = firstOctets(text, ROBOTS_MAX_BYTES);
  return cut.length === text.length ? text : cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('\r')) + 1);
}

/** The longest prefix that fits into `most` octets. */
function firstOctets(text: string, most: number): string {
  // A UTF-16 code unit takes at most three octets.
  if (text.length * 3 <= most) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(most)).read);
}

function readLine(reading: Reading, whole: string, line: number): void {
  const cut = firstOctets(whole, MAX_LINE);
  if (cut.length < whole.length) note(reading, line, 'line_too_long', whole);
  // A comment or a NUL ends the line.
  const text = trimmed(cut.split(/[#\0]/, 1)[0] ?? '');
  if (text === '') return;
  const pair = keyAndValue(text);
  if (!text.includes(':', 1)) note(reading, line, 'no_separator', text);
  if (!pair) return;
  const directive = directiveOf(pair.key);
  if (directive === 'unknown') note(reading, line, 'unknown_directive', text);
  else if (isMisspelt(pair.key, directive)) note(reading, line, 'misspelt_directive', text);
  if (directive === 'user-agent') readAgent(reading, pair.value, line);
  else if (directive === 'allow' || directive === 'disallow')
    readRule(reading, directive === 'allow', pair.value, line);
  else if (directive === 'sitemap') readSitemap(reading, pair.value, line);
  else if (directive === 'crawl-delay') readDelay(reading, pair.value, line);
}

/** Trims ASCII white space only: a no-break space is part of the value. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function note(reading: Reading, line: number, kind: RobotsIssueKind, text: string): void {
  if (reading.issues.length < MAX_ISSUES) reading.issues.push({ line, kind, text: text.trim().slice(0, 200) });
}

/** `key: value`, or `key value` with exactly two words. */
function keyAndValue(text: string): { key: string; value: string } | null {
  const colon = text.indexOf(':');
  if (colon > 0) return { key: trimmed(text.slice(0, colon)), value: trimmed(text.slice(colon + 1)) };
  const words = text.split(/[ \t]+/);
  const [key, value] = words;
  return colon < 0 && words.length === 2 && key && value ? { key, value } : null;
}

function directiveOf(key: string): Directive {
  const name = key.toLowerCase();
  const found = SPELLINGS.find(([, spellings]) => spellings.some((spelling) => name.startsWith(spelling)));
  return found?.[0] ?? (KNOWN.has(name) ? 'known' : 'unknown');
}

function isMisspelt(key: string, directive: Directive): boolean {
  return directive !== 'known' && directive !== 'unknown' && key.toLowerCase() !== directive;
}

function readAgent(reading: Reading, value: string, line: number): void {
  if (value === '') note(reading, line, 'empty_agent', 'User-agent:');
  const token = /^\*(?:[\t\v\f ]|$)/.test(value) ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase();
  if (reading.closed) reading.groups.push({ agents: [], names: [], line, rules: [] });
  reading.closed = false;
  reading.groups.at(-1)?.agents.push(token);
  reading.groups.at(-1)?.names.push(token === '*' ? token : (/^[a-z\d._-]*/i.exec(value)?.[0] ?? '').toLowerCase());
}

function readRule(reading: Reading, allow: boolean, value: string, line: number): void {
  const group = reading.groups.at(-1);
  if (!group) {
    note(reading, line, 'rule_without_agent', value);
    return;
  }
  reading.closed = true;
  if (value !== '' && !/^[/*]/.test(value)) note(reading, line, 'bad_pattern_start', value);
  if (/\$./.test(value)) note(reading, line, 'dollar_not_at_end', value);
  group.rules.push({ allow, text: value, line, pattern: escapePattern(value) });
}

function readSitemap(reading: Reading, value: string, line: number): void {
  const url = parseUrl(value);
  if (!url || !/^(?:https?|ftp):$/.test(url.protocol)) note(reading, line, 'bad_sitemap', value);
  if (value !== '') reading.sitemaps.push({ url: value, line });
}

function readDelay(reading: Reading, value: string, line: number): void {
  const seconds = Number(value);
  const group = reading.groups.length - 1;
  if (value === '' || !Number.isFinite(seconds) || seconds < 0) note(reading, line, 'bad_crawl_delay', value);
  else if (group >= 0) reading.delays.push({ group, agents: reading.groups[group]?.agents.length ?? 0, seconds, line });
}

/** The groups that apply to a crawler: all that name its token, else all for everyone. */
export function groupsFor(rules: RobotsRules, agentToken: string): readonly RobotsGroup[] {
  const token = agentToken.toLowerCase();
  const own = rules.groups.filter((group) => placeIn(group, token) >= 0);
  return own.length > 0 ? own : rules.groups.filter((group) => group.agents.includes('*'));
}

/** Where the group names this token; -1 if it does not. */
function placeIn({ agents, names }: RobotsGroup, token: string): number {
  const place = agents.indexOf(token);
  return place >= 0 ? place : names.indexOf(token);
}

/** Caches rulesets: a crawl makes thousands of lookups for only a few crawlers. */
const rulesets = new WeakMap<RobotsRules, { byToken: Map<string, Ruleset>; byGroups: Map<string, Ruleset> }>();

function rulesetFor(rules: RobotsRules, agentToken: string): Ruleset {
  const known = rulesets.get(rules) ?? { byToken: new Map(), byGroups: new Map() };
  rulesets.set(rules, known);
  const token = agentToken.toLowerCase();
  const present = known.byToken.get(token);
  if (present) return present;
  const groups = groupsFor(rules, token);
  // Crawlers with the same groups share their rules: all without a group of their own have the one for everyone.
  const key = groups.map(({ line }) => line).join();
  const ruleset = known.byGroups.get(key) ?? createRuleset(groups.flatMap((group) => group.rules));
  known.byGroups.set(key, ruleset);
  known.byToken.set(token, ruleset);
  return ruleset;
}

type PlacedRule = { readonly group: RobotsGroup; readonly rule: RobotsRule };

const places = new WeakMap<RobotsRules, ReadonlyMap<number, PlacedRule>>();

/** The rule in this line, with its group; null if the line has none. */
export function ruleInLine(rules: RobotsRules, line: number): PlacedRule | null {
  let known = places.get(rules);
  if (known === undefined) {
    known = new Map(
      rules.groups.flatMap((group) => group.rules.map((rule): [number, PlacedRule] => [rule.line, { group, rule }])),
    );
    places.set(rules, known);
  }
  return known.get(line) ?? null;
}

/** The matcher's decision for a path from `pathOf`, which is used as it is. */
export function decide(rules: RobotsRules, agentToken: string, path: string): RobotsDecision {
  const rule = rulesetFor(rules, agentToken).deciding(path);
  return rule
    ? {
        allowed: rule.allow,
        line: rule.line,
        rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${excerpt(rule.text, MAX_SHOWN)}`,
      }
    : OPEN;
}

/** A rule may have kilobytes of stars, and each finding about it names it. */
const MAX_SHOWN = 200;

const OPEN: RobotsDecision = { allowed: true, line: null, rule: null };

/**
 * Whether the crawler with this product token may fetch the URL. The matcher expects its caller to escape the URL: it
 * must be serialized, and `%c3` equals `%C3`. robots.txt itself is always allowed.
 */
export function isAllowed(rules: RobotsRules, agentToken: string, url: string): RobotsDecision {
  const path = capitalEscapes(pathOf(url));
  return path === '/robots.txt' ? OPEN : decide(rules, agentToken, path);
}

/** Rules for this crawler skipped because the file has too many wildcard rules; null if all were read. */
export function unreadRules(rules: RobotsRules, agentToken: string): UnreadRules | null {
  return rulesetFor(rules, agentToken).unread;
}

/** Crawl-delay in seconds for this crawler; the longest if there are several. */
export function crawlDelayFor(rules: RobotsRules, agentToken: string): number | null {
  const token = agentToken.toLowerCase();
  const named = rules.groups.some((group) => placeIn(group, token) >= 0) ? token : '*';
  const places = rules.groups.map((group) => placeIn(group, named));
  let longest: number | null = null;
  for (const { group, agents, seconds } of rules.delays) {
    const place = places[group] ?? -1;
    if (place >= 0 && place < agents && seconds > (longest ?? -1)) longest = seconds;
  }
  return longest;
}

/** The robots.txt token of a user agent: `SeoWorkbench` for `SeoWorkbench/1.0 (+https://…)`. */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? '';
}
