/** Jobs and their reservations: whatever dies where, in the end each reservation is consumed or given back, once. */
import { describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/commands/cancelJob.ts';
import { loadState } from '../../src/commands/handle.ts';
import { type ListOpenReservations, reconcileReservations } from '../../src/commands/reconcileReservations.ts';
import { settleAnalysis } from '../../src/commands/settleAnalysis.ts';
import { submitJobs } from '../../src/commands/submitJobs.ts';
import { analysisOf, billingStream } from '../../src/domain/billing/billing.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/job.ts';
import { reservations } from '../../src/projections/reservations.ts';
import { completeJob, failJob, told, workOn } from '../given/auditedJob.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { fold } from '../given/projection.ts';

const bounds = { maxPages: 50, maxMs: 180_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });

async function submitted(made: Product): Promise<{ jobId: string; userId: string }> {
  const userId = await userOf(made);
  const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('one')], bounds });
  return { jobId: jobIds[0] ?? '', userId };
}
async function reservationOf({ store }: Product, { jobId, userId }: { jobId: string; userId: string }): Promise<string | undefined> {
  return analysisOf((await loadState(store, billingDecider, billingStream(userId))).state, jobId)?.status;
}
const jobOf = async ({ store }: Product, jobId: string) => (await loadState(store, jobDecider, jobStream(jobId))).state;

/** What the read model of open reservations lists, two at a time. */
const openIn =
  (made: Product): ListOpenReservations =>
  async ({ before, cursor }) => {
    const documents = Object.values(fold(reservations, (await made.log()) as unknown as Parameters<typeof reservations.evolve>[1][]))
      .filter(({ reservedAt, jobId }) => reservedAt < before && jobId > (cursor ?? ''))
      .sort((a, b) => (a.jobId < b.jobId ? -1 : 1));
    const page = documents.slice(0, 2);
    return { documents: page.map((data) => ({ data })), cursor: documents.length > 2 ? (page.at(-1)?.jobId ?? null) : null };
  };
const reconcile = (made: Product) => reconcileReservations(made.context(), { listOpen: openIn(made) });

describe('settling an analysis', () => {
  it('takes it for a job with a result', async () => {
    for (const end of ['CompleteJob', 'CompleteJobPartially', 'SucceedJobPartially'] as const) {
      const made = await withAdmin();
      const job = await submitted(made);
      await workOn(made, job.jobId);
      await told(made, job.jobId, { type: end, reason: 'r', at: made.now() });
      expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'consumed' });
      expect(await reservationOf(made, job)).toBe('consumed');
    }
  });

  it('gives it back for a failed job', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await failJob(made, job.jobId);
    expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'released' });
    expect((await made.log()).at(-1)).toMatchObject({ type: 'AnalysisReleased', data: { reason: 'job_failed' } });
  });

  it('leaves it for a job under way', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'running' });
    await workOn(made, job.jobId, 'crawl');
    expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'running' });
    expect(await reservationOf(made, job)).toBe('reserved');
  });

  it('happens once, whoever calls', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await failJob(made, job.jobId);
    await Promise.all(Array.from({ length: 5 }, () => settleAnalysis(made.context(), job)));
    expect(await made.types('billing-')).toEqual(['AnalysisReserved', 'AnalysisReleased']);
  });

  it('knows of no job that is not there', async () => {
    const made = await withAdmin();
    expect(await settleAnalysis(made.context(), { jobId: 'none' })).toMatchObject({ settled: 'no_job' });
  });
});

describe('cancelling a job', () => {
  it('ends it and gives its analysis back', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    const { position } = await cancelJob(made.context(), job);
    expect(await jobOf(made, job.jobId)).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    expect((await made.log()).at(-1)).toMatchObject({ type: 'AnalysisReleased', data: { reason: 'job_cancelled' }, position });
  });

  it('is refused for another state of things', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await expect(cancelJob(made.context(), { jobId: 'none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await completeJob(made, job.jobId, job.userId);
    await expect(cancelJob(made.context(), job)).rejects.toMatchObject({ code: 'JOB_ALREADY_FINISHED' });
  });

  it('that dies on the way is finished by a repeat or by the reconciler', async () => {
    for (const mend of ['repeat', 'reconcile'] as const) {
      const deaths = await atEveryCrash(async (breaking) => {
        const made = await withAdmin();
        const job = await submitted(made);
        await orCrash(cancelJob(made.context('command-1', breaking(made.store)), job));
        made.pass(11);
        if (mend === 'repeat') await cancelJob(made.context('command-1'), job);
        else await reconcile(made);
        const cancelled = (await jobOf(made, job.jobId)).status === 'finished';
        expect(await reservationOf(made, job)).toBe(cancelled ? 'released' : 'reserved');
        if (mend === 'repeat') expect(cancelled).toBe(true);
        expect((await made.types('billing-')).length).toBeLessThanOrEqual(2);
      });
      expect(deaths).toBe(4);
    }
  });

  it('beside the end of the job leaves one end, and the reservation goes with it', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await workOn(made, job.jobId);
    await Promise.allSettled([told(made, job.jobId, { type: 'CompleteJob', at: made.now() }), cancelJob(made.context(), job)]);
    await settleAnalysis(made.context(), job);
    const state = await jobOf(made, job.jobId);
    expect(state.status).toBe('finished');
    expect(await reservationOf(made, job)).toBe(state.status === 'finished' && state.outcome === 'completed' ? 'consumed' : 'released');
    expect(await made.types('billing-')).toHaveLength(2);
  });
});

