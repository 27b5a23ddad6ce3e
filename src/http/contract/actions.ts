import * as z from 'zod';
import { ACTION_STATUSES, VERIFICATION_OUTCOMES } from '../../model/actions.ts';
import { CATEGORIES, DIFFICULTIES, IMPACTS, VERIFIED_STATES } from '../../model/findings.ts';
import { MAX_NOTES } from '../../model/limits.ts';
import { CheckView } from './checks.ts';
import { FindingView } from './findings.ts';
import { Cursor, PageLimit } from './paging.ts';
import { PENDING } from './reworks.ts';

export const ActionStatus = z.enum(ACTION_STATUSES);
export type ActionStatus = z.infer<typeof ActionStatus>;

/** Result of a recheck on the live site. The lists hold the first of each kind; the counts are totals. */
export const VerificationView = z.object({
  at: z.string(),
  /**
   * `fixed`: everything was checked and is gone. `not_checked`: nothing was found again, but not everything could be
   * checked.
   */
  outcome: z.enum(VERIFICATION_OUTCOMES),
  /** One or two sentences for the user. */
  text: z.string(),
  fixed: z.number().int(),
  still_there: z.number().int(),
  not_checked: z.number().int(),
  still_there_at: z.array(z.object({ url: z.string(), place: z.string(), message: z.string() })),
  not_checked_at: z.array(z.object({ url: z.string(), because: z.string() })),
});
export type VerificationView = z.infer<typeof VerificationView>;

export const ActionView = z.object({
  id: z.string(),
  job_id: z.string(),
  check_id: z.string(),
  title: z.string(),
  category: z.enum(CATEGORIES),
  impact: z.enum(IMPACTS),
  /** A suggestion that costs no points: no task, and counted nowhere, until you make it one. */
  optional: z.boolean(),
  difficulty: z.enum(DIFFICULTIES),
  status: ActionStatus,
  /** Minutes. */
  time_estimate: z.number().int(),
  business_value: z.string(),
  time_to_result: z.string(),
  /** Why it has this place in the list. */
  reason: z.string().nullable(),
  problem: z.string(),
  solution: z.string(),
  code_example: z.string().nullable(),
  tags: z.array(z.string()),
  pages: z.array(z.string()),
  evidence: z.array(z.object({ url: z.string(), place: z.string(), value: z.string() })),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  notes: z.string().nullable(),
  /** 1 to 5. */
  effectiveness_rating: z.number().int().nullable(),
  last_verification: VerificationView.nullable(),
  /** The status that undoing its last move would restore; null if there is nothing to undo. */
  previous_status: ActionStatus.nullable(),
});
export type ActionView = z.infer<typeof ActionView>;

export const ActionsQuery = z.object({
  jobId: z.string().max(100).optional(),
  domain: z.string().max(253).optional(),
  timestamp: z.string().max(40).optional(),
});

/**
 * Identifies the audit of an item: item ids are check ids, so other audits have the same ones. Without it: the newest
 * audit with such an item.
 */
export const ActionQuery = z.object({ jobId: z.string().max(100).optional() });

/** Number of items in a preview; the others never leave the server. */
export const PREVIEW_ACTIONS = 8;

export const ActionsResponse = z.object({
  success: z.literal(true),
  jobId: z.string().nullable(),
  actions: z.array(ActionView),
  executiveSummary: z.string().nullable(),
  isFreemiumPreview: z.boolean(),
  totalActionsAvailable: z.number().int(),
  actionsShown: z.number().int(),
  /** Who wrote the texts. */
  analyst: z.string().nullable(),
  /** Log position of the list: subscribe to `actions:{jobId}` from here. */
  position: z.string(),
});
export type ActionsResponse = z.infer<typeof ActionsResponse>;

export const ActionStats = z.object({
  totalActions: z.number().int(),
  completedActions: z.number().int(),
  inProgressActions: z.number().int(),
  /** Minutes, for the items not completed. */
  estimatedTimeRemaining: z.number().int(),
  highImpactCompleted: z.number().int(),
  completionPercentage: z.number().int(),
});
export type ActionStats = z.infer<typeof ActionStats>;

export const StatsResponse = z.object({ success: z.literal(true), stats: ActionStats });
export type StatsResponse = z.infer<typeof StatsResponse>;

export const CheckJobResponse = z.object({
  success: z.literal(true),
  hasActions: z.boolean(),
  actionCount: z.number().int(),
});
export type CheckJobResponse = z.infer<typeof CheckJobResponse>;

/** Absent fields stay as they are; null clears. */
export const ProgressRequest = z
  .object({
    status: ActionStatus.optional(),
    notes: z
      .string()
      .max(MAX_NOTES, `Notes may have ${MAX_NOTES.toLocaleString('en')} characters at most`)
      .nullable()
      .optional(),
    effectiveness_rating: z.number().int().min(1).max(5).nullable().optional(),
    /** False makes an optional item a task; true takes that back while it is not under way. */
    optional: z.boolean().optional(),
    jobId: z.string().max(100).optional(),
  })
  .refine(
    ({ status, notes, effectiveness_rating, optional }) =>
      [status, notes, effectiveness_rating, optional].some((value) => value !== undefined),
    {
      message: 'Name a status, notes, an effectiveness_rating or optional',
    },
  );
export type ProgressRequest = z.infer<typeof ProgressRequest>;

/** The updated item and the overall progress. */
export const ActionResponse = z.object({ success: z.literal(true), action: ActionView, stats: ActionStats });
export type ActionResponse = z.infer<typeof ActionResponse>;

export const VerifyResponse = z.object({
  success: z.literal(true),
  ...PENDING,
  /** Null while pending. */
  verification: VerificationView.nullable(),
  /** For each finding of the item, up to 200. */
  results: z.array(
    z.object({
      finding_id: z.string(),
      url: z.string(),
      place: z.string(),
      message: z.string(),
      state: z.enum(VERIFIED_STATES),
      /** End of a sentence: why it was not checked, or what limits the verdict. */
      because: z.string().nullable(),
    }),
  ),
  /** Whether the verification completed the item. */
  completed: z.boolean(),
  action: ActionView,
  stats: ActionStats,
});
export type VerifyResponse = z.infer<typeof VerifyResponse>;

export const FixQuery = ActionQuery.extend({ limit: PageLimit, cursor: Cursor });

/** What it takes to fix an action item: its findings with their places and code, and how to prove that it is fixed. */
export const FixResponse = z.object({
  success: z.literal(true),
  data: z.object({
    jobId: z.string(),
    action: ActionView,
    /** Null if a later version made it. */
    check: CheckView.nullable(),
    findings: z.array(FindingView),
    total: z.number().int(),
    /** When it counts as fixed. */
    acceptance: z.string(),
  }),
  cursor: z.string().nullable(),
});
export type FixResponse = z.infer<typeof FixResponse>;

/** The socket channel to subscribe to for row changes. */
export const SubscribeResponse = z.object({
  success: z.literal(true),
  channel: z.string(),
  table: z.literal('actions'),
  filter: z.string(),
});
export type SubscribeResponse = z.infer<typeof SubscribeResponse>;

export const ExportQuery = ActionsQuery.extend({ format: z.enum(['json', 'csv']).default('json') });
export const ExportResponse = z.object({
  success: z.literal(true),
  data: z.object({ name: z.string(), type: z.string(), content: z.string() }),
});
export type ExportResponse = z.infer<typeof ExportResponse>;
