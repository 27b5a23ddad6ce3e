/**
 * Jobs that were submitted together: reported in one email, triggered by the last end. Read from the streams, which
 * give the same answer to every caller at any time.
 */

import { loadHistory, loadState } from '../../commands/handle.ts';
import { openAnalysisOf, reservedTogether } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { type JobEvent, jobStream } from '../../domain/job/events.ts';
import { JOB_ENDS, type JobState } from '../../domain/job/job.ts';
import { type EventOf, eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type EventStore, type Recorded } from '../../eventStore/eventStore.ts';

export type LoadedJob = { readonly state: JobState; readonly events: readonly Recorded<JobEvent>[] };
export type EndOfJob = Recorded<EventOf<(typeof JOB_ENDS)[number]>>;

export const endOf = ({ events }: LoadedJob): EndOfJob | undefined => events.find((event) => isOf(event, ...JOB_ENDS));

export async function loadJob(store: EventStore, jobId: string): Promise<LoadedJob> {
  const { state, events } = await loadHistory(store, jobDecider, jobStream(jobId));
  return { state, events };
}

/**
 * The whole batch in submission order, if `end` is the end of its last job. `told_later`: another job ends after this
 * one. `waits`: one has not been submitted yet, and may be the last. Jobs that were never submitted, or were deleted
 * without a trace, are omitted.
 */
export async function batchEndedBy(
  store: EventStore,
  { userId, end }: { readonly userId: string; readonly end: EndOfJob },
): Promise<readonly LoadedJob[] | 'waits' | 'told_later'> {
  const ownId = end.data.jobId;
  const { state: billing } = await loadState(store, billingDecider, billingStream(userId));
  const jobIds = reservedTogether(billing, ownId) ?? (await reservedByOneCommand(store, userId, ownId));
  const batch: LoadedJob[] = [];
  let waits = false;
  // Later jobs usually end last.
  for (const jobId of jobIds.toReversed()) {
    const job = await loadJob(store, jobId);
    const otherEnd = endOf(job);
    if (otherEnd) {
      if (comparePositions(otherEnd.position, end.position) > 0) return 'told_later';
      batch.unshift(job);
    } else if (job.state.status === 'none') waits ||= openAnalysisOf(billing, jobId) !== null;
    else if (job.state.status !== 'deleted') return 'told_later';
  }
  return waits ? 'waits' : batch;
}

/** For reservations in old logs that do not record their batch. */
async function reservedByOneCommand(store: EventStore, userId: string, jobId: string): Promise<readonly string[]> {
  const { events } = await loadHistory(store, billingDecider, billingStream(userId));
  const reserved = eventsOf(events, 'AnalysisReserved');
  const own = reserved.find(({ data }) => data.jobId === jobId);
  const together = reserved.filter(({ metadata }) => metadata.causationId === own?.metadata.causationId);
  return together.length > 0 ? together.map(({ data }) => data.jobId) : [jobId];
}
