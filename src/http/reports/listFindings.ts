/** Lists issues and findings: filtered, sorted, with a count for each filter choice, one page at a time. */
import type { ReportCause, ReportPage } from '../../domain/report/reportRows.ts';
import { isOptional } from '../../model/actions.ts';
import type { Finding } from '../../model/findings.ts';
import type { BoardItem } from '../../projections/boards.ts';
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
import { type OpenReport, openUrls } from './openReport.ts';

const LIMIT = 100;

/** An issue with the rows that pass the filter; null for all of them. */
type Shown = { readonly cause: ReportCause; readonly rows: readonly number[] | null };

/** `items`: the action items that its reader may see. */
export async function listCauses(
  report: OpenReport,
  query: CausesQuery,
  items: readonly BoardItem[],
): Promise<CausesResponse['data']> {
  const { overview, preview } = report;
  const there = await causesAt(report, query);
  const chosen = sorted(there.filter(matching(query)), query.sort);
  const tasks = await tasksBy(report, chosen, items);
  const views = chosen.map(({ cause }) => causeView(cause, tasks.get(cause) ?? null));
  const causes = chosen.some(({ rows }) => rows !== null) ? await onSomePages(report, query, chosen, views) : views;
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
  const there = (await causesAt(report, query))
    .filter(({ cause }) => query.cause === undefined || cause.check.id === query.cause)
    .flatMap((shown) => (query.check === undefined ? [shown] : ofCheck(shown, query.check)));
  const chosen = sorted(there.filter(matching(query)), query.sort);
  const { columns: _, limit: __, cursor: ___, ...asked } = query;
  const list = ['findings', jobId, report.preview !== null, asked] as const;
  const from = readOffset(list, query.cursor);
  const limit = query.limit ?? LIMIT;
  const total = chosen.reduce((sum, shown) => sum + rowsIn(shown), 0);
  const titles = new Map(
    report.overview.causes.flatMap(({ check, joined = [] }) => [
      [check.id, check.title] as const,
      ...joined.map(({ checkId, title }) => [checkId, title] as const),
    ]),
  );
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

async function causesAt(report: OpenReport, query: CausesQuery): Promise<readonly Shown[]> {
  const { page, template, root, search = '' } = query;
  const wanted = search.trim().toLowerCase();
  const causes = report.overview.causes.filter(
    (cause) =>
      (root === undefined || rootsOf(cause).some((each) => rootValue(each) === root)) &&
      (wanted === '' || titlesOf(cause).some((title) => title.toLowerCase().includes(wanted))),
  );
  if (page === undefined && template === undefined) return causes.map((cause) => ({ cause, rows: null }));
  const numbers = await report.foundAt(await pagesAsked(report, { page, template }));
  return causes
    .map((cause) => ({
      cause,
      rows: numbers.filter((number) => number >= cause.from && number < cause.from + cause.findings),
    }))
    .filter(({ rows }) => rows.length > 0);
}

async function pagesAsked(
  report: OpenReport,
  { page, template }: Pick<CausesQuery, 'page' | 'template'>,
): Promise<ReadonlySet<string>> {
  if (template === undefined) return new Set(page === undefined ? [] : [page]);
  const { rows } = await report.pageTable();
  const pages = rows.filter((row) => row.template === template && (page === undefined || row.url === page));
  return new Set(pages.map(({ url }) => url));
}

const titlesOf = (cause: ReportCause): readonly string[] => [
  titleOf(cause),
  ...(cause.joined ?? []).map(({ title }) => title),
];

const rootsOf = ({ roots = [] }: ReportCause): NonNullable<ReportCause['roots']> => roots;
const rootValue = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind} ${name}`;

/** Of an issue, only the rows of one check; nothing if it has none. */
function ofCheck({ cause, rows }: Shown, checkId: string): readonly Shown[] {
  const { joined = [] } = cause;
  const parts = [
    { checkId: cause.check.id, findings: cause.findings - joined.reduce((sum, { findings }) => sum + findings, 0) },
    ...joined,
  ];
  let from = cause.from;
  for (const part of parts) {
    const end = from + part.findings;
    if (part.checkId === checkId) {
      const own = (rows ?? [...Array(cause.findings).keys()].map((at) => cause.from + at)).filter(
        (row) => row >= from && row < end,
      );
      return own.length === 0 ? [] : [{ cause, rows: own }];
    }
    from = end;
  }
  return [];
}

/** The action item of each issue: that of its check, or the one that its first finding is part of. */
async function tasksBy(
  report: OpenReport,
  shown: readonly Shown[],
  items: readonly BoardItem[],
): Promise<ReadonlyMap<ReportCause, BoardItem>> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byFinding = new Map(items.flatMap((item) => item.findingIds.map((id) => [id, item] as const)));
  const rest = items.length === 0 ? [] : shown.filter(({ cause }) => !byId.has(cause.check.id));
  // Audits of earlier versions name no first finding.
  const nameless = rest.filter(({ cause }) => cause.first.id === undefined);
  const read = await report.findings(nameless.map(({ cause }) => cause.from));
  const ids = new Map(nameless.map(({ cause }, at) => [cause, read[at]?.id]));
  const own = shown.map(({ cause }) => [cause, byId.get(cause.check.id)] as const);
  const merged = rest.map(({ cause }) => [cause, byFinding.get(cause.first.id ?? ids.get(cause) ?? '')] as const);
  return new Map([...own, ...merged].flatMap(([cause, item]) => (item ? [[cause, item] as const] : [])));
}

/** Whether one of the findings on a page is part of one of these action items. */
export async function taskPages(
  report: OpenReport,
  items: readonly BoardItem[],
): Promise<(page: ReportPage) => boolean> {
  const { causes } = report.overview;
  if (report.preview !== null) {
    // It shows what its items fix, and numbers these findings in its own way.
    const urls = await openUrls(report);
    return ({ url }) => urls.has(url);
  }
  const tasks = await tasksBy(
    report,
    causes.map((cause) => ({ cause, rows: null })),
    items,
  );
  const end = causes.at(-1);
  const isTasked = new Uint8Array(end === undefined ? 0 : end.from + end.findings);
  for (const { from, findings } of tasks.keys()) isTasked.fill(1, from, from + findings);
  return ({ rows }) => rows.some((row) => isTasked[row] === 1);
}

const rowsIn = ({ cause, rows }: Shown): number => rows?.length ?? cause.findings;

const impactOf = ({ impact, hint }: ReportCause): 'high' | 'medium' | 'low' | 'hint' => (hint ? 'hint' : impact);

function matching({ category, impact }: CausesQuery): (shown: Shown) => boolean {
  return ({ cause }) =>
    (category === undefined || cause.check.category === category) &&
    (impact === undefined || impactOf(cause) === impact);
}

const titleOf = ({ title, check }: ReportCause): string => title ?? check.title;
const minutesOf = ({ minutes, check }: ReportCause): number => minutes ?? check.minutes;

/** Equal ones stay in the order they are stored in, which is by rank. */
const ORDERS: Readonly<Record<NonNullable<CausesQuery['sort']>, (a: ReportCause, b: ReportCause) => number>> = {
  impact: () => 0,
  points: (a, b) => b.points - a.points,
  pages: (a, b) => b.pages - a.pages,
  minutes: (a, b) => minutesOf(a) - minutesOf(b),
  title: (a, b) => titleOf(a).localeCompare(titleOf(b), 'en'),
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

/** The issues as far as they concern some of the pages. */
async function onSomePages(
  report: OpenReport,
  { page }: CausesQuery,
  shown: readonly Shown[],
  views: readonly CauseView[],
): Promise<CauseView[]> {
  const firsts = await report.findings(shown.flatMap(({ rows }) => rows?.[0] ?? []));
  const pageOf = page === undefined ? await pagesByFinding(report) : () => page;
  return views.map((view, index) => {
    const { url = '', value = '' } = firsts[index]?.evidence ?? {};
    const each = shown[index] as Shown;
    const pages = new Set(each.rows?.map(pageOf)).size;
    return { ...view, findings: rowsIn(each), pages, omitted: 0, first: { url, value } };
  });
}

/** The page of a finding by its row. A preview has few findings, which it numbers itself. */
async function pagesByFinding(report: OpenReport): Promise<(row: number) => string | number> {
  if (report.preview !== null) {
    const findings = await report.findings([...Array(report.preview.shown).keys()]);
    return (row) => findings[row]?.evidence.url ?? '';
  }
  const { rows } = await report.pageTable();
  const pageOf = new Map(rows.flatMap((page, number) => page.rows.map((row) => [row, number] as const)));
  return (row) => pageOf.get(row) ?? -1;
}

function causeView(cause: ReportCause, item: BoardItem | null): CauseView {
  const { impact, hint, wholeSite, points, roots, joined, findings, pages, omitted, first } = cause;
  const { id, ...facts } = cause.check;
  return {
    checkId: id,
    ...facts,
    title: titleOf(cause),
    steps: [...(cause.steps ?? facts.steps)],
    minutes: minutesOf(cause),
    impact,
    optional: hint,
    hint,
    wholeSite,
    points,
    roots: roots === undefined ? null : [...roots],
    joined: [...(joined ?? [])],
    findings,
    pages,
    omitted,
    first: { url: first.url, value: first.value },
    task: item && { id: item.id, status: item.status, optional: isOptional(item) },
  };
}

function findingView({ evidence, ...finding }: Finding, titles: ReadonlyMap<string, string>): FindingView {
  const { id, checkId, category, impact, hint, message, code, edit = null } = finding;
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
    edit,
  };
}
