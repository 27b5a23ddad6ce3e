import { promptTrialStream } from '../../domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../domain/promptTrial/promptTrial.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';

/**
 * Erases the question and the answer: with `ask`, of that trial once it has ended; without, of any trial, because its
 * audit is gone. What a crash leaves behind is erased by the truncation follower. Safe to repeat.
 */
export async function forgetPromptTrial(
  ctx: CommandContext,
  { jobId, ask }: { readonly jobId: string; readonly ask?: number },
): Promise<Position> {
  const stream = promptTrialStream(jobId);
  const context = { ...ctx, commandId: derivedId(ctx.commandId, 'forget prompt trial', jobId) };
  const { events, revision, position } = await handle(context, promptTrialDecider, stream, {
    type: 'ForgetPromptTrial',
    ...(ask === undefined ? {} : { ask }),
    at: ctx.now(),
  });
  if (events.length > 0 && revision !== null) await ctx.store.truncate(stream, revision);
  return position;
}
