/** Finished audits as the workers leave them, written as events. */

import { randomUUID } from 'node:crypto';
import { actionItemsMarkdown } from '../../src/audit/report/actionItemsMarkdown.ts';
import { FINDINGS_FORMAT, type FindingsDocument } from '../../src/audit/report/findingsFormat.ts';
import { JOB_STEPS, type JobStep } from '../../src/domain/job/events.ts';
import type { ActionItem } from '../../src/domain/plan/events.ts';
import type { ReportRows, ReportRowsWritten } from '../../src/domain/report/events.ts';
import type { Report } from '../../src/domain/report/reportData.ts';
import type { RecordParts } from '../../src/domain/report/reportRows.ts';
import type { DataOf } from '../../src/domain/stored/eventOf.ts';
import type { CrawlSettings } from '../../src/model/crawlSettings.ts';
import { type GivenRecords, partsOf, recordsEvents } from './pageRecords.ts';

/** The target of its events, and the time. */
export type Given = {
  readonly deps: { now(): string };
  given(stream: string, ...events: readonly { readonly type: string; readonly data: object }[]): Promise<unknown>;
};

export type GivenJob = { readonly jobId: string; readonly url: string };

export type JobGiven = {
  readonly host?: string;
  readonly access?: 'full' | 'preview';
  readonly maxPages?: number;
  readonly settings?: CrawlSettings;
};

/** A job that was submitted and queued. */
export async function givenJob(
  app: Given,
  userId: string,
  { host = 'example.com', access = 'full', maxPages = 50, settings }: JobGiven = {},
): Promise<GivenJob> {
  const jobId = randomUUID();
  const url = `https://${host}/`;
  const at = app.deps.now();
  await app.given(`billing-${userId}`, {
    type: 'AnalysisReserved',
    data: { userId, jobId, from: 'free_allowance', period: at.slice(0, 7), access, reservedAt: at },
  });
  await app.given(
    `job-${jobId}`,
    {
      type: 'JobSubmitted',
      data: {
        jobId,
        userId,
        url,
        host,
        bounds: { maxPages, maxMs: 180_000 },
        ...(settings ? { settings } : {}),
        access,
        submittedAt: at,
      },
    },
    { type: 'JobQueued', data: { jobId, queuedAt: at } },
  );
  return { jobId, url };
}

/** Started, with every step before `until` finished, and `until` itself in progress. */
export async function givenRunning(app: Given, jobId: string, until: JobStep): Promise<void> {
  const at = app.deps.now();
  const ended = JOB_STEPS.slice(0, JOB_STEPS.indexOf(until));
  await app.given(
    `job-${jobId}`,
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: at } },
    ...ended.flatMap((step) => stepEvents(jobId, step, at)),
    {
      type: 'JobStepStarted',
      data: { jobId, step: until, startedAt: at },
    },
  );
}

function stepEvents(jobId: string, step: JobStep, at: string): { type: string; data: object }[] {
  return [
    { type: 'JobStepStarted', data: { jobId, step, startedAt: at } },
    { type: 'JobStepEnded', data: { jobId, step, endedAt: at } },
  ];
}

export function actionItem(id: string, given: Partial<ActionItem> = {}): ActionItem {
  return {
    id,
    checkId: id,
    findingIds: [`finding-${id}`],
    title: `Fix ${id}`,
    category: 'technical',
    impact: 'medium',
    difficulty: 'easy',
    timeEstimate: 30,
    businessValue: 'More visits',
    timeToResult: '2-4 weeks',
    problem: `Something is wrong with ${id}`,
    solution: `Do something about ${id}`,
    codeExample: null,
    tags: ['tag'],
    pages: ['https://example.com/'],
    evidence: [{ url: 'https://example.com/', place: 'head', value: 'nothing' }],
    ...given,
  };
}

export type AnalysisGiven = JobGiven & {
  readonly items?: readonly ActionItem[];
  readonly score?: number | null;
  /** What else the event of its report says. */
  readonly verdict?: Partial<DataOf<'JobReportReady'>>;
  /** It was completed, and given back to the free allowance. */
  readonly givenBack?: 'shut_site' | 'not_judged';
  /** Why it was only partially completed. */
  readonly partial?: string;
  /** Its `findings.json`; default: only the findings of the items. */
  readonly findings?: string;
  /** Its findings as rows; without them there are only files, as for old audits. */
  readonly report?: Report;
  /** What is kept beside the rows. */
  readonly records?: GivenRecords;
};

/**
 * The findings of the items' checks in the format of `findings.json`: one finding for each id, on the item's first
 * page.
 */
