/** What is left of an account when it is deleted. */
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/account/eraseAccount.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { LEAVER, leaver, ownedOf, traces } from '../given/leaver.ts';

describe('deleting an account', () => {
  it('keeps the facts and nothing of what it knew', async () => {
    const { made, userId } = await leaver();
    expect((await traces(made)).length).toBeGreaterThan(3);
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await traces(made)).toEqual([]);
    expect(await made.types(`account-${userId}`)).toEqual(['AccountDeleted']);
    expect(await made.types('session-')).toEqual(['SessionEnded']);
    expect(await made.types('job-')).toEqual(['JobDeleted', 'JobDeleted']);
    expect(await made.types('api-keys-')).toEqual(['ApiKeysClosed']);
    expect(await made.types('billing-')).toEqual(['AnalysisReserved', 'AnalysisReserved', 'AnalysisConsumed', 'AnalysisReleased']);
  });

  it('can be repeated at any time, and leaves who has the address now alone', async () => {
    const { made, userId } = await leaver();
    for (let nth = 0; nth < 2; nth += 1) {
      await deleteAccount(made.context(), { userId });
      await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    }
    const next = await signUp(made.context(), { email: LEAVER, name: 'Next', passwordHash: 'x' });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await made.types(`account-${next.userId}`)).toEqual(['AccountRegistered']);
    await expect(signUp(made.context(), { email: LEAVER, name: 'Third', passwordHash: 'x' })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('erases what was submitted of jobs that their owner has deleted before', async () => {
    const { made, userId } = await leaver();
    const done = (await made.log()).find(({ type }) => type === 'JobCompleted')?.data as { readonly jobId: string };
    await deleteJob(made.context(), done);
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await traces(made)).toEqual([]);
    expect(await made.types('job-')).toEqual(['JobDeleted', 'JobDeleted']);
  });
});
