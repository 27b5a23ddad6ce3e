import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider, unlockable } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import type { JobState } from '../../domain/job/job.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import type { Money } from '../../model/purchase.ts';
import type { CommandContext } from '../context.ts';
import { existing, handle, loadState } from '../handle.ts';

export type UnlockJob = {
  readonly jobId: string;
  /** Price of one report; if absent, funds pay for nothing. */
  readonly price?: Money | undefined;
  /** The owner is not charged, as if they were an admin. */
  readonly unbilled?: boolean;
};

/**
 * Unlocks a preview: first it is paid for in the bill, only once however often requested, then the job is updated. A
 * crash in between is recovered by a retry, or by the follower of paid unlocks.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, ANALYSIS_WITHOUT_RESULT, ALREADY_UNLOCKED, INSUFFICIENT_CREDITS,
 *   ACCOUNT_NOT_FOUND
 */
export async function unlockJob(
  ctx: CommandContext,
  { jobId, price, unbilled = false }: UnlockJob,
): Promise<{ readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  // Either a repeat of this command, or it is refused: nothing is charged.
  if (job.status === 'finished' && job.access === 'full') return { position: await tell(ctx, jobId) };
  const { userId } = unlockable(job);
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const isAdmin = account.isAdmin || unbilled;
  const paid = await handle(ctx, billingDecider, billingStream(userId), {
    type: 'PayUnlock',
    userId,
    jobId,
    isAdmin,
    at: ctx.now(),
    ...(price ? { price } : {}),
  });
  return {
    position: later(paid.position, await shownInFull(ctx, { jobId, userId, isPaidNow: paid.events.length > 0 })),
  };
}

type Unlocked = { readonly jobId: string; readonly userId: string; readonly isPaidNow: boolean };

/** The follower of paid unlocks may update the job first. */
async function shownInFull(ctx: CommandContext, { isPaidNow, ...job }: Unlocked): Promise<Position> {
  try {
    return await showInFull(ctx, job);
  } catch (error) {
    if (!isPaidNow || !(error instanceof DomainError) || error.code !== 'ALREADY_UNLOCKED') throw error;
    return (await loadState(ctx.store, jobDecider, jobStream(job.jobId))).position;
  }
}

/**
 * Updates the job for a paid unlock. If the job is gone, the payment is returned.
 * @throws DomainError JOB_NOT_FOUND, ALREADY_UNLOCKED
 */
export async function showInFull(
  ctx: CommandContext,
  { jobId, userId }: { readonly jobId: string; readonly userId: string },
): Promise<Position> {
  try {
    return await tell(ctx, jobId);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'JOB_NOT_FOUND') throw error;
    const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
    if (cameTooLate(job))
      await handle(ctx, billingDecider, billingStream(userId), { type: 'ReturnUnlock', userId, jobId, at: ctx.now() });
    throw error;
  }
}

async function tell(ctx: CommandContext, jobId: string): Promise<Position> {
  return (await existing(handle(ctx, jobDecider, jobStream(jobId), { type: 'UnlockJob', at: ctx.now() }))).position;
}

/**
 * Deleted while still a preview: a job deleted after being unlocked was worth its price. Nothing is known of a job
 * erased with its account.
 */
const cameTooLate = (job: JobState): boolean => job.status === 'deleted' && job.access === 'preview' && job.url !== '';

const later = (one: Position, other: Position): Position => (comparePositions(one, other) > 0 ? one : other);
