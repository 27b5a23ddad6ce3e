/** Reports over the whole log, also for the keys that admins create for analysts. */
import * as z from 'zod';
import { reportCsv } from '../../../model/reportCsv.ts';
import { REPORTS, reportNamed } from '../../../reports/all.ts';
import { type ReportResult, resultOf, type Until, untilOf } from '../../../reports/run.ts';
import { ReportQuery, ReportResponse, ReportsResponse } from '../../contract/admin/reports.ts';
import { presentReport } from '../../present/admin/report.ts';
import { HttpError, invalidInput } from '../../request/errors.ts';
import { Download } from '../../request/reply.ts';
import { route } from '../../routing/route.ts';

export const getReports = route({
  method: 'GET',
  path: '/admin/reports',
  access: 'admin',
  openToAnalysts: 'reports:read',
  summary: 'List the available reports',
  response: ReportsResponse,
  handler: async () => ({
    success: true as const,
    data: REPORTS.map(({ name, title, description }) => ({ name, title, description })),
  }),
});

export const getReport = route({
  method: 'GET',
  path: '/admin/reports/{name}',
  access: 'admin',
  openToAnalysts: 'reports:read',
  summary: 'Get a report as of now or of any point in time, as JSON, or one of its tables as CSV',
  limit: 'report',
  params: z.object({ name: z.string().min(1).max(100) }),
  query: ReportQuery,
  response: ReportResponse,
  sendsFiles: true,
  refusals: ['REPORT_NOT_FOUND', 'REPORT_TOO_LONG', 'REPORT_RUNNING'],
  handler: async ({ deps, caller, params, query, signal }) => {
    const report = reportNamed(params.name);
    if (!report) throw new HttpError('REPORT_NOT_FOUND', 'There is no such report.');
    const now = deps.now();
    const until = requestedUntil(query.as_of);
    const ran = await deps.reportRuns.run({ report, until, signal, wait: query.wait, keyId: caller.apiKey?.keyId });
    if ('progress' in ran) {
      const { done, secondsLeft } = ran.progress;
      return { success: true as const, data: null, progress: { done, seconds_left: secondsLeft } };
    }
    const result = resultOf(
      ran.folded,
      { from: query.from ?? null, to: query.to ?? null, by: query.by ?? 'month' },
      now,
    );
    if (query.format === 'csv') return csvOf(result, query.table);
    return { success: true as const, data: presentReport(result), progress: null };
  },
});

/** @throws HttpError INVALID_INPUT */
function requestedUntil(text: string | undefined): Until {
  if (text === undefined) return null;
  const until = untilOf(text);
  const message = 'It is a day (2026-03-31), a UTC time (2026-03-31T12:00:00Z) or a position of the log';
  if (until === null) throw invalidInput([{ path: 'as_of', message }]);
  return until;
}

/** @throws HttpError INVALID_INPUT */
function csvOf({ name, tables }: ReportResult, wanted: string | undefined): Download {
  const table = wanted === undefined ? tables[0] : tables.find((each) => each.name === wanted);
  if (!table)
    throw invalidInput([{ path: 'table', message: `It is one of: ${tables.map((each) => each.name).join(', ')}` }]);
  return new Download(`${name}-${table.name}.csv`, chunksOf(reportCsv(table)));
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  yield text;
}
