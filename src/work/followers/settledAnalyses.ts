/** Ends the reservation of a job that has ended: consumed if there is a result, released if not. */

import { settleAnalysis } from '../../commands/billing/settleAnalysis.ts';
import type { ContextOf } from '../../commands/context.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

export type SettledAnalysesDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  /**
   * Whether the job has an open reservation. A reservation comes before its job, so this is known when the job's end
   * is.
   */
  readonly isReserved: (jobId: string) => Promise<boolean>;
};

export function createSettledAnalyses({ context, asOf, isReserved }: SettledAnalysesDeps): Follower {
  return followerOf({
    name: 'settledAnalyses',
    types: JOB_ENDS,
    begins: 'at_the_start',
    async follow(event) {
      const { jobId } = event.data;
      // Checked first, so that a user's bill, which grows with each job, is read once per job rather than twice.
      const isOpen = await known(asOf, event.position, 'the reservation of a job that has ended', () =>
        isReserved(jobId),
      );
      if (isOpen) await settleAnalysis(context(event), { jobId });
    },
  });
}
