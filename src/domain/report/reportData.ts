/**
 * Audit results as rows that can be read a page at a time: an overview with the causes in order, the findings sorted by
 * cause, and the pages. Pure; built by the worker from its results, or from the stored files of audits that have only
 * files.
 */
import { type Finding, IMPACTS, type PageRow } from '../../model/findings.ts';
import { ascending } from '../../model/order.ts';
import type { NotJudgedReason } from '../../model/scores.ts';
import type { ReportCause, ReportOverview, ReportPage } from './reportRows.ts';

type Score = NonNullable<ReportOverview['score']>;
/** Without what the overview adds. */
type Deduction = Omit<Score['deductions'][number], 'title' | 'wholeSite'>;

/** The parts of `findings.json` that the rows are made from. */
export type Found = {
  readonly host: string;
  readonly score: (Omit<Score, 'deductions'> & { readonly deductions: readonly Deduction[] }) | null;
  readonly notJudged?: NotJudgedReason | undefined;
  readonly coverage: { readonly text: string };
  readonly findings: readonly Finding[];
  readonly outcomes: readonly { readonly checkId: string; readonly omitted: number }[];
  readonly checks: readonly ReportCause['check'][];
};

export type Report = {
  readonly overview: Omit<ReportOverview, 'parts'>;
  readonly findings: readonly Finding[];
  readonly pages: readonly ReportPage[];
};

/** `siteChecks`: checks of the site as a whole. Findings of checks that are not among `checks` are left out. */
export function reportOf(found: Found, pages: readonly PageRow[], siteChecks: ReadonlySet<string>): Report {
  const titles = new Map(found.checks.map(({ id, title }) => [id, title]));
  const points = new Map(found.score?.deductions.map((deduction) => [deduction.checkId, deduction.points]));
  const omitted = new Map(found.outcomes.map((outcome) => [outcome.checkId, outcome.omitted]));
  const byCheck = grouped(found.findings, ({ checkId }) => checkId);
  const groups = found.checks
    .flatMap((check) => {
      const findings = byCheck.get(check.id);
      const facts = {
        points: points.get(check.id) ?? 0,
        omitted: omitted.get(check.id) ?? 0,
        wholeSite: siteChecks.has(check.id),
      };
      return findings ? [{ cause: causeOf(check, findings, facts), findings }] : [];
    })
    .sort((a, b) => byWeight(a.cause, b.cause));
  let from = 0;
  const causes = groups.map(({ cause }) => {
    const placed = { ...cause, from };
    from += cause.findings;
    return placed;
  });
  const findings = groups.flatMap((group) => group.findings);
  return {
    overview: withExtents({
      host: found.host,
      score: found.score && {
        ...found.score,
        deductions: found.score.deductions.map((deduction) => ({
          ...deduction,
          title: titles.get(deduction.checkId) ?? deduction.checkId,
          wholeSite: siteChecks.has(deduction.checkId),
        })),
      },
      ...(found.notJudged === undefined ? {} : { notJudged: found.notJudged }),
      coverage: found.coverage.text,
      causes,
      checks: found.outcomes.map(({ checkId }) => checkId),
    }),
    findings,
    pages: withRows(pages, findings),
  };
}

/**
 * Some checks of the site count pages, such as those with duplicate titles: `wholeSite` holds only where the site
 * itself is what counts (a base of 1). Also applied when rows are read, because earlier versions stored the scope of
 * the check.
 */
export function withExtents<O extends Pick<ReportOverview, 'score' | 'causes'>>(overview: O): O {
  const { score, causes } = overview;
  const deductions = score?.deductions.map((each) => ({
    ...each,
    wholeSite: each.wholeSite && (each.base ?? each.looked) === 1,
  }));
  const scored = new Map(deductions?.map(({ checkId, wholeSite }) => [checkId, wholeSite]));
  return {
    ...overview,
    score: score && { ...score, deductions },
    // Hints have no deduction.
    causes: causes.map((cause) => ({
      ...cause,
      wholeSite: cause.wholeSite && (scored.get(cause.check.id) ?? cause.pages === 1),
    })),
  };
}

type Facts = Pick<ReportCause, 'points' | 'omitted' | 'wholeSite'>;

function causeOf(check: ReportCause['check'], findings: readonly Finding[], facts: Facts): ReportCause {
  const { id, title, category, difficulty, minutes, timeToResult, businessValue, why, fix, codeExample, source } =
    check;
  const texts = { title, businessValue, why, fix, codeExample, source };
  const hint = findings.every((finding) => finding.hint);
  const counting = hint ? findings : findings.filter((finding) => !finding.hint);
  const { url = '', value = '' } = findings[0]?.evidence ?? {};
  return {
    check: { id, category, difficulty, minutes, timeToResult, ...texts },
    impact: IMPACTS.find((each) => counting.some((finding) => finding.impact === each)) ?? 'low',
    hint,
    ...facts,
    from: 0,
    findings: findings.length,
    pages: new Set(findings.map((finding) => finding.evidence.url)).size,
    first: { url, value },
  };
}

/** Worst impact first, then by points lost; hints last. */
export function byWeight(a: ReportCause, b: ReportCause): number {
  return (
    Number(a.hint) - Number(b.hint) ||
    IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact) ||
    b.points - a.points ||
    b.pages - a.pages ||
    ascending(a.check.id, b.check.id)
  );
}

function withRows(pages: readonly PageRow[], findings: readonly Finding[]): readonly ReportPage[] {
  const rows = grouped([...findings.keys()], (row) => findings[row]?.evidence.url ?? '');
  return pages.map((page) => ({ ...page, rows: rows.get(page.url) ?? [] }));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** The rows in parts of at most `maxBytes` of JSON, one after another; a larger row gets its own part. */
export function* splitRows<Row>(rows: readonly Row[], maxBytes: number): Generator<readonly Row[], void, void> {
  const encoder = new TextEncoder();
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (bytes + size > maxBytes && part.length > 0) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
