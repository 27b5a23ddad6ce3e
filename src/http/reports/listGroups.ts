/** Issues grouped by where they are: by page, by template, or by what one edit fixes. */
import type { ReportCause } from '../../domain/report/reportRows.ts';
import { IMPACTS } from '../../model/findings.ts';
import { ascending } from '../../model/order.ts';
import type { GroupsQuery, GroupsResponse, GroupView } from '../contract/findings.ts';
import { readOffset, writeOffset } from './offsetCursor.ts';
import type { OpenReport } from './openReport.ts';
import { rowsByPage } from './pageIssues.ts';

const LIMIT = 100;
const BY_IMPACT = [...IMPACTS, 'hint'] as const;
type GroupImpact = (typeof BY_IMPACT)[number];

const impactOf = ({ impact, hint }: ReportCause): GroupImpact => (hint ? 'hint' : impact);
const worst = (a: GroupImpact, b: GroupImpact): GroupImpact => (BY_IMPACT.indexOf(a) <= BY_IMPACT.indexOf(b) ? a : b);

type Group = { findings: number | null; pages: number; impact: GroupImpact; readonly causes: Set<ReportCause> };

/** @throws HttpError INVALID_CURSOR */
export async function listGroups(
  report: OpenReport,
  query: GroupsQuery,
  jobId: string,
): Promise<Pick<GroupsResponse, 'data' | 'cursor'>> {
  const { cursor, limit = LIMIT, ...asked } = query;
  const list = ['groups', jobId, report.preview !== null, asked] as const;
  const from = readOffset(list, cursor);
  const causes = report.overview.causes.filter(
    (cause) =>
      (query.category === undefined || cause.check.category === query.category) &&
      (query.impact === undefined || impactOf(cause) === query.impact),
  );
  const search = query.search?.trim().toLowerCase() ?? '';
  const groups = query.by === 'root' ? byRoot(causes) : await byPlace(report, causes, query.by ?? 'template');
  const views = [...groups]
    .filter(([value]) => search === '' || value.toLowerCase().includes(search))
    .map(([value, { causes: own, ...group }]): GroupView => ({ value, issues: own.size, ...group }))
    .sort(
      (a, b) =>
        BY_IMPACT.indexOf(a.impact) - BY_IMPACT.indexOf(b.impact) ||
        b.issues - a.issues ||
        b.pages - a.pages ||
        ascending(a.value, b.value),
    );
  return {
    data: { groups: views.slice(from, from + limit), total: views.length },
    cursor: from + limit < views.length ? writeOffset(list, from + limit) : null,
  };
}

function byRoot(causes: readonly ReportCause[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const cause of causes) {
    for (const { kind, name, pages } of cause.roots ?? []) {
      const group = added(groups, `${kind} ${name}`, cause);
      group.findings = null;
      group.pages = Math.max(group.pages, pages);
    }
  }
  return groups;
}

function added(groups: Map<string, Group>, value: string, cause: ReportCause): Group {
  let group = groups.get(value);
  if (group === undefined) {
    group = { findings: 0, pages: 0, impact: impactOf(cause), causes: new Set() };
    groups.set(value, group);
  }
  group.causes.add(cause);
  group.impact = worst(group.impact, impactOf(cause));
  return group;
}

/** Pages without a known template, as in audits of earlier versions, are in no group by template. */
async function byPlace(
  report: OpenReport,
  causes: readonly ReportCause[],
  by: 'page' | 'template',
): Promise<ReadonlyMap<string, Group>> {
  const { rows } = await report.pageTable();
  const causeOf: (ReportCause | undefined)[] = [];
  for (const cause of causes) for (let row = 0; row < cause.findings; row += 1) causeOf[cause.from + row] = cause;
  const own = await rowsByPage(report);
  const groups = new Map<string, Group>();
  for (const page of rows) {
    const value = by === 'page' ? page.url : page.template;
    if (value === undefined) continue;
    const seen = new Set<Group>();
    for (const row of own?.get(page.url) ?? (own === null ? page.rows : [])) {
      const cause = causeOf[row];
      if (cause === undefined) continue;
      const group = added(groups, value, cause);
      group.findings = (group.findings ?? 0) + 1;
      if (!seen.has(group)) group.pages += 1;
      seen.add(group);
    }
  }
  return groups;
}
