import { afterEach, describe, expect, it } from 'vitest';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { jobStream } from '../../../src/domain/job/events.ts';
import { listIdleReservations } from '../../../src/projections/billing.ts';
import { createUnsettledReservations } from '../../../src/work/sweeps/unsettledReservations.ts';
import { completeJob, failJob, workOn } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { withUnreadable } from '../../given/stores/unreadable.ts';
import { still } from '../../given/work/following.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

/** Jobs whose follower never ran. */
async function open(): Promise<Product> {
  work = await openWork(await withAdmin());
  return work.made;
}

async function submitted(made: Product, name: string): Promise<{ readonly jobId: string; readonly userId: string }> {
  const userId = await userOf(made, `${name}@example.com`);
  const sites = [{ url: `https://${name}.example/`, host: `${name}.example` }];
  return {
    jobId: (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } })).jobIds[0] ?? '',
    userId,
  };
}

async function sweep(store = work.made.store): Promise<number> {
  await work.settle();
  const { made, readModels } = work;
  const { run } = createUnsettledReservations({
    context: () => made.context(undefined, store),
    listIdle: (cursor) => listIdleReservations(readModels, cursor),
  });
  return (await run(null, still)).done;
}
const settled = async (made: Product) =>
  (await made.log()).flatMap(({ type, data }) =>
    type === 'AnalysisConsumed' || type === 'AnalysisReleased'
      ? [`${type} ${(data as { readonly jobId: string }).jobId}`]
      : [],
  );

describe('a reservation whose job ended without settling it', () => {
  it('is consumed or released once, wherever a process crashes; others stay open', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await open();
      const completed = await submitted(made, 'completed');
      await completeJob(made, completed.jobId, completed.userId);
      const failed = await submitted(made, 'failed');
      await failJob(made, failed.jobId);
      const running = await submitted(made, 'running');
      await workOn(made, running.jobId);
      await submitted(made, 'queued');
      await orCrash(sweep(breaking(made.store)));
      await sweep();
      expect((await settled(made)).sort()).toEqual([
        `AnalysisConsumed ${completed.jobId}`,
        `AnalysisReleased ${failed.jobId}`,
      ]);
      expect(await sweep()).toBe(0);
      await work.close();
    });
    expect(deaths).toBe(4);
    await open();
  });

  it('is released although that of another job, which cannot be read, is not', async () => {
    const made = await open();
    const [unreadable, failed] = [await submitted(made, 'ann'), await submitted(made, 'ben')];
    for (const { jobId } of [unreadable, failed]) await failJob(made, jobId);
    expect(await sweep(withUnreadable(made.store, jobStream(unreadable.jobId)))).toBe(1);
    expect(await settled(made)).toEqual([`AnalysisReleased ${failed.jobId}`]);
  });

  it('is found among many, and none is no fault', async () => {
    const made = await open();
    expect(await sweep()).toBe(0);
    for (let nth = 0; nth < 205; nth += 1) await failJob(made, (await submitted(made, `user${nth}`)).jobId);
    expect(await sweep()).toBe(205);
    expect(await settled(made)).toHaveLength(205);
  });
});
