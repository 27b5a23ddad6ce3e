/** The jobs that were submitted together: told of in one mail, by the end that comes last. Read from the streams, which say the same whoever asks and when. */
import { loadState } from '../../commands/handle.ts';
import { analysisOf, billingStream } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { JOB_ENDS, type JobState, jobStream } from '../../domain/job/job.ts';
import { comparePositions, type EventStore, type RecordedEvent } from '../../eventStore/eventStore.ts';

export type LoadedJob = { readonly state: JobState; readonly events: readonly RecordedEvent[] };

const ENDS: ReadonlySet<string> = new Set(JOB_ENDS);

export const endOf = ({ events }: LoadedJob): RecordedEvent | undefined => events.find(({ type }) => ENDS.has(type));

export async function loadJob(store: EventStore, jobId: string): Promise<LoadedJob> {
  const { state, events } = await loadState(store, jobDecider, jobStream(jobId));
  return { state, events };
}

/**
 * The whole batch, in the order of its submission, when `end` is the end of the last of its jobs. `waits`: one has not ended yet, and may be the
 * one that tells. `told_later`: another ended after this one. What never came to be, or is gone without a trace, is left out.
 */
export async function batchEndedBy(
  store: EventStore,
  { userId, end }: { readonly userId: string; readonly end: RecordedEvent },
): Promise<readonly LoadedJob[] | 'waits' | 'told_later'> {
  const ownId = (end.data as { readonly jobId: string }).jobId;
  const billing = await loadState(store, billingDecider, billingStream(userId));
  const batch: LoadedJob[] = [];
  // The last ones usually end last.
  for (const jobId of reservedTogether(billing.events, ownId).reverse()) {
    const job = await loadJob(store, jobId);
    const otherEnd = endOf(job);
    if (otherEnd) {
      if (comparePositions(otherEnd.position, end.position) > 0) return 'told_later';
      batch.unshift(job);
    } else if (job.state.status !== 'none' || analysisOf(billing.state, jobId)?.status === 'reserved') return 'waits';
  }
  return batch;
}

/** One command reserves for all of a batch, in one append. */
function reservedTogether(events: readonly RecordedEvent[], jobId: string): string[] {
  const reserved = events.filter(({ type }) => type === ('AnalysisReserved' satisfies BillingEvent['type']));
  const jobIdOf = ({ data }: RecordedEvent): string => (data as { readonly jobId: string }).jobId;
  const own = reserved.find((event) => jobIdOf(event) === jobId);
  const together = reserved.filter(({ metadata }) => own?.metadata.causationId !== undefined && metadata.causationId === own.metadata.causationId);
  return together.length > 0 ? together.map(jobIdOf) : [jobId];
}
