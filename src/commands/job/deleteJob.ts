import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { planStream } from '../../domain/plan/events.ts';
import { crawlStream, openedStream, pageRecordsStream, reportStream } from '../../domain/report/events.ts';
import { sharesStream, shareVisitsStream } from '../../domain/share/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { forgetPromptTrial } from '../promptTrial/forgetPromptTrial.ts';

/**
 * Deletes an ended job: the fact stays in its stream, its results are erased permanently. A crash before the erasure is
 * recovered by a retry, or by the deletion follower. Read models learn of it from JobDeleted, which stays.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED
 */
export async function deleteJob(
  ctx: CommandContext,
  input: { readonly jobId: string },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, jobDecider, jobStream(input.jobId), { type: 'DeleteJob', at: ctx.now() });
  await eraseJobContent(ctx, input.jobId);
  return { position };
}

/** Safe to repeat. Runs in parallel so that the store can batch it into one write. */
export async function eraseJobContent(ctx: CommandContext, jobId: string): Promise<void> {
  await Promise.all([
    ...contentStreams(jobId).map((stream) => ctx.store.delete(stream)),
    forgetPromptTrial(ctx, { jobId }),
  ]);
}

/** All streams with an audit's results and what was derived from them. */
export function contentStreams(jobId: string): readonly string[] {
  return [
    planStream(jobId),
    reportStream(jobId),
    pageRecordsStream(jobId),
    crawlStream(jobId),
    openedStream(jobId),
    sharesStream(jobId),
    shareVisitsStream(jobId),
  ];
}
