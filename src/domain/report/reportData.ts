/**
 * Audit results as rows that can be read a page at a time: an overview with the issues in order, the findings sorted by
 * issue, and the pages. Pure; built by the worker from its results, or from the stored files of audits that have only
 * files.
 */
import type { Finding } from '../../model/findings.ts';
import { findingsOf, gatherIssues, type Issue, omittedOf } from '../../model/issues/issues.ts';
import { MOST_ROOTS } from '../../model/issues/roots.ts';
import type { PageRow } from '../../model/pages.ts';
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
  readonly overview: Omit<ReportOverview, 'parts' | 'records'>;
  readonly findings: readonly Finding[];
  readonly pages: readonly ReportPage[];
};

/** `siteChecks`: checks of the site as a whole. Findings of checks that are not among `checks` are left out. */
export function reportOf(found: Found, pages: readonly PageRow[], siteChecks: ReadonlySet<string>): Report {
  const titles = new Map(found.checks.map(({ id, title }) => [id, title]));
  const issues = gatherIssues({
    pagesAudited: found.score?.pages ?? 0,
    findings: found.findings,
    checks: found.checks.map((check) => ({ ...check, ...(siteChecks.has(check.id) ? { of: 'site' as const } : {}) })),
    limits: found.score?.limits ?? [],
    points: found.score?.deductions ?? [],
  });
  let from = 0;
  const causes = issues.map((issue) => {
    const cause = causeOf(issue, from, omittedOf(issue, found.outcomes));
    from += cause.findings;
    return cause;
  });
  const findings = issues.flatMap(findingsOf);
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
    causes: causes.map((cause) =>
      cause.minutes === undefined
        ? // Hints have no deduction.
          { ...cause, wholeSite: cause.wholeSite && (scored.get(cause.check.id) ?? cause.pages === 1) }
        : cause,
    ),
  };
}

function causeOf(issue: Issue<ReportCause['check']>, from: number, omitted: number): ReportCause {
  const { check, joined, roots, findings } = issue;
  const { id, category, difficulty, minutes, timeToResult, risk, gain, steps, example, source } = check;
  const texts = { title: check.title, risk, gain, steps, example, source };
  const [first] = findings;
  const { url = '', value = '' } = first?.evidence ?? {};
  return {
    check: { id, category, difficulty, minutes, timeToResult, ...texts },
    ...(issue.title === check.title ? {} : { title: issue.title }),
    ...(issue.steps === check.steps ? {} : { steps: issue.steps }),
    impact: issue.impact,
    hint: issue.hint,
    wholeSite: issue.wholeSite,
    points: issue.points,
    minutes: issue.minutes,
    ...(roots === null ? {} : { roots: roots.slice(0, MOST_ROOTS) }),
    from,
    findings: findingsOf(issue).length,
    ...(joined.length === 0
      ? {}
      : {
          joined: joined.map((other) => ({
            checkId: other.check.id,
            title: other.check.title,
            findings: other.findings.length,
          })),
        }),
    pages: issue.pages.length,
    omitted,
    first: { url, value, ...(first === undefined ? {} : { id: first.id }) },
  };
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
