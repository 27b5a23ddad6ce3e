/** The findings of an audit, answered like the server: its own functions filter, sort and count. */

import { UNTOUCHED } from '../../../src/domain/plan/progress.ts';
import type { Report } from '../../../src/domain/report/reportData.ts';
import type { CausesQuery, FindingsQuery, GroupsQuery } from '../../../src/http/contract/findings.ts';
import type { PagesQuery } from '../../../src/http/contract/pages.ts';
import type { RunsResponse } from '../../../src/http/contract/runs.ts';
import { listCauses, listFindings, taskPages } from '../../../src/http/reports/listFindings.ts';
import { listGroups } from '../../../src/http/reports/listGroups.ts';
import { listPages } from '../../../src/http/reports/listPages.ts';
import type { OpenReport } from '../../../src/http/reports/openReport.ts';
import { pageTableOf } from '../../../src/http/reports/pageTable.ts';
import type { BoardItem } from '../../../src/projections/boards.ts';
import { actionItem } from '../../given/analysis.ts';
import { report } from '../../given/found.ts';
import type { Call, FakeServer } from './fakeServer.ts';

/** An action item, with its owner's progress. */
export const boardItem = (id: string, over: Partial<BoardItem> = {}): BoardItem => ({
  ...actionItem(id),
  ...UNTOUCHED,
  ...over,
});

/** Answers with the rows of `job-1`. `preview`: how much of it is shown. */
export function answerReport(
  server: FakeServer,
  found: Report = report(),
  preview: OpenReport['preview'] = null,
  items: readonly BoardItem[] = [],
): void {
  const open: OpenReport = {
    overview: found.overview,
    findings: async (numbers) => numbers.flatMap((number) => found.findings[number] ?? []),
    foundAt: async (urls) => found.findings.flatMap(({ evidence }, number) => (urls.has(evidence.url) ? [number] : [])),
    pages: async () => found.pages,
    pageTable: async () => pageTableOf(found.pages),
    records: null,
    preview,
  };
  const asked = ({ query }: Call): object => ({
    ...Object.fromEntries(query),
    ...(query.has('limit') ? { limit: Number(query.get('limit')) } : {}),
  });
  server.on('GET /api/v1/jobs/job-1/causes', async (call: Call) => ({
    success: true,
    data: await listCauses(open, asked(call) as CausesQuery, items),
  }));
  server.on('GET /api/v1/jobs/job-1/findings', async (call: Call) => ({
    success: true,
    ...(await listFindings(open, asked(call) as FindingsQuery, 'job-1')),
  }));
  server.on('GET /api/v1/jobs/job-1/groups', async (call: Call) => ({
    success: true,
    ...(await listGroups(open, asked(call) as GroupsQuery, 'job-1')),
  }));
  server.on('GET /api/v1/jobs/job-1/pages', async (call: Call) => ({
    success: true,
    ...(await listPages(open, await open.pageTable(), asked(call) as PagesQuery, {
      jobId: 'job-1',
      hasTask: await taskPages(open, items),
    })),
  }));
}

export function file(name: string, content: string, jobId = 'job-1') {
  return { success: true, data: { jobId, name, content } };
}

type Run = RunsResponse['data']['runs'][number];

export function run(jobId: string, over: Partial<Run> = {}): Run {
  return {
    jobId,
    at: '2026-11-20T10:01:00.000Z',
    status: 'completed',
    score: 82,
    formula: 2,
    notJudged: null,
    settings: null,
    pages: 36,
    findings: 41,
    comparable: true,
    because: null,
    ...over,
  };
}

export function runsResponse(runs: readonly Run[]): RunsResponse {
  return { success: true, data: { host: 'www.example.com', runs: [...runs], truncated: false } };
}
