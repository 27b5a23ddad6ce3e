/** Stored events of jobs, their reports and their intermediate data. */
import * as z from 'zod';
import { JOB_ACCESSES } from '../../model/jobs.ts';
import { JOB_STEPS, type JobDeletionsEvent, type JobEvent } from '../job/events.ts';
import type { CrawlEvent, ReportEvent, ReportOpenedEvent } from '../report/events.ts';
import { at, count, id } from './fields.ts';
import { modelUse } from './modelUse.ts';
import { REPORT_ROWS } from './reportRows.ts';
import { type StoredTypes, stored } from './storedType.ts';

const step = z.enum(JOB_STEPS);
/** Earlier versions did not name the owner. */
const ended = { jobId: id, userId: id.exactOptional() };

export const JOB_TYPES = {
  JobSubmitted: stored(
    z.strictObject({
      jobId: id,
      userId: id,
      url: z.string(),
      host: z.string(),
      bounds: z.strictObject({ maxPages: count, maxMs: count }),
      access: z.enum(JOB_ACCESSES),
      submittedAt: at,
      batchId: id.exactOptional(),
      schemeGuessed: z.literal(true).exactOptional(),
      rank: count.exactOptional(),
      retryOf: id.exactOptional(),
    }),
    ['jobId', 'userId'],
  ),
  JobQueued: stored(z.strictObject({ jobId: id, queuedAt: at }), ['jobId']),
  JobStarted: stored(z.strictObject({ jobId: id, attempt: count, startedAt: at }), ['jobId']),
  JobStepStarted: stored(z.strictObject({ jobId: id, step, startedAt: at }), ['jobId']),
  JobStepEnded: stored(z.strictObject({ jobId: id, step, endedAt: at, note: z.string().exactOptional() }), ['jobId']),
  JobProgressed: stored(z.strictObject({ jobId: id, step, pagesDone: count, pagesKnown: count, at }), ['jobId']),
  JobReportReady: stored(
    z.strictObject({
      jobId: id,
      score: z.number(),
      pagesAudited: count,
      findings: count,
      highImpact: count,
      files: z.array(z.string()).readonly(),
      readyAt: at,
    }),
    ['jobId'],
  ),
  JobSummaryWritten: stored(z.strictObject({ jobId: id, by: z.string(), fallback: z.boolean(), writtenAt: at }), ['jobId']),
  ModelAsked: stored(z.strictObject({ jobId: id, ...modelUse, recordedAt: at }), ['jobId']),
  JobActionsGenerated: stored(z.strictObject({ jobId: id, count, generatedAt: at }), ['jobId']),
  JobCompleted: stored(z.strictObject({ ...ended, completedAt: at }), ['jobId']),
  JobPartiallyCompleted: stored(z.strictObject({ ...ended, reason: z.string(), completedAt: at }), ['jobId']),
  JobPartiallySucceeded: stored(z.strictObject({ ...ended, reason: z.string(), completedAt: at }), ['jobId']),
  JobCancelled: stored(z.strictObject({ ...ended, by: z.string(), cancelledAt: at }), ['jobId']),
  JobFailed: stored(z.strictObject({ ...ended, code: z.string(), reason: z.string(), failedAt: at }), ['jobId']),
  JobUnlocked: stored(z.strictObject({ jobId: id, userId: id, unlockedAt: at }), ['jobId', 'userId']),
  JobDeleted: stored(z.strictObject({ jobId: id, userId: id, deletedAt: at }), ['jobId', 'userId']),
} satisfies StoredTypes<JobEvent>;

export const JOB_DELETIONS_TYPES = {
  JobsDeleted: stored(z.strictObject({ userId: id, jobIds: z.array(id).readonly(), deletedAt: at }), ['userId']),
} satisfies StoredTypes<JobDeletionsEvent>;

/** Earlier versions did not name the attempt that wrote it. */
const attempt = count.exactOptional();
const ofReport = { jobId: id, userId: id, part: count, parts: count, writtenAt: at };

export const REPORT_TYPES = {
  ReportPartWritten: stored(z.strictObject({ ...ofReport, file: id, text: z.string(), attempt }), ['jobId', 'userId', 'file']),
  ReportRowsWritten: stored(
    z.discriminatedUnion('kind', [
      z.strictObject({ ...ofReport, kind: z.literal('overview'), rows: REPORT_ROWS.overview }),
      z.strictObject({ ...ofReport, kind: z.literal('findings'), rows: REPORT_ROWS.findings }),
      z.strictObject({ ...ofReport, kind: z.literal('pages'), rows: REPORT_ROWS.pages }),
    ]),
    ['jobId', 'userId'],
  ),
} satisfies StoredTypes<ReportEvent>;

export const REPORT_OPENED_TYPES = {
  ReportOpened: stored(z.strictObject({ jobId: id, userId: id, openedAt: at }), ['jobId', 'userId']),
} satisfies StoredTypes<ReportOpenedEvent>;

export const CRAWL_TYPES = {
  CrawlPartRecorded: stored(z.strictObject({ jobId: id, name: id, part: count, parts: count, text: z.string(), attempt }), ['jobId', 'name']),
} satisfies StoredTypes<CrawlEvent>;
