/** A whole audit: discover, crawl, check, score. Knows nothing of accounts, jobs or events. */

import type { CheckOutcome, Finding } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import { runChecks } from './checks/runChecks.ts';
import type { CrawlEnv, CrawlOptions } from './crawl/crawlEnv.ts';
import { crawlSite } from './crawl/crawlSite.ts';
import { discover } from './crawl/discover.ts';
import type { Crawl } from './crawl/site.ts';
import { withOwnCode } from './report/ownCode.ts';
import { type Score, scoreSite } from './score.ts';

export type AuditResult = {
  readonly crawl: Crawl;
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  readonly score: Score;
};

/** `url` is a whole http(s) address. Never rejects for what a site does: a site that does not answer is a result too. */
export async function audit(url: string, options: CrawlOptions, env: CrawlEnv): Promise<AuditResult> {
  const discovery = await discover(url, env);
  const crawl = await crawlSite(discovery, options, env);
  const { findings: found, outcomes } = runChecks(crawl, CHECKS);
  const findings = withOwnCode(found, CHECKS, crawl);
  return { crawl, findings, outcomes, score: scoreSite(crawl, findings, outcomes) };
}
