/** Everything that was found, for machines, in the format of `findingsFormat.ts`. */
import type { Finding } from '../../model/findings.ts';
import type { CheckMeta, CheckOutcome } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import type { Score } from '../score.ts';
import { coverageText, pageCounts } from './coverage.ts';
import { FINDINGS_FORMAT, type FindingsDocument } from './findingsFormat.ts';

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

export function findingsJson(input: FindingsInput): string {
  return `${JSON.stringify(findingsDocument(input), null, 2)}\n`;
}

/** `score` is null when no page could be audited: nothing was scored. */
export function findingsDocument(input: FindingsInput): FindingsDocument {
  const { url, host, generatedAt, score, crawl, findings, outcomes } = input;
  const named = new Set(findings.map((finding) => finding.checkId));
  return {
    ...FINDINGS_FORMAT,
    url,
    host,
    generatedAt,
    score: score.pages === 0 ? null : (score as FindingsDocument['score']),
    coverage: {
      text: coverageText(crawl),
      stop: crawl.coverage.stop,
      notFetched: crawl.coverage.notFetched,
      traps: [...crawl.coverage.traps],
      pages: pageCounts(crawl),
    },
    pages: crawl.pages.map((page) => ({
      url: page.url,
      status: page.outcome.status,
      audited: page.facts !== null,
      ...(page.rendering?.done ? { rendered: true } : {}),
    })),
    findings: [...findings],
    outcomes: [...outcomes],
    checks: input.checks.filter((check) => named.has(check.id)).map(metaOf),
  };
}

/** A check without its functions. */
function metaOf(check: CheckMeta): FindingsDocument['checks'][number] {
  const { id, title, category, group, impact, difficulty, minutes, businessValue, timeToResult, why, fix, codeExample, tags, source, lighthouse, hint } = check;
  const texts = { title, businessValue, timeToResult, why, fix, codeExample, tags: [...tags], source };
  return { id, category, group, impact, difficulty, minutes, lighthouse, hint, ...texts };
}
