/**
 * robots.txt by RFC 9309, read as Google's own parser reads it where the standard leaves room: misspelt names and missing colons are
 * understood, escapes in a rule are put in capitals but not undone, and an allowed index.html opens its directory. Pure.
 */
import { compilePattern, type Pattern, pathToMatch, patternMatches } from './robotsPattern.ts';

type RobotsRule = {
  readonly allow: boolean;
  /** As written, without comment. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly pattern: Pattern;
};

export type RobotsGroup = {
  /** Product tokens in small letters; '*' for everyone. */
  readonly agents: readonly string[];
  /** Of its first User-agent line, from 1. */
  readonly line: number;
  readonly rules: readonly RobotsRule[];
};

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
  /** For the agents named above the line: it does not end their list as a rule does. */
  readonly delays: readonly { readonly agents: readonly string[]; readonly seconds: number; readonly line: number }[];
  readonly sitemaps: readonly { readonly url: string; readonly line: number }[];
  /** At most 200, in the order of lines. */
  readonly issues: readonly RobotsIssue[];
};

/** `line` and `rule` name what decided; null when no rule did. */
export type RobotsDecision = { readonly allowed: boolean; readonly line: number | null; readonly rule: string | null };

/** What crawlers read of the file, in octets. */
export const ROBOTS_MAX_BYTES = 500 * 1024;
const MAX_LINE = 2083 * 8 - 1;
const MAX_ISSUES = 200;

type Directive = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'known' | 'unknown';

/** Every beginning that is understood. The first of each list is the right spelling. */
const SPELLINGS: readonly (readonly [Directive, readonly string[]])[] = [
  ['user-agent', ['user-agent', 'useragent', 'user agent']],
  ['allow', ['allow']],
  ['disallow', ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']],
  ['sitemap', ['sitemap', 'site-map']],
  ['crawl-delay', ['crawl-delay']],
];

/** Understood by other crawlers or of the past; no mistakes. */
const KNOWN = new Set(['host', 'clean-param', 'request-rate', 'visit-time', 'noindex', 'content-signal', 'content-usage', 'ai-usage', 'license']);

type OpenGroup = { agents: string[]; line: number; rules: RobotsRule[] };
type Reading = {
  readonly groups: OpenGroup[];
  readonly delays: { agents: readonly string[]; seconds: number; line: number }[];
  readonly sitemaps: { url: string; line: number }[];
  readonly issues: RobotsIssue[];
  /** A rule has been seen since the last User-agent line: the next one opens a new group. */
  closed: boolean;
};

export function parseRobots(text: string): RobotsRules {
  const reading: Reading = { groups: [], delays: [], sitemaps: [], issues: [], closed: true };
  const lines = wholeLines(text.replace(/^\uFEFF/, '')).split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) readLine(reading, line, index + 1);
  return { groups: reading.groups, delays: reading.delays, sitemaps: reading.sitemaps, issues: reading.issues };
}

/** Drops a last line that the size limit has cut: half a rule means something else. */
function wholeLines(text: string): string {
  if (text.length <= ROBOTS_MAX_BYTES) return text;
  const cut = text.slice(0, ROBOTS_MAX_BYTES);
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('\r')) + 1);
}

function readLine(reading: Reading, whole: string, line: number): void {
  if (whole.length > MAX_LINE) note(reading, line, 'line_too_long', whole);
  const text = (whole.slice(0, MAX_LINE).split('#', 1)[0] ?? '').trim();
  if (text === '') return;
  const pair = keyAndValue(text);
  if (!text.includes(':')) note(reading, line, 'no_separator', text);
  if (!pair) return;
  const directive = directiveOf(pair.key);
  if (directive === 'unknown') note(reading, line, 'unknown_directive', text);
  else if (isMisspelt(pair.key, directive)) note(reading, line, 'misspelt_directive', text);
  if (directive === 'user-agent') readAgent(reading, pair.value, line);
  else if (directive === 'allow' || directive === 'disallow') readRule(reading, directive === 'allow', pair.value, line);
  else if (directive === 'sitemap') readSitemap(reading, pair.value, line);
  else if (directive === 'crawl-delay') readDelay(reading, pair.value, line);
}

