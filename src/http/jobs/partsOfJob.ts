import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { getJob } from '../../projections/jobs.ts';
import { getReworks } from '../../projections/reworks.ts';
import { getShares } from '../../projections/shares.ts';
import type { ReadModels } from '../../readModels/readModels.ts';

/** Everything that is shown of a job, and is gone once it is deleted. */
export function partsOfJob(readModels: ReadModels, jobId: string): Promise<unknown> {
  return Promise.all([
    getJob(readModels, jobId),
    getJobFile(readModels, jobId, 'report.md'),
    getBoard(readModels, jobId),
    getReworks(readModels, jobId),
    getShares(readModels, jobId),
  ]);
}
