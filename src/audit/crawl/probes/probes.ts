/** Single requests that reveal something about the whole site. */
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { FetchOptions, FetchResult } from '../../../model/fetching.ts';
import { parseUrl } from '../../../model/parseUrl.ts';
import { readContent } from '../content.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { outcomeOf } from '../outcome.ts';
import { delivered } from '../rendering.ts';
import type { Discovery, FetchOutcome, Probe } from '../site.ts';
import { wwwTwin } from '../url.ts';

const LLMS_BYTES = 100 * 1024;
const PEEK_BYTES = 64 * 1024;

export type ProbeName = 'llmsTxt' | keyof Discovery['probes'];

export const PROBES: readonly ProbeName[] = ['llmsTxt', 'httpTwin', 'wwwTwin', 'missingPage', 'favicon'];

/** Runs the wanted probes; the others are null. */
export async function probeSite(
  origin: string,
  mayFetch: (url: string) => boolean,
  env: CrawlEnv,
  wanted: readonly ProbeName[],
): Promise<Pick<Discovery, 'llmsTxt' | 'probes' | 'missingTitle'>> {
  const limit = pLimit(2);
  let missingTitle: string | null = null;
  const own = (
    probe: ProbeName,
    path: string,
    ask: (url: string) => Promise<FetchOutcome>,
  ): Promise<FetchOutcome | null> =>
    wanted.includes(probe) && mayFetch(origin + path) ? limit(() => ask(origin + path)) : Promise.resolve(null);
  const elsewhere = (probe: ProbeName, url: string | null): Promise<FetchOutcome | null> =>
    wanted.includes(probe) && url && mayFetch(`${origin}/`)
      ? limit(() => headThenGet(url, env))
      : Promise.resolve(null);
  const [llmsTxt, httpTwin, www, missingPage, favicon] = await Promise.all([
    wanted.includes('llmsTxt') && mayFetch(`${origin}/llms.txt`)
      ? limit(() => fetchText(`${origin}/llms.txt`, env))
      : null,
    elsewhere('httpTwin', httpVersionOf(origin)),
    elsewhere('wwwTwin', wwwTwin(`${origin}/`)),
    own('missingPage', missingPath(origin, env.now()), async (url) => {
      const result = await env.fetch(url, { maxBytes: PEEK_BYTES, cut: true, ...signalOf(env) });
      const outcome = outcomeOf(result);
      missingTitle = await titleOf(result, env);
      return outcome;
    }),
    own('favicon', '/favicon.ico', (url) => headThenGet(url, env)),
  ]);
  return {
    llmsTxt,
    probes: { httpTwin, wwwTwin: www, missingPage, favicon },
    ...(missingTitle === null ? {} : { missingTitle }),
  };
}

/** The same host over http; null unless the site is on https with the default port. */
function httpVersionOf(origin: string): string | null {
  const url = parseUrl(origin);
  return url?.protocol === 'https:' && url.port === '' ? `http://${url.host}/` : null;
}

/** A path that cannot exist. */
function missingPath(origin: string, now: number): string {
  return `/${createHash('sha256').update(`${origin} ${now}`).digest('hex').slice(0, 20)}-not-here`;
}

async function fetchText(url: string, env: CrawlEnv): Promise<Probe> {
  const result = await env.fetch(url, { maxBytes: LLMS_BYTES, cut: true, ...signalOf(env) });
  const isText = result.ok && result.status >= 200 && result.status < 300;
  const text = isText ? new TextDecoder().decode(result.body) : '';
  return { outcome: outcomeOf(result), text };
}

/** Null if the answer is no page. */
async function titleOf(result: FetchResult, env: CrawlEnv): Promise<string | null> {
  if (!result.ok) return null;
  const { page } = await readContent(result.url, result, env.parse, async (facts) => delivered(facts));
  return page?.facts.titles[0]?.text ?? null;
}

/** Of each request, ms, and the crawl clock after which none is sent; with headers beside the usual ones. */
export type AskLimits = {
  readonly timeoutMs: number;
  readonly endsAt: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends HEAD, then GET if the server does not support, refuses or does not answer HEAD. */
export async function headThenGet(url: string, env: CrawlEnv, limits?: AskLimits): Promise<FetchOutcome> {
  const options = (): FetchOptions => ({
    ...signalOf(env),
    ...(limits ? { timeoutMs: Math.max(1, Math.min(limits.timeoutMs, limits.endsAt - env.now())) } : {}),
    ...(limits?.headers ? { headers: limits.headers } : {}),
  });
  const head = await env.fetch(url, { method: 'HEAD', ...options() });
  const isOver = limits !== undefined && env.now() >= limits.endsAt;
  if (!isDoubtful(head) || isOver) return outcomeOf(head);
  return outcomeOf(await env.fetch(url, { maxBytes: 1024, cut: true, ...options() }));
}

function isDoubtful(result: FetchResult): boolean {
  return result.ok
    ? result.status >= 400 && result.status !== 429
    : result.failure === 'reset' || result.failure === 'bad_response' || result.failure === 'timeout';
}

function signalOf(env: CrawlEnv): { readonly signal?: AbortSignal } {
  return env.signal ? { signal: env.signal } : {};
}
