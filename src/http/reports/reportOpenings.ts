/** Notes that an owner opened a report: once a job, and never in the way of the answer. Admins and visitors of shared links do not come by here. */
import type { Logger } from 'pino';
import type { CommandContext } from '../../commands/context.ts';
import { recordReportOpened } from '../../commands/job/recordReportOpened.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import type { Caller } from '../auth/session.ts';

/** Jobs that are remembered; beyond it the memory begins anew, and the store knows what was noted before. */
const MAX_REMEMBERED = 10_000;

export type Opening = {
  readonly caller: Caller;
  readonly job: { readonly data: Pick<JobDocument, 'jobId' | 'userId' | 'score'> };
  readonly command: CommandContext;
};

export type ReportOpenings = {
  /** Never fails and never waits. */
  note(opening: Opening): void;
  /** Waits for what was noted so far to be written. */
  written(): Promise<void>;
};

export function createReportOpenings(log: Pick<Logger, 'warn'>): ReportOpenings {
  const noted = new Set<string>();
  const writing = new Set<Promise<void>>();
  return {
    note({ caller, job, command }) {
      const { jobId, userId, score } = job.data;
      // What a program fetches nobody has read, and before there is a score there is no report.
      if (caller.apiKey || caller.userId !== userId || score === null || noted.has(jobId)) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.add(jobId);
      const written = recordReportOpened(command, { jobId, userId }).catch((error: unknown) => {
        noted.delete(jobId);
        log.warn({ err: error, jobId }, 'that a report was opened could not be noted');
      });
      writing.add(written);
      void written.finally(() => writing.delete(written));
    },
    written: async () => {
      await Promise.all(writing);
    },
  };
}
