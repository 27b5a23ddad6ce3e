import { jobDecider } from '../../domain/job/decide.ts';
import { jobDeletionsDecider } from '../../domain/job/deletions.ts';
import { jobDeletionsStream, jobStream } from '../../domain/job/events.ts';
import { comparePositions, type Position, START } from '../../eventStore/eventStore.ts';
import { settleAnalysis } from '../billing/settleAnalysis.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { AT_ONCE, someAtOnce } from '../someAtOnce.ts';
import { unlessRefused } from '../unlessRefused.ts';
import { cancelJob } from './cancelJob.ts';
import { deleteJob, eraseJobContent } from './deleteJob.ts';

export type DeleteJobs = { readonly userId: string; readonly jobIds: readonly string[] };

/**
 * Deletes many jobs, including running ones: one event for all, which makes read models drop them, then permanent
 * deletion of the first few. The deletion follower handles the rest, so the work done here is bounded.
 */
export async function deleteJobs(
  ctx: CommandContext,
  { userId, jobIds }: DeleteJobs,
): Promise<{ readonly position: Position }> {
  const deletion = { type: 'DeleteJobs', userId, jobIds, at: ctx.now() } as const;
  const { position } = await handle(ctx, jobDeletionsDecider, jobDeletionsStream(userId), deletion);
  const carriedOut = await carryOutDeletions(ctx, { userId, jobIds: jobIds.slice(0, AT_ONCE) });
  return { position: comparePositions(carriedOut, position) > 0 ? carriedOut : position };
}

/**
 * Cancels, deletes and erases each of them. Safe to repeat; jobs of other users are skipped. Returns the position of
 * the last event.
 */
export async function carryOutDeletions(
  ctx: CommandContext,
  { userId, jobIds }: DeleteJobs,
  signal?: AbortSignal,
): Promise<Position> {
  let last: Position = START;
  await someAtOnce(jobIds, async (jobId) => {
    signal?.throwIfAborted();
    const position = await carryOut(ctx, userId, jobId);
    if (comparePositions(position, last) > 0) last = position;
  });
  return last;
}

async function carryOut(ctx: CommandContext, userId: string, jobId: string): Promise<Position> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'none' || job.userId !== userId) return START;
  if (job.status === 'deleted') {
    await eraseJobContent(ctx, jobId);
    return START;
  }
  // Another tab or the worker may have ended it first.
  if (job.status !== 'finished')
    await cancelJob(ctx, { jobId }).catch(unlessRefused('JOB_ALREADY_FINISHED', 'JOB_NOT_FOUND'));
  await settleAnalysis(ctx, { jobId });
  return (await deleteJob(ctx, { jobId }).catch(unlessRefused('JOB_NOT_FOUND')))?.position ?? START;
}
