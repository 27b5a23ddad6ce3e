/** Storage format, version with care. Stream: `plan-{jobId}`: the action items of one analysis and what became of them. */
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
  /** Why it stands where it stands in the list; absent in plans made before there was one. */
  readonly reason?: string;
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  readonly pages: readonly string[];
  readonly evidence: readonly Evidence[];
};

/** What came of looking at an item's findings again. The lists hold the first of each kind, the counts say how many there were. */
export type Verification = {
  /** `fixed`: every finding was looked for and is gone. `not_checked`: none was found again, but not all could be looked for. */
  readonly outcome: VerificationOutcome;
  readonly fixed: number;
  readonly stillThere: number;
  readonly notChecked: number;
  readonly stillThereAt: readonly { readonly url: string; readonly place: string; readonly message: string }[];
  /** `because` is the end of a sentence. */
  readonly notCheckedAt: readonly { readonly url: string; readonly because: string }[];
};

/** What became of one finding that was looked at again. */
export type VerifiedFinding = {
  readonly findingId: string;
  readonly url: string;
  readonly place: string;
  readonly message: string;
  readonly state: VerifiedState;
  /** The end of a sentence: why it was not checked, or what limits the verdict. */
  readonly because: string | null;
};

export type PlanEvent =
  /** `count` is the whole plan's; the items beyond the first event's follow in PlanExtended, in the same append. */
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
  /** Moved back other than by reopening a completed item: not begun after all, or not finished after all. */
  | {
      readonly type: 'ActionSetBack';
      readonly data: { readonly jobId: string; readonly actionId: string; readonly to: 'todo' | 'in-progress'; readonly setBackAt: string };
    }
  /** The last move was taken back: the item stands as before it, with the times of then. */
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
  /** How well it worked, 1 to 5. Null: cleared. */
  | {
      readonly type: 'ActionRated';
      readonly data: { readonly jobId: string; readonly actionId: string; readonly rating: number | null; readonly ratedAt: string };
    }
  | {
      readonly type: 'ActionVerified';
      /** `results`: of the first findings, as many as an event takes; earlier versions kept none. */
      readonly data: {
        readonly jobId: string;
        readonly actionId: string;
        readonly verifiedAt: string;
        readonly results?: readonly VerifiedFinding[];
      } & Verification;
    }
  /**
   * Written anew from the stored findings; as with PlanGenerated, items beyond the first event's follow in PlanExtended. `kept`: of which
   * earlier item (value) an item (key) takes over how far it has come; only of items that were touched.
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
