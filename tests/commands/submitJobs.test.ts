import { describe, expect, it } from 'vitest';
import { grantAdmin } from '../../src/commands/account/grantAdmin.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { type SubmitJobs, submitJobs } from '../../src/commands/job/submitJobs.ts';
import { usedOf } from '../../src/domain/billing/billing.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { atEveryCrash, orCrash, type Product, product, userOf, withAdmin } from '../given/commands.ts';

const bounds = { maxPages: 50, maxMs: 180_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });
const of = (userId: string, ...names: readonly string[]): SubmitJobs => ({ userId, sites: names.map(site), bounds });

async function used({ store, now }: Product, userId: string): Promise<number> {
  const { state } = await loadState(store, billingDecider, billingStream(userId));
  return usedOf(state, now().slice(0, 7), 'free_allowance');
}
const jobOf = async ({ store }: Product, jobId: string | undefined) =>
  (await loadState(store, jobDecider, jobStream(jobId ?? ''))).state;

describe('submitting jobs', () => {
  it('queues a job and reserves an audit for it', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { jobIds, position } = await submitJobs(made.context(), of(userId, 'one'));
    expect(await jobOf(made, jobIds[0])).toMatchObject({
      status: 'queued',
      userId,
      url: 'https://one.example/',
      host: 'one.example',
      bounds,
      access: 'preview',
    });
    expect(await used(made, userId)).toBe(1);
    expect((await made.log()).at(-1)).toMatchObject({ type: 'JobQueued', position });
  });

  it('queues a batch in order, as one batch', async () => {
    const made = await withAdmin();
    const { jobIds } = await submitJobs(made.context(), of(await userOf(made), 'one', 'two', 'three'));
    const submitted = (await made.log())
      .filter((event) => event.type === 'JobSubmitted')
      .map((event) => event.data as { jobId: string; host: string; batchId: string });
    expect(submitted.map(({ jobId }) => jobId)).toEqual(jobIds);
    expect(submitted.map(({ host }) => host)).toEqual(['one.example', 'two.example', 'three.example']);
    expect(new Set(submitted.map(({ batchId }) => batchId)).size).toBe(1);
    expect(submitted[0]?.batchId).toBeTruthy();
  });

  it('is unlimited, with full reports, where nobody is charged', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { jobIds } = await submitJobs(made.context(), {
      ...of(userId, 'a', 'b', 'c', 'd', 'e'),
      freeAnalyses: 0,
      unbilled: true,
    });
    for (const jobId of jobIds) expect(await jobOf(made, jobId)).toMatchObject({ access: 'full' });
    expect([jobIds.length, await used(made, userId)]).toEqual([5, 0]);
  });

  it('accepts all or none', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    await submitJobs(made.context(), of(userId, 'one'));
    await expect(submitJobs(made.context(), of(userId, 'two', 'three', 'four'))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { credits_required: 3, credits_available: 2 },
    });
    expect(await made.types('job-')).toEqual(['JobSubmitted', 'JobQueued']);
    expect(await used(made, userId)).toBe(1);
  });

  it('uses the configured allowance', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    await expect(submitJobs(made.context(), { ...of(userId, 'one'), freeAnalyses: 0 })).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(
      (await submitJobs(made.context(), { ...of(userId, 'a', 'b', 'c', 'd'), freeAnalyses: 4 })).jobIds,
    ).toHaveLength(4);
  });

  it('lets admins submit as many as they want, with full access', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    await grantAdmin(made.context(), { userId, reason: 'demo' });
    const { jobIds } = await submitJobs(made.context(), { ...of(userId, 'a', 'b', 'c', 'd', 'e'), freeAnalyses: 0 });
    expect(await jobOf(made, jobIds[4])).toMatchObject({ access: 'full' });
    expect(await used(made, userId)).toBe(0);
  });

  it('records the network of users without a plan or a payment only', async () => {
    const made = await withAdmin();
    const [free, admin, paid] = [
      await userOf(made),
      await userOf(made, 'a@example.com'),
      await userOf(made, 'p@x.com'),
    ];
    await grantAdmin(made.context(), { userId: admin, reason: 'demo' });
    await handle(made.context(), billingDecider, billingStream(paid), {
      type: 'AddFunds',
      userId: paid,
      paymentIntentId: 'pi_1',
      amount: 100,
      quantity: 1,
      funds: 100,
      currency: 'usd',
      at: made.now(),
    });
    const networkOf = async (input: SubmitJobs) => {
      await submitJobs(made.context(), { ...input, network: 'ab12' });
      return (await made.log()).filter(({ type }) => type === 'JobSubmitted').at(-1)?.data;
    };
    expect(await networkOf(of(free, 'one'))).toMatchObject({ network: 'ab12' });
    for (const input of [of(admin, 'one'), of(paid, 'one'), { ...of(free, 'two'), unbilled: true }])
      expect(await networkOf(input)).not.toHaveProperty('network');
  });

  it('never grants more than the allowance to concurrent requests', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => submitJobs(made.context(), of(userId, `site${index}`))),
    );
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(3);
    expect((await made.types('job-')).filter((type) => type === 'JobSubmitted')).toHaveLength(3);
    expect(await used(made, userId)).toBe(3);
  });

  it('requires an account', async () => {
    await expect(submitJobs(product().context(), of('nobody', 'one'))).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
  });

  it('creates the same jobs when repeated, even at once', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const both = await Promise.all(
      [1, 2, 3].map(() => submitJobs(made.context('command-1'), of(userId, 'one', 'two'))),
    );
    made.pass(1);
    const later = await submitJobs(made.context('command-1'), of(userId, 'one', 'two'));
    for (const one of both) expect(one.jobIds).toEqual(later.jobIds);
    expect((await made.types('job-')).filter((type) => type === 'JobSubmitted')).toHaveLength(2);
    expect(await used(made, userId)).toBe(2);
  });

  it('creates other jobs for another user with the same command id', async () => {
    const made = await withAdmin();
    const first = await submitJobs(made.context('command-1'), of(await userOf(made, 'ann@example.com'), 'one'));
    const second = await submitJobs(made.context('command-1'), of(await userOf(made, 'bob@example.com'), 'one'));
    expect(first.jobIds).not.toEqual(second.jobIds);
  });

  it('is finished by a repeat, wherever it crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      await orCrash(submitJobs(made.context('command-1', breaking(made.store)), of(userId, 'one', 'two', 'three')));
      const { jobIds } = await submitJobs(made.context('command-1'), of(userId, 'one', 'two', 'three'));
      for (const jobId of jobIds) expect(await jobOf(made, jobId)).toMatchObject({ status: 'queued' });
      expect((await made.types('job-')).filter((type) => type === 'JobSubmitted')).toHaveLength(3);
      expect(await used(made, userId)).toBe(3);
    });
    expect(deaths).toBe(8);
  });
});
