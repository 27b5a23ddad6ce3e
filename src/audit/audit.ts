/** A complete audit: discover, crawl, check, score. Independent of accounts, jobs and events. */
import { assess } from './assessment.ts';
import type { CrawlEnv, CrawlOptions } from './crawl/crawlEnv.ts';
import { crawlSite } from './crawl/crawlSite.ts';
import { discover, discoverEither } from './crawl/discover.ts';
import type { Crawl } from './crawl/site.ts';
import type { Judgment } from './judgment.ts';
import { clockOf } from './timeSlices.ts';

export type AuditResult = Judgment & { readonly crawl: Crawl };

/** Time limit of the checks: they take seconds on the largest site, unless it was built to take longer. */
const CHECKS_MS = 60_000;

/**
 * `url` is an absolute http(s) URL; with `schemeGuessed`, http is tried too. Never rejects because of the site: a site
 * that does not answer is also a result.
 */
export async function audit(
  url: string,
  options: CrawlOptions & { readonly schemeGuessed?: true },
  env: CrawlEnv,
): Promise<AuditResult> {
  const { maxMs } = options;
  const discovery = options.schemeGuessed
    ? await discoverEither(url, env, maxMs)
    : await discover(url, env, undefined, maxMs);
  const crawl = await crawlSite(discovery, options, env);
  return { crawl, ...(await assess(crawl, { ...clockOf(env), ms: CHECKS_MS })) };
}
