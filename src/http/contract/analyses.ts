import * as z from 'zod';
import { ANALYSES_LIMIT_MAX } from '../../model/limits.ts';
import { ActionView } from './actions.ts';
import { CrawlSettingsView, NotJudged } from './jobs.ts';
import { PENDING } from './reworks.ts';

/** A finished job with a report. */
export const AnalysisView = z.object({
  /** The job's id, since each job has one audit result. */
  id: z.string(),
  jobId: z.string(),
  domain: z.string(),
  /** The value of `timestamp` in the query of `/actions`. */
  analysis_timestamp: z.string(),
  created_at: z.string(),
  actions_count: z.number().int(),
  /** Null if it was never known, or the site was not judged. */
  score: z.number().nullable(),
  not_judged: NotJudged.nullable(),
  /** What was set for the crawl; null: nothing. */
  settings: CrawlSettingsView.nullable(),
});
export type AnalysisView = z.infer<typeof AnalysisView>;

/** `jobId` limits the list to that job. */
export const AnalysesQuery = z.object({
  jobId: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(ANALYSES_LIMIT_MAX).optional(),
  cursor: z.string().max(500).optional(),
});
/** Newest first; a cursor means there may be more. */
export const AnalysesResponse = z.object({
  success: z.literal(true),
  analyses: z.array(AnalysisView),
  cursor: z.string().nullable(),
});
export type AnalysesResponse = z.infer<typeof AnalysesResponse>;

export const DeleteAnalysisResponse = z.object({ success: z.literal(true), message: z.string() });
export type DeleteAnalysisResponse = z.infer<typeof DeleteAnalysisResponse>;

/** `{host}/{timestamp}` of one of the user's jobs: an identifier, not a path. */
export const ParseRequest = z.object({ folderPath: z.string().trim().min(1).max(400) });
export const RegenerateRequest = z.object({ jobId: z.string().max(100).optional() });

/**
 * `actions` holds the items the user may see, `actionsCount` the size of the whole plan. While pending there are none.
 */
export const GeneratedResponse = z.object({
  success: z.literal(true),
  ...PENDING,
  actions: z.array(ActionView),
  actionsCount: z.number().int(),
  message: z.string(),
});
export type GeneratedResponse = z.infer<typeof GeneratedResponse>;

export const SummaryResponse = z.object({
  success: z.literal(true),
  ...PENDING,
  /** Empty while pending. */
  executive_summary: z.string(),
  /** Who wrote it; empty while pending. */
  analyst: z.string(),
});
export type SummaryResponse = z.infer<typeof SummaryResponse>;
