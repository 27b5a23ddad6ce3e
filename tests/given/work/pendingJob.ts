import type { PendingJob } from '../../../src/workers/auditJob.ts';

/** A job, and the event that makes it pending. */
export const pendingJob = (jobId: string): PendingJob => ({ jobId, cause: { id: `submission of ${jobId}` } });
