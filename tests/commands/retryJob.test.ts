import { describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { retryJob } from '../../src/commands/job/retryJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { decideOn, failJob, workOn } from '../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';

const SITE = { url: 'https://example.com/', host: 'example.com', schemeGuessed: true } as const;
const bounds = { maxPages: 7, maxMs: 1_000 };

async function given(): Promise<{ made: Product; jobId: string; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const { jobIds } = await submitJobs(made.context(), { userId, sites: [SITE], bounds, freeAnalyses: 1 });
  return { made, userId, jobId: jobIds[0] ?? '' };
}
const eventOf = async (made: Product, jobId: string, type: string) =>
  (await made.log()).find((event) => event.type === type && (event.data as { jobId?: string }).jobId === jobId)?.data;

describe('retrying a job that failed', () => {
  it('uses the same address and limits, and costs its owner nothing, even without anything left', async () => {
    const { made, jobId, userId } = await given();
    await workOn(made, jobId, 'crawl');
    await failJob(made, jobId);
    const again = await retryJob(made.context(), { jobId });
    expect(await eventOf(made, again.jobId, 'JobSubmitted')).toMatchObject({ userId, ...SITE, bounds, access: 'full' });
    expect(await eventOf(made, again.jobId, 'AnalysisReserved')).toMatchObject({
      userId,
      from: 'admin',
      access: 'full',
    });
  });

  it('keeps the settings of the crawl', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const settings = { maxPages: 7, folder: '/blog/', exclude: ['*?sort='] };
    const { jobIds } = await submitJobs(made.context(), { userId, sites: [SITE], bounds, settings });
    await failJob(made, jobIds[0] ?? '');
    const again = await retryJob(made.context(), { jobId: jobIds[0] ?? '' });
    expect(await eventOf(made, again.jobId, 'JobSubmitted')).toMatchObject({ settings });
  });

  it('works for a cancelled job, too', async () => {
    const { made, jobId } = await given();
    await cancelJob(made.context(), { jobId });
    expect((await retryJob(made.context(), { jobId })).jobId).not.toBe(jobId);
  });

  it('is refused while the job runs, when it has a result, and after its deletion', async () => {
    const { made, jobId } = await given();
    await expect(retryJob(made.context(), { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FAILED' });
    await workOn(made, jobId);
    await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
    await expect(retryJob(made.context(), { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FAILED' });
    await decideOn(made, jobId, { type: 'DeleteJob', at: made.now() });
    await expect(retryJob(made.context(), { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(retryJob(made.context(), { jobId: 'unknown' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('creates one job, wherever the process crashed and the request was repeated', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, jobId } = await given();
      await failJob(made, jobId);
      await orCrash(retryJob(made.context('retry', breaking(made.store)), { jobId }));
      await retryJob(made.context('retry'), { jobId });
      expect((await made.types('job-')).filter((type) => type === 'JobSubmitted')).toHaveLength(2);
      expect((await made.types('billing-')).filter((type) => type === 'AnalysisReserved')).toHaveLength(2);
    });
    expect(deaths).toBeGreaterThanOrEqual(4);
  });
});
