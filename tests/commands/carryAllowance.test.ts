/** Deleting the account and signing up again gives no new free audits within the month. */

import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/account/eraseAccount.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { handle } from '../../src/commands/handle.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { billing } from '../../src/projections/billing.ts';
import { createFinishedSignUps } from '../../src/work/followers/finishedSignUps.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { ownedOf } from '../given/leaver.ts';
import { project } from '../given/stores/projection.ts';
import { followLog } from '../given/work/following.ts';

const EMAIL = 'ann@example.com';
const ALLOWANCE = 3;

const submit = async ({ context }: Product, userId: string, count = 1) => {
  const sites = Array.from({ length: count }, (_, at) => ({
    url: `https://site${at}.example/`,
    host: `site${at}.example`,
  }));
  return submitJobs(context(), { userId, sites, bounds: { maxPages: 1, maxMs: 1_000 }, freeAnalyses: ALLOWANCE });
};

/** That many finished audits, then the end of the account. */
async function leave(made: Product, userId: string, used: number): Promise<void> {
  const { jobIds } = used > 0 ? await submit(made, userId, used) : { jobIds: [] };
  for (const jobId of jobIds)
    await handle(made.context(), billingDecider, billingStream(userId), {
      type: 'ConsumeAnalysis',
      userId,
      jobId,
      at: made.now(),
    });
  await deleteAccount(made.context(), { userId });
  await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
  made.pass(1);
}

describe('signing up again after deleting the account', () => {
  it('carries over the month’s use, in any spelling of the address, without counting what was carried over before', async () => {
    const made = await withAdmin();
    await leave(made, await userOf(made), 2);
    await leave(made, await userOf(made, ' ANN@example.com'), 0);
    const ann = await userOf(made);
    await submit(made, ann);
    await expect(submit(made, ann)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { credits_available: 0 },
    });
    const events = (await made.log()).filter(({ type }) => type === 'AllowanceCarriedOver').map(({ data }) => data);
    expect(events).toEqual([
      expect.objectContaining({ period: '2026-03', used: 2 }),
      { userId: ann, period: '2026-03', used: 2, carriedAt: expect.any(String) },
    ]);
  });

  it('carries nothing over into another month, nor from an existing account', async () => {
    const made = await withAdmin();
    await leave(made, await userOf(made), 3);
    made.pass(31 * 24 * 60);
    await submit(made, await userOf(made), 3);
    const asksProof = true;
    const { userId: first } = await signUp(made.context(), {
      email: 'bob@example.com',
      name: 'Bob',
      passwordHash: 'hash',
      asksProof,
    });
    await submit(made, first, 3);
    made.pass(48 * 60);
    const { userId: second } = await signUp(made.context(), {
      email: 'bob@example.com',
      name: 'Bob',
      passwordHash: 'hash',
      asksProof,
    });
    await submit(made, second, 3);
    // Nor from a later account: a stranger must not use up another user's allowance.
    await leave(made, second, 0);
    await followLog(made.store, createFinishedSignUps({ context: made.context, adminEmail: undefined }));
    expect((await made.log()).filter(({ type }) => type === 'AllowanceCarriedOver')).toEqual([]);
  });

  it('is completed once when the sign-up crashed before it', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      await leave(made, await userOf(made), 3);
      const again = { email: EMAIL, name: 'Ann', passwordHash: 'hash', asksProof: true };
      await orCrash(signUp(made.context('command-1', breaking(made.store)), again));
      const follower = createFinishedSignUps({ context: made.context, adminEmail: undefined });
      await followLog(made.store, follower);
      const { userId } = await signUp(made.context('command-1'), again);
      await followLog(made.store, follower);
      expect(
        (await made.log()).filter(({ type }) => type === 'AllowanceCarriedOver').map(({ data }) => data),
      ).toMatchObject([{ userId, used: 3 }]);
    });
  });

  it('shows in the account’s use', () => {
    const at = '2026-03-10T12:00:00.000Z';
    const carried = {
      type: 'AllowanceCarriedOver',
      data: { userId: 'u', period: '2026-03', used: 2, carriedAt: at },
    } as const;
    const reserved = {
      type: 'AnalysisReserved',
      data: {
        userId: 'u',
        jobId: 'j',
        batchId: 'b',
        from: 'free_allowance',
        period: '2026-03',
        access: 'preview',
        reservedAt: at,
      },
    } as const;
    expect(project(billing, carried, reserved)).toMatchObject({ u: { periods: { '2026-03': 3 } } });
  });
});
