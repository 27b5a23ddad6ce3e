/**
 * Jobs and their reservations: wherever a process crashes, each reservation is consumed or released once in the end.
 */

import { describe, expect, it } from 'vitest';
import { settleAnalysis } from '../../src/commands/billing/settleAnalysis.ts';
import { loadState } from '../../src/commands/handle.ts';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { analysisOf } from '../../src/domain/billing/billing.ts';
import { billingDecider, CANCELLED_A_DAY } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { createSettledAnalyses } from '../../src/work/followers/settledAnalyses.ts';
import { completeJob, decideOn, failJob, workOn } from '../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { asOfIf, followLog } from '../given/work/following.ts';

const bounds = { maxPages: 50, maxMs: 180_000 };
const site = (name: string) => ({ url: `https://${name}.example/`, host: `${name}.example` });

async function submitted(made: Product): Promise<{ jobId: string; userId: string }> {
  const userId = await userOf(made);
  const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('one')], bounds });
  return { jobId: jobIds[0] ?? '', userId };
}
async function reservationOf(
  { store }: Product,
  { jobId, userId }: { jobId: string; userId: string },
): Promise<string | undefined> {
  return analysisOf((await loadState(store, billingDecider, billingStream(userId))).state, jobId)?.status;
}
const jobOf = async ({ store }: Product, jobId: string) => (await loadState(store, jobDecider, jobStream(jobId))).state;

describe('settling an audit', () => {
  it('consumes it for a job with a result', async () => {
    for (const end of ['CompleteJob', 'CompleteJobPartially', 'SucceedJobPartially'] as const) {
      const made = await withAdmin();
      const job = await submitted(made);
      await workOn(made, job.jobId);
      await decideOn(made, job.jobId, { type: end, reason: 'r', at: made.now() });
      expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'consumed' });
      expect(await reservationOf(made, job)).toBe('consumed');
    }
  });

  it('releases it for a job with a result that could judge nothing, whether it was completed or cancelled', async () => {
    for (const [verdict, reason] of [
      [{ score: null, notJudged: 'needs_browser' }, 'not_judged'],
      [{ score: 0, shut: true }, 'shut_site'],
    ] as const)
      for (const end of ['CompleteJob', 'CancelJob'] as const) {
        const made = await withAdmin();
        const job = await submitted(made);
        await workOn(made, job.jobId, end === 'CompleteJob' ? undefined : 'summary', verdict);
        await decideOn(made, job.jobId, { type: end, by: 'user', at: made.now() });
        expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'released' });
        expect((await made.log()).at(-1)).toMatchObject({ type: 'AnalysisReleased', data: { reason } });
      }
  });

  it('releases it for a failed job, whatever its report says', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await workOn(made, job.jobId, 'summary', { score: 0, shut: true });
    await failJob(made, job.jobId);
    await settleAnalysis(made.context(), job);
    expect((await made.log()).at(-1)).toMatchObject({ type: 'AnalysisReleased', data: { reason: 'job_failed' } });
  });

  it('counts the audits of a site with and without www as those of one, and names it nowhere in the bill', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const settled = async (host: string): Promise<string> => {
      const sites = [{ url: `https://${host}/`, host }];
      const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds, freeAnalyses: 100 });
      const jobId = jobIds[0] ?? '';
      await workOn(made, jobId, undefined, { score: 0, shut: true });
      await decideOn(made, jobId, { type: 'CompleteJob', at: made.now() });
      return (await settleAnalysis(made.context(), { jobId })).settled;
    };
    const ends = [];
    for (const host of ['a.example', 'www.a.example', 'A.example', 'www.a.example', 'b.example'])
      ends.push(await settled(host));
    expect(ends).toEqual(['released', 'released', 'released', 'consumed', 'released']);
    const bill = (await made.log()).filter(({ stream }) => stream === billingStream(userId));
    expect(JSON.stringify(bill.map(({ data }) => data))).not.toMatch(/\.example/i);
  });

  it('releases it for a failed job', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await failJob(made, job.jobId);
    expect(await settleAnalysis(made.context(), job)).toMatchObject({ settled: 'released' });
    expect((await made.log()).at(-1)).toMatchObject({ type: 'AnalysisReleased', data: { reason: 'job_failed' } });
  });

  it('leaves it for a running job', async () => {
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

  it('ignores an unknown job', async () => {
    const made = await withAdmin();
    expect(await settleAnalysis(made.context(), { jobId: 'none' })).toMatchObject({ settled: 'no_job' });
  });
});

