import * as z from 'zod';
import { CATEGORIES, IMPACTS } from '../../model/findings.ts';
import { CrawlSettingsView, JobStatus, NotJudged } from './jobs.ts';

/** Number of newest audits shown in a site's trend. */
export const RUNS_MAX = 30;
/** Maximum number of findings sent per group of a comparison; `total` counts them all. */
export const COMPARED_MAX = 500;

export const RunView = z.object({
  jobId: z.string(),
  /** When the audit ended, UTC ISO. */
  at: z.string(),
  status: JobStatus,
  /** To the tenth; null if the site was not judged. */
  score: z.number().nullable(),
  /** Version of the score's formula; null without a score. */
  formula: z.number().int().nullable(),
  notJudged: NotJudged.nullable(),
  /** What the submitter set for the crawl; null: nothing. */
  settings: CrawlSettingsView.nullable(),
  pages: z.number().int(),
  findings: z.number().int().nullable(),
  /** Comparable with the requested audit: the same checks on the same pages. */
  comparable: z.boolean(),
  /** Why it is not comparable, as the end of a sentence. */
  because: z.string().nullable(),
});
export type RunView = z.infer<typeof RunView>;

export const RunsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    host: z.string(),
    /** The user's own audits with a result, oldest first. */
    runs: z.array(RunView),
    /** Whether older ones exist. */
    truncated: z.boolean(),
  }),
});
export type RunsResponse = z.infer<typeof RunsResponse>;

/** Without `with`: the audit before the one in the path. */
export const CompareQuery = z.object({ with: z.string().min(1).max(200).optional() });

export const ComparedFinding = z.object({
  id: z.string(),
  checkId: z.string(),
  /** Title of its check. */
  title: z.string(),
  category: z.enum(CATEGORIES),
  impact: z.enum(IMPACTS),
  optional: z.boolean(),
  /** The same as `optional`, as earlier versions called it. */
  hint: z.boolean(),
  message: z.string(),
  url: z.string(),
  place: z.string(),
  value: z.string(),
  /** Why it cannot be compared; only in the groups `notSeenBefore` and `notComparable`. */
  because: z.string().nullable(),
});
export type ComparedFinding = z.infer<typeof ComparedFinding>;

/** In a preview, only the findings open to the user are listed; `total` counts them all. */
const Group = z.object({ total: z.number().int(), findings: z.array(ComparedFinding) });
const Run = z.object({
  jobId: z.string(),
  at: z.string(),
  score: z.number().nullable(),
  formula: z.number().int().nullable(),
  notJudged: NotJudged.nullable(),
  /** What the submitter set for the crawl; null: nothing. */
  settings: CrawlSettingsView.nullable(),
  pages: z.number().int(),
});

export const CompareResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** The earlier of the two, regardless of the order requested. */
    before: Run,
    after: Run,
    /** As whole numbers, so that the change is that of the scores shown. */
    score: z.object({ before: z.number().int(), after: z.number().int(), change: z.number().int() }).nullable(),
    scoreNotComparable: z.string().nullable(),
    /** Why the two are not the same in everything; null if they are. */
    notIdentical: z.string().nullable(),
    new: Group,
    fixed: Group,
    remaining: Group,
    notSeenBefore: Group,
    notComparable: Group,
    /** Whether some rows are held back. */
    preview: z.boolean(),
  }),
});
export type CompareResponse = z.infer<typeof CompareResponse>;
