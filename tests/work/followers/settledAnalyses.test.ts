import { describe, expect, it } from 'vitest';
import { cancelJob } from '../../../src/commands/job/cancelJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createSettledAnalyses } from '../../../src/work/followers/settledAnalyses.ts';
import { completeJob, decideOn, failJob, workOn } from '../../given/audit/auditedJob.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

/** As in the read model of open reservations. */
const isReservedIn = (made: Product) => async (jobId: string) => {
  const types = (await made.log())
    .filter(({ data }) => (data as { jobId?: string }).jobId === jobId)
    .map(({ type }) => type);
  return (
    types.includes('AnalysisReserved') && !types.includes('AnalysisConsumed') && !types.includes('AnalysisReleased')
  );
};
const followerOf = (made: Product, reached = true) =>
  createSettledAnalyses({ context: made.context, asOf: asOfIf(reached), isReserved: isReservedIn(made) });

async function submitted(made: Product, name: string): Promise<{ jobId: string; userId: string }> {
  const userId = await userOf(made, `${name}@example.com`);
  const sites = [{ url: `https://${name}.example/`, host: `${name}.example` }];
  return {
    jobId: (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } })).jobIds[0] ?? '',
    userId,
  };
}

describe('the reservation of an ended job', () => {
  it('is consumed for a result and released without one, once', async () => {
    const made = await withAdmin();
    const ends: Record<string, string> = {};
    for (const end of ['CompleteJob', 'CompleteJobPartially', 'SucceedJobPartially'] as const) {
      const { jobId } = await submitted(made, end);
      await workOn(made, jobId);
      await decideOn(made, jobId, { type: end, reason: 'r', at: made.now() });
      ends[jobId] = 'AnalysisConsumed';
    }
    const failed = await submitted(made, 'failed');
    await failJob(made, failed.jobId);
    const cancelled = await submitted(made, 'cancelled');
    await decideOn(made, cancelled.jobId, { type: 'CancelJob', by: 'user', at: made.now() });
    for (const { jobId } of [failed, cancelled]) ends[jobId] = 'AnalysisReleased';
    await submitted(made, 'queued');
    for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, followerOf(made));
    const settled = (await made.log()).filter(({ type }) => type === 'AnalysisConsumed' || type === 'AnalysisReleased');
    expect(settled).toHaveLength(5);
    expect(Object.fromEntries(settled.map(({ type, data }) => [(data as { jobId: string }).jobId, type]))).toEqual(
      ends,
    );
  });

  it('is released once if its owner cancelled', async () => {
    const made = await withAdmin();
    const { jobId } = await submitted(made, 'cancelled');
    await cancelJob(made.context(), { jobId });
    await followLog(made.store, followerOf(made));
    expect(await made.types('billing-')).toEqual(['AnalysisReserved', 'AnalysisReleased']);
  });

  it('waits for the read model that knows it, and reads no bill when there is nothing to settle', async () => {
    const made = await withAdmin();
    const { jobId, userId } = await submitted(made, 'well');
    await completeJob(made, jobId, userId);
    await expect(followLog(made.store, followerOf(made, false))).rejects.toBeInstanceOf(NotYet);
    await followLog(made.store, followerOf(made));
    const read: string[] = [];
    const watched = Object.assign(Object.create(made.store) as typeof made.store, {
      read: (...input: Parameters<typeof made.store.read>) => {
        read.push(input[0]);
        return made.store.read(...input);
      },
    });
    await followLog(
      made.store,
      createSettledAnalyses({
        context: () => made.context(undefined, watched),
        asOf: asOfIf(true),
        isReserved: isReservedIn(made),
      }),
    );
    expect(read).toEqual([]);
  });
});
