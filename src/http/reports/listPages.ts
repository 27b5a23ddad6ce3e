/** Lists the pages of an audit: filtered, searched, sorted, with a count for each filter choice, one page at a time. */
import type { ReportPage } from '../../domain/report/reportRows.ts';
import { CONTENT_ROLES } from '../../model/pages.ts';
import {
  PAGE_FACETS,
  type PageFacet,
  type PageSort,
  type PagesFileQuery,
  type PagesQuery,
  type PagesResponse,
  type PageView,
} from '../contract/pages.ts';
import { isInFolder } from './folders.ts';
import { columnsIn, readOffset, writeOffset } from './offsetCursor.ts';
import type { OpenReport } from './openReport.ts';
import { issuesOfPages } from './pageIssues.ts';
import type { PageTable } from './pageTable.ts';

const LIMIT = 100;
/** Values of one filter that are counted in an answer: a site may have thousands of templates. */
const MOST_VALUES = 50;

export type PagesOf = {
  readonly jobId: string;
  /** Whether one of the findings on a page is part of an action item that its reader may see. */
  readonly hasTask: (page: ReportPage) => boolean;
};

/** @throws HttpError INVALID_CURSOR */
export async function listPages(
  report: Pick<OpenReport, 'overview' | 'preview' | 'findings'>,
  table: PageTable,
  query: PagesQuery,
  { jobId, hasTask }: PagesOf,
): Promise<Pick<PagesResponse, 'data' | 'cursor'>> {
  const { cursor, limit = LIMIT, columns, issues, ...asked } = query;
  const list = ['pages', jobId, report.preview !== null, asked] as const;
  const from = readOffset(list, cursor);
  const { chosen, counts, facets } = chosenPages(table, asked, hasTask);
  const pages = [...chosen.subarray(from, from + limit)].flatMap((row) => table.rows[row] ?? []);
  return {
    data: {
      pages: pages.map((page) => columnsIn<PageView>(pageView(page), columns)),
      issues: issues === undefined ? null : await issuesOfPages(report, pages),
      total: chosen.length,
      counts,
      facets,
    },
    cursor: from + limit < chosen.length ? writeOffset(list, from + limit) : null,
  };
}

/** Rows that the query finds, in its order, with the counts of all filters. */
export function chosenPages(
  table: PageTable,
  query: PagesFileQuery,
  hasTask: PagesOf['hasTask'],
): Pick<PagesResponse['data'], 'counts' | 'facets'> & { readonly chosen: Uint32Array } {
  const { shows, counts, facets } = filtered(table, query, hasTask);
  return { chosen: inOrder(table, query).filter((row) => shows[row] === 1), counts, facets };
}

export function pageView({ rows: _, ...page }: ReportPage): PageView {
  return {
    role: null,
    indexability: null,
    template: null,
    inlinks: null,
    outlinks: null,
    externalLinks: null,
    pageRank: null,
    descriptionLength: null,
    h1s: null,
    lang: null,
    imagesWithoutAlt: null,
    ...page,
    dataTypes: page.dataTypes === undefined ? null : [...page.dataTypes],
  };
}

const SHOWN: Readonly<Record<NonNullable<PagesQuery['show']>, (page: ReportPage) => boolean>> = {
  all: () => true,
  // An address that redirects is no page.
  content: ({ role, indexability }) =>
    role !== undefined && CONTENT_ROLES.has(role) && (role === 'start' || indexability !== 'redirect'),
  findings: (page) => page.findings > 0,
  high: (page) => page.highImpact > 0,
  problems: (page) => page.status === null || page.status >= 400,
  closed: (page) => page.indexable === false,
};

const YES = ['yes'];
const NO = ['no'];

type Filtered = Pick<PagesResponse['data'], 'counts' | 'facets'> & { readonly shows: Uint8Array };

/** One pass: a filter counts the pages that pass all others. */
function filtered({ rows, values, texts }: PageTable, query: PagesFileQuery, hasTask: PagesOf['hasTask']): Filtered {
  const shows = new Uint8Array(rows.length);
  const counts = { all: 0, content: 0, findings: 0, high: 0, problems: 0, closed: 0 };
  const tallies = new Map(PAGE_FACETS.map((facet) => [facet, new Map<string, number>()]));
  const { folder } = query;
  const search = query.search?.trim().toLowerCase() ?? '';
  const asked = PAGE_FACETS.filter((facet) => query[facet] !== undefined);
  const shown = SHOWN[query.show ?? 'all'];
  for (const [row, page] of rows.entries()) {
    const valuesOf = (facet: PageFacet): readonly string[] =>
      facet === 'task' ? (hasTask(page) ? YES : NO) : (values[facet][row] ?? []);
    if (search !== '' && !texts[row]?.includes(search)) continue;
    if (folder !== undefined && !isInFolder(page.url, folder)) continue;
    const failing = asked.filter((facet) => !valuesOf(facet).includes(query[facet] ?? ''));
    if (failing.length > 1) continue;
    const isShown = shown(page);
    if (failing.length === 0) {
      if (isShown) shows[row] = 1;
      for (const show of Object.keys(counts) as (keyof typeof counts)[]) if (SHOWN[show](page)) counts[show] += 1;
    }
    if (!isShown) continue;
    for (const facet of failing.length === 1 ? failing : PAGE_FACETS) {
      const tally = tallies.get(facet);
      for (const value of valuesOf(facet)) tally?.set(value, (tally.get(value) ?? 0) + 1);
    }
  }
  const facets = Object.fromEntries(
    [...tallies].map(([facet, tally]) => [
      facet,
      [...tally]
        .map(([value, pages]) => ({ value, pages }))
        .sort((a, b) => b.pages - a.pages)
        .slice(0, MOST_VALUES),
    ]),
  ) as Record<PageFacet, { value: string; pages: number }[]>;
  return { shows, counts, facets };
}

/** Rows without a value are last in either direction. */
function inOrder(
  table: PageTable,
  {
    sort = 'findings',
    order = sort === 'findings' ? 'desc' : 'asc',
  }: { readonly sort?: PageSort | undefined; readonly order?: PagesQuery['order'] },
): Uint32Array {
  const { order: rows, known } = table.orderBy(sort);
  if (order === 'asc') return rows;
  const turned = rows.slice();
  turned.subarray(0, known).reverse();
  return turned;
}
