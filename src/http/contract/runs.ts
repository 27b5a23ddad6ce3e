import { z } from 'zod';
import { CATEGORIES, IMPACTS } from '../../model/findings.ts';
import { JobStatus } from './jobs.ts';

/** The newest runs of a site that its trend shows. */
export const RUNS_MAX = 30;
/** Findings of each group of a comparison that are sent; `total` counts them all. */
export const COMPARED_MAX = 500;

export const RunView = z.object({
  jobId: z.string(),
  /** When its analysis ended, UTC ISO. */
  at: z.string(),
  status: JobStatus,
  /** Null when no page could be audited. */
  score: z.number().int().nullable(),
  pages: z.number().int(),
  findings: z.number().int().nullable(),
  /** With the run that was asked about: the same checks on the same pages. */
  comparable: z.boolean(),
  /** Why it is not, as the end of a sentence. */
  because: z.string().nullable(),
});
export type RunView = z.infer<typeof RunView>;

export const RunsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    host: z.string(),
    /** Own runs with a result, oldest first. */
    runs: z.array(RunView),
    /** Older ones exist. */
    truncated: z.boolean(),
  }),
});
export type RunsResponse = z.infer<typeof RunsResponse>;

/** Without `with`: the run before the one that the path names. */
export const CompareQuery = z.strictObject({ with: z.string().min(1).max(200).optional() });

export const ComparedFinding = z.object({
  id: z.string(),
  checkId: z.string(),
  /** Of its check. */
  title: z.string(),
  category: z.enum(CATEGORIES),
  impact: z.enum(IMPACTS),
  hint: z.boolean(),
  message: z.string(),
  url: z.string(),
  place: z.string(),
  value: z.string(),
  /** Why nobody can tell; in the group `notComparable` alone. */
  because: z.string().nullable(),
});
export type ComparedFinding = z.infer<typeof ComparedFinding>;

/** In preview access only what is open to the user is listed; `total` is the truth. */
const Group = z.object({ total: z.number().int(), findings: z.array(ComparedFinding) });
const Run = z.object({ jobId: z.string(), at: z.string(), score: z.number().int().nullable(), pages: z.number().int() });

export const CompareResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** The earlier of the two, whichever was named first. */
    before: Run,
    after: Run,
    score: z.object({ before: z.number().int(), after: z.number().int(), change: z.number().int() }).nullable(),
    scoreNotComparable: z.string().nullable(),
    new: Group,
    fixed: Group,
    remaining: Group,
    notComparable: Group,
    /** A part of the rows is kept back. */
    preview: z.boolean(),
  }),
});
export type CompareResponse = z.infer<typeof CompareResponse>;
