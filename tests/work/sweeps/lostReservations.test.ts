import { describe, expect, it } from 'vitest';
import { loadState } from '../../../src/commands/handle.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { analysisOf } from '../../../src/domain/billing/billing.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { createLostReservations } from '../../../src/work/sweeps/lostReservations.ts';
import { failJob } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { withUnreadable } from '../../given/stores/unreadable.ts';
import { still } from '../../given/work/following.ts';

const bounds = { maxPages: 50, maxMs: 180_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });
const sweep = (made: Product, kept: string | null = null, store?: EventStore) =>
  createLostReservations({ context: () => made.context(undefined, store) }).run(kept, still);

async function statusesOf(made: Product, userId: string): Promise<readonly (string | undefined)[]> {
  const { state } = await loadState(made.store, billingDecider, billingStream(userId));
  const reserved = (await made.log())
    .filter(({ type }) => type === 'AnalysisReserved')
    .map(({ data }) => data as { readonly jobId: string; readonly userId: string });
  return reserved.filter((one) => one.userId === userId).map(({ jobId }) => analysisOf(state, jobId)?.status);
}

describe('a reservation without a job', () => {
  it('is released after ten minutes, and submitted jobs stay', async () => {
    const outcomes: number[] = [];
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      const sites = ['one', 'two', 'three'].map(site);
      await orCrash(submitJobs(made.context('command-1', breaking(made.store)), { userId, sites, bounds }));
      made.pass(9);
      const early = await sweep(made);
      expect(early.done).toBe(0);
      made.pass(2);
      const { done } = await sweep(made, early.kept);
      const statuses = await statusesOf(made, userId);
      const jobs = (await made.types('job-')).filter((type) => type === 'JobSubmitted').length;
      expect(statuses.filter((status) => status === 'reserved')).toHaveLength(jobs);
      expect(done).toBe(statuses.length - jobs);
      outcomes.push(jobs);
      // A late repeat gets no free job.
      const late = await submitJobs(made.context('command-1'), { userId, sites, bounds }).catch(
        (error: unknown) => error,
      );
      const afterwards = (await made.types('job-')).filter((type) => type === 'JobSubmitted').length;
      if (statuses.includes('released')) {
        expect(late).toMatchObject({ code: 'SUBMISSION_EXPIRED' });
        expect(afterwards).toBe(jobs);
      } else {
        expect(afterwards).toBe(3);
      }
    });
    expect(deaths).toBe(8);
    expect([...new Set(outcomes)].sort()).toEqual([0, 1, 2, 3]);
  });

  it('is released although an earlier one is in a bill that cannot be read, which is reported', async () => {
    const made = await withAdmin();
    const users = [await userOf(made, 'ann@example.com'), await userOf(made, 'ben@example.com')] as const;
    for (const [nth, userId] of users.entries()) {
      const store = crashingStore(made.store, 1, 'after');
      await orCrash(submitJobs(made.context(`command-${nth}`, store), { userId, sites: [site(`site${nth}`)], bounds }));
    }
    made.pass(11);
    const run = await sweep(made, null, withUnreadable(made.store, billingStream(users[0])));
    expect(run).toMatchObject({ done: 1, passedOver: [{ stream: billingStream(users[0]) }] });
    expect(await statusesOf(made, users[1])).toEqual(['released']);
  });

  it('is checked once: later runs continue where the last one ended', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('queued'), site('failed')], bounds });
    await failJob(made, jobIds[1] ?? '');
    made.pass(11);
    const { done, kept } = await sweep(made);
    expect(done).toBe(0);
    const read: string[] = [];
    const watched = Object.assign(Object.create(made.store) as EventStore, {
      read: (...input: Parameters<EventStore['read']>) => {
        read.push(input[0]);
        return made.store.read(...input);
      },
    });
    expect((await sweep(made, kept, watched)).done).toBe(0);
    expect(read).toEqual([]);
    expect(await statusesOf(made, userId)).toEqual(['reserved', 'reserved']);
  });

  it('does not take a job from a submission that comes first', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const submit = () => submitJobs(made.context('command-1'), { userId, sites: [site('one')], bounds });
    // The process crashes after the reservation; its repeat comes just when the job's stream is about to be closed.
    await orCrash(
      submitJobs(made.context('command-1', crashingStore(made.store, 1, 'after')), {
        userId,
        sites: [site('one')],
        bounds,
      }),
    );
    made.pass(11);
    const racing = Object.assign(Object.create(made.store) as EventStore, {
      delete: async (...input: Parameters<EventStore['delete']>) => {
        await submit();
        return made.store.delete(...input);
      },
    });
    expect((await sweep(made, null, racing)).done).toBe(0);
    await submit();
    expect(await statusesOf(made, userId)).toEqual(['reserved']);
  });

  it('is released by the next run after a crash', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      await orCrash(
        submitJobs(made.context('command-1', crashingStore(made.store, 2, 'after')), {
          userId,
          sites: ['one', 'two'].map(site),
          bounds,
        }),
      );
      made.pass(11);
      await orCrash(sweep(made, null, breaking(made.store)));
      await sweep(made);
      expect([...(await made.types('billing-'))].sort()).toEqual([
        'AnalysisReleased',
        'AnalysisReserved',
        'AnalysisReserved',
      ]);
    });
    expect(deaths).toBe(4);
  });
});
