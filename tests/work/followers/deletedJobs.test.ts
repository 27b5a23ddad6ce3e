import { describe, expect, it } from 'vitest';
import { saveCrawlPart } from '../../../src/commands/job/crawlParts.ts';
import { contentStreams, deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { createDeletedJobs } from '../../../src/work/followers/deletedJobs.ts';
import { completeJob } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, userOf, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

const bounds = { maxPages: 50, maxMs: 1_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });

describe('what a deleted job found', () => {
  it('is erased when the deletion died on the way, and of no other job', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('one'), site('two')], bounds });
      for (const jobId of jobIds) {
        await saveCrawlPart(made.context(), { jobId, name: 'crawl', text: 'pages' });
        await completeJob(made, jobId, userId);
      }
      const [gone = '', kept = ''] = jobIds;
      await orCrash(deleteJob(made.context('command-1', breaking(made.store)), { jobId: gone }));
      const deleted = (await made.types(`job-${gone}`)).includes('JobDeleted');
      await followLog(made.store, createDeletedJobs(made));
      const left = (jobId: string) => Promise.all(contentStreams(jobId).map(async (stream) => (await made.store.read(stream)).status));
      expect((await left(gone)).every((status) => status === 'deleted')).toBe(deleted);
      expect(await left(kept)).toContain('found');
    });
    expect(deaths).toBe(12);
  });
});
