/** Gathers what is known about a site before the crawl: its final origin, robots.txt, sitemaps, llms.txt and a few probes. */
import type { FetchFailure } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';
import { headThenGet, PROBES, type ProbeName, probeSite } from './probes/probes.ts';
import { fetchRobots, robotsPermission } from './robots/robotsFile.ts';
import type { Discovery } from './site.ts';
import { findSitemaps } from './sitemaps/sitemaps.ts';

/** What to request besides robots.txt. */
export type DiscoveryParts = {
  /** Follow the start page's redirects to the site's origin. Otherwise the origin is that of `startUrl`. */
  readonly start: boolean;
  readonly sitemaps: boolean;
  readonly probes: readonly ProbeName[];
};

const EVERYTHING: DiscoveryParts = { start: true, sitemaps: true, probes: PROBES };

/** Failures typical of a server that speaks only http on the port. */
const WITHOUT_TLS: ReadonlySet<FetchFailure | null> = new Set<FetchFailure>(['tls', 'refused', 'reset']);

/** For an https URL whose scheme was guessed: falls back to http if the server does not speak https, as browsers do. Never rejects. */
export async function discoverEither(startUrl: string, env: CrawlEnv): Promise<Discovery> {
  const first = await discover(startUrl, env);
  if (!startUrl.startsWith('https:') || !WITHOUT_TLS.has(first.robots.outcome.failure)) return first;
  const second = await discover(startUrl.replace('https:', 'http:'), env);
  return second.robots.outcome.failure === null ? second : first;
}

/** Never rejects: for a site that does not answer, `robots.outcome` has the reason. */
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
