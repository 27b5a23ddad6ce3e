/** Lists the pages of an audit. There are a few thousand at most, so all are read, then filtered and sorted. */
import type { ReportPage } from '../../domain/report/reportRows.ts';
import { ascending } from '../../model/order.ts';
import type { PagesQuery, PagesResponse, PageView } from '../contract/pages.ts';
import { columnsIn, readOffset, writeOffset } from './offsetCursor.ts';
import type { OpenReport } from './openReport.ts';

const LIMIT = 100;

/** @throws HttpError INVALID_CURSOR */
export async function listPages(
  report: Pick<OpenReport, 'pages' | 'preview'>,
  query: PagesQuery,
  jobId: string,
): Promise<Pick<PagesResponse, 'data' | 'cursor'>> {
  const all = await report.pages();
  const chosen = all.filter(FILTERS[query.show ?? 'all']).sort(orderOf(query));
  const { show, sort, order } = query;
  const list = ['pages', jobId, report.preview !== null, { show, sort, order }] as const;
  const from = readOffset(list, query.cursor);
  const limit = query.limit ?? LIMIT;
  return {
    data: {
      pages: chosen.slice(from, from + limit).map(({ rows: _, ...page }) => columnsIn<PageView>(page, query.columns)),
      total: chosen.length,
      counts: {
        all: all.length,
        findings: all.filter(FILTERS.findings).length,
        problems: all.filter(FILTERS.problems).length,
        closed: all.filter(FILTERS.closed).length,
      },
    },
    cursor: from + limit < chosen.length ? writeOffset(list, from + limit) : null,
  };
}

const FILTERS: Readonly<Record<NonNullable<PagesQuery['show']>, (page: ReportPage) => boolean>> = {
  all: () => true,
  findings: (page) => page.findings > 0,
  problems: (page) => page.status === null || page.status >= 400,
  closed: (page) => page.indexable === false,
};

type Order = (a: ReportPage, b: ReportPage) => number;

const byUrl: Order = (a, b) => ascending(a.url, b.url);

function orderOf({ sort = 'findings', order = sort === 'findings' ? 'desc' : 'asc' }: PagesQuery): Order {
  const sign = order === 'asc' ? 1 : -1;
  if (sort === 'findings')
    return (a, b) => sign * (a.highImpact - b.highImpact || a.findings - b.findings) || byUrl(a, b);
  return (a, b) => compare(a[sort], b[sort], sign) || byUrl(a, b);
}

/** Unknown values come last in either direction. */
function compare(a: string | number | null, b: string | number | null, sign: 1 | -1): number {
  const unknown = (value: string | number | null): boolean => value === null || value === '';
  if (unknown(a) || unknown(b)) return Number(unknown(a)) - Number(unknown(b));
  if (typeof a === 'string' && typeof b === 'string') return sign * a.localeCompare(b, 'en');
  return sign * (Number(a) - Number(b));
}
