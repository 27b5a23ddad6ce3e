/** An audit's results as rows. A preview only has what is open in it. */
import { getBoard } from '../../projections/boards.ts';
import { showsFiles } from '../../projections/jobs.ts';
import { CausesQuery, CausesResponse, FindingsQuery, FindingsResponse } from '../contract/findings.ts';
import { PagesQuery, PagesResponse } from '../contract/pages.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { visibleItems } from '../present/action.ts';
import { listCauses, listFindings } from '../reports/listFindings.ts';
import { listPages } from '../reports/listPages.ts';
import { type OpenReport, openReport } from '../reports/openReport.ts';
import { HttpError } from '../request/errors.ts';
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
  limit: 'reports',
  refusals: ['FINDINGS_NOT_FOUND'],
  handler: async (request) => {
    const { deps, job, query } = request;
    const [report, board] = await Promise.all([reportOf(request), getBoard(deps.readModels, job.data.jobId)]);
    const items = board ? visibleItems(board.data, job.data.access) : [];
    return { success: true as const, data: await listCauses(report, query, items) };
  },
});

export const getFindings = route({
  method: 'GET',
  path: '/jobs/{jobId}/findings',
  access: 'owner-of-job',
  summary: 'List every finding, page by page',
  params: JobParams,
  query: FindingsQuery,
  response: FindingsResponse,
  limit: 'reports',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => ({
    success: true as const,
    ...(await listFindings(await reportOf(request), request.query, request.params.jobId)),
  }),
});

export const getPages = route({
  method: 'GET',
  path: '/jobs/{jobId}/pages',
  access: 'owner-of-job',
  summary: 'List every fetched page, page by page',
  params: JobParams,
  query: PagesQuery,
  response: PagesResponse,
  limit: 'reports',
  refusals: ['FINDINGS_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async (request) => ({
    success: true as const,
    ...(await listPages(await reportOf(request), request.query, request.params.jobId)),
  }),
});

async function reportOf(request: Opening & { readonly deps: HttpDeps; readonly job: OwnJob }): Promise<OpenReport> {
  const { deps, job } = request;
  const report = showsFiles(job.data) ? await openReport(deps, job.data) : null;
  if (!report) throw new HttpError('FINDINGS_NOT_FOUND', 'Nothing was found yet, or nothing that can be read.');
  deps.reportOpenings.note(request);
  return report;
}
