import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/job.ts';
import { planStream } from '../../domain/plan/plan.ts';
import { crawlStream, openedStream, reportStream } from '../../domain/report/report.ts';
import { sharesStream, shareVisitsStream } from '../../domain/share/share.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { forgetPromptTrial } from '../promptTrial/forgetPromptTrial.ts';

/**
 * Deletes a job that has ended: the fact stays in its stream, everything it found is erased for good. A crash before the erasure is
 * made good by a repeat, or by the follower of deletions. Read models learn of it from JobDeleted, which stays.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED
 */
export async function deleteJob(ctx: CommandContext, input: { readonly jobId: string }): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, jobDecider, jobStream(input.jobId), { type: 'DeleteJob', at: ctx.now() });
  await eraseJobContent(ctx, input.jobId);
  return { position };
}

/** Safe to repeat. All at once, so that the store can put them into one write. */
export async function eraseJobContent(ctx: CommandContext, jobId: string): Promise<void> {
  await Promise.all([...contentStreams(jobId).map((stream) => ctx.store.delete(stream)), forgetPromptTrial(ctx, { jobId })]);
}

/** Everything that an analysis found and what was made of it. */
export function contentStreams(jobId: string): readonly string[] {
  return [planStream(jobId), reportStream(jobId), crawlStream(jobId), openedStream(jobId), sharesStream(jobId), shareVisitsStream(jobId)];
}
