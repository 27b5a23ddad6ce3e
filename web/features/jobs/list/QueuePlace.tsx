import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { useClock } from '../../../ui/text/clock.ts';
import { queueText } from '../queue.ts';

interface QueuePlaceProps {
  job: Pick<JobView, 'queue'>;
  /** The user's own jobs ahead of it. */
  ahead: number;
}

/** Beside the status: 'Queued', 'behind 3 of your audits · starts in about 4 min'. */
export function QueuePlace({ job, ahead }: QueuePlaceProps) {
  return <>{queueText(ahead, job.queue?.starts_at ?? null, useClock())}</>;
}
