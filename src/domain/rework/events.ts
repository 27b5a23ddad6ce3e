/**
 * Storage format, version with care. Stream: `rework-{reworkId}`: a part of a finished analysis that is done once more. Ids alone, nothing of what
 * was found: these streams stay when the analysis is deleted, so that what was pending is closed in every log.
 */
import type { ModelUse } from '../../model/modelUse.ts';

/** `ask` counts how often it was asked for. */
type Asked = { readonly reworkId: string; readonly ask: number; readonly jobId: string; readonly userId: string; readonly askedAt: string };
type Ended = Omit<Asked, 'askedAt'>;

export type ReworkEvent =
  /** The action items, written anew from the stored findings. */
  | { readonly type: 'PlanRegenerationAsked'; readonly data: Asked }
  /** The executive summary, written anew. */
  | { readonly type: 'SummaryAsked'; readonly data: Asked }
  /** An action item's findings, looked at again on the site. */
  | { readonly type: 'VerificationAsked'; readonly data: Asked & { readonly actionId: string } }
  /** Once per try: `attempt` counts over all asks. */
  | { readonly type: 'ReworkStarted'; readonly data: Ended & { readonly attempt: number; readonly startedAt: string } }
  /** A language model was asked for the text: written with the end of the try, whatever that is. */
  | { readonly type: 'ReworkModelAsked'; readonly data: Ended & ModelUse & { readonly attempt: number; readonly recordedAt: string } }
  /** `by`: who wrote the text; `prompt`: what a model was asked with, `summary@3`. Absent where no model wrote, and in what earlier versions recorded. */
  | {
      readonly type: 'ReworkDone';
      readonly data: Ended & { readonly attempt: number; readonly by: string | null; readonly prompt?: string; readonly doneAt: string };
    }
  /** `reason` is for its owner to read. */
  | { readonly type: 'ReworkGivenUp'; readonly data: Ended & { readonly code: string; readonly reason: string; readonly givenUpAt: string } };
