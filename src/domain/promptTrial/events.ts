/**
 * Storage format, version with care. Stream: `prompt-trial-{jobId}`: a prompt that an admin tries on a finished analysis, and what a language model
 * answered. All of it but the last event is erased an hour after its end, and with the analysis.
 */
import type { PromptKey } from '../../model/prompts/prompt.ts';

/** `ask` counts how often a prompt was tried on the analysis. */
type Trial = { readonly jobId: string; readonly ask: number; readonly adminId: string };

/** What came of one question to a model. */
export type PromptAnswer = {
  readonly model: string;
  /** As it came, cut where it is very long; null: there was none. */
  readonly text: string | null;
  /** Why an analysis would not use it, in a sentence; null: it would. */
  readonly refused: string | null;
  /** Parts of it that an analysis would leave out. */
  readonly dropped: number;
  /** As the endpoint counts; null where it does not. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null where no price is known. */
  readonly costMicros: number | null;
  readonly ms: number;
};

export type PromptTrialEvent =
  | { readonly type: 'PromptTrialAsked'; readonly data: Trial & { readonly key: PromptKey; readonly content: string; readonly askedAt: string } }
  /** Once per try: `attempt` counts over all asks. */
  | { readonly type: 'PromptTrialStarted'; readonly data: Trial & { readonly attempt: number; readonly startedAt: string } }
  | { readonly type: 'PromptTrialAnswered'; readonly data: Trial & { readonly attempt: number; readonly answer: PromptAnswer; readonly answeredAt: string } }
  /** `reason` is for the admin to read. */
  | { readonly type: 'PromptTrialGivenUp'; readonly data: Trial & { readonly code: string; readonly reason: string; readonly givenUpAt: string } }
  /** What stood before it is erased. */
  | { readonly type: 'PromptTrialForgotten'; readonly data: Trial & { readonly forgottenAt: string } };
