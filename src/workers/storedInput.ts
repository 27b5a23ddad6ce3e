/** The analyst's input rebuilt from a stored `findings.json`: the same as during the job, without the crawl. */
import { CHECKS } from '../audit/checks/index.ts';
import type { FindingsDocument } from '../audit/report/findingsFormat.ts';
import type { AnalystInput } from '../integrations/analyst/analyst.ts';
import { passedTitles } from './evaluation.ts';

const SCOPES = new Map(CHECKS.map((check) => [check.id, check.scope]));

export function storedInput(document: FindingsDocument): AnalystInput {
  const { host, url, findings, outcomes, score, notJudged = null, coverage, pages } = document;
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.checkId, outcome]));
  const pagesAudited = pages.filter((page) => page.audited).length;
  return {
    host,
    url,
    score: score?.value ?? null,
    notJudged,
    limits: (score?.limits ?? []).map(({ cap, reason, checkIds = [] }) => ({ cap, reason, checkIds })),
    points: score?.deductions ?? [],
    pagesAudited,
    coverage: coverage.text,
    findings,
    checks: document.checks.map((check) => {
      const { looked: seen = 0, failed = 0 } = outcomeOf.get(check.id) ?? {};
      const scope = SCOPES.get(check.id);
      return {
        ...check,
        looked: scope === 'site' ? null : seen,
        failed,
        ...(scope === 'answer' ? { of: 'addresses' as const } : {}),
      };
    }),
    passed: passedTitles(outcomes),
  };
}
