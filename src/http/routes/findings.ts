/** An audit's results as rows. A preview only has what is open in it. */
import { type BoardItem, getBoard } from '../../projections/boards.ts';
import { showsFiles } from '../../projections/jobs.ts';
import {
  CausesQuery,
  CausesResponse,
  FindingsQuery,
  FindingsResponse,
  GroupsQuery,
  GroupsResponse,
} from '../contract/findings.ts';
import { LinksQuery, LinksResponse } from '../contract/links.ts';
import { PageQuery, PageResponse } from '../contract/pageRecord.ts';
import { PagesFile, PagesFileQuery, PagesQuery, PagesResponse } from '../contract/pages.ts';
import { StructureResponse } from '../contract/structure.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { visibleItems } from '../present/action.ts';
import { listInTurn } from '../reports/costlyTurns.ts';
import { listCauses, listFindings, taskPages } from '../reports/listFindings.ts';
import { listGroups } from '../reports/listGroups.ts';
import { listLinks, noLinks } from '../reports/listLinks.ts';
import { listPages } from '../reports/listPages.ts';
import { type OpenReport, openReport, openUrls } from '../reports/openReport.ts';
import { openLinks, openPage, whyNoLinks } from '../reports/pageRecord.ts';
import { pagesFile } from '../reports/pagesFile.ts';
import { openStructure } from '../reports/structure.ts';
import { HttpError } from '../request/errors.ts';
import { Download } from '../request/reply.ts';
import { takeSlot, untilRead } from '../request/slots.ts';
import { type OwnJob, route } from '../routing/route.ts';
import type { Opening } from '../usage/reportOpenings.ts';
import { JobParams } from './jobs.ts';

export const getCauses = route({
  method: 'GET',
  path: '/jobs/{jobId}/causes',
  access: 'owner-of-job',
  summary: 'List the issues: findings grouped by cause, with the resulting score',
  params: JobParams,
  query: CausesQuery,
  response: CausesResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND'],
  handler: (request) =>
    withReport(request, async (report) => {
      const items = await itemsOf(request.deps, request.job);
      return { success: true as const, data: await listCauses(report, request.query, items) };
    }),
});

export const getFindings = route({
  method: 'GET',
  path: '/jobs/{jobId}/findings',
  access: 'owner-of-job',
  summary: 'List every finding, page by page',
  params: JobParams,
  query: FindingsQuery,
  response: FindingsResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: (request) =>
    withReport(request, async (report) => ({
      success: true as const,
      ...(await listFindings(report, request.query, request.params.jobId)),
    })),
});

export const getGroups = route({
  method: 'GET',
  path: '/jobs/{jobId}/groups',
  access: 'owner-of-job',
  summary: 'Group the issues by page, by template, or by what one edit fixes',
  params: JobParams,
  query: GroupsQuery,
  response: GroupsResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: (request) =>
    withReport(request, async (report) => ({
      success: true as const,
      ...(await listGroups(report, request.query, request.params.jobId)),
    })),
});

export const getPages = route({
  method: 'GET',
  path: '/jobs/{jobId}/pages',
  access: 'owner-of-job',
  summary: 'List every fetched page, page by page',
  params: JobParams,
  query: PagesQuery,
  response: PagesResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: (request) =>
    withReport(request, async (report) => {
      const { deps, job, query, params } = request;
      const hasTask = await taskPages(report, await itemsOf(deps, job));
      const table = await report.pageTable();
      return { success: true as const, ...(await listPages(report, table, query, { jobId: params.jobId, hasTask })) };
    }),
});

const PAGES_FILE = 'pages.csv';
/** Files of pages under way at once, of one user. */
const FILES = 2;
/** A client that takes nothing for so long is cut off, ms. */
const STALLED_MS = 30_000;

