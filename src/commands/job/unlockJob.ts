import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider, unlockable } from '../../domain/job/decide.ts';
import { type JobState, jobStream } from '../../domain/job/job.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import type { Money } from '../../model/purchase.ts';
import type { CommandContext } from '../context.ts';
import { existing, handle, loadState } from '../handle.ts';

export type UnlockJob = {
  readonly jobId: string;
  /** Of one report; without it funds pay for nothing. */
  readonly price?: Money | undefined;
  /** Its owner is not charged, as if they were an admin. */
  readonly onTheHouse?: boolean;
};

/**
 * Shows a preview in full: first it is paid for in the bill, once however often it is asked for, then the job is told. A crash in between is made good by a
 * repeat, or by the follower of paid unlocks.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, ANALYSIS_WITHOUT_RESULT, ALREADY_UNLOCKED, INSUFFICIENT_CREDITS, ACCOUNT_NOT_FOUND
 */
export async function unlockJob(ctx: CommandContext, { jobId, price, onTheHouse = false }: UnlockJob): Promise<{ readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  // Either the repeat of this command, or refused: nothing is paid for it.
  if (job.status === 'finished' && job.access === 'full') return { position: await tell(ctx, jobId) };
  const { userId } = unlockable(job);
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const isAdmin = account.isAdmin || onTheHouse;
  const paid = await handle(ctx, billingDecider, billingStream(userId), {
    ...{ type: 'PayUnlock', userId, jobId, isAdmin, at: ctx.now() },
    ...(price ? { price } : {}),
  });
  return { position: later(paid.position, await shownInFull(ctx, { jobId, userId, isPaidNow: paid.events.length > 0 })) };
}

type Unlocked = { readonly jobId: string; readonly userId: string; readonly isPaidNow: boolean };

/** Of what was paid just now, the follower of paid unlocks may tell the job first. */
async function shownInFull(ctx: CommandContext, { isPaidNow, ...job }: Unlocked): Promise<Position> {
  try {
    return await showInFull(ctx, job);
  } catch (error) {
    if (!isPaidNow || !(error instanceof DomainError) || error.code !== 'ALREADY_UNLOCKED') throw error;
    return (await loadState(ctx.store, jobDecider, jobStream(job.jobId))).position;
  }
}

/**
 * Tells the job of an unlock that is paid. What is gone meanwhile gives back what it took.
 * @throws DomainError JOB_NOT_FOUND, ALREADY_UNLOCKED
 */
export async function showInFull(ctx: CommandContext, { jobId, userId }: { readonly jobId: string; readonly userId: string }): Promise<Position> {
  try {
    return await tell(ctx, jobId);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'JOB_NOT_FOUND') throw error;
    const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
    if (cameTooLate(job)) await handle(ctx, billingDecider, billingStream(userId), { type: 'ReturnUnlock', userId, jobId, at: ctx.now() });
    throw error;
  }
}

async function tell(ctx: CommandContext, jobId: string): Promise<Position> {
  return (await existing(handle(ctx, jobDecider, jobStream(jobId), { type: 'UnlockJob', at: ctx.now() }))).position;
}

/** Deleted as a preview: one that was deleted after it had been shown in full was worth its price. Of a job that went with its account nothing is known. */
const cameTooLate = (job: JobState): boolean => job.status === 'deleted' && job.access === 'preview' && job.url !== '';

const later = (one: Position, other: Position): Position => (comparePositions(one, other) > 0 ? one : other);
