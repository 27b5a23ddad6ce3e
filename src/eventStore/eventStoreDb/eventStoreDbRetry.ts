/** Retries with back-off while the server is unavailable, for a bounded time. */
import { firstOf, type Timer } from '../notifier.ts';
import { fateOf, toStoreError } from './eventStoreDbErrors.ts';

export type RetryPolicy = {
  /** Names the server, without credentials. */
  readonly label: string;
  readonly timer: Timer;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** After so long no further try begins, ms. */
  readonly retryForMs: number;
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number;
  /** Aborts when the store is closed: nobody waits any longer. */
  readonly closing: AbortSignal;
};

/** Runs `call` until it is answered; `tries` counts those that were not. @throws the port's errors */
export async function withRetries<T>(retryPolicy: RetryPolicy, call: (tries: number) => Promise<T>): Promise<T> {
  const start = retryPolicy.elapsed();
  for (let tries = 0; ; tries++) {
    try {
      return await call(tries);
    } catch (error) {
      if (fateOf(error) !== 'unavailable' || retryPolicy.closing.aborted || retryPolicy.elapsed() - start >= retryPolicy.retryForMs)
        throw toStoreError(error, retryPolicy.label);
      await waitForCall(retryPolicy, tries);
    }
  }
}

/** Before a call whose answer somebody waits for is made again, `tries` failures after the first. Ends early when the store is closed. */
export function waitForCall(retryPolicy: RetryPolicy, tries: number): Promise<void> {
  return wait(retryPolicy, 10, 400, tries, retryPolicy.closing);
}

/** Before something that goes on in the background is begun again, `failures` times in a row without success; ends early when `signal` aborts. */
export function pause(retryPolicy: RetryPolicy, failures: number, signal: AbortSignal): Promise<void> {
  return wait(retryPolicy, 40, 5_000, failures, signal);
}

function wait({ timer, random }: RetryPolicy, firstMs: number, longestMs: number, tries: number, signal: AbortSignal): Promise<void> {
  // Half of it is chance, so that all who lost the same server do not come back in one moment.
  const ms = Math.min(longestMs, firstMs * 2 ** Math.min(tries, 12)) * (0.5 + random() / 2);
  return firstOf([(notify) => timer(ms, notify)], signal);
}
