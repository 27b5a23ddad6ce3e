import type { OwedJob } from '../../../src/workers/auditJob.ts';

/** A job, and the event that says it is to be audited. */
export const owed = (jobId: string): OwedJob => ({ jobId, cause: { id: `submission of ${jobId}` } });