export const getPagesFile = route({
  method: 'GET',
  path: '/jobs/{jobId}/pages.csv',
  access: 'owner-of-job',
  summary: 'Download the pages that a list has as CSV: its filters, columns, and order, all rows',
  params: JobParams,
  query: PagesFileQuery,
  response: PagesFile,
  sendsFiles: 'csv',
  limit: 'reports',
  refusals: ['FINDINGS_NOT_FOUND', 'BUSY'],
  handler: async (request) => {
    if (request.headOnly) return new Download(PAGES_FILE, nothing());
    return withReport(request, async (report) => {
      const { deps, job, caller, query, signal } = request;
      const hasTask = await taskPages(report, await itemsOf(deps, job));
      const table = await report.pageTable();
      const end = takeSlot(deps.readModels, `pages of ${caller.userId}`, FILES, signal);
      if (!end)
        throw new HttpError('BUSY', `${FILES} files of pages are under way already. Wait until one is done.`, {
          headers: { 'Retry-After': '10' },
        });
      return new Download(PAGES_FILE, untilRead(pagesFile(table, query, hasTask), end), { stalledMs: STALLED_MS });
    });
  },
});

export const getPage = route({
  method: 'GET',
  path: '/jobs/{jobId}/page',
  access: 'owner-of-job',
  summary: 'Get everything that was kept of one page, with the links from and to it',
  params: JobParams,
  query: PageQuery,
  response: PageResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND', 'PAGE_NOT_FOUND'],
  handler: (request) =>
    withReport(request, async (report) => ({
      success: true as const,
      data: await openPage(request.deps, report, request.job.data, request.query.url),
    })),
});

export const getLinks = route({
  method: 'GET',
  path: '/jobs/{jobId}/links',
  access: 'owner-of-job',
  summary: 'List the links between pages and to other sites, page by page',
  params: JobParams,
  query: LinksQuery,
  response: LinksResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: (request) =>
    withReport(request, async (report) => {
      const { deps, job, query } = request;
      const { jobId } = job.data;
      // First, so that no table of links is held while other reads have their turn.
      const { rows } = await report.pageTable();
      const urls = report.preview === null ? null : await openUrls(report);
      const table = await openLinks(deps, report, job.data);
      if (table === null) return { success: true as const, ...noLinks(await whyNoLinks(deps, report, jobId)) };
      const open = urls && new Set([...rows.keys()].filter((row) => urls.has(rows[row]?.url ?? '')));
      const of = { jobId, pageUrls: rows.map(({ url }) => url), open, found: report.records?.allLinks ?? 0 };
      return { success: true as const, ...(await listLinks(table, query, of)) };
    }),
});

export const getStructure = route({
  method: 'GET',
  path: '/jobs/{jobId}/structure',
  access: 'owner-of-job',
  summary: 'Get the folders of a site, its most important pages, and the links between them',
  params: JobParams,
  response: StructureResponse,
  limit: 'reportRows',
  refusals: ['FINDINGS_NOT_FOUND'],
  handler: (request) =>
    withReport(request, async (report) => ({
      success: true as const,
      data: await openStructure(request.deps, report, request.job.data),
    })),
});

async function* nothing(): AsyncGenerator<string> {
  // A request with HEAD shows no rows.
}

/** The action items of the audit that its owner may see. */
async function itemsOf({ readModels }: HttpDeps, { data }: OwnJob): Promise<readonly BoardItem[]> {
  const board = await getBoard(readModels, data.jobId);
  return board ? visibleItems(board.data, data.access) : [];
}

type OfReport = Opening & { readonly deps: HttpDeps; readonly job: OwnJob; readonly signal: AbortSignal };

/**
 * In turn, as lists of a large audit take long.
 * @throws HttpError FINDINGS_NOT_FOUND
 */
function withReport<T>(request: OfReport, list: (report: OpenReport) => Promise<T>): Promise<T> {
  return listInTurn(request.job.data.userId, request.signal, async () => list(await reportOf(request)));
}

async function reportOf(request: OfReport): Promise<OpenReport> {
  const { deps, job } = request;
  const report = showsFiles(job.data) ? await openReport(deps, job.data) : null;
  if (!report) throw new HttpError('FINDINGS_NOT_FOUND', 'Nothing was found yet, or nothing that can be read.');
  deps.reportOpenings.note(request);
  return report;
}
