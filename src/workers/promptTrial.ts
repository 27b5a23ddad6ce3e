/** A prompt tried on a completed audit: the model is called once per requested trial. */

import { parseFindings } from '../audit/report/findingsFormat.ts';
import type { Cause, CommandContext, ContextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { handleOnce } from '../commands/handleOnce.ts';
import { TOO_OLD } from '../commands/plan/followUp.ts';
import { findingsOf } from '../commands/plan/regeneratePlan.ts';
import { DomainError } from '../domain/decider.ts';
import { planDecider } from '../domain/plan/decide.ts';
import { planStream } from '../domain/plan/events.ts';
import { checkPromptText } from '../domain/prompt/prompt.ts';
import { type PromptAnswer, promptTrialStream } from '../domain/promptTrial/events.ts';
import { type PromptTrialState, promptTrialDecider } from '../domain/promptTrial/promptTrial.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { Analyst } from '../integrations/analyst/analyst.ts';
import { BUILT_IN_PROMPTS } from '../model/prompts/builtIn.ts';
import { analystAction } from './analystAction.ts';

export type PromptTrialDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  readonly analyst: Pick<Analyst, 'tryPrompt'>;
};

/** A trial and the event that made it pending. */
export type PendingTrial = { readonly jobId: string; readonly cause: Cause };

/** `ended`: by any worker, with an event at or before this position. `not_now`: another worker holds it. */
export type TrialOutcome = { readonly outcome: 'ended'; readonly position: Position } | { readonly outcome: 'not_now' };

type Open = Extract<PromptTrialState, { readonly status: 'open' }>;

/** A user is waiting. */
const MODEL_MS = 60_000;
/** Limit of the stored response: the most that a model may write. */
const MAX_TEXT = 40_000;

/**
 * Checks `held` before recording the attempt. A trial that can never run is given up immediately.
 * @throws when it should be retried
 */
export async function performPromptTrial(
  deps: PromptTrialDeps,
  { jobId, cause }: PendingTrial,
  held: () => boolean,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const context = (): CommandContext => deps.context(cause);
  const stream = promptTrialStream(jobId);
  const loaded = await loadState(context().store, promptTrialDecider, stream);
  if (loaded.state.status !== 'open') return { outcome: 'ended', position: loaded.position };
  if (!held()) throw new Error('Another worker may have the trial by now.');
  const started = await handleOnce(
    context(),
    promptTrialDecider,
    stream,
    { type: 'StartPromptTrial', at: deps.now() },
    loaded,
  );
  if (started?.state.status !== 'open') return { outcome: 'not_now' };
  const { attempt } = started.state;
  const answer = await askModel(deps, context(), started.state, signal);
  const at = deps.now();
  const end =
    answer instanceof DomainError
      ? ({ type: 'GiveUpPromptTrial', code: answer.code, reason: answer.message, attempt, at } as const)
      : ({ type: 'AnswerPromptTrial', answer, attempt, at } as const);
  const { state, position } = await handle(context(), promptTrialDecider, stream, end);
  return state.status === 'open' ? { outcome: 'not_now' } : { outcome: 'ended', position };
}

/** The model's response, or why it cannot be asked. */
async function askModel(
  { analyst }: PromptTrialDeps,
  ctx: CommandContext,
  { jobId, key, content }: Open,
  signal: AbortSignal,
): Promise<PromptAnswer | DomainError> {
  try {
    if (!analyst.tryPrompt)
      throw new DomainError('NO_MODEL', 'No language model is configured where this installation works on audits.');
    checkPromptText(key, content);
    const { storedInput } = await import('./storedInput.ts');
    const input = storedInput(documentOf(await findingsOf(ctx, jobId)));
    const { state: plan } = await loadState(ctx.store, planDecider, planStream(jobId));
    const actions = (plan.status === 'generated' ? plan.items : []).map(analystAction);
    const tried = await analyst.tryPrompt({ ...BUILT_IN_PROMPTS[key], content }, input, actions, {
      signal,
      budgetMs: MODEL_MS,
    });
    if (!tried)
      throw new DomainError('NOTHING_TO_ASK', 'Nothing was found that this prompt is about, so no model is asked.');
    return { ...tried, text: tried.text?.slice(0, MAX_TEXT) ?? null };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function documentOf(findings: string) {
  try {
    return parseFindings(findings);
  } catch {
    throw new DomainError('ANALYSIS_TOO_OLD', TOO_OLD);
  }
}
