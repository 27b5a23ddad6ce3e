/**
 * The report of a preview. Paid content is removed from the data, and the report is then written from the rest: each
 * issue with its pages and why it matters; fixes and code only for the unlocked causes. Its analysis is the built-in
 * analyst's, since a model's text cannot be cut reliably.
 */
import { CHECKS } from '../audit/checks/index.ts';
import { countLines, settingsLines } from '../audit/report/coverage.ts';
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import { codeSpan } from '../audit/report/markdown.ts';
import { reportText } from '../audit/report/reportMarkdown.ts';
import type { Analyst } from '../integrations/analyst/analyst.ts';
import { FIRST_FORMULA } from '../model/scores.ts';
import { storedInput } from './storedInput.ts';

const LOCKED = 'Part of the full report.';

/** `findings`: the stored file; `open`: ids of the findings whose fix may be shown. Null if the file cannot be read. */
export type PreviewReport = (findings: string, open: ReadonlySet<string>) => Promise<string | null>;

/** @param analyst the built-in one: its output contains nothing that is not in its input */
export function createPreviewReport(analyst: Pick<Analyst, 'analyse'>): PreviewReport {
  return async (findings, open) => {
    const stored = readable(findings);
    if (stored === null) return null;
    const openChecks = new Set(stored.findings.filter(({ id }) => open.has(id)).map(({ checkId }) => checkId));
    const document = withoutFixes(stored, openChecks);
    const locked = <Check extends { readonly id: string }>(checks: readonly Check[]) =>
      checks.map((check) => ({ ...check, locked: !openChecks.has(check.id) }));
    const input = storedInput(document);
    const { value, by } = await analyst.analyse({ ...input, checks: locked(input.checks) });
    const { url, host, generatedAt, outcomes, coverage } = document;
    const named = new Set(document.checks.map(({ id }) => id));
    return reportText({
      url,
      host,
      generatedAt,
      findings: document.findings,
      outcomes,
      score: scoreOf(document),
      notJudged: document.notJudged ?? null,
      settings: coverage.settings,
      coverage: [coverage.text, ...settingsLines(coverage.settings, codeSpan), ...countLines(coverage.pages)],
      checks: [...locked(document.checks), ...CHECKS.filter(({ id }) => !named.has(id))],
      analysis: { text: value, by },
    });
  };
}

function readable(findings: string): FindingsDocument | null {
  try {
    return parseFindings(findings);
  } catch {
    return null;
  }
}

function withoutFixes(document: FindingsDocument, openChecks: ReadonlySet<string>): FindingsDocument {
  return {
    ...document,
    findings: document.findings.map((finding) =>
      openChecks.has(finding.checkId) ? finding : { ...finding, code: null },
    ),
    checks: document.checks.map((check) =>
      openChecks.has(check.id) ? check : { ...check, steps: [LOCKED], example: null },
    ),
  };
}

function scoreOf({ score }: FindingsDocument): Parameters<typeof reportText>[0]['score'] {
  if (score === null) return null;
  return {
    ...score,
    deductions: score.deductions.map((deduction) => ({
      ...deduction,
      weight: deduction.weight ?? 0,
      base: deduction.base ?? deduction.looked,
    })),
    formula: score.formula ?? FIRST_FORMULA,
    limits: score.limits.map((limit) => ({ ...limit, checkIds: limit.checkIds ?? [] })),
    foundations: score.foundations ?? null,
  };
}
