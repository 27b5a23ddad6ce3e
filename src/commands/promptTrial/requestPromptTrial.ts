import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { promptTrialStream } from '../../domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../domain/promptTrial/promptTrial.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { PromptKey } from '../../model/prompts/prompt.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

export type RequestPromptTrial = {
  readonly jobId: string;
  readonly adminId: string;
  readonly key: PromptKey;
  readonly content: string;
};

/**
 * Requests a worker to call the language model with this text on a finished audit.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, PROMPT_TRIAL_PENDING
 */
export async function requestPromptTrial(
  ctx: CommandContext,
  input: RequestPromptTrial,
): Promise<{ readonly ask: number; readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(input.jobId));
  if (job.status === 'none' || job.status === 'deleted') throw new DomainError('JOB_NOT_FOUND', 'Job not found');
  if (job.status !== 'finished')
    throw new DomainError('JOB_NOT_FINISHED', 'The audit is still under way. Please wait until it has finished.');
  const command = { type: 'RequestPromptTrial', ...input, at: ctx.now() } as const;
  const { state, position } = await handle(ctx, promptTrialDecider, promptTrialStream(input.jobId), command);
  if (state.status === 'none') throw new Error(`A prompt was tried on ${input.jobId} and there is no trial.`);
  return { ask: state.ask, position };
}