describe('the reconciler of reservations', () => {
  it('settles what ended, and leaves what is young or under way', async () => {
    const made = await withAdmin();
    const ids: Record<string, { jobId: string; userId: string }> = {};
    for (const name of ['well', 'failed', 'cancelled', 'running', 'queued']) {
      const userId = await userOf(made, `${name}@example.com`);
      const { jobIds } = await submitJobs(made.context(), { userId, sites: [site(name)], bounds });
      ids[name] = { jobId: jobIds[0] ?? '', userId };
    }
    const of = (name: string) => ids[name] ?? { jobId: '', userId: '' };
    await completeJob(made, of('well').jobId, of('well').userId);
    await failJob(made, of('failed').jobId);
    await told(made, of('cancelled').jobId, { type: 'CancelJob', by: 'user', at: made.now() });
    await workOn(made, of('running').jobId, 'crawl');
    made.pass(9);
    expect(await reconcile(made)).toEqual({ consumed: 0, released: 0, running: 0 });
    made.pass(2);
    expect(await reconcile(made)).toEqual({ consumed: 1, released: 2, running: 2 });
    const after = await Promise.all(['well', 'failed', 'cancelled', 'running', 'queued'].map((name) => reservationOf(made, of(name))));
    expect(after).toEqual(['consumed', 'released', 'released', 'reserved', 'reserved']);
    expect(await reconcile(made)).toEqual({ consumed: 0, released: 0, running: 2 });
  });

  it('gives back what a submission that died has reserved, and what it submitted stands', async () => {
    const outcomes: number[] = [];
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      const sites = ['one', 'two', 'three'].map(site);
      await orCrash(submitJobs(made.context('command-1', breaking(made.store)), { userId, sites, bounds }));
      made.pass(11);
      await reconcile(made);
      const { state } = await loadState(made.store, billingDecider, billingStream(userId));
      const reservations = (await made.log()).filter(({ type }) => type === 'AnalysisReserved').map(({ data }) => data as { readonly jobId: string });
      const statuses = reservations.map(({ jobId }) => analysisOf(state, jobId)?.status);
      const jobs = (await made.types('job-')).filter((type) => type === 'JobSubmitted').length;
      expect(statuses.filter((status) => status === 'reserved')).toHaveLength(jobs);
      outcomes.push(jobs);
      // The repeat that comes too late gets no job for nothing.
      const late = await submitJobs(made.context('command-1'), { userId, sites, bounds }).catch((error: unknown) => error);
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

  it('does not take a job from a submission that comes first', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const submit = () => submitJobs(made.context('command-1'), { userId, sites: [site('one')], bounds });
    // The process dies after the reservation; its repeat comes just when the reconciler is about to close the job's stream.
    await orCrash(submitJobs(made.context('command-1', crashingStore(made.store, 1, 'after')), { userId, sites: [site('one')], bounds }));
    made.pass(11);
    const racing = Object.assign(Object.create(made.store) as typeof made.store, {
      delete: async (...input: Parameters<typeof made.store.delete>) => {
        await submit();
        return made.store.delete(...input);
      },
    });
    expect(await reconcileReservations(made.context(undefined, racing), { listOpen: openIn(made) })).toEqual({ consumed: 0, released: 0, running: 1 });
    const { jobIds } = await submit();
    expect(await reservationOf(made, { jobId: jobIds[0] ?? '', userId })).toBe('reserved');
    expect(await jobOf(made, jobIds[0] ?? '')).toMatchObject({ status: 'queued' });
  });

  it('that dies itself is finished by the next round', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const userId = await userOf(made);
      await orCrash(submitJobs(made.context('command-1', crashingStore(made.store, 2, 'after')), { userId, sites: ['one', 'two'].map(site), bounds }));
      made.pass(11);
      await orCrash(reconcileReservations(made.context(undefined, breaking(made.store)), { listOpen: openIn(made) }));
      await reconcile(made);
      expect([...(await made.types('billing-'))].sort()).toEqual(['AnalysisReleased', 'AnalysisReserved', 'AnalysisReserved']);
    });
    expect(deaths).toBe(4);
  });
});
