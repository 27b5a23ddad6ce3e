/**
 * Storage format, version with care. Stream: `prompt-trial-{jobId}`: a prompt that an admin tries on a finished audit, and the language model's answer.
 * Everything except the last event is erased an hour after the trial ends, and with the audit.
 */
import type { PromptKey } from '../../model/prompts/prompt.ts';

/** `ask` counts the trials on this audit. */
type Trial = { readonly jobId: string; readonly ask: number; readonly adminId: string };

/** Result of one request to a model. */
export type PromptAnswer = {
  readonly model: string;
  /** As received, truncated if very long; null if there was none. */
  readonly text: string | null;
  /** Why an audit would reject it, as a sentence; null if it would not. */
  readonly refused: string | null;
  /** Number of parts that an audit would leave out. */
  readonly dropped: number;
  /** As counted by the endpoint; null if it does not count. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null if no price is known. */
  readonly costMicros: number | null;
  readonly ms: number;
};

export type PromptTrialEvent =
  | { readonly type: 'PromptTrialAsked'; readonly data: Trial & { readonly key: PromptKey; readonly content: string; readonly askedAt: string } }
  /** Once per attempt: `attempt` counts across all asks. */
  | { readonly type: 'PromptTrialStarted'; readonly data: Trial & { readonly attempt: number; readonly startedAt: string } }
  | { readonly type: 'PromptTrialAnswered'; readonly data: Trial & { readonly attempt: number; readonly answer: PromptAnswer; readonly answeredAt: string } }
  /** `reason` is shown to the admin. */
  | { readonly type: 'PromptTrialGivenUp'; readonly data: Trial & { readonly code: string; readonly reason: string; readonly givenUpAt: string } }
  /** Earlier events are erased. */
  | { readonly type: 'PromptTrialForgotten'; readonly data: Trial & { readonly forgottenAt: string } };
