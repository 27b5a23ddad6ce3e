/**
 * Releases reservations whose job was never submitted because the submission was interrupted. Those with a job end with
 * it (`followers/settledAnalyses.ts`).
 */

import type { CommandContext, ContextOf } from '../../commands/context.ts';
import { handle } from '../../commands/handle.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { jobStream } from '../../domain/job/events.ts';
import { type EventStore, RevisionConflict } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago, eventsSince } from './eventsSince.ts';

/** Younger ones may belong to a submission that is still in progress. */
const GRACE_MS = 10 * 60 * 1_000;

type Reservation = { readonly jobId: string; readonly userId: string };

export function createLostReservations({ context }: { readonly context: ContextOf }): Sweep {
  return {
    name: 'lostReservations',
    everyMs: 60_000,
    run(kept, signal) {
      const ctx = context(null);
      const stretch = { kept, type: 'AnalysisReserved', before: ago(ctx.now(), GRACE_MS), signal } as const;
      return eventsSince(
        ctx.store,
        stretch,
        async (event) => (await closeJobStream(ctx.store, event.data.jobId)) && release(context(event), event.data),
      );
    },
  };
}

/** So that a submission that resumes cannot get its job for free. False if there is a job. */
async function closeJobStream(store: EventStore, jobId: string): Promise<boolean> {
  const { status } = await store.read(jobStream(jobId), { limit: 1 });
  if (status !== 'missing') return status === 'deleted';
  try {
    await store.delete(jobStream(jobId), { expected: 'no_stream' });
    return true;
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    return false;
  }
}

/** Also if a run that died had closed the job's stream. Returns whether there was anything to release. */
async function release(ctx: CommandContext, { jobId, userId }: Reservation): Promise<boolean> {
  const command = { type: 'ReleaseAnalysis', userId, jobId, reason: 'job_missing', at: ctx.now() } as const;
  return (await handle(ctx, billingDecider, billingStream(userId), command)).events.length > 0;
}
