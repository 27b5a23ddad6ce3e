import type { PendingJob } from '../../../src/workers/auditJob.ts';

/** A job, and the event that says it is to be audited. */
export const pendingJob = (jobId: string): PendingJob => ({ jobId, cause: { id: `submission of ${jobId}` } });
