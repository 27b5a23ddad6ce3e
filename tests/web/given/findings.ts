/** The findings of an audit, answered like the server: its own functions filter, sort and count. */

import { packRecords } from '../../../src/commands/job/pageRecords.ts';
import { UNTOUCHED } from '../../../src/domain/plan/progress.ts';
import type { Report } from '../../../src/domain/report/reportData.ts';
import type { CausesQuery, FindingsQuery, GroupsQuery } from '../../../src/http/contract/findings.ts';
import type { LinksQuery, NoRecord } from '../../../src/http/contract/links.ts';
import type { PagesQuery } from '../../../src/http/contract/pages.ts';
import type { RunsResponse } from '../../../src/http/contract/runs.ts';
import type { Structure } from '../../../src/http/contract/structure.ts';
import { readLinkTable } from '../../../src/http/reports/linkTable.ts';
import { listCauses, listFindings, taskPages } from '../../../src/http/reports/listFindings.ts';
import { listGroups } from '../../../src/http/reports/listGroups.ts';
import { listLinks, noLinks } from '../../../src/http/reports/listLinks.ts';
import { listPages } from '../../../src/http/reports/listPages.ts';
import type { OpenReport } from '../../../src/http/reports/openReport.ts';
import { pagesFile } from '../../../src/http/reports/pagesFile.ts';
import { pageTableOf } from '../../../src/http/reports/pageTable.ts';
import { structureOf } from '../../../src/http/reports/structure.ts';
import type { LinkColumns } from '../../../src/model/pageRecords.ts';
import type { BoardItem } from '../../../src/projections/boards.ts';
import type { Documents } from '../../../src/readModels/readModels.ts';
import { actionItem } from '../../given/analysis.ts';
import { report } from '../../given/found.ts';
import type { Call, FakeServer } from './fakeServer.ts';

/** An action item, with its owner's progress. */
export const boardItem = (id: string, over: Partial<BoardItem> = {}): BoardItem => ({
  ...actionItem(id),
  ...UNTOUCHED,
  ...over,
});

const asked = ({ query }: Call): object => ({
  ...Object.fromEntries(query),
  ...(query.has('limit') ? { limit: Number(query.get('limit')) } : {}),
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
    allCauses: found.overview.causes,
    findings: async (numbers) => numbers.flatMap((number) => found.findings[number] ?? []),
    foundAt: async (urls) => found.findings.flatMap(({ evidence }, number) => (urls.has(evidence.url) ? [number] : [])),
    pages: async () => found.pages,
    pageTable: async () => pageTableOf(found.pages),
    records: null,
    version: '',
    preview,
  };
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
  server.on('GET /api/v1/jobs/job-1/pages.csv', async (call: Call) => {
    const hasTask = await taskPages(open, items);
    let text = '';
    for await (const part of pagesFile(await open.pageTable(), asked(call) as PagesQuery, hasTask)) text += part;
    return new Response(text);
  });
}

async function linkTableOf(links: LinkColumns) {
  const rows = links.flags.length;
  const [part] = await packRecords([{ json: JSON.stringify(links), rows }]);
  const documents = { get: async () => ({ data: { texts: [part?.text] } }) } as unknown as Documents;
  const table = await readLinkTable(documents, { jobId: 'job-1', links: [rows] });
  if (!table) throw new Error('no links');
  return table;
}

/** Answers with the structure of `job-1`: the folders of that report, and these links or why there are none. */
export function answerStructure(
  server: FakeServer,
  links: LinkColumns | NoRecord,
  found: Report = report(),
  change: (structure: Structure) => Structure = (structure) => structure,
): void {
  server.on('GET /api/v1/jobs/job-1/structure', async () => {
    const noRecord = typeof links === 'string' ? links : null;
    const table = typeof links === 'string' ? null : await linkTableOf(links);
    const structure = await structureOf(pageTableOf(found.pages), found.overview.causes, table);
    return { success: true, data: change({ ...structure, graph: { ...structure.graph, noRecord } }) };
  });
}

/** Answers with the links of `job-1` between the pages of that report, or with the reason why there are none. */
export function answerLinks(server: FakeServer, links: LinkColumns | NoRecord, found: Report = report()): void {
  server.on('GET /api/v1/jobs/job-1/links', async (call: Call) => {
    if (typeof links === 'string') return { success: true, ...noLinks(links) };
    const table = await linkTableOf(links);
    const of = { jobId: 'job-1', pageUrls: found.pages.map(({ url }) => url), open: null, found: table.count };
    return { success: true, ...(await listLinks(table, asked(call) as LinksQuery, of)) };
  });
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
