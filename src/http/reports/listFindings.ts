/** Lists issues and findings: filtered, sorted, with a count for each filter choice, one page at a time. */
import { byWeight } from '../../domain/report/reportData.ts';
import type { ReportCause } from '../../domain/report/reportRows.ts';
import type { Finding } from '../../model/findings.ts';
import type {
  CausesQuery,
  CausesResponse,
  CauseView,
  FilterCounts,
  FindingsQuery,
  FindingsResponse,
  FindingView,
} from '../contract/findings.ts';
import { columnsIn, readOffset, writeOffset } from './offsetCursor.ts';
import type { OpenReport } from './openReport.ts';

const LIMIT = 100;

/** An issue with the rows that pass the filter; null for all of them. */
type Shown = { readonly cause: ReportCause; readonly rows: readonly number[] | null };

export async function listCauses(report: OpenReport, query: CausesQuery): Promise<CausesResponse['data']> {
  const { overview, preview } = report;
  const there = await causesAt(report, query.page);
  const chosen = sorted(there.filter(matching(query)), query.sort);
  const causes = query.page === undefined ? chosen.map(({ cause }) => causeView(cause)) : await onePage(report, chosen);
  const open = new Set(overview.causes.map(({ check }) => check.id));
  return {
    score: overview.score && {
      value: overview.score.value,
      ...(overview.score.formula === undefined ? {} : { formula: overview.score.formula }),
      foundations: overview.score.foundations ?? null,
      categories: [...overview.score.categories],
      limits: overview.score.limits.map(({ cap, reason }) => ({ cap, reason })),
      pages: overview.score.pages,
      deductions: overview.score.deductions.map((deduction) => ({ ...deduction, open: open.has(deduction.checkId) })),
    },
    notJudged: overview.notJudged ?? null,
    coverage: overview.coverage,
    causes,
    findings: causes.reduce((sum, cause) => sum + cause.findings, 0),
    counts: countsOf(there, query, () => 1),
    preview,
  };
}

/** @throws HttpError INVALID_CURSOR */
export async function listFindings(
  report: OpenReport,
  query: FindingsQuery,
  jobId: string,
): Promise<Pick<FindingsResponse, 'data' | 'cursor'>> {
  const there = (await causesAt(report, query.page)).filter(
    ({ cause }) => query.check === undefined || cause.check.id === query.check,
  );
  const chosen = sorted(there.filter(matching(query)), query.sort);
  const { category, impact, page, sort, check } = query;
  const list = ['findings', jobId, report.preview !== null, { category, impact, page, sort, check }] as const;
  const from = readOffset(list, query.cursor);
  const limit = query.limit ?? LIMIT;
  const total = chosen.reduce((sum, shown) => sum + rowsIn(shown), 0);
  const titles = new Map(report.overview.causes.map(({ check }) => [check.id, check.title]));
  const findings = await report.findings(numbersIn(chosen, from, limit));
  return {
    data: {
      findings: findings.map((finding) => columnsIn(findingView(finding, titles), query.columns)),
      total,
      counts: countsOf(there, query, rowsIn),
      preview: report.preview,
    },
    cursor: from + limit < total ? writeOffset(list, from + limit) : null,
  };
}

async function causesAt(report: OpenReport, page: string | undefined): Promise<readonly Shown[]> {
  const { causes } = report.overview;
  if (page === undefined) return causes.map((cause) => ({ cause, rows: null }));
  const numbers = await report.foundAt(page);
  return causes
    .map((cause) => ({
      cause,
      rows: numbers.filter((number) => number >= cause.from && number < cause.from + cause.findings),
    }))
    .filter(({ rows }) => rows.length > 0);
}

const rowsIn = ({ cause, rows }: Shown): number => rows?.length ?? cause.findings;

const impactOf = ({ impact, hint }: ReportCause): 'high' | 'medium' | 'low' | 'hint' => (hint ? 'hint' : impact);

function matching({ category, impact }: CausesQuery): (shown: Shown) => boolean {
  return ({ cause }) =>
    (category === undefined || cause.check.category === category) &&
    (impact === undefined || impactOf(cause) === impact);
}

const ORDERS: Readonly<Record<NonNullable<CausesQuery['sort']>, (a: ReportCause, b: ReportCause) => number>> = {
  impact: byWeight,
  points: (a, b) => b.points - a.points || byWeight(a, b),
  pages: (a, b) => b.pages - a.pages || byWeight(a, b),
  minutes: (a, b) => a.check.minutes - b.check.minutes || byWeight(a, b),
  title: (a, b) => a.check.title.localeCompare(b.check.title, 'en') || byWeight(a, b),
};

function sorted(shown: readonly Shown[], sort: CausesQuery['sort'] = 'impact'): readonly Shown[] {
  return [...shown].sort((a, b) => ORDERS[sort](a.cause, b.cause));
}

/** Row numbers from offset `from`, at most `limit`, without listing the earlier ones. */
function numbersIn(shown: readonly Shown[], from: number, limit: number): readonly number[] {
  const numbers: number[] = [];
  let before = 0;
  for (const each of shown) {
    const rows = rowsIn(each);
    for (let at = Math.max(0, from - before); at < rows && numbers.length < limit; at += 1)
      numbers.push(each.rows?.[at] ?? each.cause.from + at);
    before += rows;
    if (numbers.length >= limit) break;
  }
  return numbers;
}

/** Each filter is counted with the other filters applied. */
function countsOf(
  shown: readonly Shown[],
  { category, impact }: CausesQuery,
  weight: (shown: Shown) => number,
): FilterCounts {
  const sum = (filter: CausesQuery): number =>
    shown.filter(matching(filter)).reduce((total, each) => total + weight(each), 0);
  const inCategory = (each: CausesQuery['impact']): number => sum({ category, impact: each });
  const ofImpact = (each: CausesQuery['category']): number => sum({ category: each, impact });
  return {
    impact: {
      all: inCategory(undefined),
      high: inCategory('high'),
      medium: inCategory('medium'),
      low: inCategory('low'),
      hint: inCategory('hint'),
    },
    category: {
      all: ofImpact(undefined),
      technical: ofImpact('technical'),
      content: ofImpact('content'),
      schema: ofImpact('schema'),
      social: ofImpact('social'),
      tools: ofImpact('tools'),
    },
  };
}

/** The issues as far as they concern one page. */
async function onePage(report: OpenReport, shown: readonly Shown[]): Promise<CauseView[]> {
  const firsts = await report.findings(shown.flatMap(({ rows }) => rows?.[0] ?? []));
  return shown.map((each, index) => {
    const { url = '', value = '' } = firsts[index]?.evidence ?? {};
    return { ...causeView(each.cause), findings: rowsIn(each), pages: 1, omitted: 0, first: { url, value } };
  });
}

function causeView({
  check,
  impact,
  hint,
  wholeSite,
  points,
  findings,
  pages,
  omitted,
  first,
}: ReportCause): CauseView {
  const { id, ...facts } = check;
  return { checkId: id, ...facts, impact, optional: hint, hint, wholeSite, points, findings, pages, omitted, first };
}

function findingView({ evidence, ...finding }: Finding, titles: ReadonlyMap<string, string>): FindingView {
  const { id, checkId, category, impact, hint, message, code } = finding;
  const { url, place, value } = evidence;
  return {
    id,
    checkId,
    title: titles.get(checkId) ?? checkId,
    category,
    impact,
    optional: hint,
    hint,
    message,
    url,
    place,
    value,
    code,
  };
}
