/** Retries with back-off while the server is unavailable, for a bounded time. */
import { firstOf, type Timer } from '../notifier.ts';
import { fateOf, toStoreError } from './eventStoreDbErrors.ts';

export type RetryPolicy = {
  /** Names the server, without credentials. */
  readonly label: string;
  readonly timer: Timer;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** No further attempt begins after this, ms. */
  readonly retryForMs: number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Aborts when the store is closed: there are no waiters any more. */
  readonly closing: AbortSignal;
};

/** Runs `call` until it gets a response; `tries` counts the failures. @throws the port's errors */
export async function withRetries<T>(retryPolicy: RetryPolicy, call: (tries: number) => Promise<T>): Promise<T> {
  const start = retryPolicy.elapsed();
  for (let tries = 0; ; tries++) {
    try {
      return await call(tries);
    } catch (error) {
      if (
        fateOf(error) !== 'unavailable' ||
        retryPolicy.closing.aborted ||
        retryPolicy.elapsed() - start >= retryPolicy.retryForMs
      )
        throw toStoreError(error, retryPolicy.label);
      await waitForCall(retryPolicy, tries);
    }
  }
}

/**
 * The delay before retrying a call that someone waits for, `tries` failures after the first. Ends early when the store
 * is closed.
 */
export function waitForCall(retryPolicy: RetryPolicy, tries: number): Promise<void> {
  return wait(retryPolicy, 10, 400, tries, retryPolicy.closing);
}

/**
 * The delay before restarting background work, after `failures` consecutive failures; ends early when `signal` aborts.
 */
export function pause(retryPolicy: RetryPolicy, failures: number, signal: AbortSignal): Promise<void> {
  return wait(retryPolicy, 40, 5_000, failures, signal);
}

function wait(
  { timer, random }: RetryPolicy,
  firstMs: number,
  longestMs: number,
  tries: number,
  signal: AbortSignal,
): Promise<void> {
  // Half of it is random, so that the clients of a lost server do not all reconnect at once.
  const ms = Math.min(longestMs, firstMs * 2 ** Math.min(tries, 12)) * (0.5 + random() / 2);
  return firstOf([(notify) => timer(ms, notify)], signal);
}
