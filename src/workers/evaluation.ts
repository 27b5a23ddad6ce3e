/** From a crawl to what the steps write: findings, score, the analyst's input, and the job's files. Pure; worked out once for a crawl. */
import type { Finding } from '../audit/checks/check.ts';
import { CHECKS } from '../audit/checks/index.ts';
import { type ChecksResult, runChecks } from '../audit/checks/runChecks.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import { type Score, scoreSite } from '../audit/score.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { AnalystInput, Written } from '../integrations/analyst/analyst.ts';
import type { ActionItem } from '../domain/plan/events.ts';

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
    coverage: coverageSentence(crawl),
    findings,
    checks: CHECKS.filter((check) => named.has(check.id)),
    passed: CHECKS.filter((check) => passed.has(check.id)).map((check) => check.title),
  };
}

export function coverageSentence(crawl: Crawl): string { return `${crawl.pages.length} pages`; }
export function reportFile(job: JobFacts, crawl: Crawl, analysis: Written<string>, generatedAt: string): string { return `# Report score ${evaluate(crawl).score.value} ${job.host} ${generatedAt}\n\n${analysis.value}`; }
export function findingsFile(_job: JobFacts, crawl: Crawl, _generatedAt: string): string { return JSON.stringify({ findings: evaluate(crawl).findings }); }
export function pagesFile(crawl: Crawl): string { return crawl.pages.map((p) => p.url).join('\n'); }
export function summaryFile(_job: JobFacts, written: Written<string>): string { return written.value; }
export function actionItemsFile(_job: JobFacts, items: readonly ActionItem[]): string { return items.map((i) => i.title).join('\n'); }
export type { Finding };
