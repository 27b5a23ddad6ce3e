import { createHash } from 'node:crypto';
import { analysisOf } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { costsAnalysis } from '../../domain/job/job.ts';
import { type Position, START } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

export type Settled = { readonly settled: 'consumed' | 'released' | 'running' | 'no_job'; readonly position: Position };

/**
 * Ends the reservation of an ended job: consumed if there is a result or its findings were readable, given back if it
 * failed or was cancelled before that, or could judge nothing. Safe to repeat. Called by whatever ends the job, and by the job-end follower.
 */
export async function settleAnalysis(ctx: CommandContext, input: { readonly jobId: string }): Promise<Settled> {
  const { jobId } = input;
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'none') return { settled: 'no_job', position: START };
  if (job.status !== 'finished' && job.status !== 'deleted') return { settled: 'running', position: START };
  const { userId } = job;
  const at = ctx.now();
  if (costsAnalysis(job)) {
    const { position } = await handle(ctx, billingDecider, billingStream(userId), {
      type: 'ConsumeAnalysis',
      userId,
      jobId,
      at,
    });
    return { settled: 'consumed', position };
  }
  const reason = job.givenBackFor ?? (job.outcome === 'cancelled' ? 'job_cancelled' : 'job_failed');
  const { state, position } = await handle(ctx, billingDecider, billingStream(userId), {
    type: 'ReleaseAnalysis',
    userId,
    jobId,
    reason,
    begun: job.begun,
    ...(job.givenBackFor === null ? {} : { siteMark: siteMarkOf(job) }),
    at,
  });
  return { settled: analysisOf(state, jobId)?.status === 'consumed' ? 'consumed' : 'released', position };
}

/** The same for all audits of a site by one user; 16 bits, too few to say which site it is. */
export function siteMarkOf({ userId, host }: { readonly userId: string; readonly host: string }): number {
  const site = host.toLowerCase().replace(/^www\./, '');
  return createHash('sha256').update(`${userId} ${site}`).digest().readUInt16BE();
}
