/**
 * Records that an owner opened a report: once per job, and without delaying the response. Views by admins and visitors
 * of shared links do not come through here.
 */
import type { Logger } from 'pino';
import type { CommandContext } from '../../commands/context.ts';
import { recordReportOpened } from '../../commands/job/recordReportOpened.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import type { Caller } from '../request/caller.ts';

/** Cache size. Beyond it the cache is cleared, and the store knows what was recorded before. */
const MAX_REMEMBERED = 10_000;

export type Opening = {
  readonly caller: Caller;
  readonly job: { readonly data: Pick<JobDocument, 'jobId' | 'userId' | 'folderPath'> };
  readonly command: CommandContext;
};

export type ReportOpenings = {
  /** Never fails or blocks. */
  note(opening: Opening): void;
  /** Resolves when everything recorded so far has been written. */
  written(): Promise<void>;
};

export function createReportOpenings(log: Pick<Logger, 'warn'>): ReportOpenings {
  const noted = new Set<string>();
  const writing = new Set<Promise<void>>();
  return {
    note({ caller, job, command }) {
      const { jobId, userId, folderPath } = job.data;
      // A program's request is not a view by a person, and without a folder there is no report yet.
      if (caller.apiKey || caller.userId !== userId || folderPath === null || noted.has(jobId)) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.add(jobId);
      const written = recordReportOpened(command, { jobId, userId }).catch((error: unknown) => {
        noted.delete(jobId);
        log.warn({ err: error, jobId }, 'the first view of a report could not be recorded');
      });
      writing.add(written);
      void written.finally(() => writing.delete(written));
    },
    written: async () => {
      await Promise.all(writing);
    },
  };
}
