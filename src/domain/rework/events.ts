/**
 * Storage format, version with care. Stream: `rework-{reworkId}`: redoing a part of a finished audit. Contains only ids and none of the findings: these
 * streams remain when the audit is deleted, so that pending work is closed in every log.
 */
import type { ModelUse } from '../../model/modelUse.ts';

/** `ask` counts the requests. */
type Asked = { readonly reworkId: string; readonly ask: number; readonly jobId: string; readonly userId: string; readonly askedAt: string };
type Ended = Omit<Asked, 'askedAt'>;

export type ReworkEvent =
  /** Regenerate the action items from the stored findings. */
  | { readonly type: 'PlanRegenerationAsked'; readonly data: Asked }
  /** Rewrite the executive summary. */
  | { readonly type: 'SummaryAsked'; readonly data: Asked }
  /** Recheck an action item's findings on the site. */
  | { readonly type: 'VerificationAsked'; readonly data: Asked & { readonly actionId: string } }
  /** Once per attempt: `attempt` counts across all asks. */
  | { readonly type: 'ReworkStarted'; readonly data: Ended & { readonly attempt: number; readonly startedAt: string } }
  /** A language model was called for the text: appended together with the end of the attempt, whatever its outcome. */
  | { readonly type: 'ReworkModelAsked'; readonly data: Ended & ModelUse & { readonly attempt: number; readonly recordedAt: string } }
  /** `by`: the author of the text; `prompt`: the model's prompt, `summary@3`. Absent if no model wrote it, and from earlier versions. */
  | {
      readonly type: 'ReworkDone';
      readonly data: Ended & { readonly attempt: number; readonly by: string | null; readonly prompt?: string; readonly doneAt: string };
    }
  /** `reason` is shown to the owner. */
  | { readonly type: 'ReworkGivenUp'; readonly data: Ended & { readonly code: string; readonly reason: string; readonly givenUpAt: string } };
