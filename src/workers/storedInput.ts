/** The analyst's input rebuilt from a stored `findings.json`: the same as during the job, without the crawl. */
import type { FindingsDocument } from '../audit/report/findingsFormat.ts';
import { withExtent } from '../audit/report/siteChecks.ts';
import type { AnalystInput } from '../integrations/analyst/analyst.ts';
import { passedTitles } from './evaluation.ts';

export function storedInput(document: FindingsDocument): AnalystInput {
  const { host, url, findings, outcomes, score, notJudged = null, coverage, pages } = document;
  const pagesAudited = pages.filter((page) => page.audited).length;
  return {
    host,
    url,
    score: score?.value ?? null,
    notJudged,
    limits: (score?.limits ?? []).map(({ cap, reason, checkIds = [] }) => ({ cap, reason, checkIds })),
    points: score?.deductions ?? [],
    pagesAudited,
    settings: coverage.settings,
    coverage: coverage.text,
    findings,
    checks: withExtent(document.checks, outcomes),
    passed: passedTitles(outcomes),
  };
}
