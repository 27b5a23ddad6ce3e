import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { actorName } from '../../domain/stored/metadata.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import { settleAnalysis } from '../billing/settleAnalysis.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Ends the job, then gives its reservation back. A crash in between is recovered by the job-end follower.
 * @throws DomainError JOB_NOT_FOUND, JOB_ALREADY_FINISHED
 */
export async function cancelJob(
  ctx: CommandContext,
  input: { readonly jobId: string },
): Promise<{ readonly position: Position }> {
  const { jobId } = input;
  const { position } = await handle(ctx, jobDecider, jobStream(jobId), {
    type: 'CancelJob',
    by: actorName(ctx.actor),
    at: ctx.now(),
  });
  const settled = await settleAnalysis(ctx, { jobId });
  return { position: comparePositions(settled.position, position) > 0 ? settled.position : position };
}
