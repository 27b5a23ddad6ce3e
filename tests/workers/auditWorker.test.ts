import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/commands/cancelJob.ts';
import { submitJobs } from '../../src/commands/submitJobs.ts';
import { AUDIT_GROUP, type AuditWorker, type AuditWorkerDeps, startAuditWorker } from '../../src/workers/auditWorker.ts';
import { type Product, product, userOf, withAdmin } from '../given/commands.ts';

const silent = { info: () => undefined, error: () => undefined };

/** Jobs that run until the test ends them. */
function heldJobs() {
  const running = new Map<string, { signal: AbortSignal; end: (error?: Error) => void }>();
  const changed: (() => void)[] = [];
  const ring = (): void => {
    for (const wake of changed.splice(0)) wake();
  };
  return {
    running,
    runJob: (jobId: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => {
          running.delete(jobId);
          if (error) reject(error);
          else resolve();
          ring();
        };
        signal.addEventListener('abort', () => end(signal.reason as Error));
        running.set(jobId, { signal, end });
        ring();
      }),
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) await new Promise<void>((resolve) => changed.push(resolve));
    },
  };
}

describe('the audit worker', () => {
  let made: Product;
  let worker: AuditWorker;
  let jobs: ReturnType<typeof heldJobs>;

  beforeEach(async () => {
    made = await withAdmin(product());
    jobs = heldJobs();
  });
  afterEach(() => worker.stop());

  function start(given: Partial<AuditWorkerDeps> = {}): void {
    worker = startAuditWorker({
      store: made.store,
      parallel: 4,
      parallelPerUser: 2,
      runJob: jobs.runJob,
      giveUp: async () => undefined,
      log: silent,
      deferMs: 0,
      ...given,
    });
  }
  async function submit(email: string, count: number): Promise<readonly string[]> {
    const userId = await userOf(made, email);
    const sites = Array.from({ length: count }, (_, index) => ({ url: `https://site-${index}.example/`, host: `site-${index}.example` }));
    return (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1000 }, freeAnalyses: 100 })).jobIds;
  }

  it('runs two jobs of a user at once, and the next when one has ended', async () => {
    const ids = await submit('ann@example.com', 3);
    start({ deferMs: 1 });
    await jobs.until(() => jobs.running.size === 2);
    jobs.running.get(ids[0] ?? '')?.end();
    await jobs.until(() => jobs.running.has(ids[2] ?? ''));
    expect(jobs.running.size).toBe(2);
  });

  it('does not let one user’s many jobs hold up another’s', async () => {
    const many = await submit('many@example.com', 40);
    start({ deferMs: 60_000 });
    await jobs.until(() => jobs.running.size === 2);
    const [other] = await submit('other@example.com', 1);
    await jobs.until(() => jobs.running.has(other ?? ''));
    expect([...jobs.running.keys()].filter((id) => many.includes(id))).toHaveLength(2);
  });

  it('tries a job that broke off again, and gives it up in the end', async () => {
    const [id] = await submit('ann@example.com', 1);
    const tries: string[] = [];
    const given = new Promise<string>((resolve) => {
      start({
        maxAttempts: 2,
        runJob: async (jobId) => {
          tries.push(jobId);
          throw new Error('out of luck');
        },
        giveUp: async (jobId) => resolve(jobId),
        backoff: () => 0,
      });
    });
    expect(await given).toBe(id);
    expect(tries).toEqual([id, id]);
  });

  it('stops a job at once that is cancelled', async () => {
    const [id] = await submit('ann@example.com', 1);
    const reasons: string[] = [];
    start({
      runJob: (jobId, signal) => jobs.runJob(jobId, signal).catch((error: Error) => void reasons.push(error.message)),
    });
    await jobs.until(() => jobs.running.has(id ?? ''));
    await cancelJob(made.context(), { jobId: id ?? '' });
    await jobs.until(() => !jobs.running.has(id ?? ''));
    expect(reasons).toEqual(['The job was cancelled.']);
  });

  it('gives its jobs back when it stops, and another worker takes them at once', async () => {
    const [id] = await submit('ann@example.com', 1);
    start();
    await jobs.until(() => jobs.running.has(id ?? ''));
    await worker.stop();
    expect(jobs.running.size).toBe(0);
    start();
    await jobs.until(() => jobs.running.has(id ?? ''));
    expect(await made.store.listParked(AUDIT_GROUP)).toEqual([]);
  });

  it('takes up a job that the store hands to nobody, as if it had been handed to it', async () => {
    const [lost, other] = await submit('ann@example.com', 2);
    for await (const delivery of made.store.consume({ group: AUDIT_GROUP, filter: { types: ['JobSubmitted'] } })) {
      await delivery.ack();
      if ((delivery.event.data as { jobId: string }).jobId === other) break;
    }
    start({ parallel: 1 });
    expect(worker.takeUp(lost ?? '', 'ann')).toBe(true);
    expect(worker.takeUp(lost ?? '', 'ann')).toBe(false);
    expect(worker.hasRoom()).toBe(false);
    expect(worker.takeUp(other ?? '', 'ann')).toBe(false);
    await jobs.until(() => jobs.running.has(lost ?? ''));
    jobs.running.get(lost ?? '')?.end(new Error('out of luck'));
    await jobs.until(() => !jobs.running.has(lost ?? ''));
    await new Promise(setImmediate);
    expect(worker.takeUp(other ?? '', 'ann')).toBe(true);
    await worker.stop();
    expect(worker.takeUp(lost ?? '', 'ann')).toBe(false);
    expect(jobs.running.size).toBe(0);
  });
});
