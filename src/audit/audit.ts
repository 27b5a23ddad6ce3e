/** A whole audit: discover, crawl, check, score. Knows nothing of accounts, jobs or events. */
import type { Finding } from '../model/findings.ts';
import type { CheckOutcome } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import { runChecksInSlices } from './checks/runChecks.ts';
import type { CrawlEnv, CrawlOptions } from './crawl/crawlEnv.ts';
import { crawlSite } from './crawl/crawlSite.ts';
import { discover, discoverEither } from './crawl/discover.ts';
import type { Crawl } from './crawl/site.ts';
import { withOwnCode } from './report/ownCode.ts';
import { type Score, scoreSite } from './score.ts';
import { clockOf } from './timeSlices.ts';

export type AuditResult = {
  readonly crawl: Crawl;
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  readonly score: Score;
};

/** For the checks: seconds on the largest site, unless it was made to take longer. */
const CHECKS_MS = 60_000;

/** `url` is a whole http(s) address; with `schemeGuessed` http will do as well as https. Never rejects for what a site does: a site that does not answer is a result too. */
export async function audit(url: string, options: CrawlOptions & { readonly schemeGuessed?: true }, env: CrawlEnv): Promise<AuditResult> {
  const discovery = await (options.schemeGuessed ? discoverEither : discover)(url, env);
  const crawl = await crawlSite(discovery, options, env);
  const { findings: found, outcomes } = await runChecksInSlices(crawl, { ...clockOf(env), endsAt: env.now() + CHECKS_MS });
  const findings = withOwnCode(found, CHECKS, crawl);
  return { crawl, findings, outcomes, score: scoreSite(crawl, findings, outcomes) };
}
