/** Removes the records of pages of a site's older audits once a newer one has ended. */
import type { ContextOf } from '../../commands/context.ts';
import { removePageRecords } from '../../commands/job/pageRecords.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

export type OlderPageRecordsDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  /** Audits of the same site by the same user, beyond those that keep their records. */
  readonly olderRuns: (jobId: string) => Promise<readonly string[]>;
};

export function createOlderPageRecords({ context, asOf, olderRuns }: OlderPageRecordsDeps): Follower {
  return followerOf({
    name: 'olderPageRecords',
    types: JOB_ENDS,
    begins: 'a_day_back',
    async follow(event) {
      const older = await known(asOf, event.position, 'the older audits of a site', () => olderRuns(event.data.jobId));
      for (const jobId of older) await removePageRecords(context(event), jobId);
    },
  });
}
