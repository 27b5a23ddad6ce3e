/** A complete audit: discover, crawl, check, score. Independent of accounts, jobs and events. */
import type { Finding } from '../model/findings.ts';
import { CHECKS } from './checks/index.ts';
import { runChecksInSlices } from './checks/runChecks.ts';
import type { CrawlEnv, CrawlOptions } from './crawl/crawlEnv.ts';
import { crawlSite } from './crawl/crawlSite.ts';
import { discover, discoverEither } from './crawl/discover.ts';
import type { Crawl } from './crawl/site.ts';
import { type Judgment, judging } from './judgment.ts';
import { writingOwnCode } from './report/ownCode.ts';
import { clockOf, inSlices } from './timeSlices.ts';

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
  const endsAt = env.now() + CHECKS_MS;
  const { findings: found, outcomes } = await runChecksInSlices(crawl, { ...clockOf(env), endsAt });
  const writing = writingOwnCode(found, CHECKS, crawl, () => env.now() >= endsAt);
  const findings = (await inSlices(writing, clockOf(env))) as Finding[];
  const judgment = (await inSlices(judging(crawl, findings, outcomes), clockOf(env))) as Judgment;
  return { crawl, ...judgment };
}
