/** What is known of a site before it is crawled: where it really lives, robots.txt, sitemaps, llms.txt and the answers of a few telling addresses. */
import type { CrawlEnv } from './crawlEnv.ts';
import { headThenGet, probeSite } from './probes.ts';
import { fetchRobots, robotsPermission } from './robotsFile.ts';
import type { Discovery } from './site.ts';
import { findSitemaps } from './sitemaps.ts';

/** Never rejects: a site that does not answer is a discovery too, with the reason in `robots.outcome`. */
export async function discover(startUrl: string, env: CrawlEnv): Promise<Discovery> {
  const submitted = originOf(startUrl);
  const firstRobots = await fetchRobots(submitted, env);
  const start = robotsPermission(firstRobots, env.userAgent)(startUrl) ? await headThenGet(startUrl, env) : null;
  const origin = start?.status === undefined || start.status === null ? submitted : originOf(start.url);
  const robots = origin === submitted ? firstRobots : await fetchRobots(origin, env);
  const mayFetch = robotsPermission(robots, env.userAgent);
  const reached = robots.verdict !== 'disallow_all' && (start === null || start.status !== null);
  if (!reached) return { startUrl, origin, robots, sitemaps: [], ...NOTHING_PROBED };
  const [sitemaps, probed] = await Promise.all([
    findSitemaps({ origin, named: robots.sitemaps, mayFetch: (url) => originOf(url) !== origin || mayFetch(url) }, env),
    probeSite(origin, mayFetch, env),
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