function note(reading: Reading, line: number, kind: RobotsIssueKind, text: string): void {
  if (reading.issues.length < MAX_ISSUES) reading.issues.push({ line, kind, text: text.trim().slice(0, 200) });
}

/** `key: value`, or `key value` when it is exactly two words. */
function keyAndValue(text: string): { key: string; value: string } | null {
  const colon = text.indexOf(':');
  if (colon > 0) return { key: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
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
  const token = /^\*(?:\s|$)/.test(value) ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase();
  if (reading.closed) reading.groups.push({ agents: [], line, rules: [] });
  reading.closed = false;
  reading.groups.at(-1)?.agents.push(token);
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
  group.rules.push({ allow, text: value, line, pattern: compilePattern(value) });
}

function readSitemap(reading: Reading, value: string, line: number): void {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^(?:https?|ftp):$/.test(url.protocol)) note(reading, line, 'bad_sitemap', value);
  if (value !== '') reading.sitemaps.push({ url: value, line });
}

function readDelay(reading: Reading, value: string, line: number): void {
  const seconds = Number(value);
  const group = reading.groups.at(-1);
  if (value === '' || !Number.isFinite(seconds) || seconds < 0) note(reading, line, 'bad_crawl_delay', value);
  else if (group) reading.delays.push({ agents: [...group.agents], seconds, line });
}

/** The groups that speak to a crawler: all that name its token, or else all that speak to everyone. */
export function groupsFor(rules: RobotsRules, agentToken: string): readonly RobotsGroup[] {
  const token = agentToken.toLowerCase();
  const own = token === '' ? [] : rules.groups.filter((group) => group.agents.includes(token));
  return own.length > 0 ? own : rules.groups.filter((group) => group.agents.includes('*'));
}

/** May the crawler with this product token fetch the address? The longest matching rule decides, of two as long the allowing one. */
export function isAllowed(rules: RobotsRules, agentToken: string, url: string): RobotsDecision {
  const path = pathToMatch(url);
  if (path === '/robots.txt') return { allowed: true, line: null, rule: null };
  let best: RobotsRule | null = null;
  let bestLength = 0;
  for (const group of groupsFor(rules, agentToken)) {
    for (const rule of group.rules) {
      const length = matchedLength(rule, path);
      if (length < bestLength || length === 0) continue;
      if (length === bestLength && (best?.allow || !rule.allow)) continue;
      best = rule;
      bestLength = length;
    }
  }
  return best
    ? { allowed: best.allow, line: best.line, rule: `${best.allow ? 'Allow' : 'Disallow'}: ${best.text}` }
    : { allowed: true, line: null, rule: null };
}

/** 0 when the rule does not match or says nothing. */
function matchedLength(rule: RobotsRule, path: string): number {
  if (patternMatches(rule.pattern, path)) return rule.pattern.length;
  const { directory } = rule.pattern;
  return rule.allow && directory !== null && path === directory ? directory.length + 1 : 0;
}

/** Seconds between requests that the crawler is asked for; the longest when it is told more than once. */
export function crawlDelayFor(rules: RobotsRules, agentToken: string): number | null {
  const token = agentToken.toLowerCase();
  const isNamed = rules.groups.some((group) => group.agents.includes(token));
  const delays = rules.delays.filter((delay) => delay.agents.includes(isNamed ? token : '*')).map((delay) => delay.seconds);
  return delays.length > 0 ? Math.max(...delays) : null;
}

/** The token that robots.txt knows a crawler by: `SeoWorkbench/1.0 (+https://…)` is `SeoWorkbench`. */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? '';
}
