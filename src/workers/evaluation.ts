/** From a crawl to what the steps write: findings, score, the analyst's input, and the job's files. Pure; worked out once for a crawl. */
import { CHECKS } from '../audit/checks/index.ts';
import { type ChecksResult, runChecks } from '../audit/checks/runChecks.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import { coverageText } from '../audit/report/coverage.ts';
import { findingsJson } from '../audit/report/findingsJson.ts';
import { pagesCsv } from '../audit/report/pagesCsv.ts';
import { reportMarkdown } from '../audit/report/reportMarkdown.ts';
import { type Score, scoreSite } from '../audit/score.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { AnalystInput, Written } from '../integrations/analyst/analyst.ts';

export type Evaluation = ChecksResult & { readonly score: Score; readonly pagesAudited: number };

const evaluations = new WeakMap<Crawl, Evaluation>();

export function evaluate(crawl: Crawl): Evaluation {
  let evaluation = evaluations.get(crawl);
  if (!evaluation) {
    const { findings, outcomes } = runChecks(crawl);
    evaluation = { findings, outcomes, score: scoreSite(crawl, findings, outcomes), pagesAudited: crawl.pages.filter((page) => page.facts !== null).length };
    evaluations.set(crawl, evaluation);
  }
  return evaluation;
}

/** What the analyst may know: findings with their evidence, the catalogue's words on their causes, and what passed. */
export function analystInput(job: JobFacts, crawl: Crawl): AnalystInput {
  const { findings, outcomes, score, pagesAudited } = evaluate(crawl);
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
    passed: CHECKS.filter((check) => passed.has(check.id)).map((check) => check.title),
  };
}

export function reportFile(job: JobFacts, crawl: Crawl, analysis: Written<string>, generatedAt: string): string {
  return reportMarkdown({ ...subject(job, crawl, generatedAt), analysis: { text: analysis.value, by: analysis.by } });
}

export function findingsFile(job: JobFacts, crawl: Crawl, generatedAt: string): string {
  return findingsJson(subject(job, crawl, generatedAt));
}

export function pagesFile(crawl: Crawl): string {
  return pagesCsv(crawl, evaluate(crawl).findings);
}

function subject({ url, host }: JobFacts, crawl: Crawl, generatedAt: string) {
  const { findings, outcomes, score } = evaluate(crawl);
  return { url, host, generatedAt, score, crawl, findings, outcomes, checks: CHECKS };
}
