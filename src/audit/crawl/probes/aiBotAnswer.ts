/**
 * Requests the start page again with a user agent that firewalls against AI crawlers react to. It keeps our own name
 * and only mentions the crawlers.
 */
import type { CrawlEnv } from '../crawlEnv.ts';
import { outcomeOf } from '../outcome.ts';
import { robotsPermission } from '../robots/robotsFile.ts';
import type { AiBotAnswer } from '../site.ts';
import type { FileCheckScope } from './fileChecks.ts';

const NAMED = ['OAI-SearchBot', 'PerplexityBot'] as const;
const PEEK_BYTES = 32 * 1024;
const REQUEST_MS = 8000;
const CHALLENGE =
  /<title>\s*(?:just a moment|attention required|access denied|checking your browser|verify(?:ing)? you are human|are you a robot|bot verification)|cf-chl-|_cf_chl_opt|g-recaptcha|h-captcha|captcha-delivery\.com|px-captcha|awswaf/i;

/**
 * Null if the request is not wanted, has no page to compare with, is disallowed by robots.txt, or exceeds the time or
 * byte budget.
 */
export async function askAsAiBot(scope: FileCheckScope, env: CrawlEnv): Promise<AiBotAnswer | null> {
  const { discovery, options, pages, endsAt } = scope;
  const start = pages.find((page) => page.from === 'start');
  const isComparable = start !== undefined && start.facts !== null && start.outcome.status === 200;
  if (
    options.askAsAiBot !== true ||
    !isComparable ||
    env.signal?.aborted ||
    env.now() >= endsAt ||
    scope.bytesLeft <= 0
  )
    return null;
  const { url } = start.outcome;
  if (![env.userAgent, ...NAMED].every((agent) => robotsPermission(discovery.robots, agent)(url))) return null;
  if (scope.crawlDelayMs > 0) await env.sleep(scope.crawlDelayMs, env.signal);
  const result = await env.fetch(url, {
    headers: { 'user-agent': `${env.userAgent} (asks what ${NAMED.join(' and ')} are answered)` },
    maxBytes: PEEK_BYTES,
    cut: true,
    timeoutMs: Math.max(1, Math.min(REQUEST_MS, endsAt - env.now())),
    ...(env.signal ? { signal: env.signal } : {}),
  });
  if (!result.ok && (result.failure === 'aborted' || env.now() >= endsAt)) return null;
  return {
    outcome: outcomeOf(result),
    challenged: result.ok && isChallenge(result.headers, new TextDecoder().decode(result.body)),
  };
}

function isChallenge(headers: Readonly<Record<string, readonly string[]>>, text: string): boolean {
  return headers['cf-mitigated']?.includes('challenge') === true || CHALLENGE.test(text);
}
