import * as z from 'zod';
import {
  FOLDER_PROBLEM,
  folderOf,
  isPattern,
  PATTERN_PROBLEM,
  PATTERNS_MAX,
  TOO_MANY_PATTERNS,
} from '../../model/crawlSettingsRules.ts';
import { JOB_ACCESSES, JOB_STATUSES, PART_STATUSES } from '../../model/jobs.ts';
import { BATCH_MAX, URL_MAX_LENGTH } from '../../model/limits.ts';
import { NOT_JUDGED_REASONS } from '../../model/scores.ts';
import { PageLimit } from './paging.ts';

export const JobStatus = z.enum(JOB_STATUSES);
export type JobStatus = z.infer<typeof JobStatus>;

export const NotJudged = z.enum(NOT_JUDGED_REASONS);

export const JobStage = z.object({
  step: z.string(),
  /** The status shown for the step. */
  status: JobStatus,
  label: z.string(),
  state: z.enum(['waiting', 'running', 'done']),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type JobStage = z.infer<typeof JobStage>;

const Patterns = z.array(z.string());
/** As the options of a submission, so that they can be sent again. */
export const CrawlSettingsView = z.object({
  maxPages: z.number().int().exactOptional(),
  folder: z.string().exactOptional(),
  include: Patterns.exactOptional(),
  exclude: Patterns.exactOptional(),
  sitemapOnly: z.literal(true).exactOptional(),
});

export const JobView = z.object({
  id: z.string(),
  user_id: z.string(),
  url: z.string(),
  host: z.string(),
  status: JobStatus,
  created_at: z.string(),
  completed_at: z.string().nullable(),
  /** `{host}/{timestamp}`: identifies the audit, not a path. Null until the report is available. */
  folderPath: z.string().nullable(),
  action_count: z.number().int(),
  action_generation_status: z.enum(PART_STATUSES),
  steps: z.object({ actions_parsing: z.object({ status: z.enum(PART_STATUSES) }) }),
  /** 0–100. */
  progress: z.number().int(),
  stages: z.array(JobStage),
  pages_done: z.number().int(),
  /** Pages found so far, up to the job's limit. */
  pages_known: z.number().int(),
  max_pages: z.number().int(),
  /** What the submitter set for the crawl; null: nothing. */
  settings: CrawlSettingsView.nullable(),
  /**
   * Remaining seconds as a range, estimated from the job's own pace and past jobs; null if there is no reliable
   * estimate.
   */
  eta: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
  started_at: z.string().nullable(),
  /**
   * While queued: how many of the user's own audits start first, and roughly when it starts (null if unknown). Null if
   * it is not queued. Left out of realtime rows while the job is queued, since it changes with other jobs.
   */
  queue: z.object({ ahead: z.number().int(), starts_at: z.string().nullable() }).nullable(),
  /** To the tenth. Null until known, and if the site was not judged. */
  score: z.number().nullable(),
  /** Version of the score's formula: a difference between scores of two formulas says nothing about the site. */
  score_formula: z.number().int().nullable(),
  /** Why the site was not judged; null if it was, and until known. */
  not_judged: NotJudged.nullable(),
  /** robots.txt forbids every crawler to read the site, and nothing else could be audited. */
  shut: z.boolean(),
  /** Whether an audit that is shut or not judged was given back; null until known, and for other audits. */
  given_back: z.boolean().nullable(),
  findings: z.number().int().nullable(),
  high_impact: z.number().int().nullable(),
  files: z.array(z.string()),
  /** Who wrote the texts: 'Built-in analyst', 'Grok AI', 'AI'. */
  analyst: z.string().nullable(),
  access: z.enum(JOB_ACCESSES),
  /** Why it failed or makes no progress, or what its result does not cover; for the user. */
  reason: z.string().nullable(),
  reason_code: z.string().nullable(),
  can: z.object({ cancel: z.boolean(), delete: z.boolean() }),
  /** Log position of this state; a higher one is newer. */
  position: z.string(),
});
export type JobView = z.infer<typeof JobView>;

/**
 * Options may stand in `options` or beside the address; unknown ones are ignored, since clients send different sets.
 */
const SubmittedPatterns = z
  .array(z.string().refine(isPattern, PATTERN_PROBLEM))
  .max(PATTERNS_MAX, TOO_MANY_PATTERNS)
  .optional();
/** The limit of pages is refused above that of the installation, which no schema knows. */
const SubmitOptions = {
  maxPages: z.int().min(1).optional(),
  folder: z
    .string()
    .refine((text) => folderOf(text) !== null, FOLDER_PROBLEM)
    .optional(),
  include: SubmittedPatterns,
  exclude: SubmittedPatterns,
  sitemapOnly: z.boolean().optional(),
};
export const ProcessRequest = z.object({
  url: z.string('Please enter a URL').trim().min(1, 'Please enter a URL').max(URL_MAX_LENGTH),
  ...SubmitOptions,
  options: z.object(SubmitOptions).optional(),
});
export type ProcessRequest = z.infer<typeof ProcessRequest>;
export const ProcessResponse = z.object({ success: z.literal(true), data: JobView, job: JobView });
export type ProcessResponse = z.infer<typeof ProcessResponse>;

export const BatchRequest = z.object({
  urls: z
    .array(z.string().max(URL_MAX_LENGTH))
    .min(1, 'Please enter at least one URL')
    .max(BATCH_MAX, `Please enter at most ${BATCH_MAX} URLs at once`),
  ...SubmitOptions,
  options: z.object(SubmitOptions).optional(),
});
export type BatchRequest = z.infer<typeof BatchRequest>;
/** All or nothing: if the allowance does not cover every site, nothing is submitted. */
export const BatchResponse = z.object({ success: z.literal(true), jobs: z.array(JobView) });
export type BatchResponse = z.infer<typeof BatchResponse>;

export const JobsQuery = z.object({
  limit: PageLimit,
  cursor: z.string().max(500).optional(),
});
export const JobsResponse = z.object({
  success: z.literal(true),
  data: z.object({ active: z.array(JobView), completed: z.array(JobView) }),
  /** For more finished jobs. */
  cursor: z.string().nullable(),
  /** Everything up to this position is included; subscribe to the channel `jobs` from here. */
  position: z.string(),
});
export type JobsResponse = z.infer<typeof JobsResponse>;

export const JobResponse = z.object({ success: z.literal(true), data: JobView });
export type JobResponse = z.infer<typeof JobResponse>;
export const DeleteJobResponse = z.object({ success: z.literal(true), message: z.string() });
export const DeleteJobsResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({ deleted_count: z.number().int() }),
});
export type DeleteJobsResponse = z.infer<typeof DeleteJobsResponse>;
export const FileResponse = z.object({
  success: z.literal(true),
  data: z.object({ jobId: z.string(), name: z.string(), content: z.string() }),
});
export type FileResponse = z.infer<typeof FileResponse>;
