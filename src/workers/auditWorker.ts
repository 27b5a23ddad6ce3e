/** Takes up submitted jobs: a few at once, fairly among users, under a lease that is renewed while the job runs. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, EventStore } from '../eventStore/eventStore.ts';
import { LeaseLost } from '../eventStore/eventStore.ts';

/** The consumer group whose parked events an admin sees. */
export const AUDIT_GROUP = 'audits';

/** Until a loop that its store broke off is begun again. */
const RESTART_MS = 1_000;

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
  readonly hasRoom: () => boolean;
  /** Runs a job that the store hands to nobody; false when it is running here, or there is no room for it. */
  takeUp(jobId: string, userId: string): boolean;
  /** Takes nothing new, breaks off what runs and gives it back. */
  stop(): Promise<void>;
};

/** What is left to do for a delivery; none is behind a job that was taken up without one. */
type Settling = Pick<Delivery, 'attempt' | 'ack' | 'retry' | 'defer' | 'extend'>;

const nothing = async (): Promise<void> => undefined;
const UNDELIVERED: Settling = { attempt: 1, ack: nothing, retry: nothing, defer: nothing, extend: nothing };

type Running = { readonly userId: string; readonly abort: AbortController; readonly done: Promise<void> };

export function startAuditWorker(deps: AuditWorkerDeps): AuditWorker {
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  const leaseMs = deps.leaseMs ?? 30_000;
  const maxAttempts = deps.maxAttempts ?? 5;

  async function work(delivery: Settling, jobId: string, abort: AbortController): Promise<void> {
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

  async function settle(delivery: Settling, jobId: string, signal: AbortSignal, error: unknown): Promise<void> {
    if (error instanceof LeaseLost || signal.reason instanceof LeaseLost) return;
    if (stopping.signal.aborted) return delivery.defer(0);
    deps.log.error({ jobId, attempt: delivery.attempt, err: error }, 'an audit broke off');
    if (delivery.attempt < maxAttempts) return delivery.retry(String(error));
    await deps.giveUp(jobId, error);
    await delivery.ack();
  }

  async function take(delivery: Delivery): Promise<void> {
    const { jobId, userId } = delivery.event.data as { jobId: string; userId: string };
    if (isTurnOf(jobId, userId)) begin(delivery, jobId, userId);
    else return delivery.defer(deps.deferMs ?? 1_000);
    return undefined;
  }

  function isTurnOf(jobId: string, userId: string): boolean {
    return !running.has(jobId) && [...running.values()].filter((job) => job.userId === userId).length < deps.parallelPerUser;
  }

  function begin(delivery: Settling, jobId: string, userId: string): void {
    const abort = new AbortController();
    // Each request under way listens, and there is no fixed number of them.
    setMaxListeners(0, abort.signal);
    const done = work(delivery, jobId, abort)
      .catch((error: unknown) => deps.log.error({ jobId, err: error }, 'a delivery could not be settled'))
      .finally(() => running.delete(jobId));
    running.set(jobId, { userId, abort, done });
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

  const hasRoom = (): boolean => !stopping.signal.aborted && running.size < deps.parallel;

  return {
    running: () => running.size,
    hasRoom,
    takeUp(jobId, userId) {
      if (!hasRoom() || !isTurnOf(jobId, userId)) return false;
      deps.log.info({ jobId }, 'an audit that nobody worked on is taken up');
      begin(UNDELIVERED, jobId, userId);
      return true;
    },
    async stop() {
      stopping.abort();
      for (const job of running.values()) job.abort.abort(new Error('The worker is stopping.'));
      await Promise.all([...running.values()].map((job) => job.done));
      await Promise.all(loops);
    },
  };
}
