import { describe, expect, it } from 'vitest';
import { settleAnalysis } from '../../../src/commands/billing/settleAnalysis.ts';
import { contentStreams, deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { carryOutDeletions, deleteJobs } from '../../../src/commands/job/deleteJobs.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { createDeletedJobs } from '../../../src/work/followers/deletedJobs.ts';
import { completeJob, workOn } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, userOf, withAdmin } from '../../given/commands.ts';
import { saveCrawlText } from '../../given/crawlTexts.ts';
import { followLog } from '../../given/work/following.ts';

const bounds = { maxPages: 50, maxMs: 1_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });

describe('the content of a deleted job', () => {
  it('is erased after its deletion crashed, and no other job’s', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('one'), site('two')], bounds });
      for (const jobId of jobIds) {
        await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'pages' });
        await completeJob(made, jobId, userId);
      }
      const [gone = '', kept = ''] = jobIds;
      await orCrash(deleteJob(made.context('command-1', breaking(made.store)), { jobId: gone }));
      const deleted = (await made.types(`job-${gone}`)).includes('JobDeleted');
      await followLog(made.store, createDeletedJobs(made));
      const left = (jobId: string) =>
        Promise.all(contentStreams(jobId).map(async (stream) => (await made.store.read(stream)).status));
      expect((await left(gone)).every((status) => status === 'deleted')).toBe(deleted);
      expect(await left(kept)).toContain('found');
    });
    expect(deaths).toBe(16);
  });

  it('is erased for all jobs deleted together, in any state, after the deletion crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      const { jobIds } = await submitJobs(made.context(), {
        userId,
        sites: [site('ended'), site('running'), site('waits')],
        bounds,
      });
      const [ended = '', running = ''] = jobIds;
      await completeJob(made, ended, userId);
      await settleAnalysis(made.context(), { jobId: ended });
      await workOn(made, running, 'crawl');
      await orCrash(deleteJobs(made.context('command-1', breaking(made.store)), { userId, jobIds }));
      const deleted = (await made.types('job-deletions-')).length > 0;
      await followLog(made.store, createDeletedJobs(made));
      await followLog(made.store, createDeletedJobs(made));
      for (const jobId of jobIds)
        expect((await made.types(`job-${jobId}`)).filter((type) => type === 'JobDeleted')).toHaveLength(
          deleted ? 1 : 0,
        );
      const bill = await made.types('billing-');
      expect(bill.filter((type) => type === 'AnalysisReleased')).toHaveLength(deleted ? 2 : 0);
      const erased = await Promise.all(
        jobIds.flatMap(contentStreams).map(async (stream) => (await made.store.read(stream)).status),
      );
      expect(erased.every((status) => status === 'deleted')).toBe(deleted);
    });
    expect(deaths).toBeGreaterThan(20);
  });

  it('is separate from other users’ jobs, and its erasure stops on the signal', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const bob = await userOf(made, 'bob@example.com');
    const { jobIds } = await submitJobs(made.context(), { userId: bob, sites: [site('one')], bounds });
    await carryOutDeletions(made.context(), { userId: ann, jobIds });
    expect(await made.types('job-')).not.toContain('JobCancelled');
    await expect(carryOutDeletions(made.context(), { userId: bob, jobIds }, AbortSignal.abort())).rejects.toThrow();
    expect(await made.types('job-')).not.toContain('JobCancelled');
  });
});