function findingsOf(items: readonly ActionItem[], url: string, at: string): FindingsDocument {
  const checkIds = [...new Set(items.map((item) => item.checkId))];
  const itemOf = (checkId: string) => items.find((item) => item.checkId === checkId) as ActionItem;
  return {
    ...FINDINGS_FORMAT,
    url,
    host: new URL(url).host,
    generatedAt: at,
    score: { value: 71, deductions: [], categories: [], limits: [], pages: 1 },
    coverage: {
      text: 'One page.',
      stop: 'complete',
      notFetched: 0,
      traps: [],
      pages: { html: 1, errors: 0, unreachable: 0, blocked: 0, redirects: 0, other: 0 },
    },
    pages: [{ url, status: 200, audited: true }],
    findings: items.flatMap(({ checkId, category, impact, findingIds, evidence }) =>
      findingIds.map((id) => {
        const [{ place, value } = { place: 'head', value: '' }] = evidence;
        return {
          id,
          checkId,
          category,
          impact,
          hint: false,
          message: `about ${id}`,
          evidence: { url, place, value },
          code: null,
        };
      }),
    ),
    outcomes: checkIds.map((checkId) => ({
      checkId,
      state: 'failed',
      looked: 1,
      failed: 1,
      notChecked: 0,
      omitted: 0,
      error: null,
    })),
    checks: checkIds
      .map(itemOf)
      .map(
        ({
          checkId,
          title,
          category,
          impact,
          difficulty,
          timeEstimate,
          businessValue,
          timeToResult,
          problem,
          solution,
          tags,
        }) => ({
          id: checkId,
          title,
          category,
          group: category,
          impact,
          difficulty,
          minutes: timeEstimate,
          risk: problem,
          gain: businessValue,
          steps: [solution],
          example: null,
          timeToResult,
          tags: [...tags],
          source: 'https://example.org/',
          lighthouse: null,
          hint: false,
        }),
      ),
  };
}

/** Written like the worker does, `size` rows per part. */
export function rowsEvents(
  to: { readonly jobId: string; readonly userId: string; readonly writtenAt: string },
  report: Report,
  { size = 100, records }: { readonly size?: number; readonly records?: RecordParts } = {},
): ReportRowsWritten[] {
  const parts = <Row>(rows: readonly Row[]): Row[][] =>
    Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size));
  const [findings, pages] = [parts(report.findings), parts(report.pages)];
  const overview = {
    ...report.overview,
    parts: { findings: findings.map(({ length }) => length), pages: pages.map(({ length }) => length) },
    ...(records === undefined ? {} : { records }),
  };
  const events = (all: readonly ReportRows[]) =>
    all.map(
      (rows, part): ReportRowsWritten => ({
        type: 'ReportRowsWritten',
        data: { ...to, part, parts: all.length, ...rows },
      }),
    );
  return [
    ...events(findings.map((rows) => ({ kind: 'findings', rows }))),
    ...events(pages.map((rows) => ({ kind: 'pages', rows }))),
    ...events([{ kind: 'overview', rows: [overview] }]),
  ];
}

/** A job that has its report, plan and summary. */
export async function givenAnalysis(app: Given, userId: string, given: AnalysisGiven = {}): Promise<GivenJob> {
  const job = await givenJob(app, userId, given);
  await givenCompleted(app, userId, job, given);
  return job;
}

/** A queued job starts, and gets its report, plan and summary. */
export async function givenCompleted(
  app: Given,
  userId: string,
  job: GivenJob,
  given: Omit<AnalysisGiven, keyof JobGiven> = {},
): Promise<void> {
  const items = given.items ?? [actionItem('first', { impact: 'high' }), actionItem('second')];
  const { jobId } = job;
  const at = app.deps.now();
  const findings = items.flatMap((item) => item.findingIds);
  const files: Readonly<Record<string, string>> = {
    'seo-audit-report.md': '# Report\n',
    'executive-summary.md': '# Summary\n\nAll in all.\n',
    'action-items.md': actionItemsMarkdown(items),
    'findings.json': given.findings ?? JSON.stringify(findingsOf(items, job.url, at)),
    'pages.csv': 'url\nhttps://example.com/\n',
  };
  for (const [file, text] of Object.entries(files)) {
    await app.given(`report-${jobId}`, {
      type: 'ReportPartWritten',
      data: { jobId, userId, file, part: 0, parts: 1, text, writtenAt: at },
    });
  }
  const to = { jobId, userId, writtenAt: at };
  if (given.records) await app.given(`page-records-${jobId}`, ...recordsEvents(to, given.records));
  if (given.report)
    await app.given(
      `report-${jobId}`,
      ...rowsEvents(to, given.report, given.records === undefined ? {} : { records: partsOf(given.records) }),
    );
  await app.given(`plan-${jobId}`, {
    type: 'PlanGenerated',
    data: { jobId, userId, by: 'Built-in analyst', count: items.length, items, generatedAt: at },
  });
  await app.given(
    `job-${jobId}`,
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: at } },
    ...JOB_STEPS.flatMap((step) => stepEvents(jobId, step, at)),
    {
      type: 'JobReportReady',
      data: {
        jobId,
        score: given.score === undefined ? 71 : given.score,
        pagesAudited: 12,
        findings: findings.length,
        highImpact: 1,
        files: Object.keys(files),
        readyAt: at,
        ...given.verdict,
      },
    },
    { type: 'JobSummaryWritten', data: { jobId, by: 'Built-in analyst', fallback: false, writtenAt: at } },
    { type: 'JobActionsGenerated', data: { jobId, count: items.length, generatedAt: at } },
    given.partial === undefined
      ? { type: 'JobCompleted', data: { jobId, completedAt: at } }
      : { type: 'JobPartiallyCompleted', data: { jobId, reason: given.partial, completedAt: at } },
  );
  const released = { userId, jobId, from: 'free_allowance', period: at.slice(0, 7), siteMark: 1, releasedAt: at };
  await app.given(
    `billing-${userId}`,
    given.givenBack === undefined
      ? { type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }
      : { type: 'AnalysisReleased', data: { ...released, reason: given.givenBack } },
  );
}
