/** Waiting: for each other, and until a store is available again. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Deferred = { readonly promise: Promise<void>; readonly resolve: () => void };

export function createDeferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Resolves with the promise, or when the signal aborts. */
export async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = createDeferred();
  signal.addEventListener('abort', aborted.resolve, { once: true });
  await Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', aborted.resolve));
}

/** Resolves after `ms`, or when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Errors that retrying cannot fix. */
const FINAL_CODES: ReadonlySet<unknown> = new Set(['STORE_CLOSED', 'READ_MODELS_CLOSED', 'INVALID_DEFINITION']);

export type RetryPolicy = {
  readonly signal: AbortSignal;
  /** Delay before attempt number `attempt` (from 1), in ms. */
  readonly backoffMs: (attempt: number) => number;
  readonly onFailure: (error: unknown, attempt: number) => void;
};

/**
 * Runs `work` until it succeeds or `signal` aborts; after a failure it waits and retries. `progress` reports that
 * something succeeded again, which resets the back-off.
 * @throws errors that retrying cannot fix
 */
export async function retryUntilDone(
  retryPolicy: RetryPolicy,
  work: (progress: () => void) => Promise<void>,
): Promise<void> {
  let attempt = 0;
  const progress = () => {
    attempt = 0;
  };
  while (!retryPolicy.signal.aborted) {
    try {
      return await work(progress);
    } catch (error) {
      if (retryPolicy.signal.aborted) return;
      if (FINAL_CODES.has((error as { code?: unknown } | null)?.code)) throw error;
      attempt += 1;
      retryPolicy.onFailure(error, attempt);
      await pause(retryPolicy.backoffMs(attempt), retryPolicy.signal);
    }
  }
}

/** 0.1 s, doubled each time, 30 s at most. */
export function defaultBackoffMs(attempt: number): number {
  return Math.min(30_000, 100 * 2 ** (attempt - 1));
}
