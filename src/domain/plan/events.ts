/** Storage format, version with care. Stream: `plan-{jobId}`: the action items of one analysis and what became of them. */

type ActionCategory = 'schema' | 'content' | 'technical' | 'social' | 'tools';
export type ActionImpact = 'high' | 'medium' | 'low';
type ActionDifficulty = 'easy' | 'medium' | 'hard';
export type ActionStatus = 'todo' | 'in-progress' | 'completed';

/** Where a finding was seen: the page, the place in it, and the value found there. */
type ActionEvidence = { readonly url: string; readonly place: string; readonly value: string };

export type ActionItem = {
  /** Stable within the plan. */
  readonly id: string;
  readonly checkId: string;
  readonly findingIds: readonly string[];
  readonly title: string;
  readonly category: ActionCategory;
  readonly impact: ActionImpact;
  readonly difficulty: ActionDifficulty;
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
  readonly evidence: readonly ActionEvidence[];
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
  | { readonly type: 'PlanDeleted'; readonly data: { readonly jobId: string; readonly deletedAt: string } };
