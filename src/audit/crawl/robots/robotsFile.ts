/** Fetches robots.txt and derives the verdict from the answer. */
import type { FetchResult } from '../../../model/fetching.ts';
import { atOnce, inSlices, type Pausable } from '../../timeSlices.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { looksLikeHtml, mediaTypeOf, outcomeOf } from '../outcome.ts';
import type { RobotsFile } from '../site.ts';
import { isAllowed, parseRobots, parsingRobots, productToken, ROBOTS_MAX_BYTES, type RobotsRules } from './robots.ts';
import { textOfRobots } from './robotsBytes.ts';

const MAX_SITEMAP_LINES = 1000;

export async function fetchRobots(origin: string, env: CrawlEnv): Promise<RobotsFile> {
  const result = complete(
    await env.fetch(`${origin}/robots.txt`, {
      maxBytes: ROBOTS_MAX_BYTES,
      cut: true,
      ...(env.signal ? { signal: env.signal } : {}),
    }),
  );
  const verdict = verdictOf(result);
  const text = verdict === 'rules' && result.ok ? textOf(result.body, result.truncated) : '';
  const rules = (await inSlices(parsingRobots(text), env)) ?? NO_RULES;
  const file: RobotsFile = {
    outcome: outcomeOf(result),
    text,
    verdict,
    looksLikeHtml: result.ok && verdict === 'rules' && looksLikeHtml(text, mediaTypeOf(result.headers)),
    sitemaps: [...new Set(rules.sitemaps.map((sitemap) => sitemap.url))].slice(0, MAX_SITEMAP_LINES),
  };
  known.set(file, rules);
  return file;
}

/** An answer that ends too early may lack the rules that forbid something. */
function complete(result: FetchResult): FetchResult {
  if (!result.ok || !result.truncated || result.body.length >= ROBOTS_MAX_BYTES) return result;
  const { requestedUrl, url, hops } = result;
  const message = 'The compressed answer ends too early.';
  return { ok: false, requestedUrl, url, failure: 'bad_encoding', message, hops };
}

const NO_RULES = parseRobots('');

/** Parsed rules per file. */
const known = new WeakMap<RobotsFile, RobotsRules>();

/** The rules of a file, parsed once; empty if it has none. */
export function* readRules(robots: RobotsFile): Pausable<RobotsRules> {
  if (robots.verdict !== 'rules') return NO_RULES;
  const rules = known.get(robots) ?? (yield* parsingRobots(robots.text));
  known.set(robots, rules);
  return rules;
}

/** The same, without pausing. */
export function rulesOf(robots: RobotsFile): RobotsRules {
  return atOnce(readRules(robots));
}

const LOST: ReadonlySet<string> = new Set(['bad_redirect', 'redirect_loop', 'too_many_redirects']);
/** Redirect targets that must not be requested. */
const NOT_ASKED: ReadonlySet<string> = new Set(['blocked', 'bad_url']);

/**
 * A missing file (4xx, or redirects that lead nowhere within five hops) allows everything. A temporarily unreadable one
 * (5xx, 429, no answer, an incomplete answer) disallows everything.
 */
function verdictOf(result: FetchResult): RobotsFile['verdict'] {
  if (!result.ok)
    return LOST.has(result.failure) || (NOT_ASKED.has(result.failure) && result.hops.length > 0)
      ? 'allow_all'
      : 'disallow_all';
  if (result.status >= 200 && result.status < 300) return 'rules';
  return result.status >= 500 || result.status === 429 ? 'disallow_all' : 'allow_all';
}

/** Drops a last line cut by the size limit: half a rule means something else. */
function textOf(body: Uint8Array, truncated: boolean): string {
  const end = truncated ? Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d)) + 1 : body.length;
  return textOfRobots(body.subarray(0, end));
}

/** Returns whether this crawler may fetch an address of the site. */
export function robotsPermission(robots: RobotsFile, userAgent: string): (url: string) => boolean {
  if (robots.verdict !== 'rules') return () => robots.verdict === 'allow_all';
  const rules = rulesOf(robots);
  const token = productToken(userAgent);
  return (url) => isAllowed(rules, token, url).allowed;
}
