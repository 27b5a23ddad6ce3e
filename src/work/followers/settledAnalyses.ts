/** Ends the reservation of a job that has ended: consumed if there is a result, released if not. */

import { settleAnalysis } from '../../commands/billing/settleAnalysis.ts';
import type { ContextOf } from '../../commands/context.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type SettledAnalysesDeps = {
  readonly context: ContextOf;
  /** Whether `isReserved` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Whether the job has an open reservation. A reservation comes before its job, so this is known when the job's end is. */
  readonly isReserved: (jobId: string) => Promise<boolean>;
};

export function createSettledAnalyses({ context, reached, isReserved }: SettledAnalysesDeps): Follower {
  return followerOf({
    name: 'settledAnalyses',
    types: JOB_ENDS,
    begins: 'at_the_start',
    async follow(event) {
      const { jobId } = event.data;
      const check = async (): Promise<boolean> => {
        if (!(await reached(event.position))) throw new NotYet('The reservation of a job that has ended is not known yet.');
        return isReserved(jobId);
      };
      // Checked first, so that a user's bill, which grows with each job, is read once per job rather than twice. A read model that is deleted between the two
      // calls knows no reservation, so 'none' counts only if it is confirmed.
      if ((await check()) || (await check())) await settleAnalysis(context(event), { jobId });
    },
  });
}
