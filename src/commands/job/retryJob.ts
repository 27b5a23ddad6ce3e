import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { type JobEvent, jobStream } from '../../domain/job/events.ts';
import { hasResult } from '../../domain/job/job.ts';
import type { Position, Recorded } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { loadHistory } from '../handle.ts';
import { submitJobs } from './submitJobs.ts';

/**
 * For operators: submits another job for the same owner, address, limits and settings after this one failed. The owner is not
 * charged: the retry is paid for like an admin's job, and therefore shown in full.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FAILED, ACCOUNT_NOT_FOUND
 */
export async function retryJob(
  ctx: CommandContext,
  { jobId }: { readonly jobId: string },
): Promise<{ readonly jobId: string; readonly position: Position }> {
  const { state: job, events } = await loadHistory(ctx.store, jobDecider, jobStream(jobId));
  const submitted = events.find(
    (event): event is Extract<Recorded<JobEvent>, { readonly type: 'JobSubmitted' }> => event.type === 'JobSubmitted',
  );
  if (!submitted || job.status === 'none' || job.status === 'deleted')
    throw new DomainError('JOB_NOT_FOUND', 'There is no such job.');
  if (job.status !== 'finished' || hasResult(job.outcome)) {
    throw new DomainError(
      'JOB_NOT_FAILED',
      'Only a job that failed or was canceled can be run again on behalf of its owner.',
    );
  }
  const { userId, url, host, bounds, settings, schemeGuessed } = submitted.data;
  const site = { url, host, ...(schemeGuessed ? { schemeGuessed } : {}) };
  const again = { userId, sites: [site], bounds, settings, unbilled: true, retryOf: jobId };
  const { jobIds, position } = await submitJobs(ctx, again);
  return { jobId: jobIds[0] ?? '', position };
}
