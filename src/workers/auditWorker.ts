/** Takes up submitted jobs: a few at once, fairly among users, under a lease that is renewed while the job runs. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, EventStore } from '../eventStore/eventStore.ts';
import { LeaseLost } from '../eventStore/eventStore.ts';

/** The consumer group whose parked events an admin sees. */
export const AUDIT_GROUP = 'audits';

/** Until a loop that its store broke off is begun again. */
const RESTART_MS = 1_000;

const MAX_DELIVERIES = 20;

export type AuditWorkerDeps = {
  readonly store: EventStore;
  /** Audits at once in this process, and of one user. */
  readonly parallel: number;
  readonly parallelPerUser: number;
  /** Runs the job to its end. Resolves when the job has ended or is no longer this worker's; throws when it should be tried again. */
  readonly runJob: (jobId: string, signal: AbortSignal) => Promise<void>;
  /** Ends a job that failed at every try. */
  readonly giveUp: (jobId: string, error: unknown) => Promise<void>;
  readonly log: { info(fields: object, text: string): void; error(fields: object, text: string): void };
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
  /** Until a job of a user who has enough running is looked at again, ms. */
  readonly deferMs?: number;
  /** Between tries of a job that broke off, ms. Default: the store's. */
  readonly backoff?: (attempt: number) => number;
};

export type AuditWorker = {
  readonly running: () => number;
  /** Takes nothing new, breaks off what runs and gives it back. */
  stop(): Promise<void>;
};

type Running = { readonly userId: string; readonly abort: AbortController; readonly done: Promise<void> };

export function startAuditWorker(deps: AuditWorkerDeps): AuditWorker {
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  const leaseMs = deps.leaseMs ?? 30_000;
  const maxAttempts = deps.maxAttempts ?? 5;

  async function work(delivery: Delivery, jobId: string, abort: AbortController): Promise<void> {
    const renewal = setInterval(() => {
      // A lease that is lost belongs to another worker: stop at once, its appends would only be refused.
      delivery.extend().catch(() => abort.abort(new LeaseLost()));
    }, leaseMs / 3);
    renewal.unref();
    try {
      await deps.runJob(jobId, abort.signal);
      await delivery.ack();
    } catch (error) {
      await settle(delivery, jobId, abort.signal, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async function settle(delivery: Delivery, jobId: string, signal: AbortSignal, error: unknown): Promise<void> {
    if (error instanceof LeaseLost || signal.reason instanceof LeaseLost) return;
    if (stopping.signal.aborted) return delivery.defer(0);
    deps.log.error({ jobId, attempt: delivery.attempt, err: error }, 'an audit broke off');
    if (delivery.attempt < maxAttempts) return delivery.retry(String(error));
    await deps.giveUp(jobId, error);
    await delivery.ack();
  }

  async function take(delivery: Delivery): Promise<void> {
    const { jobId, userId } = delivery.event.data as { jobId: string; userId: string };
    const ofUser = [...running.values()].filter((job) => job.userId === userId).length;
    // Each kill of a process costs a delivery too. A job that took so many down is the cause itself.
    if (delivery.attempt > MAX_DELIVERIES) {
      await deps.giveUp(jobId, new Error(`No worker lived through this job in ${MAX_DELIVERIES} tries.`));
      return delivery.ack();
    }
    if (ofUser >= deps.parallelPerUser || running.has(jobId)) return delivery.defer(deps.deferMs ?? 1_000);
    const abort = new AbortController();
    const done = work(delivery, jobId, abort)
      .catch((error: unknown) => deps.log.error({ jobId, err: error }, 'a delivery could not be settled'))
      .finally(() => running.delete(jobId));
    running.set(jobId, { userId, abort, done });
    return undefined;
  }

  async function consume(): Promise<void> {
    const deliveries = deps.store.consume({
      group: AUDIT_GROUP,
      filter: { types: ['JobSubmitted'] },
      leaseMs,
      // The store never parks a job by itself: its owner would see it running for ever.
      maxAttempts: Number.MAX_SAFE_INTEGER,
      signal: stopping.signal,
    });
    for await (const delivery of deliveries) {
      await take(delivery);
      while (running.size >= deps.parallel) await Promise.race([...running.values()].map((job) => job.done));
    }
  }

  /** A cancelled or deleted job stops at once instead of at its next event. */
  async function watchCancellations(): Promise<void> {
    const ends = deps.store.subscribe({ after: 'end', filter: { types: ['JobCancelled', 'JobDeleted'] }, signal: stopping.signal });
    for await (const message of ends) {
      if (message.kind !== 'events') continue;
      for (const event of message.events) running.get((event.data as { jobId: string }).jobId)?.abort.abort(new Error('The job was cancelled.'));
    }
  }

  /** A store that is away for a while must not leave a worker that does nothing. */
  async function keep(loop: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await loop();
      } catch (error) {
        if (stopping.signal.aborted) return;
        deps.log.error({ err: error }, 'the audit worker lost its store; it goes on as soon as it can');
        await wait(RESTART_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  const loops = [keep(consume), keep(watchCancellations)];

  return {
    running: () => running.size,
    async stop() {
      stopping.abort();
      for (const job of running.values()) job.abort.abort(new Error('The worker is stopping.'));
      await Promise.all([...running.values()].map((job) => job.done));
      await Promise.all(loops);
    },
  };
}
