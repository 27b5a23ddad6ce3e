import { z } from 'zod';
import { ANALYSES_LIMIT_MAX } from '../../model/limits.ts';
import { ActionView } from './actions.ts';
import { PENDING } from './reworks.ts';

/** A finished job that has a report. */
export const AnalysisView = z.object({
  /** The job's id: an analysis is what one job found. */
  id: z.string(),
  jobId: z.string(),
  domain: z.string(),
  /** As `timestamp` in the query of `/actions`. */
  analysis_timestamp: z.string(),
  created_at: z.string(),
  actions_count: z.number().int(),
  /** Null where it was never known. */
  score: z.number().int().nullable(),
});
export type AnalysisView = z.infer<typeof AnalysisView>;

/** With `jobId` that one alone. */
export const AnalysesQuery = z.strictObject({
  jobId: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(ANALYSES_LIMIT_MAX).optional(),
  cursor: z.string().max(500).optional(),
});
/** Newest first; with a cursor there may be more. */
export const AnalysesResponse = z.object({ success: z.literal(true), analyses: z.array(AnalysisView), cursor: z.string().nullable() });
export type AnalysesResponse = z.infer<typeof AnalysesResponse>;

export const DeleteAnalysisResponse = z.object({ success: z.literal(true), message: z.string() });
export type DeleteAnalysisResponse = z.infer<typeof DeleteAnalysisResponse>;

/** `{host}/{timestamp}` of one of the own jobs: names the analysis, is no path. */
export const ParseRequest = z.strictObject({ folderPath: z.string().trim().min(1).max(400) });
export const RegenerateRequest = z.strictObject({ jobId: z.string().max(100).optional() });

/** `actions` are those that the access lets out, `actionsCount` is the whole plan's. While they are pending there are none. */
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
  /** Empty while it is pending. */
  executive_summary: z.string(),
  /** Who wrote it; empty while it is pending. */
  analyst: z.string(),
});
export type SummaryResponse = z.infer<typeof SummaryResponse>;
