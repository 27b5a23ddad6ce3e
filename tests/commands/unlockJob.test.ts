import { describe, expect, it } from 'vitest';
import { grantCredits } from '../../src/commands/billing/grantCredits.ts';
import { loadState } from '../../src/commands/handle.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { showInFull, unlockJob } from '../../src/commands/job/unlockJob.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { createUnlockedJobs } from '../../src/work/followers/unlockedJobs.ts';
import { completeJob, failJob } from '../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { followLog } from '../given/work/following.ts';

const BOUNDS = { maxPages: 5, maxMs: 1_000 };

async function submitted(made: Product, userId: string): Promise<string> {
  return (
    (
      await submitJobs(made.context(), {
        userId,
        sites: [{ url: 'https://a.example/', host: 'a.example' }],
        bounds: BOUNDS,
      })
    ).jobIds[0] ?? ''
  );
}
async function preview(made: Product, credits = 1): Promise<{ readonly userId: string; readonly jobId: string }> {
  const userId = await userOf(made);
  const jobId = await submitted(made, userId);
  await completeJob(made, jobId, userId);
  if (credits > 0) await grantCredits(made.context(), { userId, credits, reason: 'A gift' });
  return { userId, jobId };
}
const creditsOf = async ({ store }: Product, userId: string) =>
  (await loadState(store, billingDecider, billingStream(userId))).state.credits;
const accessOf = async ({ store }: Product, jobId: string) => {
  const { state } = await loadState(store, jobDecider, jobStream(jobId));
  return 'access' in state ? state.access : null;
};
const unlocks = async (made: Product) =>
  (await made.log()).map(({ type }) => type).filter((type) => type.includes('Unlock'));

describe('unlocking a preview', () => {
  it('takes one audit and shows everything', async () => {
    const made = await withAdmin();
    const { userId, jobId } = await preview(made);
    await unlockJob(made.context(), { jobId });
    expect([await creditsOf(made, userId), await accessOf(made, jobId)]).toEqual([0, 'full']);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'JobUnlocked']);
  });

  it('happens once: a repeat is answered, a new request is refused', async () => {
    const made = await withAdmin();
    const { userId, jobId } = await preview(made, 3);
    await unlockJob(made.context('wish'), { jobId });
    await unlockJob(made.context('wish'), { jobId });
    await expect(unlockJob(made.context(), { jobId })).rejects.toMatchObject({ code: 'ALREADY_UNLOCKED' });
    expect(await creditsOf(made, userId)).toBe(2);
  });

  it('takes nothing where nobody is charged', async () => {
    const made = await withAdmin();
    const { userId, jobId } = await preview(made);
    await unlockJob(made.context(), { jobId, unbilled: true });
    expect([await creditsOf(made, userId), await accessOf(made, jobId)]).toEqual([1, 'full']);
    expect((await made.log()).find(({ type }) => type === 'UnlockPaid')?.data).toMatchObject({ from: 'admin' });
  });

  it('is paid once for concurrent requests', async () => {
    const made = await withAdmin();
    const { userId, jobId } = await preview(made, 3);
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => unlockJob(made.context(), { jobId })));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await creditsOf(made, userId)).toBe(2);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'JobUnlocked']);
  });

  it('works when the follower updates the job first', async () => {
    const made = await withAdmin();
    const { userId, jobId } = await preview(made);
    const ctx = made.context();
    const store: typeof ctx.store = {
      ...ctx.store,
      async append(stream, events, options) {
        const appended = await ctx.store.append(stream, events, options);
        if (events.some(({ type }) => type === 'UnlockPaid')) await showInFull(made.context(), { jobId, userId });
        return appended;
      },
    };
    await unlockJob({ ...ctx, store }, { jobId });
    expect([await creditsOf(made, userId), await accessOf(made, jobId)]).toEqual([0, 'full']);
    expect(await unlocks(made)).toEqual(['UnlockPaid', 'JobUnlocked']);
  });

  it('is refused for a job that is missing, running, without a result, already unlocked, or cannot be paid', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const refused = (jobId: string, code: string) =>
      expect(unlockJob(made.context(), { jobId })).rejects.toMatchObject({ code });
    await refused('unknown', 'JOB_NOT_FOUND');
    const job = await submitted(made, userId);
    await refused(job, 'JOB_NOT_FINISHED');
    await failJob(made, job);
    await refused(job, 'ANALYSIS_WITHOUT_RESULT');
    const unpaid = await submitted(made, userId);
    await completeJob(made, unpaid, userId);
    await refused(unpaid, 'INSUFFICIENT_CREDITS');
    await grantCredits(made.context(), { userId, credits: 5, reason: 'A gift' });
    const inFull = await submitted(made, userId);
    await completeJob(made, inFull, userId);
    await refused(inFull, 'ALREADY_UNLOCKED');
    await deleteJob(made.context(), { jobId: unpaid });
    await refused(unpaid, 'JOB_NOT_FOUND');
    expect(await unlocks(made)).toEqual([]);
  });

  it('is finished by a repeat or by the follower after a crash', async () => {
    for (const mender of ['repeat', 'follower'] as const) {
      const deaths = await atEveryCrash(async (breaking) => {
        const made = await withAdmin();
        const { userId, jobId } = await preview(made, 3);
        await orCrash(unlockJob(made.context('wish', breaking(made.store)), { jobId }));
        if (mender === 'repeat') await unlockJob(made.context('wish'), { jobId });
        for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, createUnlockedJobs({ context: made.context }));
        const paid = (await unlocks(made)).includes('UnlockPaid');
        expect([await creditsOf(made, userId), await accessOf(made, jobId)]).toEqual(
          paid ? [2, 'full'] : [3, 'preview'],
        );
        if (mender === 'repeat') expect(paid).toBe(true);
      });
      expect(deaths).toBe(4);
    }
  });
});

describe('credits', () => {
  it('are granted once per command, to an existing account, with a reason', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const grant = { userId, credits: 2, reason: 'A gift' };
    expect(await grantCredits(made.context('grant'), grant)).toMatchObject({ credits: 2 });
    expect(await grantCredits(made.context('grant'), grant)).toMatchObject({ credits: 2 });
    expect(await grantCredits(made.context(), grant)).toMatchObject({ credits: 4 });
    await expect(grantCredits(made.context(), { ...grant, userId: 'nobody' })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
    await expect(grantCredits(made.context(), { ...grant, reason: '' })).rejects.toMatchObject({
      code: 'REASON_MISSING',
    });
  });
});
