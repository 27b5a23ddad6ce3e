/** Ends the reservation of a job that has ended: taken when there is a result, given back when there is none. */

import { settleAnalysis } from '../../commands/billing/settleAnalysis.ts';
import type { ContextOf } from '../../commands/context.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type SettledAnalysesDeps = {
  readonly context: ContextOf;
  /** Whether `isReserved` knows the log up to there; waits a little for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Whether the job has a reservation that has not ended. A reservation comes before its job, so this is known when the job's end is. */
  readonly isReserved: (jobId: string) => Promise<boolean>;
};

export function createSettledAnalyses({ context, reached, isReserved }: SettledAnalysesDeps): Follower {
  return followerOf({
    name: 'settledAnalyses',
    types: JOB_ENDS,
    begins: 'at_the_start',
    async follow(event) {
      const { jobId } = event.data;
      if (!(await reached(event.position))) throw new NotYet('The reservation of a job that has ended is not known yet.');
      // Asked first, so that the bill of a user, which grows with each job, is read once for each of them and not twice.
      if (await isReserved(jobId)) await settleAnalysis(context(event), { jobId });
    },
  });
}
