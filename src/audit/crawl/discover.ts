/** What is known of a site before it is crawled: where it really lives, robots.txt, sitemaps, llms.txt and the answers of a few telling addresses. */
import type { FetchFailure } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';
import { headThenGet, PROBES, type ProbeName, probeSite } from './probes/probes.ts';
import { fetchRobots, robotsPermission } from './robots/robotsFile.ts';
import type { Discovery } from './site.ts';
import { findSitemaps } from './sitemaps/sitemaps.ts';

/** What is asked besides robots.txt. */
export type DiscoveryParts = {
  /** Where the start page leads to is the site. Without it, the site is where `startUrl` is. */
  readonly start: boolean;
  readonly sitemaps: boolean;
  readonly probes: readonly ProbeName[];
};

const EVERYTHING: DiscoveryParts = { start: true, sitemaps: true, probes: PROBES };

/** Ways to fail of a server that speaks http alone on the port. */
const WITHOUT_TLS: ReadonlySet<FetchFailure | null> = new Set<FetchFailure>(['tls', 'refused', 'reset']);

/** For an address without a scheme, made one of https: where nobody speaks that, the same over http, as browsers do. Never rejects. */
export async function discoverEither(startUrl: string, env: CrawlEnv): Promise<Discovery> {
  const first = await discover(startUrl, env);
  if (!startUrl.startsWith('https:') || !WITHOUT_TLS.has(first.robots.outcome.failure)) return first;
  const second = await discover(startUrl.replace('https:', 'http:'), env);
  return second.robots.outcome.failure === null ? second : first;
}

/** Never rejects: a site that does not answer is a discovery too, with the reason in `robots.outcome`. */
export async function discover(startUrl: string, env: CrawlEnv, parts: DiscoveryParts = EVERYTHING): Promise<Discovery> {
  const submitted = originOf(startUrl);
  const firstRobots = await fetchRobots(submitted, env);
  const start = parts.start && robotsPermission(firstRobots, env.userAgent)(startUrl) ? await headThenGet(startUrl, env) : null;
  const origin = start?.status === undefined || start.status === null ? submitted : originOf(start.url);
  const robots = origin === submitted ? firstRobots : await fetchRobots(origin, env);
  const mayFetch = robotsPermission(robots, env.userAgent);
  const reached = robots.verdict !== 'disallow_all' && (start === null || start.status !== null);
  if (!reached) return { startUrl, origin, robots, sitemaps: [], ...NOTHING_PROBED };
  const [sitemaps, probed] = await Promise.all([
    parts.sitemaps ? findSitemaps({ origin, named: robots.sitemaps, mayFetch: (url) => originOf(url) !== origin || mayFetch(url) }, env) : [],
    probeSite(origin, mayFetch, env, parts.probes),
  ]);
  return { startUrl, origin, robots, sitemaps, ...probed };
}

const NOTHING_PROBED: Pick<Discovery, 'llmsTxt' | 'probes'> = {
  llmsTxt: null,
  probes: { httpTwin: null, wwwTwin: null, missingPage: null, favicon: null },
};

function originOf(url: string): string {
  return new URL(url).origin;
}
