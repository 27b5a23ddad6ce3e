/** The jobs that were submitted together: told of in one mail, by the end that comes last. Read from the streams, which say the same whoever asks and when. */
import { loadHistory, loadState } from '../../commands/handle.ts';
import { billingStream, openAnalysisOf, reservedTogether } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { JOB_ENDS, type JobState, jobStream } from '../../domain/job/job.ts';
import { comparePositions, type EventStore, type RecordedEvent } from '../../eventStore/eventStore.ts';

export type LoadedJob = { readonly state: JobState; readonly events: readonly RecordedEvent[] };

const ENDS: ReadonlySet<string> = new Set(JOB_ENDS);

export const endOf = ({ events }: LoadedJob): RecordedEvent | undefined => events.find(({ type }) => ENDS.has(type));

export async function loadJob(store: EventStore, jobId: string): Promise<LoadedJob> {
  const { state, events } = await loadHistory(store, jobDecider, jobStream(jobId));
  return { state, events };
}

/**
 * The whole batch, in the order of its submission, when `end` is the end of the last of its jobs. `told_later`: the end of another comes after this
 * one. `waits`: one has not been submitted yet, and may be the one that tells. What never came to be, or is gone without a trace, is left out.
 */
export async function batchEndedBy(
  store: EventStore,
  { userId, end }: { readonly userId: string; readonly end: RecordedEvent },
): Promise<readonly LoadedJob[] | 'waits' | 'told_later'> {
  const ownId = (end.data as { readonly jobId: string }).jobId;
  const { state: billing } = await loadState(store, billingDecider, billingStream(userId));
  const jobIds = reservedTogether(billing, ownId) ?? (await reservedByOneCommand(store, userId, ownId));
  const batch: LoadedJob[] = [];
  let waits = false;
  // The last ones usually end last.
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

/** Of reservations that do not say which batch they belong to: those of an old log. */
async function reservedByOneCommand(store: EventStore, userId: string, jobId: string): Promise<readonly string[]> {
  const { events } = await loadHistory(store, billingDecider, billingStream(userId));
  const reserved = events.filter(({ type }) => type === ('AnalysisReserved' satisfies BillingEvent['type']));
  const jobIdOf = ({ data }: RecordedEvent): string => (data as { readonly jobId: string }).jobId;
  const own = reserved.find((event) => jobIdOf(event) === jobId);
  const together = reserved.filter(({ metadata }) => own?.metadata.causationId !== undefined && metadata.causationId === own.metadata.causationId);
  return together.length > 0 ? together.map(jobIdOf) : [jobId];
}
