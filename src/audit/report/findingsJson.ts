/** Everything that was found, for machines. The shape is a format of its own: change it only with a new version. */
import type { CheckMeta, CheckOutcome, Finding } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import type { Score } from '../score.ts';
import { coverageText, pageCounts } from './coverage.ts';

export const FINDINGS_FORMAT = { format: 'seo-audit-findings', version: 1 } as const;

export type FindingsInput = {
  readonly url: string;
  readonly host: string;
  /** UTC ISO. */
  readonly generatedAt: string;
  readonly score: Score;
  readonly crawl: Crawl;
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  readonly checks: readonly CheckMeta[];
};

/** `score` is null when no page could be audited: nothing was scored. */
export function findingsJson(input: FindingsInput): string {
  const { url, host, generatedAt, score, crawl, findings, outcomes } = input;
  const named = new Set(findings.map((finding) => finding.checkId));
  const checks = input.checks.filter((check) => named.has(check.id)).map(metaOf);
  const coverage = {
    text: coverageText(crawl),
    stop: crawl.coverage.stop,
    notFetched: crawl.coverage.notFetched,
    traps: crawl.coverage.traps,
    pages: pageCounts(crawl),
  };
  return `${JSON.stringify({ ...FINDINGS_FORMAT, url, host, generatedAt, score: score.pages === 0 ? null : score, coverage, findings, outcomes, checks }, null, 2)}\n`;
}

/** A check without its functions. */
function metaOf(check: CheckMeta): CheckMeta {
  const { id, title, category, group, impact, difficulty, minutes, businessValue, timeToResult, why, fix, codeExample, tags, source, lighthouse, hint } = check;
  return { id, title, category, group, impact, difficulty, minutes, businessValue, timeToResult, why, fix, codeExample, tags, source, lighthouse, hint };
}