describe('cancelling a job', () => {
  it('with readable findings consumes its audit', async () => {
    for (const [step, settled] of [
      ['crawl', 'released'],
      ['checks', 'released'],
      ['evidence', 'consumed'],
      ['summary', 'consumed'],
    ] as const) {
      const made = await withAdmin();
      const job = await submitted(made);
      await workOn(made, job.jobId, step);
      await cancelJob(made.context(), job);
      expect(await reservationOf(made, job), step).toBe(settled);
    }
  });

  it('after its start is refunded ten times a day, and before its start always', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const cancelled = async (begin: boolean): Promise<string | undefined> => {
      const { jobIds } = await submitJobs(made.context(), { userId, sites: [site('one')], bounds, freeAnalyses: 100 });
      const job = { jobId: jobIds[0] ?? '', userId };
      if (begin) await workOn(made, job.jobId, 'crawl');
      await cancelJob(made.context(), job);
      return reservationOf(made, job);
    };
    for (let nth = 0; nth < CANCELLED_A_DAY; nth += 1) expect(await cancelled(true)).toBe('released');
    expect(await cancelled(true)).toBe('consumed');
    expect(await cancelled(false)).toBe('released');
    made.pass(24 * 60);
    expect(await cancelled(true)).toBe('released');
  });

  it('ends it and releases its audit', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    const { position } = await cancelJob(made.context(), job);
    expect(await jobOf(made, job.jobId)).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    expect((await made.log()).at(-1)).toMatchObject({
      type: 'AnalysisReleased',
      data: { reason: 'job_cancelled' },
      position,
    });
  });

  it('is refused in any other state', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await expect(cancelJob(made.context(), { jobId: 'none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await completeJob(made, job.jobId, job.userId);
    await expect(cancelJob(made.context(), job)).rejects.toMatchObject({ code: 'JOB_ALREADY_FINISHED' });
  });

  it('is finished by a repeat or by the follower after a crash', async () => {
    for (const mend of ['repeat', 'follow'] as const) {
      const deaths = await atEveryCrash(async (breaking) => {
        const made = await withAdmin();
        const job = await submitted(made);
        await orCrash(cancelJob(made.context('command-1', breaking(made.store)), job));
        if (mend === 'repeat') await cancelJob(made.context('command-1'), job);
        else
          await followLog(
            made.store,
            createSettledAnalyses({ context: made.context, asOf: asOfIf(true), isReserved: async () => true }),
          );
        const cancelled = (await jobOf(made, job.jobId)).status === 'finished';
        expect(await reservationOf(made, job)).toBe(cancelled ? 'released' : 'reserved');
        if (mend === 'repeat') expect(cancelled).toBe(true);
        expect((await made.types('billing-')).length).toBeLessThanOrEqual(2);
      });
      expect(deaths).toBe(4);
    }
  });

  it('at the moment it ends leaves one end, with the reservation to match', async () => {
    const made = await withAdmin();
    const job = await submitted(made);
    await workOn(made, job.jobId);
    await Promise.allSettled([
      decideOn(made, job.jobId, { type: 'CompleteJob', at: made.now() }),
      cancelJob(made.context(), job),
    ]);
    await settleAnalysis(made.context(), job);
    const state = await jobOf(made, job.jobId);
    expect(state.status).toBe('finished');
    expect(await reservationOf(made, job)).toBe('consumed');
    expect(await made.types('billing-')).toHaveLength(2);
  });
});
