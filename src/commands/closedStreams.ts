import { accountStream } from '../domain/account/account.ts';
import { jobStream } from '../domain/job/job.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { contentStreams } from './deleteJob.ts';

/**
 * The streams that are deleted for good when this event is written (`deleteJob`, `reconcileReservations`, `voidAccount`), so that a copy of the log
 * keeps them closed although nothing of them is in it.
 */
export function streamsClosedWith({ type, data }: RecordedEvent): readonly string[] {
  const { jobId, userId, reason } = data as { readonly jobId: string; readonly userId: string; readonly reason?: string };
  switch (type) {
    case 'JobDeleted':
      return contentStreams(jobId);
    case 'AnalysisReleased':
      return reason === 'job_missing' ? [jobStream(jobId)] : [];
    case 'EmailRefused':
      return [accountStream(userId)];
    default:
      return [];
  }
}
