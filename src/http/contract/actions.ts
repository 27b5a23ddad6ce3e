import { z } from 'zod';

export const ActionView = z.object({
  id: z.string(),
  job_id: z.string(),
  check_id: z.string(),
  title: z.string(),
  category: z.enum(['schema', 'content', 'technical', 'social', 'tools']),
  impact: z.enum(['high', 'medium', 'low']),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  status: z.enum(['todo', 'in-progress', 'completed']),
  /** Minutes. */
  time_estimate: z.number().int(),
  business_value: z.string(),
  time_to_result: z.string(),
  /** Why it stands where it stands in the list. */
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
  effectiveness_rating: z.number().int().nullable(),
});
export type ActionView = z.infer<typeof ActionView>;

export const ActionsQuery = z.strictObject({
  jobId: z.string().max(100).optional(),
  domain: z.string().max(253).optional(),
  timestamp: z.string().max(40).optional(),
});

/** Preview access shows so many items; the others never leave the server. */
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
});
export type ActionsResponse = z.infer<typeof ActionsResponse>;

export const StatsResponse = z.object({
  success: z.literal(true),
  stats: z.object({
    totalActions: z.number().int(),
    completedActions: z.number().int(),
    inProgressActions: z.number().int(),
    /** Minutes, over the actions not completed. */
    estimatedTimeRemaining: z.number().int(),
    highImpactCompleted: z.number().int(),
    completionPercentage: z.number().int(),
  }),
});
export type StatsResponse = z.infer<typeof StatsResponse>;

export const CheckJobResponse = z.object({ success: z.literal(true), hasActions: z.boolean(), actionCount: z.number().int() });
export type CheckJobResponse = z.infer<typeof CheckJobResponse>;
