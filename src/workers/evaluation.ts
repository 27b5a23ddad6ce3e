/** From a crawl to what the steps write: findings, score, the analyst's input, and the job's files. Worked out once for a crawl. */
import { setImmediate as turn } from 'node:timers/promises';
import type { CheckOutcome, Finding } from '../audit/checks/check.ts';
import { CHECKS } from '../audit/checks/index.ts';
import { type ChecksResult, runChecks } from '../audit/checks/runChecks.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import { coverageText } from '../audit/report/coverage.ts';
import { type Score, scoreSite } from '../audit/score.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { AnalystInput } from '../integrations/analyst/analyst.ts';

export type Evaluation = ChecksResult & { readonly score: Score; readonly pagesAudited: number };

const evaluations = new WeakMap<Crawl, Promise<Evaluation>>();

/** One check a turn of the event loop: requests are answered while a large site is checked. */
export function evaluate(crawl: Crawl): Promise<Evaluation> {
  const known = evaluations.get(crawl) ?? checkInTurns(crawl);
  evaluations.set(crawl, known);
  return known;
}

async function checkInTurns(crawl: Crawl): Promise<Evaluation> {
  const findings: Finding[] = [];
  const outcomes: CheckOutcome[] = [];
  for (const check of CHECKS) {
    const result = runChecks(crawl, [check]);
    findings.push(...result.findings);
    outcomes.push(...result.outcomes);
    await turn();
  }
  return { findings, outcomes, score: scoreSite(crawl, findings, outcomes), pagesAudited: crawl.pages.filter((page) => page.facts !== null).length };
}

/** What the analyst may know: findings with their evidence, the catalogue's words on their causes, and what passed. */
export async function analystInput(job: JobFacts, crawl: Crawl): Promise<AnalystInput> {
  const { findings, outcomes, score, pagesAudited } = await evaluate(crawl);
  const named = new Set(findings.map((finding) => finding.checkId));
  const passed = new Set(outcomes.filter((outcome) => outcome.state === 'passed').map((outcome) => outcome.checkId));
  return {
    host: job.host,
    url: job.url,
    score: score.value,
    pagesAudited,
    coverage: coverageText(crawl),
    findings,
    checks: CHECKS.filter((check) => named.has(check.id)),
    passed: CHECKS.filter((check) => !check.hint && passed.has(check.id)).map((check) => check.title),
  };
}

export type Subject = ChecksResult & {
  readonly url: string;
  readonly host: string;
  readonly generatedAt: string;
  readonly score: Score;
  readonly crawl: Crawl;
  readonly checks: typeof CHECKS;
};

/** What the report's files are written from. */
export async function subject({ url, host }: JobFacts, crawl: Crawl, generatedAt: string): Promise<Subject> {
  const { findings, outcomes, score } = await evaluate(crawl);
  return { url, host, generatedAt, score, crawl, findings, outcomes, checks: CHECKS };
}
