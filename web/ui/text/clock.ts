/** One clock for all times of the page. */
import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, EVERY_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, as of the last tick: minutes are exact enough. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, () => now);
}
