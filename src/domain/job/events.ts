/** Storage format, version with care. Streams: `job-{jobId}`; `job-deletions-{userId}`. */
import * as z from 'zod';
import { FOLDER_MAX_LENGTH, PATTERN_MAX_LENGTH, PATTERNS_MAX } from '../../model/crawlSettingsRules.ts';
import { JOB_ACCESSES } from '../../model/jobs.ts';
import { NOT_JUDGED_REASONS } from '../../model/scores.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';
import { modelUse } from '../modelUse.ts';

export const jobStream = (jobId: string): string => `job-${jobId}`;
export const jobDeletionsStream = (userId: string): string => `job-deletions-${userId}`;

/**
 * The steps of an audit, in order. Each has a start and an end event, so that a restarted worker resumes after the last
 * ended step.
 */
export const JOB_STEPS = [
  'discover',
  'crawl',
  'checks',
  'evidence',
  'report',
  'recommendations',
  'summary',
  'actions',
  'parse_actions',
] as const;
export type JobStep = (typeof JOB_STEPS)[number];

const jobBounds = z.strictObject({ maxPages: count, maxMs: count });
export type JobBounds = Infer<typeof jobBounds>;

const patterns = z.array(z.string().max(PATTERN_MAX_LENGTH)).max(PATTERNS_MAX);
/** As `CrawlSettings` of the model. */
const crawlSettings = z.strictObject({
  maxPages: count.exactOptional(),
  folder: z.string().max(FOLDER_MAX_LENGTH).exactOptional(),
  include: patterns.exactOptional(),
  exclude: patterns.exactOptional(),
  sitemapOnly: z.literal(true).exactOptional(),
});

const step = z.enum(JOB_STEPS);
/** Events of earlier versions do not name the owner. */
const endOfJob = { jobId: id, userId: id.exactOptional() };

export const JOB_EVENTS = {
  JobSubmitted: z.strictObject({
    jobId: id,
    userId: id,
    /** Normalized absolute http(s) URL. */
    url: z.string(),
    host: z.string(),
    bounds: jobBounds,
    /** What the submitter set; absent: nothing. Its limit of pages is also that of `bounds`. */
    settings: crawlSettings.exactOptional(),
    access: z.enum(JOB_ACCESSES),
    submittedAt: at,
    batchId: id.exactOptional(),
    /** The submitted text had no scheme: https was assumed, and http is acceptable. */
    schemeGuessed: z.literal(true).exactOptional(),
    /** Rank of the owner's plan at that time, if above the default; among waiting jobs, higher goes first. */
    rank: count.exactOptional(),
    /**
     * The network of a submitter without a plan or a payment, as a hash of 16 bits whose key is deleted after two days.
     */
    network: z.string().exactOptional(),
    /** The failed job that an operator had run again as this one. Earlier versions did not record it. */
    retryOf: id.exactOptional(),
  }),
  JobQueued: z.strictObject({
    jobId: id,
    queuedAt: at,
    /** It had started: while its site was slow, it gave its slot to one that waited. */
    slowSite: z.literal(true).exactOptional(),
  }),
  /** Once per attempt: a worker started or resumed it. */
  JobStarted: z.strictObject({
    jobId: id,
    attempt: count,
    startedAt: at,
    /** It goes on with a slot after it had given up the former one: nothing failed. */
    afterSlowSite: z.literal(true).exactOptional(),
  }),
  JobStepStarted: z.strictObject({ jobId: id, step, startedAt: at }),
  JobStepEnded: z.strictObject({ jobId: id, step, endedAt: at, note: z.string().exactOptional() }),
  /**
   * What a step came to, written with its end. Progress before that is not logged. Old logs have several per step, up
   * to one per second.
   */
  JobProgressed: z.strictObject({ jobId: id, step, pagesDone: count, pagesKnown: count, at }),
  JobReportReady: z.strictObject({
    jobId: id,
    /** 0 to 100, to the tenth; null if the site was not judged. */
    score: z.number().nullable(),
    /** Version of the score's formula. Absent: the first. */
    formula: count.exactOptional(),
    /** Why there is no score. */
    notJudged: z.enum(NOT_JUDGED_REASONS).exactOptional(),
    /** robots.txt forbids every crawler to read the site: nothing else was audited. */
    shut: z.literal(true).exactOptional(),
    pagesAudited: count,
    findings: count,
    highImpact: count,
    files: z.array(z.string()),
    readyAt: at,
  }),
  JobSummaryWritten: z.strictObject({ jobId: id, by: z.string(), fallback: z.boolean(), writtenAt: at }),
  /**
   * A language model was called for a text: appended together with the text's own event, even if the built-in rules
   * wrote it in the end.
   */
  ModelAsked: z.strictObject({ jobId: id, ...modelUse, recordedAt: at }),
  JobActionsGenerated: z.strictObject({ jobId: id, count, generatedAt: at }),
  JobCompleted: z.strictObject({ ...endOfJob, completedAt: at }),
  /** A limit was reached before everything was audited: the result is valid and states what it covers. */
  JobPartiallyCompleted: z.strictObject({
    ...endOfJob,
    /** Every cause, the gravest first. */
    reason: z.string(),
    completedAt: at,
    /** The language model failed as well. */
    modelFailed: z.literal(true).exactOptional(),
  }),
  /** The language model failed and the built-in rules filled in; nothing else is missing. */
  JobPartiallySucceeded: z.strictObject({ ...endOfJob, reason: z.string(), completedAt: at }),
  JobCancelled: z.strictObject({ ...endOfJob, by: z.string(), cancelledAt: at }),
  JobFailed: z.strictObject({ ...endOfJob, code: z.string(), reason: z.string(), failedAt: at }),
  /** A preview was unlocked: it was paid for, see `UnlockPaid` in its owner's bill. */
  JobUnlocked: z.strictObject({ jobId: id, userId: id, unlockedAt: at }),
  JobDeleted: z.strictObject({ jobId: id, userId: id, deletedAt: at }),
};
export type JobEvent = EventIn<typeof JOB_EVENTS>;

export const JOB_DELETIONS_EVENTS = {
  /** Each job gets its own `JobDeleted` soon after. */
  JobsDeleted: z.strictObject({ userId: id, jobIds: z.array(id), deletedAt: at }),
};
export type JobDeletionsEvent = EventIn<typeof JOB_DELETIONS_EVENTS>;
