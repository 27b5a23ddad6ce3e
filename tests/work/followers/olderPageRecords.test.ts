import { describe, expect, it } from 'vitest';
import { packRecords, writePageRecords } from '../../../src/commands/job/pageRecords.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createOlderPageRecords } from '../../../src/work/followers/olderPageRecords.ts';
import { createTruncations } from '../../../src/work/followers/truncations.ts';
import { completeJob, workOn } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

async function ended(made: Product, userId: string): Promise<string> {
  const sites = [{ url: 'https://one.example/', host: 'one.example' }];
  const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } });
  const [jobId = ''] = jobIds;
  await workOn(made, jobId, 'report');
  const pages = await packRecords([{ json: '{}', rows: 1 }]);
  await writePageRecords(made.context(), { jobId, userId }, { pages, links: pages });
  await completeJob(made, jobId, userId);
  return jobId;
}

async function three() {
  const made = await withAdmin();
  const userId = await userOf(made, 'owner@example.com');
  const jobIds = [await ended(made, userId), await ended(made, userId), await ended(made, userId)] as const;
  const follower = (reached = true, store = made.store) =>
    createOlderPageRecords({
      context: () => made.context('command-1', store),
      asOf: asOfIf(reached),
      olderRuns: async (jobId) => (jobId === jobIds[2] ? [jobIds[1], jobIds[0]] : []),
    });
  const typesOf = (jobId: string) => made.types(`page-records-${jobId}`);
  return { made, jobIds, follower, typesOf };
}

describe('the records of a site’s older audits', () => {
  it('are removed when a newer one has ended, and those of the newest stay', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, jobIds, follower, typesOf } = await three();
      await orCrash(followLog(made.store, follower(true, breaking(made.store))));
      for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, follower());
      expect(await typesOf(jobIds[0])).toEqual(['PageRecordsRemoved']);
      expect(await typesOf(jobIds[1])).toEqual(['PageRecordsRemoved']);
      expect(await typesOf(jobIds[2])).toEqual(['PageRecordsWritten', 'PageRecordsWritten']);
    });
    expect(deaths).toBe(8);
  });

  it('are erased by the follower of truncations if the process ends in between', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, jobIds, follower, typesOf } = await three();
      const died = (await orCrash(followLog(made.store, follower(true, breaking(made.store))))) === 'crashed';
      await followLog(made.store, createTruncations({ store: made.store }));
      const types = await typesOf(jobIds[1]);
      expect(types.includes('PageRecordsRemoved') ? types : ['PageRecordsRemoved']).toEqual(['PageRecordsRemoved']);
      if (!died) expect(types).toEqual(['PageRecordsRemoved']);
    });
    expect(deaths).toBe(8);
  });

  it('wait for the read model that knows them', async () => {
    const { made, follower } = await three();
    await expect(followLog(made.store, follower(false))).rejects.toBeInstanceOf(NotYet);
  });
});
