/** Storage format, version with care. Stream: `plan-{jobId}`: the action items of one audit and the work on them. */
import type { ActionStatus, VerificationOutcome } from '../../model/actions.ts';
import type { Category, Difficulty, Evidence, Impact, VerifiedState } from '../../model/findings.ts';

export type ActionItem = {
  /** Stable within the plan. */
  readonly id: string;
  readonly checkId: string;
  readonly findingIds: readonly string[];
  readonly title: string;
  readonly category: Category;
  readonly impact: Impact;
  readonly difficulty: Difficulty;
  /** Minutes. */
  readonly timeEstimate: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  /** Why the item has its place in the list; absent from plans made before reasons existed. */
  readonly reason?: string;
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  readonly pages: readonly string[];
  readonly evidence: readonly Evidence[];
};

/** Result of verifying an item's findings. The lists hold the first few of each kind, the counts the totals. */
export type Verification = {
  /** `fixed`: every finding was rechecked and is gone. `not_checked`: none was found again, but not all could be rechecked. */
  readonly outcome: VerificationOutcome;
  readonly fixed: number;
  readonly stillThere: number;
  readonly notChecked: number;
  readonly stillThereAt: readonly { readonly url: string; readonly place: string; readonly message: string }[];
  /** `because` completes a sentence. */
  readonly notCheckedAt: readonly { readonly url: string; readonly because: string }[];
};

/** Result of rechecking one finding. */
export type VerifiedFinding = {
  readonly findingId: string;
  readonly url: string;
  readonly place: string;
  readonly message: string;
  readonly state: VerifiedState;
  /** Completes a sentence: why it was not checked, or what limits the verdict. */
  readonly because: string | null;
};

export type PlanEvent =
  /** `count` covers the whole plan; items that do not fit into the first event follow in PlanExtended, in the same append. */
  | {
      readonly type: 'PlanGenerated';
      readonly data: {
        readonly jobId: string;
        readonly userId: string;
        readonly by: string;
        readonly count: number;
        readonly items: readonly ActionItem[];
        readonly generatedAt: string;
      };
    }
  | { readonly type: 'PlanExtended'; readonly data: { readonly jobId: string; readonly items: readonly ActionItem[] } }
  | { readonly type: 'ActionStarted'; readonly data: { readonly jobId: string; readonly actionId: string; readonly startedAt: string } }
  | { readonly type: 'ActionCompleted'; readonly data: { readonly jobId: string; readonly actionId: string; readonly completedAt: string } }
  | { readonly type: 'ActionReopened'; readonly data: { readonly jobId: string; readonly actionId: string; readonly reopenedAt: string } }
  /** Moved back other than by reopening a completed item. */
  | {
      readonly type: 'ActionSetBack';
      readonly data: { readonly jobId: string; readonly actionId: string; readonly to: 'todo' | 'in-progress'; readonly setBackAt: string };
    }
  /** The last move was undone: the item has its previous status and times again. */
  | {
      readonly type: 'ActionMoveUndone';
      readonly data: {
        readonly jobId: string;
        readonly actionId: string;
        readonly status: ActionStatus;
        readonly startedAt: string | null;
        readonly completedAt: string | null;
        readonly undoneAt: string;
      };
    }
  /** Null: cleared. */
  | {
      readonly type: 'ActionNoted';
      readonly data: { readonly jobId: string; readonly actionId: string; readonly notes: string | null; readonly notedAt: string };
    }
  /** How well the fix worked, 1 to 5. Null: cleared. */
  | {
      readonly type: 'ActionRated';
      readonly data: { readonly jobId: string; readonly actionId: string; readonly rating: number | null; readonly ratedAt: string };
    }
  | {
      readonly type: 'ActionVerified';
      /** `results`: of the first findings, as many as fit into an event; absent from earlier versions. */
      readonly data: {
        readonly jobId: string;
        readonly actionId: string;
        readonly verifiedAt: string;
        readonly results?: readonly VerifiedFinding[];
      } & Verification;
    }
  /**
   * Regenerated from the stored findings; as with PlanGenerated, items that do not fit into the first event follow in PlanExtended. `kept`: maps an item
   * (key) to the earlier item (value) whose progress it continues; only items with progress.
   */
  | {
      readonly type: 'PlanRegenerated';
      readonly data: {
        readonly jobId: string;
        readonly by: string;
        readonly count: number;
        readonly items: readonly ActionItem[];
        readonly kept: Readonly<Record<string, string>>;
        readonly regeneratedAt: string;
      };
    }
  | { readonly type: 'PlanDeleted'; readonly data: { readonly jobId: string; readonly deletedAt: string } };
