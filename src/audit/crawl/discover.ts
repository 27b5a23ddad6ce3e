/**
 * Gathers what is known about a site before the crawl: its final origin, robots.txt, sitemaps, llms.txt and a few
 * probes.
 */
import type { FetchFailure } from '../../model/fetching.ts';
import type { CrawlEnv } from './crawlEnv.ts';
import { endingAt, known } from './deadline.ts';
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

/**
 * The share of the time for everything but robots.txt, without which no page may be read. A slow site has its start
 * page read instead of its sitemaps.
 */
const SHARE = 0.4;

/**
 * For an https URL whose scheme was guessed: falls back to http if the server does not speak https, as browsers do.
 * Never rejects.
 */
export async function discoverEither(
  startUrl: string,
  env: CrawlEnv,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<Discovery> {
  const endsAt = env.now() + maxMs;
  const first = await discover(startUrl, env, EVERYTHING, maxMs);
  if (!startUrl.startsWith('https:') || !WITHOUT_TLS.has(first.robots.outcome.failure)) return first;
  const second = await discover(startUrl.replace('https:', 'http:'), env, EVERYTHING, endsAt - env.now());
  return second.robots.outcome.failure === null ? second : first;
}

/**
 * Never rejects: for a site that does not answer, `robots.outcome` has the reason. `maxMs`: the time of the whole
 * audit, of which this takes a share.
 */
export async function discover(
  startUrl: string,
  env: CrawlEnv,
  parts: DiscoveryParts = EVERYTHING,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<Discovery> {
  const now = env.now();
  const whole = endingAt(now + maxMs, env);
  const share = endingAt(now + maxMs * SHARE, env);
  const submitted = originOf(startUrl);
  const firstRobots = await fetchRobots(submitted, whole);
  const start =
    parts.start && robotsPermission(firstRobots, env.userAgent)(startUrl)
      ? known(await headThenGet(startUrl, share))
      : null;
  const origin = start?.status === undefined || start.status === null ? submitted : originOf(start.url);
  const robots = origin === submitted ? firstRobots : await fetchRobots(origin, whole);
  const mayFetch = robotsPermission(robots, env.userAgent);
  const reached = robots.verdict !== 'disallow_all' && (start === null || start.status !== null);
  if (!reached) return { startUrl, origin, robots, sitemaps: [], ...NOTHING_PROBED };
  const [sitemaps, { llmsTxt, probes, missingTitle }] = await Promise.all([
    parts.sitemaps
      ? findSitemaps(
          { origin, named: robots.sitemaps, mayFetch: (url) => originOf(url) !== origin || mayFetch(url) },
          share,
        )
      : [],
    probeSite(origin, mayFetch, share, parts.probes),
  ]);
  return {
    startUrl,
    origin,
    robots,
    sitemaps: sitemaps.filter(({ outcome }) => known(outcome) !== null),
    llmsTxt: known(llmsTxt?.outcome ?? null) === null ? null : llmsTxt,
    probes: {
      httpTwin: known(probes.httpTwin),
      wwwTwin: known(probes.wwwTwin),
      missingPage: known(probes.missingPage),
      favicon: known(probes.favicon),
    },
    ...(missingTitle === undefined ? {} : { missingTitle }),
    ...(share.wasCut() ? { outOfTime: true } : {}),
  };
}

const NOTHING_PROBED: Pick<Discovery, 'llmsTxt' | 'probes'> = {
  llmsTxt: null,
  probes: { httpTwin: null, wwwTwin: null, missingPage: null, favicon: null },
};

function originOf(url: string): string {
  return new URL(url).origin;
}
