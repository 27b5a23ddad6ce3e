/** Storage format, version with care. Stream: `plan-{jobId}`: the action items of one audit and the work on them. */
import * as z from 'zod';
import { ACTION_STATUSES, VERIFICATION_OUTCOMES } from '../../model/actions.ts';
import { CATEGORIES, DIFFICULTIES, IMPACTS, VERIFIED_STATES } from '../../model/findings.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const planStream = (jobId: string): string => `plan-${jobId}`;

const texts = z.array(z.string());

const actionItem = z.strictObject({
  /** Stable within the plan. */
  id,
  checkId: z.string(),
  findingIds: texts,
  title: z.string(),
  category: z.enum(CATEGORIES),
  impact: z.enum(IMPACTS),
  /** It costs no points, and is no task until its owner makes it one; absent from plans made before items were marked. */
  optional: z.boolean().exactOptional(),
  difficulty: z.enum(DIFFICULTIES),
  /** Minutes. */
  timeEstimate: z.number(),
  businessValue: z.string(),
  timeToResult: z.string(),
  /** Why the item has its place in the list; absent from plans made before reasons existed. */
  reason: z.string().exactOptional(),
  problem: z.string(),
  solution: z.string(),
  codeExample: z.string().nullable(),
  tags: texts,
  pages: texts,
  evidence: z.array(z.strictObject({ url: z.string(), place: z.string(), value: z.string() })),
});
export type ActionItem = Infer<typeof actionItem>;
const items = z.array(actionItem);

const verification = {
  /**
   * `fixed`: every finding was rechecked and is gone. `not_checked`: none was found again, but not all could be
   * rechecked.
   */
  outcome: z.enum(VERIFICATION_OUTCOMES),
  fixed: count,
  stillThere: count,
  notChecked: count,
  stillThereAt: z.array(z.strictObject({ url: z.string(), place: z.string(), message: z.string() })),
  /** `because` completes a sentence. */
  notCheckedAt: z.array(z.strictObject({ url: z.string(), because: z.string() })),
  /** What the code of the findings changes, and was looked at: the first few. Absent without code. */
  lookedAt: z.array(z.string()).exactOptional(),
};
const verificationSchema = z.strictObject(verification);
/** Result of verifying an item's findings. The lists hold the first few of each kind, the counts the totals. */
export type Verification = Infer<typeof verificationSchema>;

/** Result of rechecking one finding. */
const verifiedFinding = z.strictObject({
  findingId: id,
  url: z.string(),
  place: z.string(),
  message: z.string(),
  state: z.enum(VERIFIED_STATES),
  /** Completes a sentence: why it was not checked, or what limits the verdict. */
  because: z.string().nullable(),
});
export type VerifiedFinding = Infer<typeof verifiedFinding>;

const ofAction = { jobId: id, actionId: id };

export const PLAN_EVENTS = {
  /**
   * `count` covers the whole plan; items that do not fit into the first event follow in PlanExtended, in the same
   * append.
   */
  PlanGenerated: z.strictObject({ jobId: id, userId: id, by: z.string(), count, items, generatedAt: at }),
  PlanExtended: z.strictObject({ jobId: id, items }),
  ActionStarted: z.strictObject({ ...ofAction, startedAt: at }),
  ActionCompleted: z.strictObject({ ...ofAction, completedAt: at }),
  ActionReopened: z.strictObject({ ...ofAction, reopenedAt: at }),
  /** Moved back other than by reopening a completed item. */
  ActionSetBack: z.strictObject({ ...ofAction, to: z.enum(['todo', 'in-progress']), setBackAt: at }),
  /** The last move was undone: the item has its previous status and times again. */
  ActionMoveUndone: z.strictObject({
    ...ofAction,
    status: z.enum(ACTION_STATUSES),
    startedAt: at.nullable(),
    completedAt: at.nullable(),
    undoneAt: at,
  }),
  /** Null: cleared. */
  ActionNoted: z.strictObject({ ...ofAction, notes: z.string().nullable(), notedAt: at }),
  /** How well the fix worked, 1 to 5. Null: cleared. */
  ActionRated: z.strictObject({ ...ofAction, rating: z.number().nullable(), ratedAt: at }),
  /** An optional item was made a task, or is optional again. */
  ActionChosen: z.strictObject({ ...ofAction, chosen: z.boolean(), chosenAt: at }),
  ActionVerified: z.strictObject({
    ...ofAction,
    verifiedAt: at,
    ...verification,
    /** Of the first findings, as many as fit into an event; absent from earlier versions. */
    results: z.array(verifiedFinding).exactOptional(),
  }),
  /**
   * Regenerated from the stored findings; as with PlanGenerated, items that do not fit into the first event follow in
   * PlanExtended. `kept`: maps an item (key) to the earlier item (value) whose progress it continues; only items with
   * progress.
   */
  PlanRegenerated: z.strictObject({
    jobId: id,
    by: z.string(),
    count,
    items,
    kept: z.record(z.string(), z.string()),
    regeneratedAt: at,
  }),
  PlanDeleted: z.strictObject({ jobId: id, deletedAt: at }),
};
export type PlanEvent = EventIn<typeof PLAN_EVENTS>;
