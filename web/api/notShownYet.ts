/**
 * Answers that cannot be given yet, as the lists are behind what was written (503 NOT_SHOWN_YET): asked for again,
 * quietly at first.
 */
import { useSyncExternalStore } from 'react';
import type { ApiAnswer } from './call.ts';

const REPEATED_FOR_MS = 120_000;
const QUIET_FOR_MS = 5_000;

/** How many have taken longer than that. */
let slow = 0;
const listeners = new Set<() => void>();

function addSlow(more: number): void {
  slow += more;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsSlowlyShown = (): boolean => useSyncExternalStore(subscribe, () => slow > 0);

/** As the server says, within reason. */
const waitMs = (seconds = '2'): number => 1000 * (Math.min(Math.max(Number(seconds), 0.5), 10) || 2);

/** What `ask` answers once it can. It must be safe to repeat: nothing was done for it, or it has an Idempotency-Key. */
export async function untilShown(ask: () => Promise<ApiAnswer>, signal?: AbortSignal): Promise<ApiAnswer> {
  let answer = await ask();
  if (answer.failure?.code !== 'NOT_SHOWN_YET') return answer;
  let counted = 0;
  const telling = setTimeout(() => {
    counted = 1;
    addSlow(counted);
  }, QUIET_FOR_MS);
  const end = Date.now() + REPEATED_FOR_MS;
  while (answer.failure?.code === 'NOT_SHOWN_YET' && Date.now() < end && !signal?.aborted) {
    await passed(waitMs(answer.failure.retryAfter), signal);
    if (!signal?.aborted) answer = await ask();
  }
  clearTimeout(telling);
  addSlow(-counted);
  return answer;
}

/** Ends early when nobody waits for the answer any more. */
const passed = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      signal?.removeEventListener('abort', end);
      resolve();
    };
    setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
