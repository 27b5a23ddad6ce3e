/**
 * From a crawl to the output of the steps: findings, score, the analyst's input, and the job's files. Computed once per
 * crawl.
 */
import { type Assess, type Assessment, type AssessRun, assess as assessHere } from '../audit/assessment.ts';
import type { CheckOutcome } from '../audit/checks/check.ts';
import { CHECKS } from '../audit/checks/index.ts';
import type { ChecksResult } from '../audit/checks/runChecks.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import type { Judgment } from '../audit/judgment.ts';
import { coverageText } from '../audit/report/coverage.ts';
import { withExtent } from '../audit/report/siteChecks.ts';
import type { Score } from '../audit/score.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { AnalystInput } from '../integrations/analyst/analyst.ts';
import type { NotJudgedReason } from '../model/scores.ts';
import { tooCostly } from './failureTexts.ts';
import { SiteTooCostly } from './judging/judgePool.ts';

export type Evaluation = Assessment & { readonly pagesAudited: number };

/** `assess`: where the site is judged; default: here, in slices. */
export type EvaluationRun = AssessRun & { readonly assess?: Assess };

const evaluations = new WeakMap<Crawl, Promise<Evaluation>>();

/** `run`: the clock, the abort signal, and the limits. */
export function evaluate(crawl: Crawl, run: EvaluationRun): Promise<Evaluation> {
  const known = evaluations.get(crawl) ?? evaluateOnce(crawl, run);
  evaluations.set(crawl, known);
  // Aborted work must not be reused as a result.
  known.catch(() => evaluations.delete(crawl));
  return known;
}

async function evaluateOnce(crawl: Crawl, { assess = assessHere, ...run }: EvaluationRun): Promise<Evaluation> {
  try {
    return { ...(await assess(crawl, run)), pagesAudited: pagesIn(crawl) };
  } catch (error) {
    throw error instanceof SiteTooCostly ? tooCostly() : error;
  }
}

function pagesIn(crawl: Crawl): number {
  return crawl.pages.filter((page) => page.facts !== null).length;
}

const RANK = { high: 0, medium: 1, low: 2 } as const;

/** Ordered by weight, alternating between subjects, since readers see the start of the list. */
export function passedTitles(outcomes: readonly CheckOutcome[]): readonly string[] {
  const passed = new Map(
    outcomes.filter((outcome) => outcome.state === 'passed').map((outcome) => [outcome.checkId, outcome.looked]),
  );
  const before = new Map<string, number>();
  return CHECKS.filter((check) => !check.hint && passed.has(check.id))
    .sort((a, b) => RANK[a.impact] - RANK[b.impact] || (passed.get(b.id) ?? 0) - (passed.get(a.id) ?? 0))
    .map((check) => {
      const round = before.get(check.group) ?? 0;
      before.set(check.group, round + 1);
      return { check, round };
    })
    .sort((a, b) => RANK[a.check.impact] - RANK[b.check.impact] || a.round - b.round)
    .map(({ check }) => check.title);
}

export async function analystInput(job: JobFacts, crawl: Crawl, run: EvaluationRun): Promise<AnalystInput> {
  return analystInputOf(job, crawl, await evaluate(crawl, run));
}

/**
 * The data available to the analyst: findings with their evidence, the catalog's texts on their causes, and passed
 * checks.
 */
export function analystInputOf(
  site: Pick<JobFacts, 'host' | 'url'>,
  crawl: Crawl,
  {
    findings,
    outcomes,
    score,
    notJudged = null,
  }: Omit<Judgment, 'shut' | 'notJudged'> & Partial<Pick<Judgment, 'notJudged'>>,
): AnalystInput {
  const named = new Set(findings.map((finding) => finding.checkId));
  return {
    host: site.host,
    url: site.url,
    score: score?.value ?? null,
    notJudged,
    limits: score?.limits ?? [],
    points: score?.deductions ?? [],
    pagesAudited: pagesIn(crawl),
    settings: crawl.coverage.settings,
    coverage: coverageText(crawl),
    findings,
    checks: withExtent(
      CHECKS.filter((check) => named.has(check.id)),
      outcomes,
    ),
    passed: passedTitles(outcomes),
  };
}

export type Subject = ChecksResult & {
  readonly url: string;
  readonly host: string;
  readonly generatedAt: string;
  readonly score: Score | null;
  readonly notJudged: NotJudgedReason | null;
  readonly crawl: Crawl;
  readonly checks: typeof CHECKS;
};

/** The input for the report's files. */
export async function subject(
  { host }: JobFacts,
  crawl: Crawl,
  generatedAt: string,
  run: EvaluationRun,
): Promise<Subject> {
  const { findings, outcomes, score, notJudged } = await evaluate(crawl, run);
  // The start URL of the crawl: the guessed scheme may differ.
  const url = crawl.discovery.startUrl;
  return { url, host, generatedAt, score, notJudged, crawl, findings, outcomes, checks: CHECKS };
}
