import { describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/commands/billing/grantCredits.ts';
import { handle } from '../../../src/commands/handle.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { unlockJob } from '../../../src/commands/job/unlockJob.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import { createUnlockedJobs } from '../../../src/work/followers/unlockedJobs.ts';
import { completeJob } from '../../given/audit/auditedJob.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

async function preview(made: Product): Promise<{ readonly userId: string; readonly jobId: string }> {
  const userId = await userOf(made);
  const sites = [{ url: 'https://a.example/', host: 'a.example' }];
  const jobId =
    (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } })).jobIds[0] ?? '';
  await completeJob(made, jobId, userId);
  await grantCredits(made.context(), { userId, credits: 1, reason: 'A gift' });
  return { userId, jobId };
}
const pay = (made: Product, { userId, jobId }: { userId: string; jobId: string }) =>
  handle(made.context(), billingDecider, billingStream(userId), {
    type: 'PayUnlock',
    userId,
    jobId,
    isAdmin: false,
    at: made.now(),
  });
const unlocks = async (made: Product) =>
  (await made.log()).map(({ type }) => type).filter((type) => type.includes('Unlock'));
/** Twice: the second time there is nothing left to do. */
const follow = async (made: Product) => {
  for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, createUnlockedJobs({ context: made.context }));
};

describe('a paid unlock', () => {
  it('is recorded in its job once', async () => {
    const made = await withAdmin();
    await pay(made, await preview(made));
    await follow(made);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'JobUnlocked']);
  });

  it('is refunded when its job was deleted before', async () => {
    const made = await withAdmin();
    const job = await preview(made);
    await pay(made, job);
    await deleteJob(made.context(), job);
    await follow(made);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'UnlockReturned']);
  });

  it('stays paid when its job was deleted afterwards', async () => {
    const made = await withAdmin();
    const job = await preview(made);
    await unlockJob(made.context(), job);
    await deleteJob(made.context(), job);
    await follow(made);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'JobUnlocked']);
  });
});
