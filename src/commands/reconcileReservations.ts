import { billingStream } from '../domain/billing/billing.ts';
import { billingDecider } from '../domain/billing/decide.ts';
import { jobStream } from '../domain/job/job.ts';
import { RevisionConflict } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { handle } from './handle.ts';
import { type Settled, settleAnalysis } from './settleAnalysis.ts';

type Reservation = { readonly jobId: string; readonly userId: string };
type OpenReservations = { readonly documents: readonly { readonly data: Reservation }[]; readonly cursor: string | null };

export type ListOpenReservations = (query: { readonly before: string; readonly limit: number; readonly cursor?: string }) => Promise<OpenReservations>;

/** Younger ones may belong to a submission that is still under way. */
const RESERVATION_GRACE_MS = 10 * 60 * 1_000;
const PAGE = 200;

/**
 * Owner of every reservation that a crash has left open: given back when its job never came to be, failed or was cancelled, taken when
 * the job ended well, left alone while it runs.
 */
export async function reconcileReservations(
  ctx: CommandContext,
  input: { readonly listOpen: ListOpenReservations },
): Promise<{ readonly consumed: number; readonly released: number; readonly running: number }> {
  const before = new Date(Date.parse(ctx.now()) - RESERVATION_GRACE_MS).toISOString();
  const counts = { consumed: 0, released: 0, running: 0 };
  let cursor: string | null = null;
  do {
    const page: OpenReservations = await input.listOpen({ before, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    for (const { data } of page.documents) counts[await settle(ctx, data)] += 1;
    cursor = page.cursor;
  } while (cursor !== null);
  return counts;
}

async function settle(ctx: CommandContext, reservation: Reservation): Promise<'consumed' | 'released' | 'running'> {
  const { settled } = await settleAnalysis(ctx, reservation);
  if (settled !== 'no_job') return settled;
  const closed = await closeJobStream(ctx, reservation);
  return closed ?? (await releaseMissing(ctx, reservation));
}

/** So that a submission that comes back to life cannot have its job for nothing. Null when it is closed; else how the job that came first stands. */
async function closeJobStream(ctx: CommandContext, { jobId }: Reservation): Promise<Exclude<Settled['settled'], 'no_job'> | null> {
  try {
    await ctx.store.delete(jobStream(jobId), { mode: 'hard', expected: 'no_stream' });
    return null;
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    return 'running';
  }
}

async function releaseMissing(ctx: CommandContext, { jobId, userId }: Reservation): Promise<'released'> {
  const release = { type: 'ReleaseAnalysis', userId, jobId, reason: 'job_missing', at: ctx.now() } as const;
  await handle(ctx, billingDecider, billingStream(userId), release);
  return 'released';
}
