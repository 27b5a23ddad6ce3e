/**
 * Ends the reservations of jobs that have ended. `followers/settledAnalyses.ts` does so at once; this catches what it
 * may have missed, such as a restored backup whose follower was further than its log.
 */
import { settleAnalysis } from '../../commands/billing/settleAnalysis.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Sweep } from '../sweep.ts';
import { orPassOver } from './orPassOver.ts';

export type UnsettledReservationsDeps = {
  readonly context: ContextOf;
  /** Jobs with an open reservation that are not known to be waiting or running: a page, and where to continue. */
  readonly listIdle: (
    cursor: string | null,
  ) => Promise<{ readonly jobIds: readonly string[]; readonly cursor: string | null }>;
};

export function createUnsettledReservations({ context, listIdle }: UnsettledReservationsDeps): Sweep {
  return {
    name: 'unsettledReservations',
    everyMs: 60 * 60_000,
    async run(_kept, signal) {
      let done = 0;
      const passedOver: Error[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listIdle>> = await listIdle(cursor);
        for (const jobId of page.jobIds) {
          if (signal.aborted) return { done, kept: null, passedOver };
          const ended = await orPassOver(passedOver, settleAnalysis(context(null), { jobId }));
          if (ended?.settled === 'consumed' || ended?.settled === 'released') done += 1;
        }
        cursor = page.cursor;
      } while (cursor !== null);
      return { done, kept: null, passedOver };
    },
  };
}
