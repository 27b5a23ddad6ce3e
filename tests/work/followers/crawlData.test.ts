import { describe, expect, it } from 'vitest';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { crawlStream } from '../../../src/domain/report/events.ts';
import { createCrawlData } from '../../../src/work/followers/crawlData.ts';
import { decideOn, failJob, workOn } from '../../given/audit/auditedJob.ts';
import { userOf, withAdmin } from '../../given/commands.ts';
import { saveCrawlText } from '../../given/crawlTexts.ts';
import { followLog } from '../../given/work/following.ts';

describe('the working data of a job', () => {
  it('is removed at the job’s end, however it ends, and stays while it runs', async () => {
    const made = await withAdmin();
    const userId = await userOf(made, 'admin2@example.com');
    const sites = ['running', 'well'].map((name) => ({ url: `https://${name}.example/`, host: `${name}.example` }));
    const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } });
    const [running = '', well = ''] = jobIds;
    const others = await Promise.all(
      ['failed', 'cancelled'].map(async (name) => {
        const owner = await userOf(made, `${name}@example.com`);
        const site = { url: `https://${name}.example/`, host: `${name}.example` };
        return (
          (await submitJobs(made.context(), { userId: owner, sites: [site], bounds: { maxPages: 5, maxMs: 1_000 } }))
            .jobIds[0] ?? ''
        );
      }),
    );
    const [failed = '', cancelled = ''] = others;
    for (const jobId of [running, well, failed, cancelled])
      await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'pages' });
    await workOn(made, running, 'crawl');
    await workOn(made, well);
    await decideOn(made, well, { type: 'CompleteJob', at: made.now() });
    await failJob(made, failed);
    await decideOn(made, cancelled, { type: 'CancelJob', by: 'user', at: made.now() });
    for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, createCrawlData(made));
    const left = await Promise.all(
      [running, well, failed, cancelled].map(async (jobId) => (await made.store.read(crawlStream(jobId))).status),
    );
    expect(left).toEqual(['found', 'deleted', 'deleted', 'deleted']);
  });
});
